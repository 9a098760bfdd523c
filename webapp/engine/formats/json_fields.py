"""What the fields of an edit are called in JSON, and its new text as lines."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from webapp.engine.formats import Omission
from webapp.engine.formats.lines import LineParser
from webapp.engine.formats.omissions import is_omission, may_begin


class Role(Enum):
    """What a key says."""

    PATH = "path"
    OLD = "old"
    NEW = "new"
    EDITS = "edits"
    WRAPPER = "wrapper"  # around what a tool is called with
    EVERYWHERE = "everywhere"
    COUNT = "count"
    OTHER = "other"


_NAMES: Final = {
    Role.PATH: "path file file_path file_name target_file",
    Role.OLD: "old old_string old_str old_text search",
    Role.NEW: "new new_string new_str new_text replace replacement",
    Role.EDITS: "edits changes",
    Role.WRAPPER: "arguments input parameters",
    Role.EVERYWHERE: "replace_all allow_multiple",
    Role.COUNT: "expected_replacements",
}
_ROLES: Final = {
    name.replace("_", ""): role for role, names in _NAMES.items() for name in names.split()
}
_APART = re.compile("[_-]")


def role_of(key: str) -> Role:
    """Return what a key says, however its words are put together."""
    return _ROLES.get(_APART.sub("", key).lower(), Role.OTHER)


@dataclass(slots=True)
class Replacement(LineParser):
    """The new text, with the lines told apart that stand for omitted code."""

    markup: bool = False

    def _may_be_special(self, held: str) -> bool:
        return may_begin(held, markup=self.markup)

    def _piece(self, text: str) -> None:
        self._text(text)

    def _line(self, line: str) -> None:
        self._whole(line, "\n")

    def _last_line(self, held: str) -> None:
        if held:
            self._whole(held, "")

    def _whole(self, line: str, end: str) -> None:
        if is_omission(line, markup=self.markup):
            self._out.append(Omission(line + end))
        else:
            self._text(line + end)
