"""How the first line of a definition is written, in any common language. Pure.

Each pattern is tried only on a line that has what it needs (a word, its last character), since a
long file is read between two keystrokes.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

Kind = Literal["group", "function", "value", "heading"]
Header = tuple[Kind, tuple[str, ...]]
"""What it is, and the names it goes by."""

_LONGEST_SIGNATURE: Final = 12
_BEFORE_BODY: Final = ("{", ":", "->", "throws", "where", "noexcept", "const", "override")

_NAME = r"[A-Za-z_$][\w$]*[?!]?"
_MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|"
    r"open|override|virtual|sealed|partial|data|inline|suspend|readonly|unsafe|extern|pub(?:\([^)]*\))?"
    r"|local|const(?=\s+(?:fn|unsafe|async))|\"C\")\s+)*"
)
_KEYWORD = re.compile(
    r"\b(?:def|sub|proc|function|fn|func|fun|macro_rules!|class|struct|interface|trait|enum|record|"
    r"object|namespace|module|union|protocol|extension|mod|type|impl)\b"
)
_GROUP = re.compile(
    rf"\s*{_MODIFIERS}(?:class|struct|interface|trait|enum|record|object|namespace|module|union|"
    rf"protocol|extension|mod|type|typedef struct)\s+(?:[\w$]+(?:::|\.))*(?P<name>{_NAME})"
    r"(?=\s*(?:[({:<=;,]|$|//|#|(?:extends|implements|where|for|as|is|with|struct|interface)\b))"
)
_IMPL = re.compile(r"\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s*(?P<rest>[^{]*)")
_FUNCTION = re.compile(
    rf"\s*{_MODIFIERS}(?:(?P<bare>def|sub|proc)|function\s*\*?|fn|func|fun|macro_rules!)\s*"
    rf"(?:\((?P<receiver>[^)]*)\)\s*)?(?:self\.|(?P<owner>{_NAME})(?:\.|::|:))?(?P<name>{_NAME})"
    r"\s*(?:[(<{\[=]|(?(bare)(?:$|;|#)|(?!)))"
)
_FIRST_WORD = re.compile(r"[\s}]*([A-Za-z]+)\b")
_ASSIGNED = re.compile(
    rf"\s*{_MODIFIERS}(?:(?:const|let|var|static|val)\s+(?:mut\s+)?)?(?:[\w$]+\.)*"
    rf"(?P<name>{_NAME})\s*(?::[^=]+)?[:=]\s*(?:async\s+)?"
    r"(?:function\b|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|lambda\b)"
)
_VALUE = re.compile(
    rf"(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+)?"
    rf"(?:(?:const|let|var|static|val)\s+(?:mut\s+)?(?P<name>{_NAME})|(?P<constant>[A-Z][A-Z0-9_]{{2,}})\b)"
    r"[^=]*=(?!=)"
)
_METHOD = re.compile(
    rf"\s+{_MODIFIERS}(?:get\s+|set\s+|\*\s*)?#?(?P<name>{_NAME})\s*(?:<[^>]*>)?"
    r"\((?:[^()]|\([^()]*\))*\)\s*(?::[^{;=]+)?\{"
)
_C_LIKE = re.compile(
    rf"\s*(?:[\w$:<>,\[\].~@]+[\s*&]+)+(?:(?P<owner>{_NAME})(?:<[^>]*>)?::)?(?P<name>~?{_NAME})"
    r"\s*\([^;]*$"
)
_CONSTRUCTOR = re.compile(rf"(?P<owner>{_NAME})::(?P<name>~?{_NAME})\s*\([^;]*$")
_SQL = re.compile(
    r"\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)*"
    r"(?:table|view|function|procedure|trigger|index|type)\s+(?:if\s+not\s+exists\s+)?"
    r"[\"`\[]?(?:\w+\.)?(?P<name>\w+)",
    re.IGNORECASE,
)
_SHELL = re.compile(rf"(?P<name>{_NAME.replace('?!', '-')})\s*\(\)\s*\{{?\s*$")
_CSS = re.compile(
    r"\s*(?P<names>[.#*:\[a-zA-Z@&][^;{}()=]*(?:\([^)]*\)[^;{}()=]*)*)[{,]\s*(?:[^{]*\}\s*)?$"
)
_SELECTOR = re.compile(r"[.#]?[A-Za-z_][\w-]*")
_PSEUDO = re.compile(r"::?[\w-]+(?:\([^)]*\))?")
_KEYFRAMES = re.compile(r"@(?:keyframes|mixin|layer|include)\s+([\w-]+)")
_HTML_ID = re.compile(r"\s*<[A-Za-z][^>]*?\sid\s*=\s*[\"']?(?P<name>[\w:.-]+)")
_HEADING = re.compile(r"(?P<marks>#{1,6})[ \t]+(?P<name>\S.*)")
_SECTION = re.compile(r"\[\[?(?P<name>[\w.:\" -]+)\]\]?\s*$")
_NOT_NAMES: Final = frozenset(
    re.findall(
        r"\S+",
        "if for while switch catch return else do try with function new await yield throw typeof"
        " in of case elif except match when until unless foreach using lock sizeof delete not and"
        " or from import print super this raise assert go defer select",
    )
)
_STATEMENTS: Final = _NOT_NAMES - {"function"}
"""Words with which a line begins that defines nothing."""


def header(lines: Sequence[str], index: int) -> Header | None:
    """Return what a line begins to define, if it does."""
    line = lines[index]
    first, last = line[0], line.rstrip()[-1]
    found: Header | None = None
    if (word := _FIRST_WORD.match(line)) and word[1] in _STATEMENTS:
        return None
    if first == "#" and (match := _HEADING.match(line)):
        return "heading", (match["name"].rstrip("# \t"),)
    if _KEYWORD.search(line):
        found = _by_keyword(line)
    if found is None and ("=>" in line or "function" in line or "lambda" in line):
        found = _by_name(_ASSIGNED.match(line), "function")
    if found is None and "=" in line and not first.isspace() and (match := _VALUE.match(line)):
        found = _checked("value", match["name"] or match["constant"])
    if found is None and first in "cC \t" and (match := _SQL.match(line)):
        return "function", (match["name"],)
    if found is None and "(" in line and last not in ";:":
        found = _by_parentheses(lines, index)
    if found is None and "<" in line and (match := _HTML_ID.match(line)):
        return "group", (match["name"], f"#{match['name']}")
    if found is None and first == "[" and (match := _SECTION.match(line)):
        return "value", (match["name"].strip('" '),)
    if found is None and last in "{,}" and _opens(lines, index) and (match := _CSS.match(line)):
        return _selectors(match["names"])
    return found


def is_statement(line: str) -> bool:
    """Say whether the line begins an SQL statement, which ends with its semicolon."""
    return _SQL.match(line) is not None


def heading_level(line: str) -> int:
    """Return how many marks a heading has; 0 for any other line."""
    level = len(line) - len(line.lstrip("#"))
    return level if level <= 6 and line[level : level + 1] in (" ", "\t") else 0


def _by_keyword(line: str) -> Header | None:
    if match := _FUNCTION.match(line):
        receiver = re.findall(r"[A-Za-z_]\w*", match["receiver"] or "")[-1:]
        return _checked("function", match["name"], [match["owner"]] if match["owner"] else receiver)
    if match := _GROUP.match(line):
        return _checked("group", match["name"])
    if match := _IMPL.match(line):
        words = re.findall(r"[A-Za-z_]\w*", re.sub(r"<[^>]*>", "", match["rest"]).split("where")[0])
        names = tuple(word for word in words if word not in {"for", "dyn", "mut"})
        return ("group", names[::-1]) if names else None
    return None


def _by_parentheses(lines: Sequence[str], index: int) -> Header | None:
    line = lines[index]
    if match := _SHELL.match(line) or ("{" in line and _METHOD.match(line)) or None:
        return _checked("function", match["name"])
    match = _CONSTRUCTOR.match(line) or _C_LIKE.match(line)
    if match and _has_body(lines, index):
        return _checked("function", match["name"], [match["owner"]] if match["owner"] else [])
    return None


def _by_name(match: re.Match[str] | None, kind: Kind) -> Header | None:
    return _checked(kind, match["name"]) if match else None


def _checked(kind: Kind, name: str, owner: Sequence[str] = ()) -> Header | None:
    return None if name in _NOT_NAMES else (kind, (name, *(f"{each}.{name}" for each in owner)))


def _selectors(text: str) -> Header | None:
    if match := _KEYFRAMES.match(text):
        return "value", (match[1],)
    if text.startswith("@") or " = " in text:
        return None
    parts = [_SELECTOR.findall(_PSEUDO.sub("", part))[::-1] for part in text.split(",")]
    names = [part[0] for part in parts if part] + [name for part in parts for name in part[1:]]
    if not names:
        return None
    return "value", tuple(dict.fromkeys(name for n in names for name in (n, n.lstrip(".#"))))


def _opens(lines: Sequence[str], index: int) -> bool:
    """Say whether a list of selectors, one a line, comes to its brace."""
    for line in lines[index : index + _LONGEST_SIGNATURE]:
        text = line.rstrip()
        if "{" in text:
            return True
        if not text.endswith(","):
            return False
    return False


def _has_body(lines: Sequence[str], index: int) -> bool:
    """Say whether a body in braces follows what stands in parentheses."""
    depth = 0
    for at in range(index, min(index + _LONGEST_SIGNATURE, len(lines))):
        line = lines[at]
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            rest = line.rpartition(")")[2]
            following = lines[at + 1].lstrip() if at + 1 < len(lines) else ""
            return "{" in rest or (";" not in rest and following.startswith(_BEFORE_BODY))
    return False
