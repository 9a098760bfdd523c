"""Frames that a test says in the server's name, between the real ones, and what the page sends."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

Frame = dict[str, Any]


class Told:
    """Stands between a page and the server from its next socket on."""

    def __init__(self, page: Page, *answers: str) -> None:
        self._answers = answers
        """Kinds of frames that the test answers, and the server never sees."""
        self.role = ""
        """What `welcome` says this person may, if not what the server says."""
        self.sent: list[Frame] = []
        self._socket: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/ws/"), self._connect)

    def say(self, frame: Frame) -> None:
        """Send a frame to the page."""
        assert self._socket is not None
        self._socket.send(json.dumps(frame))

    def of(self, kind: str) -> list[Frame]:
        """Return the frames of a kind that the page has sent."""
        return [frame for frame in self.sent if frame["t"] == kind]

    def _connect(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        server = socket.connect_to_server()

        def from_page(text: str | bytes) -> None:
            frame = json.loads(text)
            self.sent.append(frame)
            # What the test says counts in no window of the server.
            if frame["t"] in self._answers or frame["t"] == "ack":
                return
            server.send(text)

        def from_server(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "welcome" and self.role:
                frame["you"]["role"] = self.role
            socket.send(json.dumps(frame))

        socket.on_message(from_page)
        server.on_message(from_server)
