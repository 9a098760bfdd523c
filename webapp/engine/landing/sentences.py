"""What people are told of edits that were not made as the model wrote them: what happened, what was
kept, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from webapp.engine.formats import BlockFault
from webapp.lib.sentences import Pattern, Sentence, gettext_noop

# Refused: it could not be applied.

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
NO_ANCHOR: Final = Pattern(
    gettext_noop(
        "The line “%(line)s”, behind which the model wanted to change %(path)s, is not there, so"
        " that edit was not made. Ask again, or select the lines that you mean."
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
NO_NAME: Final = Sentence(
    gettext_noop(
        "The model did not say which file it wanted to change, so that edit was not made. Name"
        " the file that you mean, and ask again."
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
UNREADABLE: Final = Pattern(
    gettext_noop(
        "An edit of %(path)s could not be read (%(problem)s), so it was not made. Ask again."
    )
)
UNREADABLE_SOMEWHERE: Final = Pattern(
    gettext_noop("An edit could not be read (%(problem)s), so it was not made. Ask again.")
)
FAULTS: Final[Mapping[BlockFault, Sentence]] = {
    BlockFault.EMPTY: Sentence(gettext_noop("it says no line")),
    BlockFault.BAD_LINE: Sentence(gettext_noop("a line in it begins otherwise than it must")),
    BlockFault.NO_PLACE: Sentence(gettext_noop("only line numbers say where it goes")),
    BlockFault.UNKNOWN: Sentence(gettext_noop("the operation is not known")),
    BlockFault.BAD_JSON: Sentence(gettext_noop("it is not JSON")),
    BlockFault.SHAPE: Sentence(gettext_noop("a field is missing, said twice, or not a text")),
    BlockFault.EVERYWHERE: Sentence(gettext_noop("it asks for more than one place at once")),
}
MISFIT: Final = Pattern(
    gettext_noop(
        "The model's lines for %(path)s have another indentation than the file, and not all of"
        " them could be brought to the file's, so that edit was not made. Ask again."
    )
)
UNFINISHED: Final = Sentence(gettext_noop("The last edit was not complete, so it was taken back."))
OMITTED: Final = Pattern(
    gettext_noop(
        "The model left code out of %(path)s (“%(line)s”), so that edit was not made. Ask again,"
        " or for less at once."
    )
)
NOT_CREATED: Final = Pattern(gettext_noop("A file was not created. %(problem)s"))
EXISTS: Final = Pattern(gettext_noop("A file named %(path)s exists already."))
DELETED: Final = Pattern(gettext_noop("%(path)s was deleted while Flint was writing in it."))

# Refused: a file operation.

NOT_DELETED: Final = Pattern(
    gettext_noop("%(path)s was not deleted, and stays as it is. %(problem)s")
)
NOT_MOVED: Final = Pattern(
    gettext_noop("%(path)s was not moved to %(to)s, and stays where it is. %(problem)s")
)
NO_SUCH_FILE: Final = Sentence(gettext_noop("There is no such file."))
IS_FOLDER: Final = Sentence(gettext_noop("It is a folder; only files can be deleted or moved."))
TWO_THINGS: Final = Sentence(gettext_noop("The model wanted two things with it at once."))
CIRCLE: Final = Sentence(
    gettext_noop("It would change places with other files; move one of them aside first.")
)
ANOTHER_FAILED: Final = Sentence(
    gettext_noop("Another file could not be deleted or moved, so none was.")
)
EDIT_FAILED: Final = Sentence(gettext_noop("An edit of the same answer was not made."))
CUT_SHORT: Final = Sentence(gettext_noop("The answer came to no end of its own."))
OTHERS_APPLIED: Final = Pattern(
    gettext_noop("%(problem)s Other edits of the answer stand in: %(paths)s.")
)
NONE_APPLIED: Final = Pattern(gettext_noop("%(problem)s No other edit of the answer stands."))

EMPTIED: Final = Pattern(
    gettext_noop("The model sent %(path)s empty, so it was left as it was. Ask again.")
)

# Frozen: the guard waits for a person's word.

WOULD_EMPTY: Final = Pattern(
    gettext_noop("The model wants to leave %(path)s empty. The file stands as it was.")
)
WOULD_REMOVE: Final = Pattern(
    gettext_noop(
        "The model wants to take %(count)s of the %(lines)s lines of %(path)s out without writing"
        " as many. They still stand."
    )
)
WOULD_OMIT: Final = Pattern(
    gettext_noop(
        "A line of the model's for %(path)s seems to stand for code that it left out"
        " (“%(line)s”). That edit was not written."
    )
)
WOULD_TOUCH: Final = Pattern(
    gettext_noop(
        "The model wants to change %(path)s, which this session protects (%(glob)s). Nothing of"
        " it was changed."
    )
)
WOULD_DELETE: Final = Pattern(gettext_noop("The model wants to delete %(path)s. It still stands."))
WOULD_MOVE: Final = Pattern(
    gettext_noop("The model wants to move %(path)s to %(to)s. It stands where it was.")
)
GONE_SINCE: Final = Pattern(
    gettext_noop("%(path)s has been deleted since, so the edit can no longer be made.")
)
CHANGED_SINCE: Final = Pattern(
    gettext_noop(
        "Somebody has changed these lines of %(path)s since, so the edit can no longer be made as"
        " it was shown. Nothing was written; ask for it again."
    )
)

# Yielded.

YIELDED: Final = Pattern(
    gettext_noop("Somebody typed where Flint was writing in %(path)s, so it stopped there.")
)
