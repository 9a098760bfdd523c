"""The text of a file that a patch adds, as it comes. Pure.

Each line begins with `+`; a blank line without it is one all the same, as long as another line
follows. An empty `+` line at the end stands for the end of the line before it: some write it, and
some do not.
"""

from dataclasses import dataclass, field

from webapp.engine.formats import Event, Omission, Text
from webapp.engine.formats.omissions import is_omission


@dataclass(slots=True)
class AddedFile:
    """One such file."""

    markup: bool
    _blank: list[bool] = field(default_factory=list)
    """The blank lines that wait for a line behind them: whether each has its `+`."""
    _lines: int = 0
    _crlfs: int = 0

    @property
    def crlf(self) -> bool:
        """Say whether most of its lines ended with CRLF."""
        return self._crlfs * 2 > self._lines

    def piece(self, text: str) -> list[Event]:
        """Take a piece of a line that is nothing special, without its `+`."""
        blank, self._blank = self._blank, []
        return [Text("\n" * len(blank) + text)]

    def line(self, text: str, end: str = "\n") -> list[Event]:
        """Take a whole line, without its `+`."""
        if not text:
            self._blank.append(True)
            return []
        if not is_omission(text, markup=self.markup):
            return self.piece(text + end)
        blank, self._blank = self._blank, []
        before: list[Event] = [Text("\n" * len(blank))] if blank else []
        return [*before, Omission(text + end)]

    def blank(self) -> None:
        """Take a blank line that lacks its `+`."""
        self._blank.append(False)

    def count(self, *, crlf: bool) -> None:
        """Count the end of a line."""
        self._lines += 1
        self._crlfs += crlf

    def finish(self) -> list[Event]:
        """Return what waited, as far as it is text."""
        while self._blank and not self._blank[-1]:
            self._blank.pop()
        blank = len(self._blank) - 1
        self._blank.clear()
        return [Text("\n" * blank)] if blank > 0 else []
