"""What is said of edits that are withheld: to whoever answers, and on their cards."""

from __future__ import annotations

from typing import Final

from webapp.lib.sentences import Pattern, Sentence, gettext_noop

UNKNOWN: Final = Sentence(
    gettext_noop("That edit of Flint's is no longer known here. Nothing was changed.")
)
TAKEN: Final = Pattern(gettext_noop("%(name)s said yes before you, and it was done."))
TAKEN_BY_YOU: Final = Sentence(gettext_noop("You said yes to that already, and it was done."))
DECLINED: Final = Pattern(gettext_noop("%(name)s said no before you. Nothing was changed."))
DECLINED_BY_YOU: Final = Sentence(
    gettext_noop("You said no to that already. Nothing was changed; ask Flint for it again.")
)
ENDED: Final = Sentence(
    gettext_noop("The turn was ended before you answered. Nothing was changed; ask for it again.")
)
EXPIRED: Final = Sentence(
    gettext_noop("Nobody answered within two minutes, so nothing was done. Ask Flint for it again.")
)
GONE: Final = Sentence(
    gettext_noop("That edit can no longer be made. Nothing was changed; ask Flint for it again.")
)
REPAIRED: Final = Sentence(
    gettext_noop("Flint was asked for that edit again, and made it. Nothing was changed.")
)
CANNOT_TAKE: Final = Sentence(
    gettext_noop(
        "That edit could not be applied, so there is nothing to say yes to. Dismiss it, or ask"
        " Flint for it again."
    )
)
TOO_BIG: Final = Pattern(
    gettext_noop(
        "%(path)s would grow over 2 MB. Nothing was changed; say no, or make the file smaller"
        " first."
    )
)
TOO_MANY: Final = Sentence(
    gettext_noop(
        "More edits were withheld than Flint asks about at once. The rest of them were dropped;"
        " ask for less at once."
    )
)
