"""Sentences for people, from rooms that know no framework: English at once, translated later.

A `Sentence` is its English text, and still knows the pattern and the values it was made of, so
that whoever shows it (`notices/words.py`) can look the pattern up in a catalogue. The pattern is
always written as `Sentence(gettext_noop("…"), …)`, or as a `Pattern` where it is filled elsewhere,
since `makemessages` reads the source and finds only what stands inside such a call; a value that
is words itself is a Sentence again.

What is done to a str (slicing, joining, an f-string, `str()`) gives plain text, which is shown as
it is. Turned down: codes in place of texts, with a table of sentences on Django's side, as the
sentence would stand far from what it is about, and a log or a terminal could not show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self


def gettext_noop(msgid: str) -> str:
    """Return `msgid`; marks it for the catalogues, under a name that `makemessages` knows."""
    return msgid


class Sentence(str):
    """An English text made of a pattern (`%(name)s`) and values, for people.

    Equal to that text in every way. A pattern without values is taken literally.
    """

    __slots__ = ("msgid", "values")

    msgid: str
    values: Mapping[str, str | int]

    def __new__(cls, msgid: str, /, **values: str | int) -> Self:
        """Fill the pattern. Raises KeyError, TypeError or ValueError when they do not fit."""
        made = super().__new__(cls, msgid % values if values else msgid)
        made.msgid = msgid
        made.values = values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, str | int]]:
        """Copy as what it was made of: `dataclasses.asdict` copies its values."""
        return (self.msgid,), dict(self.values)


class Pattern:
    """A sentence that still lacks its values: `PATTERN % {"name": value}` is the Sentence.

    Not a str, so that nobody shows one by mistake.
    """

    __slots__ = ("msgid",)

    def __init__(self, msgid: str) -> None:
        self.msgid = msgid

    def __mod__(self, values: Mapping[str, str | int]) -> Sentence:
        """Fill it. Raises KeyError, TypeError or ValueError when they do not fit."""
        return Sentence(self.msgid, **values)


_PAIR: Final = Pattern(gettext_noop("%(first)s %(then)s"))


def joined(sentences: Iterable[str]) -> str:
    """Return sentences one after another, as one that can still be translated."""
    said_so_far = ""
    for each in sentences:
        if each:
            said_so_far = _PAIR % {"first": said_so_far, "then": each} if said_so_far else each
    return said_so_far


_LIST: Final = Pattern(gettext_noop("%(first)s, %(then)s"))


def listed(names: Iterable[str]) -> str:
    """Return names (paths, numbers) one after another, as a language lists them."""
    so_far = ""
    for each in names:
        so_far = _LIST % {"first": so_far, "then": each} if so_far else each
    return so_far


def said(error: BaseException) -> str:
    """Return what the exception says: the very Sentence it was made with, else its text.

    `str(error)` would make plain text of it.
    """
    first = error.args[0] if len(error.args) == 1 else None
    return first if isinstance(first, Sentence) else str(error)


def to_json(text: str) -> Any:
    """Return what `from_json` makes the same text of: a string, or pattern and values."""
    if not isinstance(text, Sentence):
        return text
    values = {
        name: to_json(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return {"msgid": text.msgid, "values": values}


def from_json(value: Any) -> str:
    """Return the text again. Raises ValueError for what `to_json` never makes."""
    if isinstance(value, str):
        return value
    match value:
        case {"msgid": str(msgid), "values": dict(values)}:
            held = {
                name: each if isinstance(each, int) else from_json(each)
                for name, each in values.items()
            }
        case _:
            raise ValueError(f"neither a text nor a pattern with values: {value!r:.80}")
    try:
        return Sentence(msgid, **held)
    except (KeyError, TypeError) as error:
        raise ValueError(f"the values do not fit the pattern {msgid!r:.80}") from error
