"""Which parser and landing an edit format has. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from webapp.document.changes import ChangeSet
from webapp.engine import formats
from webapp.engine.formats.blocks import BlocksParser
from webapp.engine.formats.json_edits import JsonParser
from webapp.engine.landing.blocks import BlocksLanding
from webapp.engine.landing.desk import Desk
from webapp.engine.landing.held import Doc
from webapp.engine.landing.patch import PatchLanding
from webapp.engine.landing.whole import WholeLanding
from webapp.engine.landing.workspace import Focus
from webapp.engine.ports import EditFormat


class Landing(Protocol):
    """What a format's events do: which file, which lines, and when it is no edit."""

    parser: formats.Parser

    def take(self, event: formats.Event) -> str:
        """Act on an event; return what it adds to the prose."""
        ...

    def finish(self, take: Callable[[formats.Event], None], *, cut: bool) -> None:
        """Take the end of the message, whose last events go to `take`.

        `cut` when the message is not all that the model wanted to say.
        """
        ...

    def follow(self, file: str, change: ChangeSet) -> None:
        """Map what the model was shown through somebody's change. The desk follows for itself."""
        ...

    def forget(self, file: Doc) -> None:
        """Hear that somebody deleted a file."""
        ...


def landing(edit_format: EditFormat, desk: Desk, focus: Focus | None) -> Landing:
    """Return the landing of a format, with a parser of its own."""
    if edit_format == "whole":
        return WholeLanding(desk, focus)
    if edit_format == "patch":
        return PatchLanding(desk, focus)
    return BlocksLanding(desk, focus, JsonParser if edit_format == "json" else BlocksParser)
