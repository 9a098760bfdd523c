"""What a name that others see may hold.

A mark that turns the reading direction round goes on behind the name and rewrites what stands
beside it, and a name of nothing but invisible characters is no name. Joiners stay, as emoji and
some scripts need them; so do the two weak marks, which right-to-left scripts do.
"""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

_TURNING = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def visible(name: str) -> str:
    """Return the name as it is; raises ValidationError, a sentence, when it cannot be shown."""
    seen = any(unicodedata.category(char) not in ("Cf", "Zs", "Mn") for char in name)
    if _TURNING.search(name) or (name and not seen):
        raise ValidationError(
            gettext("That holds characters that cannot be seen. Type it again without them.")
        )
    return name
