"""What people are told of checkpoints and restores."""

from __future__ import annotations

from typing import Final

from webapp.lib.sentences import Sentence, gettext_noop

RESTORING: Final = Sentence(
    gettext_noop("Somebody restores the project just now. Nothing was changed; try again after it.")
)
TURN_RUNS: Final = Sentence(
    gettext_noop("A turn is running. Nothing was changed; restore when it is over, or stop it.")
)
NO_MOMENT: Final = Sentence(
    gettext_noop("There is no such moment in this session. Nothing was changed.")
)
BUSY: Final = Sentence(
    gettext_noop("Files come and go too fast here just now. Nothing was changed; try again.")
)
TOO_MUCH: Final = Sentence(
    gettext_noop(
        "The project would have more than 2,000 files, or a file of more than 2 MB, with what was"
        " added since. Nothing was changed; remove something first."
    )
)
FAILED: Final = Sentence(
    gettext_noop("The project could not be restored. Look at it, and try again.")
)
HALF: Final = Sentence(
    gettext_noop(
        "The server could not save all of the restore. The checkpoint from before is there;"
        " restore again."
    )
)
ALREADY: Final = Sentence(
    gettext_noop("The project is as it was then already. Nothing was changed.")
)


def restored(files: int) -> Sentence:
    """Return what to say when it is done."""
    return Sentence(
        gettext_noop(
            "Restored. Files changed: %(count)s. A checkpoint from before is in the timeline."
        ),
        count=files,
    )
