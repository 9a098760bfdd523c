"""The `json` format: old and new strings, as tools are called with them.

    {"edits": [{"path": "app.py", "old": "return 1", "new": "return 2"}]}

or a list of such objects, or one. What is read as an edit: json_shape.py; how JSON is read:
json_tokens.py. A value begins on a line of its own, in a fence or not; the fence around it belongs
to it, all else is prose. JSON that has nothing to do with edits is prose too.

Old and new text are pieces of the file as they stand, not lines, and nothing in them is special:
no `$&`, no entity, no marker. What is no JSON is a fault; edits that were complete before it stay,
and nothing behind it is read: whatever follows may stand inside a string whose end was missed.
"""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from webapp.engine.formats import BlockFault
from webapp.engine.formats.json_shape import EditsOfValue
from webapp.engine.formats.json_tokens import JsonReader, State
from webapp.engine.formats.lines import LineParser

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`]*)")
_LONGEST_LINE: Final = 300
_LONGEST_RUN: Final = 4
_BETWEEN: Final = " \t,;"


@dataclass(slots=True)
class JsonParser(LineParser):
    """Parses one message."""

    _phase: Literal["prose", "line", "value", "behind", "lost"] = field(default="prose", init=False)
    """In a line of prose, in a value, behind one on its last line, or where no more is read."""
    _run: list[str] = field(default_factory=list, init=False)
    """A fence and the blank lines below it, while a value may follow."""
    _fence: str = field(default="", init=False)
    """The open fence."""
    _is_said: bool = field(default=False, init=False)
    """Whether that belongs to the prose."""
    _raw: list[str] = field(default_factory=list, init=False)
    """The value so far, while it may have nothing to do with edits."""
    _reader: JsonReader = field(default_factory=JsonReader, init=False)
    _edits: EditsOfValue = field(default_factory=EditsOfValue, init=False)

    def _may_be_special(self, held: str) -> bool:
        if self._phase != "prose" or len(held) > _LONGEST_LINE:
            return False
        text = held.lstrip()
        return not text or text[0] in "`~"

    def _piece(self, text: str) -> None:
        if self._phase == "prose":
            self._begin(text)
        elif self._phase == "line":
            self._say(text)
        elif self._phase == "value":
            self._value(text)
        elif self._phase == "behind":
            self._behind(text)

    def _line(self, line: str) -> None:
        fence = _FENCE.fullmatch(line) if len(line) <= _LONGEST_LINE else None
        if self._phase == "prose" and fence:
            self._fence_line(line, fence[1], fence[2].strip())
        elif self._phase == "prose" and self._run and not line.strip():
            self._run.append(line + "\n")
            if len(self._run) > _LONGEST_RUN:
                self._flush_run()
        else:
            self._piece(line + "\n")

    def _last_line(self, held: str) -> None:
        if self._phase == "prose" and held:
            fence = _FENCE.fullmatch(held)
            closes = fence and self._fence and held.strip().startswith(self._fence)
            if not closes or self._is_said:
                self._flush_run()
                self._prose(held)
        if self._phase == "value":
            self._cut()
        self._flush_run()

    # Outside a value

    def _fence_line(self, line: str, marks: str, info: str) -> None:
        self._flush_run()
        if not self._fence:
            self._run.append(line + "\n")
            return
        if not info and marks.startswith(self._fence):
            self._fence = ""
            if not self._is_said:
                return
        self._prose(line + "\n")

    def _flush_run(self) -> None:
        run, self._run = self._run, []
        if run:
            self._open_fence(run[0], is_said=True)
            self._prose("".join(run))

    def _open_fence(self, line: str, *, is_said: bool) -> None:
        fence = _FENCE.match(line)
        self._fence, self._is_said = (fence[1] if fence else ""), is_said

    def _begin(self, text: str) -> None:
        """Take the first piece of a line that may begin with a value."""
        if text[: _LONGEST_LINE + 1].lstrip()[:1] in ("{", "["):
            self._reader, self._edits = JsonReader(), EditsOfValue()
            self._phase = "value"
            self._value(text)
        else:
            self._say(text)

    def _say(self, text: str) -> None:
        """Say the rest of a line."""
        self._flush_run()
        self._prose(text)
        self._phase = "prose" if text.endswith("\n") else "line"

    def _behind(self, text: str) -> None:
        rest = text.lstrip(_BETWEEN)
        if rest == "\n":
            self._phase = "prose"
        elif rest:
            self._begin(rest)

    # A value

    def _value(self, text: str) -> None:
        tokens, end = self._reader.push(text)
        events = self._edits.take(tokens)
        if not self._edits.is_meant:
            self._raw.append(text[:end])
        elif self._raw or self._run:
            self._swallow()
        self._out += events
        if self._reader.state is State.BAD and self._edits.is_meant:
            self._out += self._edits.cut(BlockFault.BAD_JSON)
            self._phase = "lost"
        elif self._reader.state is not State.MORE:
            self._unless_meant()
            self._phase = "behind" if self._edits.is_meant else "line"
            if end < len(text):
                self._piece(text[end:])

    def _swallow(self) -> None:
        """What was held belongs to edits."""
        self._raw.clear()
        if self._run:
            self._open_fence(self._run[0], is_said=False)
            self._run.clear()

    def _unless_meant(self) -> None:
        """Say what turned out to have nothing to do with edits."""
        raw, self._raw = self._raw, []
        if not self._edits.is_meant:
            self._flush_run()
            self._prose("".join(raw))

    def _cut(self) -> None:
        if self._edits.is_meant:
            between = self._reader.lacks_closers_alone
            self._out += self._edits.cut(BlockFault.CUT, between=between)
        else:
            self._unless_meant()
