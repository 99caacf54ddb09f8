"""Many machines: the tasks of a rollout on a Dask cluster that runs already, through Dask's own executor.

The workers need this package, and trace, inputs and folder under the same paths; digests are all that comes back.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from scenarios.errors import ReplayError, ScenarioError

CONNECT_S = 10


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Hold a connection to a Dask scheduler, as an executor.

    Args:
        address: of the scheduler, such as tcp://127.0.0.1:8786.

    Raises:
        ScenarioError: the extra `dask` is not installed. ReplayError: no scheduler answers there.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ScenarioError("engine dask", "Dask is not installed", "pip install 'advice-audit[dask]'") from error
    try:
        client = Client(address, timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise ReplayError(address, f"no scheduler answers ({type(error).__name__})",
                          "start one with `dask scheduler`, and name its address") from error
    with client:
        yield client.get_executor(retries=0)
