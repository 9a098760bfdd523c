"""The terminal: calm, one line an event, and at most one line that is rewritten in place.

A terminal that went away must never end Flint, so a failed write is forgotten.
"""

from __future__ import annotations

import threading
from typing import TextIO

from webapp.lib import clock

_ERASE = "\r\x1b[K"


class Terminal:
    """Writes to one stream; safe from several threads."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._moving = ""
        self.is_tty = stream.isatty()

    def say(self, text: str) -> None:
        """Write one line."""
        with self._lock:
            self._write(f"{_ERASE if self._moving else ''}{text}\n{self._moving}")

    def event(self, text: str) -> None:
        """Write one line with the time of day, for what happens while Flint runs."""
        self.say(f"{clock.now().astimezone():%H:%M:%S} {text}")

    def moving(self, text: str) -> None:
        """Rewrite the line that moves; an empty text takes it away. Nothing without a tty."""
        if not self.is_tty:
            return
        with self._lock:
            if text != self._moving:
                self._write(f"{_ERASE}{text}")
                self._moving = text

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass
