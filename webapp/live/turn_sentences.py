"""What a turn says to people: what happened, what was kept, what to do next."""

from __future__ import annotations

from typing import Final

from webapp.lib.sentences import Pattern, Sentence, gettext_noop

NO_MODEL: Final = Sentence(
    gettext_noop(
        "No model is set up, so nothing was asked. Set FLINT_PREVIEW_BASE_URL to a model server,"
        " or start Flint with make run; your prompt is kept."
    )
)
NO_ANSWER: Final = Pattern(gettext_noop("%(problem)s Nothing was asked; your prompt is kept."))
NOT_READY: Final[dict[str, Sentence]] = {
    "missing": NO_MODEL,
    "downloading": Sentence(
        gettext_noop(
            "The model is still being downloaded. Your prompt is kept; send it again when the"
            " meter says that it is ready."
        )
    ),
    "starting": Sentence(
        gettext_noop(
            "The model is starting. Your prompt is kept; send it again when the meter says that"
            " it is ready."
        )
    ),
    "failed": Sentence(
        gettext_noop(
            "The model could not be started. Your prompt is kept; the terminal that runs Flint"
            " says what went wrong."
        )
    ),
    "offered": Sentence(
        gettext_noop(
            "This model is not on this machine yet. Your prompt is kept; download the model"
            " first, or choose another one."
        )
    ),
    "paused": Sentence(
        gettext_noop(
            "The download of this model was stopped. Your prompt is kept; resume the download, or"
            " choose another model."
        )
    ),
    "unfit": Sentence(
        gettext_noop(
            "This machine is too small for this model. Your prompt is kept; choose another model."
        )
    ),
}
NO_TIER: Final = Sentence(
    gettext_noop(
        "No model is set up for this tier, so nothing was asked. Your prompt is kept; choose"
        " another model, or add one on the team's Models page."
    )
)
MODEL_GONE: Final = Sentence(
    gettext_noop(
        "The model that you chose is no longer offered to this team. Your prompt is kept; choose"
        " another model."
    )
)
FULL: Final = Sentence(
    gettext_noop(
        "Twenty prompts wait already. Yours was not added, and is kept; remove one that waits, or"
        " send it later."
    )
)
NO_FILE: Final = Sentence(
    gettext_noop(
        "There is no file to work on yet. Your prompt is kept; make a file, then send it again."
    )
)
FILE_GONE: Final = Sentence(
    gettext_noop(
        "The file that the prompt is about was deleted, so nothing was asked. Send it again from"
        " the file that it should change now."
    )
)
TOO_LARGE: Final = Pattern(
    gettext_noop(
        "What is to be changed needs about %(needed)s tokens, and this model reads %(window)s."
        " Nothing was changed; select the lines that matter and send it again."
    )
)
REFUSED: Final = Pattern(
    gettext_noop(
        "The limit “%(limit)s” is used up until %(when)s. Nothing was changed; send it again then."
    )
)
QUEUED: Final = Sentence(
    gettext_noop("The model is in use. Nothing was changed; send it again in a moment.")
)
NOT_KEPT: Final = Sentence(
    gettext_noop("The server could not keep this turn. Nothing was changed; send it again.")
)
LENGTH: Final = Sentence(
    gettext_noop(
        "The answer was cut at its longest. Edits that were complete were kept; ask for less at"
        " once."
    )
)
FILTERED: Final = Sentence(
    gettext_noop(
        "The model's server withheld the rest of the answer. Edits that were complete were kept;"
        " put the prompt another way."
    )
)
KEPT: Final = Pattern(gettext_noop("%(problem)s Edits that were complete were kept."))
UNCHANGED: Final = Pattern(gettext_noop("%(problem)s Nothing was changed."))
BROKEN: Final = Sentence(
    gettext_noop(
        "Flint made a mistake and ended this turn. Edits that were complete were kept; send it"
        " again."
    )
)
TOO_BIG: Final = Pattern(
    gettext_noop(
        "%(path)s would grow over 2 MB, so the turn was ended. Edits that were complete were kept."
    )
)
INTERRUPTED: Final = Sentence(
    gettext_noop(
        "The server was interrupted while this turn ran. Edits that were complete were kept; send"
        " the prompt again to go on."
    )
)

AND_MORE: Final = Sentence(gettext_noop("More of its edits went the same way."))
UNFINISHED: Final = Sentence(gettext_noop("The last edit was not complete, so it was taken back."))
KEPT_UNFINISHED: Final = Sentence(
    gettext_noop("The last edit was not complete, and was kept as it stood.")
)
NO_EDIT: Final = Sentence(
    gettext_noop("The model answered without an edit. Nothing was changed; say it another way.")
)

FOLLOW_UP_GONE: Final = Sentence(
    gettext_noop(
        "That prompt no longer waits: somebody removed it, or it was asked already. Nothing was"
        " changed."
    )
)
REDIRECTED_FIRST: Final = Pattern(
    gettext_noop(
        "%(name)s redirected that turn before you. Your prompt waits and is asked next; you can"
        " change it until then."
    )
)
OVER_FIRST: Final = Sentence(
    gettext_noop(
        "That turn has ended, and another one runs. Your prompt waits and is asked next; you can"
        " change it until then."
    )
)
AUTHOR_GONE: Final = Pattern(
    gettext_noop(
        "%(name)s may no longer ask the model here, so the next prompt was not asked. It waits;"
        " send it yourself, or remove it."
    )
)
BROKEN_NEXT: Final = Sentence(
    gettext_noop(
        "Flint made a mistake with the next prompt, so it was not asked. It waits; send it again."
    )
)
TYPED_STAYS: Final = Pattern(
    gettext_noop(
        "%(name)s has typed in part of what this turn changed. That part stayed; the rest was"
        " taken back."
    )
)
CHANGED_STAYS: Final = Sentence(
    gettext_noop(
        "Part of what this turn changed has been changed since. That part stayed; the rest was"
        " taken back."
    )
)
