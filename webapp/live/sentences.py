"""How a refusal reads: what happened, what was kept, what to do next."""

from __future__ import annotations

from typing import Final

from webapp.lib.sentences import Sentence, gettext_noop

ERRORS: Final[dict[str, Sentence]] = {
    "json": Sentence(
        gettext_noop(
            "The page sent something that the server cannot read. Nothing of it was applied;"
            " reload the page if this happens again."
        )
    ),
    "unknown": Sentence(
        gettext_noop(
            "The page asked for something that this server does not know. Nothing was changed;"
            " reload the page to get its newest version."
        )
    ),
    "shape": Sentence(
        gettext_noop(
            "The page sent a request that this server does not understand. Nothing was changed;"
            " reload the page to get its newest version."
        )
    ),
    "big": Sentence(
        gettext_noop(
            "That was too much at once (over 256 KB). Nothing of it was applied; send less."
        )
    ),
    "role": Sentence(
        gettext_noop("Your role in this session does not allow that. Nothing was changed.")
    ),
    "gone": Sentence(gettext_noop("That file was deleted. Nothing was changed.")),
    "limit": Sentence(
        gettext_noop(
            "A session holds at most 2,000 files of 2 MB each. Nothing was changed; remove"
            " something first."
        )
    ),
    "binary": Sentence(
        gettext_noop(
            "That file is binary. It is kept and comes with the download, but it cannot be opened"
            " here."
        )
    ),
    "behind": Sentence(
        gettext_noop("The file has moved on. The page catches up and sends your edits again.")
    ),
    "refused": Sentence(
        gettext_noop("This page's name belongs to somebody else. Nothing was changed; reload it.")
    ),
    "flood": Sentence(
        gettext_noop("The page sent too much too fast, and was cut off. It comes back by itself.")
    ),
    "state": Sentence(
        gettext_noop("The page sent that out of order. Nothing was changed; reload the page.")
    ),
}

REJECTED: Final[dict[str, Sentence]] = {
    "role": Sentence(
        gettext_noop("Your role no longer allows edits. Your last ones were set aside, not saved.")
    ),
    "gone": Sentence(
        gettext_noop(
            "The file was deleted. Your last edits were set aside; copy what you need of them."
        )
    ),
    "unfit": Sentence(
        gettext_noop(
            "Your last edits do not fit the file as it is. They were set aside; look at them and"
            " apply them again."
        )
    ),
    "limit": Sentence(
        gettext_noop(
            "A file may hold 2 MB. Your last edits would make it larger; they were set aside."
            " Split the file and apply them again."
        )
    ),
}

NOT_SAVED: Final = Sentence(
    gettext_noop(
        "The server could not save the last changes. Yours stay in the page and are sent again."
    )
)
TAKEN: Final = Sentence(
    gettext_noop(
        "That file's name inside Flint is in use elsewhere. Nothing was changed; try again."
    )
)
NOT_LOOKED_AT: Final = Sentence(
    gettext_noop("The server could not look at its files. Nothing was changed; try again.")
)
RULES_CHANGED: Final = Sentence(
    gettext_noop(
        "The settings of this session were changed: what Flint may do here without asking is"
        " something else now."
    )
)
ROLE_CHANGED: Final = Sentence(gettext_noop("Your role in this session has changed."))
RESTARTED: Final = Sentence(gettext_noop("Interrupted: the server restarted."))
SOMEBODY: Final = Sentence(gettext_noop("Somebody"))
