"""A hub on loopback for tests: serves one file, and misbehaves as told."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Hub:
    """What is served, and how. `asked` holds the Range header of each request, or ''."""

    content: bytes
    cut_after_bytes: list[int] = field(default_factory=list)
    """For each of the first requests: how many bytes to send before the connection ends."""
    hold_after_bytes: list[int] = field(default_factory=list)
    """For each of the first requests: how many bytes to send before waiting for `go_on`."""
    go_on: threading.Event = field(default_factory=threading.Event)
    ignores_range: bool = False
    status: int = 200
    asked: list[str] = field(default_factory=list)
    base: str = ""


@contextlib.contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve on a free port for the length of a test."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hub.asked.append(self.headers.get("Range", ""))
            if hub.status != 200:
                self.send_error(hub.status)
                return
            found = re.fullmatch(r"bytes=(\d+)-", hub.asked[-1])
            start = int(found[1]) if found and not hub.ignores_range else 0
            body = hub.content[start:]
            self.send_response(206 if start else 200)
            if start:
                last = len(hub.content) - 1
                self.send_header("Content-Range", f"bytes {start}-{last}/{len(hub.content)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if len(hub.asked) <= len(hub.cut_after_bytes):
                body = body[: hub.cut_after_bytes[len(hub.asked) - 1]]
            held = len(hub.asked) <= len(hub.hold_after_bytes)
            first = hub.hold_after_bytes[len(hub.asked) - 1] if held else len(body)
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body[:first])
                self.wfile.flush()
                if held:
                    hub.go_on.wait(60)
                self.wfile.write(body[first:])

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    hub.base = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        hub.go_on.set()
        server.shutdown()
        thread.join()
        server.server_close()
