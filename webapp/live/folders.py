"""A folder on disk as a project in memory, and what became of it written back. Waits for the disk.

No symbolic link is followed, neither when reading nor when writing: each folder on the way is
opened by its name in the one above it. A link counts as a file that is no text, so that nothing is
made in its place. A file is replaced as a whole, by a rename; its mode stays.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from webapp.document import bounds
from webapp.document.tree import PathError, check_path
from webapp.engine.landing.memory import MemoryFile

MAX_ENTRIES: Final = 50_000
MAX_READ_BYTES: Final = 8 * bounds.MAX_TEXT_UNITS
"""A larger file is no text that could be edited."""
_NEW_MODE: Final = 0o666
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class FolderError(Exception):
    """The folder cannot be read, or not be written to; the text is a sentence."""


def files_in(folder: Path) -> list[tuple[str, Callable[[], bytes]]]:
    """Return the paths in a folder, and what reads each file; raises FolderError."""
    if not folder.is_dir():
        raise FolderError(f"There is no folder {folder}.")
    found = []
    for path in _walk(folder):
        with suppress(PathError):  # what no project may hold is no part of it
            if check_path(path) == path:
                found.append((path, partial(_read, folder, path)))
        if len(found) > MAX_ENTRIES:
            raise FolderError(f"{folder} holds more than {MAX_ENTRIES} files.")
    return sorted(found, key=lambda each: each[0])


def _walk(folder: Path) -> Iterator[str]:
    def failed(error: OSError) -> None:
        raise FolderError(f"{error.filename} cannot be read: {error.strerror}.") from error

    for root, folders, names in os.walk(folder, onerror=failed):
        folders[:] = [name for name in folders if name != ".git"]
        links = [name for name in folders if Path(root, name).is_symlink()]
        for name in (*names, *links):
            yield Path(root, name).relative_to(folder).as_posix()


def _read(folder: Path, path: str) -> bytes:
    """Return a file's bytes; for what is no file to be edited, bytes that are no text."""
    no_text = b"\0"
    with _opened(folder, path) as (parent, name):
        try:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=parent)
        except OSError:
            return no_text
        with os.fdopen(file, "rb") as source:
            about = os.fstat(source.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_READ_BYTES:
                return no_text
            return source.read()


def write(folder: Path, changed: Mapping[str, MemoryFile | None]) -> None:
    """Write what became of the files: first what is there afterwards, then what goes.

    Raises FolderError; what was written until then stays.
    """
    try:
        for path, file in changed.items():
            if file is not None:
                _replace(folder, path, file)
        for path, file in changed.items():
            if file is None:
                with _opened(folder, path) as (parent, name):
                    os.unlink(name, dir_fd=parent)
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror}.") from error


def _replace(folder: Path, path: str, file: MemoryFile) -> None:
    data, mode = file.data, _mode(folder, file.origin)
    with _opened(folder, path, make=True) as (parent, name):
        part = f".{secrets.token_hex(8)}.part"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        made = os.open(part, flags, _NEW_MODE, dir_fd=parent)
        try:
            with os.fdopen(made, "wb") as target:
                if mode is not None:
                    os.fchmod(target.fileno(), mode)
                target.write(data)
                target.flush()
                os.fsync(target.fileno())
            os.replace(part, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(part, dir_fd=parent)
            raise


def _mode(folder: Path, origin: str | None) -> int | None:
    """Return the mode of the file as it was, None for a new one."""
    if origin is None:
        return None
    with _opened(folder, origin) as (parent, name):
        return stat.S_IMODE(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


@contextmanager
def _opened(folder: Path, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """Open the folder of a path without following a link, and give it with the file's name."""
    *folders, name = path.split("/")
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for each in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(each, dir_fd=handle)
            inner = os.open(each, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle, name
    finally:
        os.close(handle)
