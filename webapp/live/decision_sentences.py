"""What is said to whoever keeps edits of a turn, or takes them back."""

from __future__ import annotations

from typing import Final

from webapp.lib.sentences import Pattern, Sentence, gettext_noop

NOT_OVER: Final = Sentence(
    gettext_noop("That turn is still running. Stop it first; nothing was taken back.")
)
BEING_WRITTEN: Final = Sentence(
    gettext_noop(
        "That edit is still being written. Nothing was taken back; stop the turn, or wait until"
        " the edit is complete."
    )
)
NOTHING_LEFT: Final = Sentence(gettext_noop("Nothing of that turn is left to take back."))
NOTHING_TO_KEEP: Final = Sentence(
    gettext_noop("Nothing of that stands in the text any more. Nothing was changed.")
)
UNKNOWN_TURN: Final = Sentence(
    gettext_noop("That turn is no longer known here. Nothing was taken back.")
)
TAKEN_BACK: Final = Pattern(
    gettext_noop("%(name)s took that back before you. Nothing more was changed.")
)
NOT_READ: Final = Sentence(
    gettext_noop(
        "The server could not read back who wrote what. Nothing was taken back; try again."
    )
)
TOO_BUSY: Final = Sentence(
    gettext_noop(
        "The file is changing too fast to take anything back. Nothing was changed; try again in a"
        " moment."
    )
)
TOO_BIG: Final = Pattern(
    gettext_noop(
        "%(path)s would grow over 2 MB, so nothing was taken back. Take less back at once, or"
        " shorten the file first."
    )
)
NOT_BACK: Final = Pattern(
    gettext_noop("%(path)s was not brought back. %(problem)s Rename that one and try again.")
)
