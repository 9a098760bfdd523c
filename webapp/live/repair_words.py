"""What people see as the prompt of a repair: a sentence, kept in English like all that is kept."""

from __future__ import annotations

import re
from typing import Final

from webapp.lib.sentences import Pattern, Sentence, gettext_noop

SHOWN_ONE: Final = Sentence(gettext_noop("Repair of an edit that could not be applied"))
SHOWN: Final = Pattern(gettext_noop("Repair of %(count)s edits that could not be applied"))
_SHOWN: Final = re.compile(re.escape(SHOWN.msgid).replace(re.escape("%(count)s"), r"(\d+)"))


def shown(count: int) -> Sentence:
    """Return what people see as the prompt of a repair of so many edits."""
    return SHOWN_ONE if count == 1 else SHOWN % {"count": count}


def shown_again(prompt: str) -> str:
    """Return the same from the row's text, so that it can be translated."""
    found = _SHOWN.fullmatch(prompt)
    if found is not None:
        return shown(int(found[1]))
    return SHOWN_ONE if prompt == SHOWN_ONE else prompt
