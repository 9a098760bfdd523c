"""What a room needs of its turns, and what it raises at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from webapp.document.changes import ChangeSet
from webapp.engine.guard import Rules
from webapp.live import wire
from webapp.live.clients import Client
from webapp.live.files import OpenFile

Listener = Callable[[str, int, ChangeSet, str], None]
"""Called with file id, version, change and author of an entry that `Room.write` did not make."""
Follower = Callable[[OpenFile, ChangeSet], None]
"""Called with a file and its newest change, whoever made it."""
TreeListener = Callable[[str, OpenFile], None]
"""Called with the operation (create, rename, delete) and the file, as it is then."""


class Turns(Protocol):
    """The driver of a room's turns, as the room needs it."""

    @property
    def running(self) -> bool:
        """Say whether a turn goes on; the room then stays open with nobody in it."""

    @property
    def waits(self) -> bool:
        """Say whether something waits for a person's word; the room then stays open too."""

    async def load(self) -> None:
        """Settle what a dead process, or a failed commit, left running. Called before any join."""

    def for_welcome(self) -> list[dict[str, Any]]:
        """Return the turns that a new page is shown, oldest first."""

    def waiting(self) -> dict[str, Any]:
        """Return the follow-ups as the wire has them."""

    def prompt(self, client: Client, message: wire.Prompt) -> None:
        """Ask the model, now or when it is its turn."""

    def redirect(self, client: Client, message: wire.Redirect) -> None:
        """End a turn and go on with another prompt."""

    def followup(self, client: Client, message: wire.FollowUp) -> None:
        """Change the list of waiting prompts."""

    def outline(self, client: Client, message: wire.Outline) -> None:
        """Tell what the model would see."""

    def warm(self, client: Client, message: wire.Warm) -> None:
        """Get the model ready for a prompt that is likely to come."""

    def stop(self, client: Client, message: wire.Stop) -> None:
        """End a turn now."""

    def keep(self, client: Client, message: wire.Keep) -> None:
        """Let what a turn wrote stay as it is."""

    def revert(self, client: Client, message: wire.Revert) -> None:
        """Take back what a turn wrote."""

    def answer(self, client: Client, message: wire.Answer) -> None:
        """Do what somebody says of an edit that is withheld."""

    def keep_to(self, rules: Rules) -> None:
        """Hear that a turn may do other things unasked, the running one too."""

    def took(self, turn: str, file: OpenFile) -> None:
        """Hear that a turn deleted or moved a file."""

    def reset(self) -> None:
        """Abort upstream and forget everything; write nothing. `load` follows if the room lives."""

    async def close(self, reason: str) -> None:
        """End what runs, keeping what it has; the room closes."""


class NotOpen(Exception):
    """The room is loading itself anew, or closed; nothing can be written now."""


class Gone(Exception):
    """There is no such file (any more)."""


class TooBig(Exception):
    """The change would make a file larger than a file may be."""
