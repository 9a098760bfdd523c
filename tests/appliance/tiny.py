"""`python -m tests.appliance.tiny`: the process of a model with tiny weights, which says nothing.

All of it is the product's but the file and what serves it.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from webapp.appliance import modelserver, tiers
from webapp.appliance.published import Weights
from webapp.appliance.tiers import Tier

CONTENT = random.Random(11).randbytes(900_000)
TINY = replace(
    tiers.STANDARD,
    weights=Weights(
        name="Tiny",
        file_name="tiny.gguf",
        size_bytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        hub_path="someone/tiny",
        slices=(),
    ),
    needs_bytes=1_000_000,
    niceness=0,
)


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        return


def serve(tier: Tier, path: Path, environment: Mapping[str, str]) -> str:
    """Answer every prompt with nothing."""
    if path.read_bytes() != CONTENT:
        raise ValueError("these are not the weights")
    port = urlsplit(environment[tier.setting("BASE_URL")]).port or 0
    server = HTTPServer(("127.0.0.1", port), _Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return environment[tier.setting("BASE_URL")]


if __name__ == "__main__":
    sys.exit(modelserver.main(TINY, os.environ, serve))
