"""docs/check_certificate.py as a module; it is a script of its own and part of no package."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

SCRIPT = Path(__file__).parents[2] / "docs" / "check_certificate.py"


def load_checker() -> ModuleType:
    spec = spec_from_file_location("check_certificate", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


checker = load_checker()
