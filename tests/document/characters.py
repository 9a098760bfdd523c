"""An oracle for what taking hunks back must leave: every character on its own, no ranges at all.

It knows nothing of places among the dead. What it demands of a text is: the right characters, each
once, in an order that no earlier text contradicts. Line breaks all look alike: they are counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from webapp.document.changes import ChangeSet

Who = tuple[str, int] | None
"""A turn and one of its hunks, or None: a person."""


@dataclass(slots=True)
class Character:
    """One character: who wrote it and, if so, who deleted it."""

    glyph: str
    by: Who
    deleted: bool = False
    deleted_by: Who = None


def glyphs() -> Iterator[str]:
    """Yield letters that are all different."""
    for number in range(0x4E00, 0x9FFF):
        yield chr(number)


class Characters:
    """All characters that a file ever had, and every text that it ever was."""

    def __init__(self, text: str) -> None:
        self.live = [Character(glyph, None) for glyph in text]
        self.all = list(self.live)
        self.texts = [list(self.live)]
        self._tells_breaks = True
        """Whether it is known which break is which: not when breaks of several came back."""

    def text(self) -> str:
        return "".join(character.glyph for character in self.live)

    def edit(self, change: ChangeSet, who: Who | Callable[[str], list[Who]]) -> None:
        """Follow a change of somebody's; of several, if told who did it to each character."""
        tell = who if callable(who) else lambda text: [who] * len(text)
        at = 0
        live: list[Character] = []
        for start, end, _, _, text in change.iter_changes(True):
            live += self.live[at:start]
            dying = self.live[start:end]
            killers = tell("".join(character.glyph for character in dying))
            for character, killer in zip(dying, killers, strict=True):
                character.deleted, character.deleted_by = True, killer
            if who is None and text.startswith("\n") and self._breaks(end):
                # Two breaks look alike: the typed one counts as the second, so that what was typed
                # behind a line of the model is a line of its own.
                live.append(self.live[end])
                text, end = text[1:] + "\n", end + 1
            new = [Character(glyph, by) for glyph, by in zip(text, tell(text), strict=True)]
            self.all += new
            live += new
            at = end
        self.live = live + self.live[at:]
        self.texts.append(list(self.live))

    def _breaks(self, at: int) -> bool:
        here = self.live[at : at + 1]
        return bool(here) and here[0].glyph == "\n" and here[0].by is not None

    def wanted(self, keys: Collection[Who]) -> list[Character]:
        """Return what is to be there when these hunks are taken back, in no order."""
        return [
            character
            for character in self.all
            if character.by not in keys
            and (not character.deleted or (character.deleted_by in keys))
        ]

    def check(self, change: ChangeSet, keys: Collection[Who]) -> list[Character]:
        """Fail unless the change takes exactly these hunks back; return the characters then."""
        wanted = self.wanted(keys)
        returning: dict[str, list[Character]] = defaultdict(list)
        for character in wanted:
            if character.deleted:
                returning[character.glyph].append(character)
        result: list[Character] = []
        at = 0
        for start, end, _, _, text in change.iter_changes(True):
            result += self.live[at:start]
            for glyph in text:
                known = returning[glyph]
                assert known or (glyph == "\n" and not self._tells_breaks), glyph
                result.append(known.pop(0) if known else Character("\n", None))
            at = end
        result += self.live[at:]
        seen = [id(character) for character in result if character.glyph != "\n"]
        assert sorted(seen) == sorted(id(c) for c in wanted if c.glyph != "\n")
        assert not self._tells_breaks or len(result) == len(wanted)
        present = set(seen)
        for text_then in self.texts:
            order = [id(c) for c in text_then if id(c) in present]
            held = set(order)
            assert [one for one in seen if one in held] == order
        return result

    def undo(self, change: ChangeSet, keys: Collection[Who]) -> None:
        """Follow a change that took hunks back, after it was checked."""
        returned = {c.by for c in self.wanted(keys) if c.deleted and c.glyph == "\n"}
        self._tells_breaks = self._tells_breaks and len(returned) <= 1
        live = self.check(change, keys)
        for character in self.all:
            if character.by in keys:
                # Gone for good, whoever had deleted it.
                character.deleted, character.deleted_by = True, None
        self.live = live
        for character in self.live:
            character.deleted, character.deleted_by = False, None
        self.texts.append(list(self.live))
