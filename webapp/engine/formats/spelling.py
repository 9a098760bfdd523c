"""How a block's new lines have to be spelled to fit where its searched lines were found.

The searched lines may stand otherwise than the model wrote them (locate.py says how), so

- a line that the model only repeats is the line that stands (old_lines.py knows them);
- a line that is not blank loses or gets the indentation that was found. One that has not got what
  it should lose is a misfit: it would land at the wrong depth, so the whole block is refused;
- blank lines at the ends that were searched, though the file has none there, are not added.

Turned down: taking away as much indentation as there is (in Python it changes what the code does).
"""

from collections.abc import Sequence

from webapp.engine.locate_lines import NO_SHIFT, Shift


class Spelling:
    """For one block; without arguments, everything stays as the model writes it.

    `searched` are the model's lines, each for the line of the file in the same place; `ahead` and
    `spare` say how many blank ones it had besides, before and behind, where none stand.
    """

    def __init__(
        self,
        searched: Sequence[str] = (),
        shift: Shift = NO_SHIFT,
        ahead: int = 0,
        spare: int = 0,
    ) -> None:
        self.searched = searched
        self.misfit: str | None = None
        """The first line that lacks the indentation to be taken away."""
        self._shift = shift
        self._ahead = ahead
        self._spare = spare
        self._blanks: list[str] = []

    def waits(self, partial: str) -> bool:
        """Say whether more of a line must be seen before it can be written."""
        return bool(self._shift or self._ahead or self._spare) and not partial.strip()

    def of(self, line: str) -> str:
        """Return a line, or the beginning of one that does not wait, as the file has it."""
        if not self._shift:
            return line
        fits = self._shift.apply(line)
        if fits is None:
            self.misfit = self.misfit or line
        return line if fits is None else fits

    def holds(self, line: str) -> bool:
        """Take a blank line that may be one of those at the ends; say whether it was taken."""
        if line.strip():
            return False
        if self._ahead:
            self._ahead -= 1
            return True
        if not self._spare:
            return False
        self._blanks.append(line)
        return True

    def release(self) -> list[str]:
        """Return the blank lines that were taken, and count: something follows them."""
        self._ahead = 0
        blanks, self._blanks = self._blanks, []
        return blanks

    def drop(self) -> None:
        """Let go of the blank lines at the end that the model had searched."""
        self._blanks = self._blanks[: -self._spare] if self._spare else self._blanks
