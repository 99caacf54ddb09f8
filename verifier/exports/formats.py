"""The formats of a review by name, each loaded when it is asked for, so that none needs another's libraries."""

from collections.abc import Callable, Iterable
from importlib import import_module

from scenarios.errors import ScenarioError
from verifier.exports.review import Review

FORMATS = {
    "html": ("page", "page_bytes", "review.html"),
    "xlsx": ("xlsx", "workbook_bytes", "review.xlsx"),
    "csv": ("csv", "csv_files", ""),
    "jsonl": ("jsonl", "lines_bytes", "review.jsonl"),
    "pdf": ("pdf", "document_bytes", "review.pdf"),
}
"""By format: the module, its function and the file; a function without a file returns files by name."""

EXTRA = ("reportlab", "xlsxwriter")
"""The libraries of the extra `export`."""


def writers(names: Iterable[str]) -> list[Callable[[Review], dict[str, bytes]]]:
    """Return what makes the files of these formats, each once.

    Raises:
        ScenarioError: a format needs a library that is not installed.
    """
    return [_writer(name) for name in dict.fromkeys(names)]


def _writer(name: str) -> Callable[[Review], dict[str, bytes]]:
    module, function, file = FORMATS[name]
    try:
        write = getattr(import_module(f"verifier.exports.{module}"), function)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in EXTRA:
            raise
        what = f"needs {library}, which is not installed"
        raise ScenarioError(f"--format {name}", what, "pip install 'advice-audit[export]'") from error
    return (lambda review: {file: write(review)}) if file else write
