"""Files: read with bounds and without following links, written whole or not at all.

A folder is written beside its place under a temporary name, synced and renamed, so that a full disk or
an interruption leaves nothing half-written under the real name.
"""

import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import orjson
from pydantic import ValidationError

from scenarios.canonical import CANONICAL, canonical_bytes, encode_exact
from scenarios.errors import ReplayError, SealError
from scenarios.types import Answer, Record

MAX_FILE_BYTES = 1 << 30
MAX_LINE_BYTES = 16 << 20
_BUFFER = 1 << 18
_NEWLINE = b"\n"
BOM = b"\xef\xbb\xbf"
_READ_ONLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
R = TypeVar("R", bound=Record)
_LONE_SURROGATE = re.compile(rb"\\ud[89a-f]")  # orjson reads none
_validate_answer = Answer.__pydantic_validator__.validate_python  # what model_validate calls


def open_file(path: Path) -> BinaryIO:
    """Return a regular file, open for reading.

    Raises:
        ReplayError: it is missing, a link, not a regular file, or unreadable.
    """
    where = str(path)
    try:
        handle = os.open(path, _READ_ONLY)
    except FileNotFoundError as error:
        raise ReplayError(where, "no such file", "check the path, or restore the file") from error
    except OSError as error:
        if path.is_symlink():
            raise ReplayError(where, "is a link", "put the file itself there; links are not followed") from error
        raise ReplayError(where, f"cannot be read ({error.strerror})", "check its permissions") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ReplayError(where, "is not a regular file", "name a file")
    return os.fdopen(handle, "rb")


def read_file(path: Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        ReplayError: as `open_file`, or it is larger than `limit` bytes.
    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise ReplayError(str(path), f"has {size} bytes, at most {limit} are read", "split or shorten it")
        return file.read()


def read_record(raw: bytes, where: str) -> dict[str, Any]:
    """Return the JSON object whose canonical bytes, and nothing else, are `raw`.

    That these bytes are canonical also shows that no key stands twice and that no number is a float.

    Raises:
        ReplayError: the bytes are not one JSON object.
        SealError: they are, but not in canonical form.
    """
    if raw.startswith(BOM):
        raise SealError(where, "begins with a byte-order mark", "write UTF-8 without BOM")
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        ending = " (a line that ends in CRLF?)" if raw.endswith(b"\r") else ""
        raise ReplayError(where, f"is not JSON: {error}{ending}", "restore the file") from error
    if not isinstance(value, dict):
        raise ReplayError(where, f"holds {type(value).__name__}, expected an object", "restore the file")
    try:
        same = canonical_bytes(value) == raw
    except RecursionError as error:
        raise ReplayError(where, "is nested too deeply", "restore the file") from error
    except (TypeError, ValueError) as error:
        raise ReplayError(
            where, f"cannot stand in a record: {error}", "write amounts as integers or strings"
        ) from error
    if not same:
        raise SealError(
            where, "is not in canonical form (blanks, key order, a key twice, or line ends)",
            "restore the file, or seal it anew with `audit freeze`",
        )
    return value


def read_answer(line: bytes, where: str) -> Answer:
    """Return the answer that a stored line holds.

    An answer's members are strings and whole numbers under names of plain letters, so sorted compact JSON is
    its canonical form, and its model refuses what `read_record` looks for first. A line that is not right
    on this short way goes the long one, which reads lone surrogates too and says what is wrong.

    Raises:
        ReplayError, SealError: as `read_record` and `build`.
    """
    try:
        value = orjson.loads(line)
        if type(value) is dict and orjson.dumps(value, option=CANONICAL) == line:
            answer: Answer = _validate_answer(value)
            return answer
    except (TypeError, ValueError):
        pass
    return build_answer(_read_lone(line) or read_record(line, where), where)


def _read_lone(line: bytes) -> dict[str, Any] | None:
    """Return the object of a canonical line with lone surrogates, which orjson does not read; None if it is none."""
    try:
        value = json.loads(line) if _LONE_SURROGATE.search(line) else None
        return value if type(value) is dict and encode_exact(value) == line else None
    except (TypeError, ValueError):
        return None


def build_answer(value: Any, where: str) -> Answer:
    """Return the answer that a JSON object holds; its text may hold lone surrogates.

    Raises:
        ReplayError: as `build`.
    """
    try:
        answer: Answer = _validate_answer(value)
    except ValidationError as error:
        raise _misfit(error, where) from error
    return answer


def read_document(path: Path) -> dict[str, Any]:
    """Return the object of a canonical JSON file.

    Raises:
        ReplayError, SealError: as `read_file` and `parse_document`.
    """
    return parse_document(read_file(path, MAX_LINE_BYTES), str(path))


def parse_document(raw: bytes, where: str) -> dict[str, Any]:
    """Return the object of a file that is exactly canonical bytes and one newline.

    Raises:
        ReplayError, SealError: as `read_record`; or the file is empty, or lacks the newline.
    """
    if not raw.strip():
        raise ReplayError(where, "is empty", "restore the file")
    record = read_record(raw.removesuffix(b"\n"), where)
    if not raw.endswith(b"\n"):
        raise SealError(where, "lacks the newline at its end", "restore the file, or seal it anew with `audit freeze`")
    return record


def read_lines(raw: bytes, where: str) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line without its newline) of a file of records.

    Raises:
        ReplayError: a line is longer than 16 MiB or the last one is cut.
    """
    if raw and not raw.endswith(b"\n"):
        raise _cut(f"{where} line {raw.count(_NEWLINE) + 1}")
    for number, line in enumerate(raw.split(_NEWLINE)[:-1], 1):
        if len(line) > MAX_LINE_BYTES:
            raise _too_long(f"{where} line {number}", len(line))
        yield number, line


def stream_lines(file: BinaryIO, where: str) -> Iterator[tuple[int, bytes]]:
    """Yield what `read_lines` does of a file's bytes, one line in memory at a time.

    Raises:
        ReplayError: as `read_lines`.
    """
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 2):
        number += 1
        if len(line) > MAX_LINE_BYTES + 1:
            raise _too_long(f"{where} line {number}", len(line))
        if not line.endswith(_NEWLINE):
            raise _cut(f"{where} line {number}")
        yield number, line[:-1]


def _cut(where: str) -> ReplayError:
    return ReplayError(where, "the last line is cut", "restore the file")


def _too_long(where: str, size: int) -> ReplayError:
    return ReplayError(where, f"has {size} bytes or more, at most {MAX_LINE_BYTES} are read", "shorten the answer")


def build(kind: type[R], value: Any, where: str) -> R:
    """Return a model made of a JSON object that was read.

    Raises:
        ReplayError: the object does not fit the model; the message names the member.
    """
    try:
        return kind.model_validate_json(orjson.dumps(value))
    except ValidationError as error:
        raise _misfit(error, where) from error


def _misfit(error: ValidationError, where: str) -> ReplayError:
    """Return the first thing that a model refused, for a person."""
    first = error.errors()[0]
    place = "/".join(str(part) for part in first["loc"])
    found = (
        ""
        if first["type"] == "missing" or isinstance(first["input"], dict)
        else f", found {first['input']!r}"[:120]
    )
    message = first["msg"].removeprefix("Value error, ")
    return ReplayError(f"{where}#/{place}", f"{message}{found}", "see docs/schema for the form")


def list_folder(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield (relative path with forward slashes, whether it is a link) of everything below a folder.

    Links, also links to folders, are yielded and not followed. A folder is yielded only where it is empty,
    with a slash behind its name.
    """
    pending = [("", folder)]
    while pending:
        prefix, current = pending.pop()
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            raise ReplayError(str(current), f"cannot be listed ({error.strerror})", "check the path") from error
        if prefix and not entries:
            yield prefix, False
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append((f"{prefix}{entry.name}/", Path(entry.path)))
            else:
                yield prefix + entry.name, entry.is_symlink()


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        ReplayError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_synced(temporary, data)
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder whole or not at all; `files` maps relative paths to bytes.

    Raises:
        ReplayError: the target exists with other content, or it cannot be written.
    """
    if (target.exists() or target.is_symlink()) and _holds(target, files):
        return
    with new_folder(target) as making, _writing(target):
        for name, data in files.items():
            path = making / name
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_synced(path, data)


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Hold a folder under a temporary name, which becomes the target where all goes well, and else is removed.

    Raises:
        ReplayError: the target exists, or it cannot be written.
    """
    if target.exists() or target.is_symlink():
        raise ReplayError(str(target), "exists and holds something else", "remove it or choose another --out")
    making = None
    try:
        with _writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            making = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
            making.chmod(0o777 & ~_umask())
        yield making
        with _writing(target):
            making.rename(target)
    except BaseException:
        _remove(making)
        raise


@contextmanager
def growing_file(path: Path, target: Path) -> Iterator[Callable[[bytes], None]]:
    """Hold a new file open; yield what appends to it. It is on the disk when the block ends.

    Args:
        path: of the file.
        target: what an error names: the folder that it is written for.

    Raises:
        ReplayError: it cannot be written.
    """
    with _writing(target):
        file = path.open("wb", buffering=_BUFFER)

    def append(data: bytes) -> None:
        with _writing(target):
            file.write(data)

    try:
        yield append
        with _writing(target):
            file.flush()
            os.fsync(file.fileno())
    finally:
        with _writing(target):
            file.close()


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _writing(where: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReplayError(
            str(where), f"cannot be written ({error.strerror})", "check the path and the free space"
        ) from error


def _remove(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _holds(target: Path, files: Mapping[str, bytes]) -> bool:
    if target.is_symlink() or not target.is_dir():
        return False
    found = dict(list_folder(target))
    if any(found.values()) or set(found) != set(files):
        return False
    return all((target / name).read_bytes() == data for name, data in files.items())
