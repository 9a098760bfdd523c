"""A file by HTTP, resumable: what has arrived stays in a part file, and Range asks for the rest.

Whether the file is the right one is for the caller to find out, by its digest.
"""

from __future__ import annotations

import errno
import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from webapp.appliance.progress import Meter
from webapp.lib.sentences import Sentence, gettext_noop, said

CONNECT_S = 8.0
STALL_S = 15.0
TRIES = 3
"""How often in a row it may bring nothing before the source is given up."""
_CHUNK_BYTES = 256 * 1024


class SourceFailed(Exception):
    """This source did not bring the file; another may. The text says why, without a full stop."""


class DiskFull(Exception):
    """No source can bring the file, since there is no room for it."""


def fetch(
    url: str,
    part: Path,
    size_bytes: int,
    meter: Meter,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Bring `part` to `size_bytes`. Raises SourceFailed (the part stays) or DiskFull."""
    fruitless, answered = 0, False
    while True:
        before_bytes = _size(part)
        if before_bytes > size_bytes:
            part.unlink()
            before_bytes = 0
        if before_bytes == size_bytes:
            return
        meter.at(before_bytes)
        try:
            _fetch_once(url, part, before_bytes, size_bytes, meter)
            why: str = Sentence(gettext_noop("the connection ended early"))
        except (OSError, http.client.HTTPException) as error:
            if getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT}:
                raise DiskFull from error
            why = _reason(error)
        if _size(part) == size_bytes:
            return
        brought = _size(part) != before_bytes
        fruitless, answered = (0, True) if brought else (fruitless + 1, answered)
        if fruitless >= TRIES or not answered:
            # What never answered at all is not asked again: the page waits for a model.
            raise SourceFailed(why)
        wait(0.5 * 2**fruitless)


def _fetch_once(url: str, part: Path, start: int, size_bytes: int, meter: Meter) -> None:
    headers = {"User-Agent": "flint", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the URL is ours
    try:
        response = _open(request)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
                part.unlink(missing_ok=True)
                return
            raise SourceFailed(
                Sentence(gettext_noop("it answered %(status)s"), status=error.code)
            ) from error
    with response:
        if response.status != http.client.PARTIAL_CONTENT:
            start = 0
        elif not str(response.headers.get("Content-Range", "")).startswith(f"bytes {start}-"):
            raise SourceFailed(
                Sentence(gettext_noop("it sent another part of the file than was asked for"))
            )
        length = response.headers.get("Content-Length")
        if length is not None and start + int(length) != size_bytes:
            raise SourceFailed(
                Sentence(
                    gettext_noop("its file has %(found)s bytes, and the right one %(right)s"),
                    found=start + int(length),
                    right=size_bytes,
                )
            )
        with part.open("r+b" if start else "wb") as file:
            file.seek(start)
            done_bytes = start
            while data := response.read(_CHUNK_BYTES):
                done_bytes += len(data)
                if done_bytes > size_bytes:
                    raise SourceFailed(
                        Sentence(
                            gettext_noop("it sends more than the %(right)s bytes of the file"),
                            right=size_bytes,
                        )
                    )
                file.write(data)
                meter.at(done_bytes)


def _open(request: urllib.request.Request) -> Any:
    """Open within CONNECT_S, looking up the name included, which no socket timeout covers."""
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.append(urllib.request.urlopen(request, timeout=STALL_S))  # noqa: S310 - ours
        except Exception as error:  # noqa: BLE001 - raised again by whoever waits
            outcome.append(error)

    thread = threading.Thread(target=work, name="hub", daemon=True)
    thread.start()
    thread.join(CONNECT_S)
    if not outcome:
        raise TimeoutError(
            Sentence(gettext_noop("no answer within %(seconds)s s"), seconds=f"{CONNECT_S:.0f}")
        )
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


def _reason(error: Exception) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    why = said(reason) if isinstance(reason, BaseException) else str(reason)
    return why or type(reason).__name__


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
