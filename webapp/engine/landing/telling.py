"""What became of a message's edits, and the telling of those that are withheld. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from webapp.engine.formats.whole_writer import Lost
from webapp.engine.landing import sentences as say
from webapp.engine.landing.edit import Edit, State
from webapp.engine.landing.held import Held, HeldCreate, HeldEdit, lines_in
from webapp.engine.landing.withheld import Kind, Operation, Withheld, Withhold

Status = Literal["applied", "refused", "frozen", "yielded", "rolled_back"]
_STATUS: Final[dict[Kind, Status]] = {
    Kind.REFUSED: "refused",
    Kind.FROZEN: "frozen",
    Kind.YIELDED: "yielded",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one hunk, or of one file operation."""

    path: str
    status: Status
    reason: str = ""


class Telling:
    """Tells of each withheld edit once, in order, and remembers what became of all."""

    def __init__(self, withhold: Withhold) -> None:
        self.outcomes: list[Outcome] = []
        self._withhold: Final = withhold
        self._ordinal = 0

    @property
    def refused(self) -> int:
        """How many could not be applied."""
        return sum(outcome.status == "refused" for outcome in self.outcomes)

    @property
    def all_landed(self) -> bool:
        """Say whether every edit so far stands."""
        return all(outcome.status == "applied" for outcome in self.outcomes)

    @property
    def changed_paths(self) -> list[str]:
        """Return the paths of the files that have an edit, each once, in order."""
        changed = (each.path for each in self.outcomes if each.status == "applied")
        return list(dict.fromkeys(changed))

    def applied(self, edit: Edit) -> None:
        """Note an edit that was written, by its hunks; one that had nothing to change counts."""
        count = max(edit.applied, 0 if edit.is_told else 1)
        self.outcomes += [Outcome(edit.path, "applied")] * count

    def did(self, path: str) -> None:
        """Note a file operation that was performed."""
        self.outcomes.append(Outcome(path, "applied"))

    def rolled_back(self, edit: Edit) -> None:
        """Note an edit that was not complete, and was taken back."""
        self.outcomes += [Outcome(edit.path, "applied")] * edit.applied
        self.outcomes.append(Outcome(edit.path, "rolled_back", say.UNFINISHED))

    def edit(self, edit: Edit) -> None:
        """Tell of an edit that is over, and was not written."""
        doc, place = edit.doc, edit.place
        if edit.state is State.REFUSED:
            self.outcomes += [Outcome(edit.path, "applied")] * edit.applied
            self.tell(
                Kind.REFUSED,
                edit.op,
                edit.path,
                edit.reason,
                file=doc.id if doc is not None else None,
                lines=edit.lines,
                old=edit.old,
                new=edit.new,
            )
        elif edit.op == "create" and edit.state is State.FROZEN:
            held = HeldCreate(edit.path, edit.result())
            self.tell(Kind.FROZEN, "create", edit.path, edit.reason, new=held.text, held=held)
        elif doc is not None and place is not None:
            careful = edit.state is State.FROZEN
            old = doc.text[place.start : place.end]
            text, start, end = edit.base
            make = edit.make if old == text[start:end] else None
            span = place.start, place.end
            over = HeldEdit(doc.id, doc.path, span, edit.result(), make, edit.new, careful=careful)
            self.place(edit, Kind.FROZEN if careful else Kind.YIELDED, edit.reason, over, old)

    def lost(self, edit: Edit, lost: Lost) -> None:
        """Tell of one place of a whole file at which somebody typed."""
        doc = edit.doc
        if doc is None:
            return
        old, new = doc.text[lost.start : lost.end], lost.new
        if lost.end == len(doc.text) and not old.endswith("\n"):
            new = new.removesuffix("\n")
        held = HeldEdit(doc.id, doc.path, (lost.start, lost.end), new, careful=False)
        self.place(edit, Kind.YIELDED, say.YIELDED % {"path": doc.path}, held, old)

    def place(self, edit: Edit, kind: Kind, reason: str, held: HeldEdit, old: str) -> None:
        """Tell of an edit that can still be made in a place of its file."""
        edit.is_told = True
        text = edit.doc.text if edit.doc is not None else ""
        first = text.count("\n", 0, held.start) + 1
        lines = first, first + max(0, lines_in(old) - 1)
        self.tell(
            kind,
            "edit",
            edit.path,
            reason,
            file=held.file,
            lines=lines,
            old=old,
            new=held.new,
            held=held,
        )

    def tell(
        self,
        kind: Kind,
        op: Operation,
        path: str,
        reason: str,
        *,
        file: str | None = None,
        to: str = "",
        lines: tuple[int, int] | None = None,
        old: str = "",
        new: str = "",
        held: Held | None = None,
    ) -> None:
        """Tell of one withheld edit, and count it."""
        self._ordinal += 1
        first, last = lines or (None, None)
        self.outcomes.append(Outcome(path, _STATUS[kind], reason))
        self._withhold(
            Withheld(self._ordinal, kind, op, path, reason, file, to, first, last, old, new), held
        )
