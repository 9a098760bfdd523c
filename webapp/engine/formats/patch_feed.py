"""A patch cut anywhere, as lines that know how they ended. Pure.

Whether a file that a patch adds has CRLF line ends shows in the message alone, and the lines that
parsers share have lost it.
"""

import re
from abc import abstractmethod
from dataclasses import dataclass, field

from webapp.engine.formats import Event
from webapp.engine.formats.lines import LineParser

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)?")


@dataclass(slots=True)
class PatchFeed(LineParser):
    """Feeds a parser of patches."""

    _crlf: bool = field(default=False, init=False)
    """Whether the line that ends now ends with CRLF."""
    _return: bool = field(default=False, init=False)
    """Whether the message so far ends with a CR, to which an LF may belong."""
    _pieces: list[str] = field(default_factory=list, init=False)
    """The line so far, where lines are read whole."""

    def push(self, text: str) -> list[Event]:
        """Return the events that the next piece of the message completes."""
        if not text or not (self._return or "\r" in text):
            return LineParser.push(self, text)
        events: list[Event] = []
        if self._return:
            self._crlf = text[0] == "\n"
            text = text.removeprefix("\n")
            events += LineParser.push(self, "\n")
        self._return = text.endswith("\r")
        for line in _LINE.findall(text.removesuffix("\r"))[:-1]:
            self._crlf = line.endswith("\r\n")
            events += LineParser.push(self, line.replace("\r\n", "\n").replace("\r", "\n"))
        self._crlf = False
        return events

    def finish(self) -> list[Event]:
        """Return the last events; the last line needs no line end."""
        events: list[Event] = []
        if self._return:
            self._return = False
            events = LineParser.push(self, "\n")
        return events + LineParser.finish(self)

    def _collect(self, piece: str) -> None:
        """Take a piece of a line that is read whole."""
        self._pieces.append(piece)
        if piece.endswith("\n"):
            self._line(self._collected()[:-1])

    def _collected(self) -> str:
        line = "".join(self._pieces)
        self._pieces.clear()
        return line

    @abstractmethod
    def _line(self, line: str) -> None:
        """Take a whole line, without its LF."""
