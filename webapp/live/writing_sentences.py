"""What people are told of edits that were refused: what happened, what was kept, what to do."""

from __future__ import annotations

from typing import Final

from webapp.lib.sentences import Pattern, gettext_noop

BINARY: Final = Pattern(
    gettext_noop(
        "The model wanted to change %(path)s, which is not a text file. It was left as it was."
    )
)
MISSING: Final = Pattern(
    gettext_noop(
        "The lines that the model wanted to change are not in %(path)s, so that edit was not"
        " made. Ask again, or select the lines that you mean."
    )
)
MISSING_NEAR: Final = Pattern(
    gettext_noop(
        "The lines that the model wanted to change are not in %(path)s (the closest are lines"
        " %(first)s to %(last)s), so that edit was not made. Ask again, or select the lines that"
        " you mean."
    )
)
MISSING_NEAR_LINE: Final = Pattern(
    gettext_noop(
        "The lines that the model wanted to change are not in %(path)s (the closest is line"
        " %(line)s), so that edit was not made. Ask again, or select the lines that you mean."
    )
)
AMBIGUOUS: Final = Pattern(
    gettext_noop(
        "The lines that the model wanted to change are several times in %(path)s (at lines"
        " %(lines)s), so that edit was not made. Select the lines that you mean, and ask again."
    )
)
NO_FILE: Final = Pattern(
    gettext_noop(
        "The model wanted to change lines of %(path)s, and there is no such file, so that edit"
        " was not made. Name the file that you mean, and ask again."
    )
)
NOT_EMPTY: Final = Pattern(
    gettext_noop(
        "The model wrote %(path)s as if it were new, so the file was left as it was. Ask again,"
        " and say what is to change in it."
    )
)
MALFORMED: Final = Pattern(
    gettext_noop(
        "The model did not write an edit of %(path)s to its end, so that edit was not made. Ask"
        " again."
    )
)
