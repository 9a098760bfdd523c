"""One file's change as git writes it, so that `git apply` makes the new file of the old one.

Bytes in, bytes out: a patch holds each line as its file has it. What git takes for binary (it looks
for a NUL; so UTF-16 is) is written as git's own binary patch, whole, since "differs" cannot be
applied. After git's `diff.c` and `apply.c`; the base85 alphabet is the one of `base64.b85encode`.
"""

from __future__ import annotations

import hashlib
import zlib
from base64 import b85encode
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

CONTEXT: Final = 3
MOST_PAIRS: Final = 2_000_000
"""Pairs of equal lines that are looked at; beyond it a change is shown as one block."""
_NO_FILE: Final = "0" * 40
_LINE_BYTES: Final = 52

Span = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Side:
    """A file before or after."""

    path: str
    data: bytes
    is_executable: bool = False

    @property
    def mode(self) -> str:
        """Return the file's mode as git has it."""
        return "100755" if self.is_executable else "100644"


def file_patch(old: Side | None, new: Side | None) -> bytes:
    """Return the patch from `old` to `new` (None: there is no file), or b"" for no change."""
    if old == new:
        return b""
    before, after = old or new, new or old
    if before is None or after is None:
        return b""
    lines = [f"diff --git {_quoted('a/', before.path)} {_quoted('b/', after.path)}"]
    if old is None:
        lines.append(f"new file mode {after.mode}")
    elif new is None:
        lines.append(f"deleted file mode {before.mode}")
    elif before.mode != after.mode:
        lines += [f"old mode {before.mode}", f"new mode {after.mode}"]
    if before.path != after.path:
        lines += [
            f"rename from {_quoted('', before.path)}",
            f"rename to {_quoted('', after.path)}",
        ]
    old_data, new_data = old.data if old else b"", new.data if new else b""
    body = b""
    if old is None or new is None or old_data != new_data:
        same_mode = old is not None and new is not None and before.mode == after.mode
        index = f"index {_blob(old)}..{_blob(new)}"
        lines.append(f"{index} {after.mode}" if same_mode else index)
        body = _body(old, new, old_data, new_data)
    return "".join(f"{line}\n" for line in lines).encode() + body


def _body(old: Side | None, new: Side | None, old_data: bytes, new_data: bytes) -> bytes:
    if old_data == new_data:
        return b""
    if b"\0" in old_data or b"\0" in new_data:
        return b"GIT binary patch\n" + _literal(new_data) + _literal(old_data)
    heads = (
        "--- " + (_headed("a/", old.path) if old else "/dev/null"),
        "+++ " + (_headed("b/", new.path) if new else "/dev/null"),
    )
    return "".join(f"{head}\n" for head in heads).encode() + b"".join(_hunks(old_data, new_data))


def _blob(side: Side | None) -> str:
    """Return git's name for the file's bytes."""
    if side is None:
        return _NO_FILE
    header = f"blob {len(side.data)}\0".encode()
    return hashlib.sha1(header + side.data, usedforsecurity=False).hexdigest()


def _headed(prefix: str, path: str) -> str:
    """Return a name for --- and +++; a tab ends one with a blank, as programs cut there."""
    name = _quoted(prefix, path)
    return name + "\t" if " " in name else name


def _quoted(prefix: str, path: str) -> str:
    """Return the path as git prints it: in quotes when it holds more than plain ASCII."""
    raw = (prefix + path).encode()
    if all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in raw):
        return raw.decode()
    return '"' + "".join(_escaped(byte) for byte in raw) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _literal(data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    lines = [f"literal {len(data)}\n".encode()]
    for at in range(0, len(packed), _LINE_BYTES):
        piece = packed[at : at + _LINE_BYTES]
        length = chr(ord("A") + len(piece) - 1 if len(piece) <= 26 else ord("a") + len(piece) - 27)
        lines.append(length.encode() + b85encode(piece, pad=True) + b"\n")
    return b"".join(lines) + b"\n"


def _hunks(old_data: bytes, new_data: bytes) -> Iterator[bytes]:
    old, new = _lines(old_data), _lines(new_data)
    for group in _groups(_spans(old, new)):
        _, old_from, _, new_from, _ = group[0]
        _, _, old_to, _, new_to = group[-1]
        yield f"@@ -{_range(old_from, old_to)} +{_range(new_from, new_to)} @@\n".encode()
        for kind, i, j, k, m in group:
            if kind == "equal":
                yield from (_line(b" ", line) for line in old[i:j])
                continue
            yield from (_line(b"-", line) for line in old[i:j])
            yield from (_line(b"+", line) for line in new[k:m])


def _range(start: int, stop: int) -> str:
    count = stop - start
    first = start + 1 if count else start
    return str(first) if count == 1 else f"{first},{count}"


def _line(sign: bytes, line: bytes) -> bytes:
    if line.endswith(b"\n"):
        return sign + line
    return sign + line + b"\n\\ No newline at end of file\n"


def _spans(old: Sequence[bytes], new: Sequence[bytes]) -> list[Span]:
    """Return what is equal, and what replaces what, over both texts in order."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    most -= start
    end = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    old_end, new_end = len(old) - end, len(new) - end
    spans: list[Span] = [("equal", 0, start, 0, start)] if start else []
    for kind, i, j, k, m in _middle(old[start:old_end], new[start:new_end]):
        spans.append((kind, i + start, j + start, k + start, m + start))
    if end:
        spans.append(("equal", old_end, len(old), new_end, len(new)))
    return spans


def _middle(old: Sequence[bytes], new: Sequence[bytes]) -> list[Span]:
    counts = Counter(new)
    if sum(counts[line] for line in old) > MOST_PAIRS:
        return [("replace", 0, len(old), 0, len(new))]
    return [*SequenceMatcher(None, old, new, autojunk=False).get_opcodes()]


def _groups(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Cut between changes that are further apart than their contexts reach."""
    group: list[Span] = []
    for at, (kind, i, j, k, m) in enumerate(spans):
        if kind != "equal":
            group.append((kind, i, j, k, m))
            continue
        is_first, is_last = at == 0, at == len(spans) - 1
        tail = min(CONTEXT, j - i)
        if is_first:
            group.append((kind, j - tail, j, m - tail, m))
        elif is_last:
            group.append((kind, i, i + tail, k, k + tail))
        elif j - i > 2 * CONTEXT:
            group.append((kind, i, i + CONTEXT, k, k + CONTEXT))
            yield group
            group = [(kind, j - CONTEXT, j, m - CONTEXT, m)]
        else:
            group.append((kind, i, j, k, m))
    if any(kind != "equal" for kind, *_ in group):
        yield group


def _lines(data: bytes) -> list[bytes]:
    """Return the lines with their LF; the last may have none."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
