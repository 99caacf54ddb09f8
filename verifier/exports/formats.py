"""The formats of a review by name, each loaded when it is asked for, so that none needs another's libraries."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scenarios.errors import ScenarioError
from verifier.exports.review import Review

if TYPE_CHECKING:
    from verifier.exports.rollout import RolloutReview

FORMATS = {
    "html": ("page", "page_bytes", "review.html"),
    "xlsx": ("xlsx", "workbook_bytes", "review.xlsx"),
    "csv": ("csv", "csv_files", ""),
    "jsonl": ("jsonl", "lines_bytes", "review.jsonl"),
    "pdf": ("pdf", "document_bytes", "review.pdf"),
}
"""By format: the module, its function and the file; a function without a file returns files by name."""

ROLLOUT_FORMATS = {"html": ("rollout_page", "Page"), "csv": ("rollout_tables", "Tables"),
                   "jsonl": ("rollout_tables", "Lines")}
"""By format of a rollout: the module, and what takes consultations one at a time and makes the files of them."""

EXTRA = ("reportlab", "xlsxwriter")
"""The libraries of the extra `export`."""


def writers(names: Iterable[str]) -> list[Callable[[Review], dict[str, bytes]]]:
    """Return what makes the files of these formats of a run, each once.

    Raises:
        ScenarioError: a format needs a library that is not installed.
    """
    return [_writer(name, *FORMATS[name]) for name in dict.fromkeys(names)]


def check_rollout_formats(names: Iterable[str]) -> None:
    """Check that a rollout has these formats.

    Raises:
        ScenarioError: it has not.
    """
    for name in names:
        if name not in ROLLOUT_FORMATS:
            raise ScenarioError(f"--format {name}", "is not for a rollout", f"take {', '.join(ROLLOUT_FORMATS)}")


def rollout_files(review: "RolloutReview", names: Iterable[str]) -> dict[str, bytes]:
    """Return the files of a rollout in these formats, every consultation judged once for all of them.

    Raises:
        ScenarioError: a rollout has no such format. SealError, ReplayError: a record is not what its inputs give.
    """
    check_rollout_formats(names)
    makers = [getattr(import_module(f"verifier.exports.{module}"), maker)(review)
              for module, maker in (ROLLOUT_FORMATS[name] for name in dict.fromkeys(names))]
    for entry in review.entries():
        for maker in makers:
            maker.add(entry)
    return {name: data for maker in makers for name, data in maker.files().items()}


def _writer(name: str, module: str, function: str, file: str) -> Callable[[Any], dict[str, bytes]]:
    try:
        write = getattr(import_module(f"verifier.exports.{module}"), function)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in EXTRA:
            raise
        what = f"needs {library}, which is not installed"
        raise ScenarioError(f"--format {name}", what, "pip install 'advice-audit[export]'") from error
    return (lambda review: {file: write(review)}) if file else write
