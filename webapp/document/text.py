"""Units of text, and the only place that converts them.

Inside Flint a text is "utf16 text": a str in which every astral character stands as its two
surrogate code units, so that len() and indices are UTF-16 offsets, the browser's unit. A change
may split a pair, so either half may stand alone. Ordinary str (as files, models and databases
hold it) becomes utf16 text through `to_utf16` and comes back through `from_utf16`; both may be
applied twice without harm.

Turned down: ordinary str with offsets converted for each change, since that costs the length of
the text for every keystroke and cannot express a change that splits a pair.
"""

import json
import re
from typing import Any, Literal, NoReturn

LineEnding = Literal["lf", "crlf", "cr", "mixed"]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LINE_END = re.compile("\r\n|\r|\n")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_ENDINGS: dict[str, LineEnding] = {"\n": "lf", "\r\n": "crlf", "\r": "cr"}
_SEPARATORS: dict[LineEnding, str] = {"crlf": "\r\n", "cr": "\r"}


def _split(match: re.Match[str]) -> str:
    above_bmp = ord(match[0]) - 0x10000
    return chr(0xD800 + (above_bmp >> 10)) + chr(0xDC00 + (above_bmp & 0x3FF))


def _join(match: re.Match[str]) -> str:
    high, low = ord(match[0][0]), ord(match[0][1])
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def to_utf16(text: str) -> str:
    """Return `text` with each astral character as two surrogates, so that indices are UTF-16."""
    return text if text.isascii() else _ASTRAL.sub(_split, text)


def from_utf16(text: str) -> str:
    """Return `text` with each surrogate pair as one character; a lone surrogate stays."""
    return text if text.isascii() else _PAIR.sub(_join, text)


def line_start(text: str, line: int) -> int:
    """Return the offset of the first character of a line (1-based), or the text's end behind all.

    Lines end with LF alone, as in the log: a CR is an ordinary character.
    """
    above = text.split("\n", line - 1)
    return len(text) - len(above[-1]) if len(above) == line else len(text)


def line_ending(text: str) -> LineEnding:
    """Return the one line ending that `text` uses, "mixed" for several, "lf" for none."""
    kinds = set(_LINE_END.findall(text)) if "\r" in text else {"\n"}
    return _ENDINGS[kinds.pop()] if len(kinds) == 1 else "mixed"


def normalise(text: str) -> tuple[str, LineEnding]:
    """Return the text as the log keeps it, and the ending for `restore`.

    The log has LF only, except that a text with mixed endings is kept as it is: its CRs are
    ordinary characters, and changes to it are read with `keep_cr`.
    """
    ending = line_ending(text)
    separator = _SEPARATORS.get(ending)
    return (text.replace(separator, "\n") if separator else text), ending


def restore(text: str, ending: LineEnding) -> str:
    """Return the text as its file has it: the log's LF as the file's own ending."""
    separator = _SEPARATORS.get(ending)
    return text.replace("\n", separator) if separator else text


def dumps_ascii(value: object) -> str:
    """Return compact JSON in ASCII, the only form in which half a pair passes everywhere.

    Raises ValueError for NaN and infinities, which JSON does not have.
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON.")


def _split_all(value: Any) -> Any:
    if isinstance(value, str):
        return to_utf16(value)
    if isinstance(value, list):
        return [_split_all(item) for item in value]
    if isinstance(value, dict):
        return {to_utf16(key): _split_all(item) for key, item in value.items()}
    return value


def loads_utf16(raw: str) -> Any:
    """Return the JSON value in `raw`, every string of it (keys too) as utf16 text.

    Raises ValueError for what is not JSON, for NaN and infinities, and for nesting too deep.
    """
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
        if raw.isascii() and not _SURROGATE_ESCAPE.search(raw):
            return value
        return _split_all(value)
    except RecursionError:
        raise ValueError("The JSON is nested too deep.") from None
