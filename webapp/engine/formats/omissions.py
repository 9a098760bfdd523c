"""Lines that stand for code which a model left out ("# ... rest of the code stays the same ...").

Writing such a line would delete what it stands for, so the edit is refused instead. Only a comment
that says nothing else counts; whoever knows the old text lets a line pass that stood in it.
`may_begin` says whether a line that is still growing could become one, so that it is held back.

A comment such as "# other imports" is ordinary code; with dots, or with "stay the same", it is not.
"""

import re
from typing import Final

_LONGEST = 200
_MARKERS: Final = ("{/*", "<!--", "//", "/*", "--", "#", ";", "%")
_MARKUP: Final = ("<!--",)
_CLOSERS = re.compile(r"\s*(\*/\s*\}?|-->)\s*$")
_EDGE = " \t([{*-"
_TRAIL = _EDGE + ")]}.!:"

_THING = (
    r"(?:code|file|function|class|class(?:es)|method|implementation|script|module|program|test|"
    r"content|html|css|import|definition|logic|line|component|style|element|part|section|handler|"
    r"route)s?"
)
_STAY = (
    r"(?: (?:remains?|stays?|is|are|goes?|go|continues?|unchanged|here|below|above|omitted|"
    r"the same|as is|as-is|as before|as it was|same|for brevity|in the file|without changes?|"
    r"exactly|untouched|not changed|from before))"
)
_SURE = re.compile(
    rf"(?:the )?(?:rest|remainder)(?: of (?:the |your |this |that |my )?(?:\w+ ){{0,3}}?{_THING})?"
    rf"{_STAY}*"
    rf"|(?:all |the |your |any |my )*(?:existing|remaining) (?:\w+ )?{_THING}{_STAY}*"
    rf"|(?:all |the |your |any |my )*(?:previous|other|original|unchanged|same)"
    rf" (?:\w+ ){{0,2}}?{_THING}{_STAY}+"
    rf"|(?:keep|leave) (?:all |the |your |any )*(?:rest|existing|remaining|other)"
    rf"(?: \w+){{0,3}}{_STAY}*"
    r"|(?:code )?(?:omitted|unchanged)(?: for brevity)?|same as (?:before|above)"
)
_DOTS = re.compile(r"\.{2,}|…")
_HINT = re.compile(
    r"\b(?:rest|existing|remain\w*|other|previous|same|unchanged|code|more|omitted|before|above|"
    r"implementation|original|stays?|etc)\b"
)
_FIRST: Final = frozenset(
    [
        "the",
        "rest",
        "remainder",
        "all",
        "your",
        "any",
        "my",
        "existing",
        "remaining",
        "previous",
        "other",
        "original",
        "unchanged",
        "same",
        "keep",
        "leave",
        "code",
        "omitted",
    ]
)
_WORD = re.compile(r"[a-z]*")


def is_omission(line: str, *, markup: bool = False) -> bool:
    """Say whether the whole `line` stands for omitted code; `markup` knows only `<!--`."""
    if len(line) > _LONGEST:
        return False
    body = _CLOSERS.sub("", _body(line.strip(), markup)).lower()
    if not body:
        return False
    bare = _DOTS.sub(" ", body).strip(_TRAIL)
    if _DOTS.search(body):
        starts = _DOTS.match(body.lstrip(_EDGE)) is not None
        if not bare:
            return True
        word = _WORD.match(bare)
        return bool(_HINT.search(bare)) and (starts or bool(word and word[0] in _FIRST))
    return _SURE.fullmatch(bare) is not None


def may_begin(partial: str, *, markup: bool = False) -> bool:
    """Say whether a line that begins with `partial` could be an omission."""
    if len(partial) > _LONGEST:
        return False
    text = partial.lstrip()
    if any(marker.startswith(text) for marker in (_MARKUP if markup else _MARKERS)):
        return True
    body = _body(text, markup).lower().lstrip(_EDGE)
    if not body:
        return bool(_body(text + " .", markup))
    if body[0] in ".…":
        return True
    word = _WORD.match(body)
    found = word[0] if word else ""
    return found in _FIRST or (
        bool(found) and found == body and any(first.startswith(found) for first in _FIRST)
    )


def _body(text: str, markup: bool) -> str:
    """Return what the comment `text` says, or '' when it is none (as "#id" in CSS)."""
    for marker in _MARKUP if markup else _MARKERS:
        if text.startswith(marker):
            body = text.removeprefix(marker)
            return body.strip() if body[:1] in {" ", "\t", ".", "…", "(", "["} else ""
    return ""
