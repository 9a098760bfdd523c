"""Which objects of a JSON value are edits, and the events that they become.

An object with an old and a new text is an edit, under the names that tools use for them. It may
stand alone, in a list, or under `edits` of an object, which may name the file for all of them; so
may what a call of a tool is wrapped in. Keys come in any order: an edit waits until its file and
its old text are known, then the new text streams. Edits are told in their order.

What always holds: an edit is complete when its object closes; a block is closed before another
begins. A field that is missing, said twice or no text, two files for one edit, and a wish to
replace every place are faults of that edit alone.

Turned down: the last of two equal keys, as decoders do it, since the first was written already.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from webapp.engine.formats import BlockEnd, BlockFault, BlockStart, Event, Search
from webapp.engine.formats.json_fields import Replacement, Role, role_of
from webapp.engine.formats.json_tokens import Kind, Token
from webapp.engine.formats.targets import is_markup

_LONGEST_PATH: Final = 4000
_SHORT: Final = (Role.PATH, Role.EVERYWHERE, Role.COUNT)


@dataclass(frozen=True, slots=True)
class _Told:
    """An edit whose object closed, and that cannot be told yet."""

    path: str | None
    old: str
    new: str
    fault: BlockFault | None


@dataclass(slots=True)
class _Frame:
    """An open object or array."""

    is_read: bool
    """Whether an edit may stand in it."""
    is_object: bool
    role: Role = Role.OTHER
    """What the last key says; the role of a value in an array is that of the array."""
    said: set[Role] = field(default_factory=set)
    parts: list[str] = field(default_factory=list)
    """The string being read."""
    size: int = 0
    path: str | None = None
    old: str | None = None
    new: list[str] = field(default_factory=list)
    has_new: bool = False
    """Whether all of the new text is there."""
    fault: BlockFault | None = None
    has_inner: bool = False
    """Whether a value in it was looked through for edits."""
    stream: Replacement | None = None
    """Where the new text goes once the block has begun."""
    waiting: list[_Told] = field(default_factory=list)
    """Edits in it that may be meant for the file that it names further on."""

    @property
    def is_edit(self) -> bool:
        """Say whether it is meant as an edit."""
        return self.has_text or (Role.PATH in self.said and not self.has_inner)

    @property
    def has_text(self) -> bool:
        """Say whether it has begun to say what is replaced, or by what."""
        return Role.OLD in self.said or Role.NEW in self.said


@dataclass(slots=True)
class EditsOfValue:
    """The edits of one JSON value."""

    is_meant: bool = field(default=False, init=False)
    """Whether the value has anything to do with edits."""
    _open: list[_Frame] = field(default_factory=list, init=False)
    _out: list[Event] = field(default_factory=list, init=False)

    def take(self, tokens: list[Token]) -> list[Event]:
        """Return the events that the tokens complete."""
        for kind, text in tokens:
            if kind is Kind.TEXT:
                self._text(self._open[-1], text)
            elif kind is Kind.KEY:
                self._key(self._open[-1], text)
            elif kind in (Kind.OBJECT, Kind.ARRAY):
                self._begin(is_object=kind is Kind.OBJECT)
            elif kind in (Kind.OBJECT_END, Kind.ARRAY_END):
                self._end()
            elif kind is Kind.STRING_END:
                self._string_end(self._open[-1])
            elif kind is Kind.WORD:
                self._word(self._open[-1], text)
        out, self._out = self._out, []
        return out

    def cut(self, fault: BlockFault, *, between: bool = False) -> list[Event]:
        """Return the last events of a value that does not end, with the fault of what is open.

        `between` edits nothing is lost, unless some wait for their file.
        """
        edit = next((frame for frame in reversed(self._open) if self._is_partial(frame)), None)
        waits = any(frame.waiting for frame in self._open)
        if edit is not None and edit.stream is not None:
            self._out.append(BlockEnd(edit.fault or fault))
        elif edit is not None or waits or not between:
            self._fail(self._path_around(), edit.fault or fault if edit else fault)
        self._open.clear()
        out, self._out = self._out, []
        return out

    # The structure

    def _begin(self, *, is_object: bool) -> None:
        if not self._open:
            self._open.append(_Frame(True, is_object))
            return
        around = self._open[-1]
        if around.is_object and around.role not in (Role.EDITS, Role.WRAPPER, Role.OTHER):
            around.fault = around.fault or BlockFault.SHAPE
        if around.is_object and around.role is Role.EDITS and around.has_text:
            around.fault = around.fault or BlockFault.SHAPE
        is_read = around.is_read and around.fault is None
        if around.is_object:
            holds = around.role in (Role.EDITS, Role.WRAPPER) and not around.has_text
            is_read = is_read and holds
            around.has_inner = around.has_inner or is_read
        self._open.append(_Frame(is_read, is_object))

    def _end(self) -> None:
        frame = self._open.pop()
        if not frame.is_read or not frame.is_object:
            return
        if self._is_partial(frame):
            self._close(frame)
        around = self._around()
        for told in frame.waiting:
            lost = told.path is None and frame.fault is not None
            told = replace(told, fault=told.fault or frame.fault) if lost else told
            if around is not None:
                around.waiting.append(told)
            else:
                self._tell(told)

    def _around(self) -> _Frame | None:
        """Return the innermost open object."""
        return next((frame for frame in reversed(self._open) if frame.is_object), None)

    def _is_partial(self, frame: _Frame) -> bool:
        return frame.is_read and frame.is_object and (frame.is_edit or frame.fault is not None)

    # Its fields

    def _key(self, frame: _Frame, key: str) -> None:
        frame.role = role = role_of(key) if frame.is_read else Role.OTHER
        if role in (Role.OTHER, Role.WRAPPER):
            return
        if role in frame.said and role is not Role.EDITS:
            frame.fault = frame.fault or BlockFault.SHAPE
            frame.role = Role.OTHER
        if role in (Role.OLD, Role.NEW) and Role.EDITS in frame.said:
            frame.fault = frame.fault or BlockFault.SHAPE
        if role in (Role.PATH, Role.OLD, Role.NEW, Role.EDITS):
            self.is_meant = True
        frame.said.add(role)

    def _text(self, frame: _Frame, text: str) -> None:
        if not frame.is_object or (frame.fault is not None and frame.role is not Role.PATH):
            return
        if frame.role is Role.NEW and frame.stream is not None:
            self._out += frame.stream.push(text)
        elif frame.role is Role.NEW:
            frame.new.append(text)
        elif frame.role is Role.OLD or (
            frame.role in (Role.PATH, Role.EVERYWHERE, Role.COUNT) and frame.size <= _LONGEST_PATH
        ):
            frame.parts.append(text)
            frame.size += len(text)

    def _string_end(self, frame: _Frame) -> None:
        if not frame.is_object:
            return
        said, frame.parts, frame.size = "".join(frame.parts), [], 0
        if frame.role is Role.PATH:
            self._name(frame, said.strip())
        elif frame.fault is not None:
            return
        elif frame.role is Role.OLD:
            frame.old = said.replace("\r\n", "\n").replace("\r", "\n")
            self._open_block(frame)
        elif frame.role is Role.NEW:
            frame.has_new = True
            if frame.stream is not None:
                self._out += frame.stream.finish()
        elif frame.role in (Role.EVERYWHERE, Role.COUNT, Role.EDITS):
            self._wish(frame, said)

    def _word(self, frame: _Frame, word: str) -> None:
        if not frame.is_object or frame.fault is not None:
            return
        if frame.role in (Role.EVERYWHERE, Role.COUNT):
            self._wish(frame, word)
        elif frame.role not in (Role.OTHER, Role.WRAPPER):
            frame.fault = BlockFault.SHAPE

    def _wish(self, frame: _Frame, said: str) -> None:
        """Take how many places are meant; what is no answer to that is of no known shape."""
        if frame.role is Role.EVERYWHERE and said.lower() == "true":
            frame.fault = BlockFault.EVERYWHERE
        elif frame.role is Role.COUNT and said.isdecimal():
            frame.fault = None if int(said) == 1 else BlockFault.EVERYWHERE
        elif frame.role is not Role.EVERYWHERE or said.lower() not in ("false", "null"):
            frame.fault = BlockFault.SHAPE

    def _name(self, frame: _Frame, path: str) -> None:
        known = self._path_of(frame) if frame.stream is not None else None
        if not path or len(path) > _LONGEST_PATH or (known is not None and known != path):
            frame.fault = frame.fault or BlockFault.SHAPE
            return
        frame.path = path
        waiting, frame.waiting = frame.waiting, []
        for told in waiting:
            self._tell_or_wait(_Told(told.path or path, told.old, told.new, told.fault))
        self._open_block(frame)

    # Its edits

    def _path_around(self) -> str | None:
        return next((one.path for one in reversed(self._open) if one.path is not None), None)

    def _path_of(self, frame: _Frame) -> str | None:
        return frame.path if frame.path is not None else self._path_around()

    def _open_block(self, frame: _Frame) -> None:
        """Begin the block of an edit, if all that it takes is known."""
        path = self._path_of(frame)
        if frame.stream is not None or frame.old is None or path is None:
            return
        if frame.fault is not None or any(one.waiting for one in self._open):
            return
        self._out += [BlockStart(path, verbatim=True), Search(frame.old)]
        frame.stream = Replacement(markup=is_markup(path))
        for piece in frame.new:
            self._out += frame.stream.push(piece)
        frame.new.clear()
        if frame.has_new:
            self._out += frame.stream.finish()

    def _close(self, frame: _Frame) -> None:
        """Tell an edit whose object has closed, or have it wait for its file."""
        fault = frame.fault
        if fault is None and (frame.old is None or not frame.has_new):
            fault = BlockFault.SHAPE
        if frame.stream is not None:
            self._out.append(BlockEnd(fault))
            return
        path = self._path_of(frame)
        self._tell_or_wait(_Told(path, frame.old or "", "".join(frame.new), fault))

    def _tell_or_wait(self, told: _Told) -> None:
        before = next((frame for frame in reversed(self._open) if frame.waiting), None)
        unnamed = self._around() if told.path is None else None
        if before is not None or unnamed is not None:
            (before or unnamed or self._open[-1]).waiting.append(told)
        else:
            self._tell(told)

    def _tell(self, told: _Told) -> None:
        if told.fault is not None:
            self._fail(told.path, told.fault)
            return
        text = Replacement(markup=is_markup(told.path or ""))
        self._out += [BlockStart(told.path, verbatim=True), Search(told.old)]
        self._out += [*text.push(told.new), *text.finish(), BlockEnd()]

    def _fail(self, path: str | None, fault: BlockFault) -> None:
        self._out += [BlockStart(path, verbatim=True), BlockEnd(fault)]
