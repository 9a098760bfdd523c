"""A network that can be taken away: a TCP relay on loopback between a browser and the product."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Proxy:
    """Relays every connection to `target_port` until `cut`, then none until `mend`."""

    def __init__(self, target_port: int, port: int) -> None:
        self._target_port, self.port = target_port, port
        self._open = True
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Reset what is open and refuse what comes."""
        with self._lock:
            self._open = False
            for each in self._sockets:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            self._sockets.clear()

    def mend(self) -> None:
        """Relay again."""
        with self._lock:
            self._open = True

    def close(self) -> None:
        """Stop for good."""
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with self._lock:
                    if not self._open:
                        client.close()
                        continue
                    server = socket.create_connection(("127.0.0.1", self._target_port))
                    self._sockets |= {client, server}
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._sockets.discard(each)
