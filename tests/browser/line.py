"""The socket of one page, which a test may cut while the page itself can still be loaded."""

from __future__ import annotations

import re

from playwright.sync_api import Page, WebSocketRoute

_GONE = 4012


class Line:
    """Stands between a page and the server from its next socket on."""

    def __init__(self, page: Page) -> None:
        self._open = True
        self.deaf = False
        """The page hears nothing; what it sends arrives."""
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/"), self._connect)

    def cut(self) -> None:
        """Close what is open, and every socket that comes."""
        self._open = False
        for each in self._sockets:
            each.close(code=_GONE)
        self._sockets.clear()

    def mend(self) -> None:
        """Let sockets through again."""
        self._open = True

    def _connect(self, socket: WebSocketRoute) -> None:
        if self._open:
            server = socket.connect_to_server()
            server.on_message(lambda text: None if self.deaf else socket.send(text))
            self._sockets.append(socket)
        else:
            socket.close(code=_GONE)
