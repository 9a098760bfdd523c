"""Waits until the web process answers, in a thread of its own.

The listening socket exists before the web process does, so the first request usually just waits
until there is somebody to answer it: nothing is polled.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable

ANSWER_S = 60.0
PAUSE_S = 0.2


def when_healthy(
    host: str, port: int, origin_host: str, then: Callable[[], None]
) -> threading.Event:
    """Call `then` in a thread once `/healthz` answers 200; returns an event that gives up."""
    given_up = threading.Event()

    def ask() -> None:
        while not given_up.is_set():
            if is_healthy(host, port, origin_host):
                if not given_up.is_set():
                    then()
                return
            given_up.wait(PAUSE_S)

    threading.Thread(target=ask, name="ready", daemon=True).start()
    return given_up


def is_healthy(host: str, port: int, origin_host: str) -> bool:
    """Ask once. `origin_host` goes into the Host header, since others are refused."""
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/healthz", headers={"Host": origin_host})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
