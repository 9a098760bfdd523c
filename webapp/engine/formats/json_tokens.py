"""One JSON value cut anywhere, as tokens, by RFC 8259.

Two things are taken that JSON does not have, since both can mean but one thing: a comma behind the
last item, and raw control characters in strings. All else (comments, single quotes, bare keys) is
an error, and nothing behind an error is read.

A string that is a value comes as any number of `TEXT` and one `STRING_END`; keys, numbers and
words come whole. Time is linear, and the memory is that of the deepest nesting: depth, keys and
numbers are bounded.
"""

import enum
import re
from dataclasses import dataclass, field
from typing import Final

from webapp.engine.formats.json_strings import StringDecoder

_MOST_DEPTH: Final = 64
_LONGEST_KEY: Final = 100
_LONGEST_WORD: Final = 100
_SPACE = re.compile(r"[ \t\n\r]+")
_WORD_RUN = re.compile(r"[-+.0-9A-Za-z]+")
_WORD = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


class Kind(enum.Enum):
    """What a token is."""

    OBJECT = "{"
    OBJECT_END = "}"
    ARRAY = "["
    ARRAY_END = "]"
    KEY = "key"
    STRING = "string"  # one begins
    TEXT = "text"
    STRING_END = "string end"
    WORD = "word"  # a number, true, false or null


Token = tuple[Kind, str]
"""The kind, and the text of a KEY (its first 100 characters), TEXT or WORD."""


class State(enum.Enum):
    """How far the value is."""

    MORE = "more"
    OVER = "over"
    BAD = "bad"


class _Next(enum.Enum):
    """What may follow."""

    VALUE = "value"
    VALUE_OR_END = "value or end"
    KEY_OR_END = "key or end"
    COLON = "colon"
    COMMA_OR_END = "comma or end"


class _Bad(ValueError):
    """This is no JSON."""


_OPENERS: Final = {"{": (Kind.OBJECT, _Next.KEY_OR_END), "[": (Kind.ARRAY, _Next.VALUE_OR_END)}
_CLOSERS: Final = {"}": (Kind.OBJECT_END, "{"), "]": (Kind.ARRAY_END, "[")}


@dataclass(slots=True)
class JsonReader:
    """Reads one object or array."""

    state: State = field(default=State.MORE, init=False)
    _next: _Next = field(default=_Next.VALUE, init=False)
    _open: list[str] = field(default_factory=list, init=False)
    _string: StringDecoder | None = field(default=None, init=False)
    _is_key: bool = field(default=False, init=False)
    """Whether that string is a key."""
    _key: str = field(default="", init=False)
    _word: str = field(default="", init=False)
    _tokens: list[Token] = field(default_factory=list, init=False)

    @property
    def lacks_closers_alone(self) -> bool:
        """Say whether only brackets are missing."""
        return self._next is _Next.COMMA_OR_END and not self._word and self._string is None

    def push(self, text: str) -> tuple[list[Token], int]:
        """Return the tokens that `text` completes, and where in it the value ends or is bad."""
        at, end = 0, len(text)
        while at < end and self.state is State.MORE:
            try:
                if self._string is not None:
                    at = self._in_string(self._string, text, at)
                else:
                    at = self._between(text, at)
            except _Bad:
                self.state = State.BAD
        tokens, self._tokens = self._tokens, []
        return tokens, at

    def _in_string(self, string: StringDecoder, text: str, at: int) -> int:
        piece, at, is_over = string.push(text, at)
        if self._is_key:
            self._key = (self._key + piece)[:_LONGEST_KEY]
        elif piece:
            self._tokens.append((Kind.TEXT, piece))
        if string.is_bad:
            raise _Bad
        if not is_over:
            return at
        self._string = None
        if self._is_key:
            self._tokens.append((Kind.KEY, self._key))
            self._next = _Next.COLON
        else:
            self._tokens.append((Kind.STRING_END, ""))
            self._next = _Next.COMMA_OR_END
        return at

    def _between(self, text: str, at: int) -> int:
        """Take what stands at `at`, outside of strings; return where that ends."""
        if run := _WORD_RUN.match(text, at):
            if not self._word:
                self._expect_value()
            self._word += run[0]
            if len(self._word) > _LONGEST_WORD:
                raise _Bad
            return run.end()
        if self._word:
            self._end_word()
        if space := _SPACE.match(text, at):
            return space.end()
        mark = text[at]
        if mark == '"':
            self._begin_string()
        elif mark in _OPENERS:
            self._begin(mark)
        elif mark in _CLOSERS:
            self._end(mark)
        elif mark == ":" and self._next is _Next.COLON:
            self._next = _Next.VALUE
        elif mark == "," and self._next is _Next.COMMA_OR_END:
            in_object = self._open[-1] == "{"
            self._next = _Next.KEY_OR_END if in_object else _Next.VALUE_OR_END
        else:
            raise _Bad
        return at + 1

    def _expect_value(self) -> None:
        if self._next not in (_Next.VALUE, _Next.VALUE_OR_END):
            raise _Bad

    def _end_word(self) -> None:
        word, self._word = self._word, ""
        if not _WORD.fullmatch(word):
            raise _Bad
        self._tokens.append((Kind.WORD, word))
        self._next = _Next.COMMA_OR_END

    def _begin_string(self) -> None:
        self._is_key = self._next is _Next.KEY_OR_END
        if not self._is_key:
            self._expect_value()
            self._tokens.append((Kind.STRING, ""))
        self._key = ""
        self._string = StringDecoder()

    def _begin(self, mark: str) -> None:
        self._expect_value()
        if len(self._open) == _MOST_DEPTH:
            raise _Bad
        kind, self._next = _OPENERS[mark]
        self._open.append(mark)
        self._tokens.append((kind, ""))

    def _end(self, mark: str) -> None:
        kind, opener = _CLOSERS[mark]
        may_end = self._next not in (_Next.VALUE, _Next.COLON)
        if not may_end or not self._open or self._open[-1] != opener:
            raise _Bad
        self._open.pop()
        self._tokens.append((kind, ""))
        self._next = _Next.COMMA_OR_END
        if not self._open:
            self.state = State.OVER
