"""Which paths a project may hold, so that every project can be exported to any machine.

A path is an ordinary str (not utf16 text), relative, with forward slashes, in Unicode's NFC. What
some system cannot store, or would take for another file, is refused when the file is made and not
when somebody exports it: the names and characters that Windows reserves, the folder of git in each
of its disguises, two names that differ in case alone.
"""

import re
import unicodedata
from collections.abc import Iterable

from webapp.document.text import from_utf16
from webapp.lib.sentences import Sentence, gettext_noop

MAX_PATH_CHARS = 512
MAX_SEGMENT_BYTES = 255
_SHOWN_CHARS = 80

_DRIVE = re.compile(r"[A-Za-z]:")
# Controls, line separators, marks that reverse the reading direction, halves of surrogate pairs.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_NUMBERED = "123456789\u00b9\u00b2\u00b3"
_RESERVED = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    device + digit for device in ("com", "lpt") for digit in _NUMBERED
}


class PathError(ValueError):
    """A path that no project may hold; its text is a sentence that names the path."""

    def __init__(self, path: str, problem: Sentence) -> None:
        self.sentence = Sentence(
            gettext_noop("The path %(path)s cannot be used: %(problem)s."),
            path=shown(path),
            problem=problem,
        )
        super().__init__(self.sentence)
        self.path = path
        self.problem = problem


def shown(path: str) -> str:
    """Return the path in quotes for a message: cut when long, what cannot be seen escaped."""
    cut = path if len(path) <= _SHOWN_CHARS else path[:_SHOWN_CHARS] + "…"
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut) + '"'


def check_path(path: str) -> str:
    """Return the path in normal form. Raises PathError when no project may hold it."""
    path = unicodedata.normalize("NFC", from_utf16(path))
    if not path:
        raise PathError(path, Sentence(gettext_noop("it is empty")))
    if len(path) > MAX_PATH_CHARS:
        raise PathError(
            path,
            Sentence(
                gettext_noop("it has %(count)s characters, and %(most)s are allowed"),
                count=len(path),
                most=MAX_PATH_CHARS,
            ),
        )
    if _UNSAFE.search(path):
        raise PathError(path, Sentence(gettext_noop("it holds a character that cannot be seen")))
    if "\\" in path:
        raise PathError(
            path,
            Sentence(
                gettext_noop("folders are separated by a forward slash, not a backslash"),
            ),
        )
    if path.startswith("/") or _DRIVE.match(path):
        raise PathError(path, Sentence(gettext_noop("it must start inside the project")))
    for segment in path.split("/"):
        problem = _problem(segment)
        if problem:
            raise PathError(path, problem)
    return path


def _problem(segment: str) -> Sentence | None:
    if not segment:
        return Sentence(gettext_noop("it has an empty name between or behind its slashes"))
    if segment in (".", ".."):
        return Sentence(gettext_noop('"%(name)s" is not a name'), name=segment)
    if segment != segment.strip():
        return Sentence(gettext_noop("a name in it starts or ends with a space"))
    if segment.endswith("."):
        return Sentence(gettext_noop("a name in it ends with a dot"))
    size_bytes = len(segment.encode())
    if size_bytes > MAX_SEGMENT_BYTES:
        return Sentence(
            gettext_noop("a name in it has %(count)s bytes, and %(most)s are allowed"),
            count=size_bytes,
            most=MAX_SEGMENT_BYTES,
        )
    if _is_git(segment):
        return Sentence(gettext_noop("the folder of git is not part of a project"))
    if _FORBIDDEN.search(segment):
        return Sentence(gettext_noop('Windows allows none of < > : " | ? * in a name'))
    if segment.split(".")[0].rstrip().casefold() in _RESERVED:
        return Sentence(gettext_noop("Windows reserves a name in it"))
    return None


def _is_git(segment: str) -> bool:
    """Say whether some system takes the name for `.git`.

    After git's own list (CVE-2014-9390, CVE-2019-1352): characters that HFS+ ignores, the short
    name and the streams of NTFS.
    """
    visible = "".join(char for char in segment if unicodedata.category(char) != "Cf")
    return visible.casefold().split(":")[0].rstrip(" .") in (".git", "git~1")


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", path.casefold())


def clash(path: str, existing: Iterable[str]) -> Sentence | None:
    """Return a sentence when `path` cannot stand beside the existing files, else None.

    Both are paths that `check_path` returned. For a rename, leave the old path out of `existing`.
    """
    key = _key(path)
    for other in existing:
        if other == path:
            return Sentence(gettext_noop("A file named %(path)s exists already."), path=shown(path))
        other_key = _key(other)
        if other_key == key:
            return Sentence(
                gettext_noop(
                    "A file named %(other)s exists already, and many systems do not tell it"
                    " from %(path)s."
                ),
                other=shown(other),
                path=shown(path),
            )
        if key.startswith(other_key + "/"):
            return Sentence(
                gettext_noop("%(other)s is a file, so it cannot be a folder of %(path)s."),
                other=shown(other),
                path=shown(path),
            )
        if other_key.startswith(key + "/"):
            return Sentence(
                gettext_noop("%(path)s is a folder already: %(other)s is in it."),
                path=shown(path),
                other=shown(other),
            )
    return None


def first_clash(paths: Iterable[str]) -> Sentence | None:
    """Return a sentence when these paths cannot stand beside each other, else None.

    All are paths that `check_path` returned. Looks at each once, however many there are.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        key = _key(path)
        if key in files:
            if files[key] == path:
                return Sentence(gettext_noop("%(path)s comes twice."), path=shown(path))
            return clash(path, [files[key]])
        if key in folders:
            return clash(path, [folders[key]])
        files[key] = path
        at = key.find("/")
        while at >= 0:
            if key[:at] in files:
                return clash(path, [files[key[:at]]])
            folders.setdefault(key[:at], path)
            at = key.find("/", at + 1)
    return None
