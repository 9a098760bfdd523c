"""A JSON string cut anywhere, decoded as it comes: never half an escape, never half a pair.

Escapes are those of RFC 8259 and no others. A surrogate pair may be spelled as two escapes, as two
code units, or as one of each: its halves are told together, and a lone half as it is. What a string
may not hold by the letter, a raw line end or another control character, is taken as it stands,
since models write it. Texts are utf16 text (document/text.py).

Turned down: collecting the string for `json.loads`, since then nothing streams.
"""

import re
from dataclasses import dataclass, field
from typing import Final

_RUN = re.compile(r'[^"\\]+')
_HEX = re.compile(r"\\u[0-9a-fA-F]{4}")
_PLAIN: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


@dataclass(slots=True)
class StringDecoder:
    """Decodes one string, from behind its opening quote."""

    is_bad: bool = field(default=False, init=False)
    """Whether something stands there that is no escape of JSON; nothing is read any more."""
    _escape: str = field(default="", init=False)
    """The escape so far, from its backslash."""
    _high: str = field(default="", init=False)
    """The first half of what may be a pair."""

    def push(self, text: str, start: int) -> tuple[str, int, bool]:
        """Return what `text` from `start` on adds, where that ends, and whether the string does."""
        out: list[str] = []
        at, end = start, len(text)
        while at < end and not self.is_bad:
            if self._escape:
                at = self._unescape(text, at, out)
            elif run := _RUN.match(text, at):
                self._add(run[0], out)
                at = run.end()
            elif text[at] == '"':
                out.append(self._high)
                self._high = ""
                return "".join(out), at + 1, True
            else:
                self._escape = "\\"
                at += 1
        return "".join(out), at, False

    def _unescape(self, text: str, at: int, out: list[str]) -> int:
        """Take what belongs to the escape; return where that ends."""
        wanted = 6 if self._escape[1:] or text[at] == "u" else 2
        piece = text[at : at + wanted - len(self._escape)]
        self._escape += piece
        if len(self._escape) == wanted:
            char = _unescaped(self._escape)
            self._escape = ""
            self.is_bad = char is None
            if char is not None:
                self._add(char, out)
        return at + len(piece)

    def _add(self, text: str, out: list[str]) -> None:
        if self._high:
            out.append(self._high)
            self._high = ""
        if "\ud800" <= text[-1] <= "\udbff":
            self._high = text[-1]
            text = text[:-1]
        out.append(text)


def _unescaped(escape: str) -> str | None:
    if _HEX.fullmatch(escape):
        return chr(int(escape[2:], 16))
    return _PLAIN.get(escape[1]) if len(escape) == 2 else None
