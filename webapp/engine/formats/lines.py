"""A message cut anywhere, as lines: what the push-parsers share.

A line is handed over whole when it may be something special, else piece by piece as it comes. Line
ends may be LF, CRLF or CR; a CR at the end of a piece waits, since an LF may follow.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from webapp.engine.formats import Event, Prose, Text


@dataclass(slots=True)
class LineParser(ABC):
    """Feeds a parser with lines and with pieces of ordinary ones. A parser overrides the hooks."""

    _held: str = field(default="", init=False)
    """The line so far, while it may be something special."""
    _released: bool = field(default=False, init=False)
    """Whether the line's beginning was handed on already, as text that is nothing special."""
    _cr: bool = field(default=False, init=False)
    _out: list[Event] = field(default_factory=list, init=False)

    def push(self, text: str) -> list[Event]:
        """Return the events that the next piece of the message completes."""
        if self._cr:
            text = "\r" + text
            self._cr = False
        if "\r" in text:
            if text[-1] == "\r":
                text = text[:-1]
                self._cr = True
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        start = 0
        end = text.find("\n")
        while end >= 0:
            self._end_line(text[start:end])
            start = end + 1
            end = text.find("\n", start)
        if start < len(text):
            self._grow(text[start:] if start else text)
        return self._take()

    def finish(self) -> list[Event]:
        """Return the last events; the last line needs no line end."""
        if self._cr:
            self._cr = False
            self._end_line("")
        held, self._held = self._held, ""
        self._last_line(held)
        return self._take()

    def _grow(self, piece: str) -> None:
        if not self._released:
            held = self._held + piece
            if self._may_be_special(held):
                self._held = held
                return
            piece, self._held, self._released = held, "", True
        self._piece(piece)

    def _end_line(self, piece: str) -> None:
        if self._released:
            self._released = False
            self._piece(piece + "\n")
            return
        line, self._held = self._held + piece, ""
        self._line(line)

    def _take(self) -> list[Event]:
        out, self._out = self._out, []
        return out

    def _text(self, text: str) -> None:
        if self._out and isinstance(last := self._out[-1], Text):
            self._out[-1] = Text(last.text + text)
        else:
            self._out.append(Text(text))

    def _prose(self, text: str) -> None:
        if self._out and isinstance(last := self._out[-1], Prose):
            self._out[-1] = Prose(last.text + text)
        else:
            self._out.append(Prose(text))

    # Hooks

    @abstractmethod
    def _may_be_special(self, held: str) -> bool:
        """Say whether a line that begins so has to be seen whole."""

    @abstractmethod
    def _piece(self, text: str) -> None:
        """Take a piece of an ordinary line; the last one ends with LF."""

    @abstractmethod
    def _line(self, line: str) -> None:
        """Take a whole line, without its LF."""

    @abstractmethod
    def _last_line(self, held: str) -> None:
        """Take what is held when the message ends, and end what is open."""
