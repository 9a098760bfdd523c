"""The deletes and moves of a message: all at its end, or none. Pure.

They run when every edit of the message stands, after a dry run of all of them on the paths as they
are then: each file must be there, each new path must be free once all is done, and no files may
change places in a circle. A path that the message itself frees is free, so deletes go first, and a
move waits for the one that makes room for it. A move onto itself, in whatever spelling, is none.
Where one fails, all files stay, and each is told with what else of the message was applied.

A file that the message moves is known by its new path too: moving it on is one move, and deleting
it there is a delete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from webapp.document.tree import PathError, check_path, clash
from webapp.engine.landing import sentences as say
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.finding import Finder, plain
from webapp.engine.landing.held import Doc, HeldFile
from webapp.engine.landing.withheld import Kind
from webapp.lib.sentences import listed


@dataclass(slots=True)
class _Wanted:
    """One file that is to go, or with `to`, to have another path."""

    path: str
    doc: Doc | None
    to: str = ""
    problem: str = ""


class Operations:
    """Those of one message."""

    def __init__(self, desk: Desk, find: Finder) -> None:
        self._desk: Final = desk
        self._find: Final = find
        self._wanted: list[_Wanted] = []

    # What the message says

    def delete(self, path: str) -> None:
        """Note a file that is to go."""
        path = plain(path)
        doc = self._find.doc(path)
        known = self._of(doc)
        if known is None:
            self._add(_Wanted(path, doc))
        elif known.to and path == known.to:
            known.to = ""
        elif known.to:
            known.problem = say.TWO_THINGS

    def move(self, path: str, to: str) -> None:
        """Note a file that is to have another path."""
        path, to = plain(path), plain(to)
        doc = self._find.doc(path)
        if doc is not None and doc.path == to:
            self._desk.edits += 1
            return
        known = self._of(doc)
        if known is None:
            self._add(_Wanted(path, doc, to))
        elif known.to and path == known.to:
            known.to = to
        elif known.to != to:
            known.problem = say.TWO_THINGS
        if doc is not None:
            self._find.moved[to] = doc.id

    def _add(self, wanted: _Wanted) -> None:
        self._desk.edits += 1
        self._wanted.append(wanted)

    def _of(self, doc: Doc | None) -> _Wanted | None:
        return next((each for each in self._wanted if doc is not None and each.doc is doc), None)

    # The end of it

    def run(self, *, cut: bool) -> None:
        """Do them, hand them to a person's word, or say why not."""
        if not self._wanted:
            return
        self._desk.let_go()
        for each in self._wanted:
            each.problem = each.problem or self._problem(each)
        ordered = self._in_order()
        if cut:
            self._refuse(say.CUT_SHORT)
        elif not self._desk.told.all_landed:
            self._refuse(say.EDIT_FAILED)
        elif any(each.problem for each in self._wanted):
            self._refuse(say.ANOTHER_FAILED)
        else:
            for each in ordered:
                self._do(each)

    def _problem(self, wanted: _Wanted) -> str:
        """Return why one cannot be done, apart from the others."""
        if wanted.doc is None:
            return say.IS_FOLDER if self._find.is_folder(wanted.path) else say.NO_SUCH_FILE
        if not wanted.to:
            return ""
        try:
            wanted.to = check_path(wanted.to)
        except PathError as error:
            return error.sentence
        others = [path for id, path in self._afterwards().items() if id != wanted.doc.id]
        return clash(wanted.to, others) or ""

    def _afterwards(self) -> dict[str, str]:
        """Return every file's path once all is done."""
        paths = {file.id: file.path for file in self._desk.workspace.files}
        for each in self._wanted:
            if each.doc is not None and each.to:
                paths[each.doc.id] = each.to
            elif each.doc is not None:
                paths.pop(each.doc.id, None)
        return paths

    def _in_order(self) -> list[_Wanted]:
        """Return them so that each path is free when it is its turn; note those in a circle."""
        ordered = [each for each in self._wanted if not each.to]
        left = [each for each in self._wanted if each.to]
        while left:
            free = [each for each in left if not self._is_in_the_way(each, left)]
            if not free:
                for each in left:
                    each.problem = each.problem or say.CIRCLE
                break
            ordered += free
            left = [each for each in left if each not in free]
        return ordered

    def _is_in_the_way(self, wanted: _Wanted, left: list[_Wanted]) -> bool:
        others = [each.doc.path for each in left if each is not wanted and each.doc is not None]
        return clash(wanted.to, others) is not None

    def _do(self, wanted: _Wanted) -> None:
        doc, desk = wanted.doc, self._desk
        if doc is None or not desk.workspace.may_write():
            return
        reason = self._guard(doc, wanted.to)
        files = desk.workspace.files
        others = [file.path for file in files if file.id != doc.id] if wanted.to else []
        if reason is not None:
            desk.told.tell(
                Kind.FROZEN,
                "move" if wanted.to else "delete",
                doc.path,
                reason,
                file=doc.id,
                to=wanted.to,
                old=doc.text if doc.is_text and not wanted.to else "",
                held=HeldFile(doc.id, doc.path, wanted.to),
            )
        elif wanted.to and (problem := clash(wanted.to, others)):
            self._tell_refused(wanted, problem)  # what should make room waits for a word
        else:
            path = doc.path
            if wanted.to:
                desk.workspace.rename(doc, wanted.to)
            else:
                desk.workspace.remove(doc)
            desk.told.did(path)

    def _guard(self, doc: Doc, to: str) -> str | None:
        guard = self._desk.guard
        return guard.move(doc.path, to) if to else guard.remove(doc.path)

    # Why not

    def _refuse(self, otherwise: str) -> None:
        """Tell of all that none was done: each for its own reason, else for this one."""
        for each in self._wanted:
            self._tell_refused(each, each.problem or otherwise)

    def _tell_refused(self, wanted: _Wanted, problem: str) -> None:
        applied = self._desk.told.changed_paths
        if applied:
            problem = say.OTHERS_APPLIED % {"problem": problem, "paths": listed(applied)}
        else:
            problem = say.NONE_APPLIED % {"problem": problem}
        path, to = wanted.path, wanted.to
        if to:
            reason = say.NOT_MOVED % {"path": path, "to": to, "problem": problem}
        else:
            reason = say.NOT_DELETED % {"path": path, "problem": problem}
        self._desk.told.tell(
            Kind.REFUSED,
            "move" if to else "delete",
            path,
            reason,
            file=wanted.doc.id if wanted.doc is not None else None,
            to=to,
        )
