"""A network that can be taken away: a TCP relay on loopback between a browser and the product."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Proxy:
    """Relays every connection to `target_port` until `cut`, then none until `mend`.

    Between `portal` and `mend` it answers every connection itself, as a hotel's network does.
    """

    def __init__(self, target_port: int, port: int) -> None:
        self._target_port, self.port = target_port, port
        self._open = True
        self._portal = b""
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Reset what is open and refuse what comes."""
        with self._lock:
            self._open = False
            self._portal = b""
            for each in self._sockets:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            self._sockets.clear()

    def portal(self, answer: bytes) -> None:
        """Reset what is open and answer what comes with these bytes."""
        self.cut()
        with self._lock:
            self._portal = answer

    def mend(self) -> None:
        """Relay again."""
        with self._lock:
            self._open = True
            self._portal = b""

    def close(self) -> None:
        """Stop for good."""
        self.cut()
        # Else the port stays taken for as long as the thread waits for a connection.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with self._lock:
                    if not self._open:
                        if self._portal:
                            client.recv(65536)
                            client.sendall(self._portal)
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
