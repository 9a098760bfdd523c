"""What stands around a patch: a fence, a shell's here-document, blank lines. Pure.

Such lines are held until it is known whether a patch follows: then they belong to it, and so does
what closes them; else they are prose.
"""

from dataclasses import dataclass, field
from typing import Final

from webapp.engine.formats.patch_lines import LONGEST_LINE, fence, heredoc, may_be_special

_LONGEST_RUN: Final = 6


@dataclass(slots=True)
class Wrappers:
    """The lines outside a patch, as far as they may be wrapped around one."""

    _run: list[str] = field(default_factory=list)
    """Lines below which a patch may begin, with their LF."""
    _held_fence: str = ""
    """The fence among them."""
    _held_word: str = ""
    """The end of the here-document that one of them opens."""
    _fence: str = ""
    """The open fence."""
    _is_said: bool = False
    """Whether that belongs to the prose."""
    _word: str = ""
    """The end of the here-document around the patch."""

    def take(self, line: str, end: str = "\n") -> str:
        """Take a line outside a patch, and how it ends; return what is prose now."""
        if self._is_end(line):
            self._word = ""
            return self.flush()
        if found := fence(line):
            return self._take_fence(line + end, *found)
        if (word := heredoc(line)) and not self._held_word:
            self._held_word = word
            self._run.append(line + end)
            return ""
        is_blank = len(line) <= LONGEST_LINE and not line.strip()
        if self._run and is_blank and len(self._run) < _LONGEST_RUN:
            self._run.append(line + end)
            return ""
        return self.flush() + line + end

    def _take_fence(self, line: str, marks: str, can_close: bool) -> str:
        prose = self.flush()
        if not self._fence:
            self._run, self._held_fence = [line], marks
            return prose
        if can_close and marks.startswith(self._fence):
            self._fence = ""
            return prose + (line if self._is_said else "")
        return prose + line

    def may_take(self, held: str) -> bool:
        """Say whether a line that begins so may be held, or belong to a patch."""
        is_end = bool(self._word) and self._word.startswith(held.strip())
        return (is_end and len(held) <= LONGEST_LINE) or may_be_special(held)

    def flush(self) -> str:
        """Return what was held: no patch follows."""
        return self._let_go(is_said=True)

    def begin(self) -> None:
        """A patch begins: what was held belongs to it."""
        self._word = self._held_word or self._word
        self._let_go(is_said=False)

    def _let_go(self, *, is_said: bool) -> str:
        text = "".join(self._run)
        self._run.clear()
        if self._held_fence:
            self._fence, self._is_said = self._held_fence, is_said
        self._held_fence = self._held_word = ""
        return text

    def ends(self, line: str) -> bool:
        """Say whether a line in a patch closes what is around it."""
        if self._is_end(line):
            return True
        found = fence(line) if self._fence else None
        return found is not None and found[1] and found[0].startswith(self._fence)

    def _is_end(self, line: str) -> bool:
        return bool(self._word) and len(line) <= LONGEST_LINE and line.strip() == self._word
