"""From an answer to edited files, through the parser, the landing and the guard of live turns.

Where an answer in the format `whole` is one complete block for the file in focus, what stands there
afterwards is also compared with the block itself: an edit that says it was applied and was not
would otherwise look like a mistake of the model's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tests.eval.judging import Applied
from webapp.document.text import from_utf16, line_start, to_utf16
from webapp.engine import formats
from webapp.engine.guard import Rules
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.held import Held
from webapp.engine.landing.landing import landing
from webapp.engine.landing.memory import MemoryWorkspace
from webapp.engine.landing.withheld import Withheld
from webapp.engine.landing.workspace import Focus
from webapp.engine.prompt import Brief

_PIECE_CHARS: Final = 4
"""About a token: an answer streams."""
_BLOCK = re.compile(r"(?:[^\n`]*\n)?```[^\n`]*\n(.*?)^```[^\S\n]*\n?", re.DOTALL | re.MULTILINE)


def apply(brief: Brief, files: Mapping[str, str], message: str, *, was_cut: bool) -> Applied:
    """Apply an answer to the files. Deletes and moves are done unasked, as whoever asked for them
    in the prompt would say yes."""
    project = MemoryWorkspace((path, text.encode) for path, text in files.items())

    def withhold(withheld: Withheld, held: Held | None) -> None:
        """Its outcome says all that is wanted here."""

    desk = Desk(project, Rules(asks_for_files=False), withhold)
    way = landing(brief.endpoint.edit_format, desk, _focus(brief, project))

    def take(event: formats.Event) -> None:
        if not isinstance(event, formats.Prose):
            way.take(event)

    for at in range(0, len(message), _PIECE_CHARS):
        for event in way.parser.push(to_utf16(message[at : at + _PIECE_CHARS])):
            take(event)
        desk.flush()
    way.finish(take, cut=was_cut)
    desk.flush()
    desk.settle()
    after = {file.path: from_utf16(file.text) for file in project.all}
    outcomes = [(each.status, str(each.reason)) for each in desk.told.outcomes]
    error = ""
    if outcomes and all(status == "applied" for status, _ in outcomes):
        error = _differs(brief, after.get(brief.path, ""), message)
    return Applied(after, outcomes, error)


def _focus(brief: Brief, project: MemoryWorkspace) -> Focus:
    """Return what the model was shown, as `live/asking.py` has it."""
    file = next(file for file in project.all if file.path == brief.path)
    if brief.region is None:
        return Focus(file.id, file.path, 0, len(file.text), whole=True)
    first, last = brief.region
    start, end = line_start(file.text, first), line_start(file.text, last + 1)
    return Focus(file.id, file.path, start, end, whole=False)


def _differs(brief: Brief, after: str, message: str) -> str:
    """Say in what way the file is not what a `whole` answer says, or nothing."""
    found = _BLOCK.fullmatch(message if message.endswith("\n") else message + "\n")
    if brief.endpoint.edit_format != "whole" or found is None or "```" in found[1]:
        return ""
    lines = brief.text.splitlines(keepends=True)
    first, last = brief.region or (1, len(lines))
    wanted = "".join([*lines[: first - 1], found[1], *lines[last:]])
    if wanted.rstrip("\n") == after.rstrip("\n"):
        return ""
    return f"{brief.path} is not what the answer says."
