"""What the model is told, within its context budget. Pure: a brief in, a request out.

The stable text stands first (the rules, then the file), the instruction last: servers keep the
state of a prompt's beginning, so a second instruction about the same file costs only itself, and
putting the focus in the prompt box can warm all but the instruction.

Line numbers are 1-based and inclusive, as people see them; offsets are UTF-16 code units.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webapp.document.text import from_utf16
from webapp.engine.ports import Endpoint, Message, Request

CHARS_PER_TOKEN: Final = 3.5
REGION_LINES: Final = 40

_TOKENS_A_MESSAGE: Final = 8  # the chat template's marks
_LEAST_GROWTH_TOKENS: Final = 64
_GROWTH_TOKENS: Final = 320  # what an edit may add, beside doubling the text
_SHOWN_PATHS: Final = 40
_SHOWN_TURNS: Final = 3
_SHOWN_PROMPT_CHARS: Final = 1000
_RULES: Final = (
    "You edit code. You are given a file and an instruction. "
    "Answer with the file's name on a line of its own and then the whole file, changed as the "
    "instruction says, in one fenced code block. "
    "Change only what the instruction asks for and copy all other lines exactly. "
    "Do not explain."
)


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An earlier turn, as far as the model should know it."""

    prompt: str
    outcome: str
    """What became of it, as a sentence."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file as they stand now; `from_line` None for all of it."""

    path: str
    text: str
    from_line: int | None = None
    to_line: int | None = None


@dataclass(frozen=True, slots=True)
class Redirection:
    """The turn that this one was redirected from: its prompt, and what was kept of its edits."""

    prompt: str
    kept: Sequence[Excerpt] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a turn knows when it asks. `text` has LF line ends."""

    prompt: str
    path: str
    text: str
    endpoint: Endpoint
    region: tuple[int, int] | None = None
    selected: tuple[int, int] | None = None
    """The lines that the person selected, when they are fewer than what is rewritten."""
    other_paths: Sequence[str] = ()
    history: Sequence[PastTurn] = ()
    mentioned: Sequence[Excerpt] = ()
    """Files that the person named with @, whole."""
    redirection: Redirection | None = None


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The brief does not fit: it needs `needed` tokens of `window`, both with the answer."""

    needed: int
    window: int


def estimate_tokens(text: str) -> int:
    """Return about how many tokens `text` is; rather more than fewer."""
    return -int(-len(text) // CHARS_PER_TOKEN)


def build(brief: Brief) -> Request | TooLarge:
    """Return what to ask for the format `whole`, or TooLarge when it does not fit.

    The answer may grow to about twice the text it rewrites. Earlier turns are left out, oldest
    first, before anything is refused.
    """
    edited = lines_of(brief.text, brief.region)
    endpoint = brief.endpoint
    least = estimate_tokens(edited) + _LEAST_GROWTH_TOKENS
    history = _recent(brief.history, endpoint.context_window)
    messages = _messages(brief, edited, history)
    while history and least + _tokens(messages) > endpoint.context_window:
        history = history[1:]
        messages = _messages(brief, edited, history)
    needed = least + _tokens(messages)
    if needed > endpoint.context_window or least > endpoint.max_output:
        return TooLarge(needed, endpoint.context_window)
    room = least + endpoint.context_window - needed
    cap = min(2 * estimate_tokens(edited) + _GROWTH_TOKENS, endpoint.max_output, room)
    return Request(messages, max_tokens=cap)


def lines_of(text: str, region: tuple[int, int] | None) -> str:
    """Return the lines of `text` that are in `region`, or all of it."""
    if region is None:
        return text
    from_line, to_line = region
    return "\n".join(text.split("\n")[from_line - 1 : to_line]) + "\n"


def _tokens(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(m.content) + _TOKENS_A_MESSAGE for m in messages)


def _recent(history: Sequence[PastTurn], window: int) -> Sequence[PastTurn]:
    """Return the latest turns, as many as an eighth of the window holds and three at most."""
    budget = window // 8
    kept = 0
    for past in reversed(history[-_SHOWN_TURNS:]):
        budget -= estimate_tokens(_told(past))
        if budget < 0:
            break
        kept += 1
    return history[len(history) - kept :]


def _told(past: PastTurn) -> str:
    prompt = past.prompt.strip()
    if len(prompt) > _SHOWN_PROMPT_CHARS:
        prompt = prompt[: _SHOWN_PROMPT_CHARS - 1] + "…"
    return f"Before, the instruction was: {prompt}\n{past.outcome}\n\n"


def _messages(brief: Brief, edited: str, history: Sequence[PastTurn]) -> tuple[Message, ...]:
    # Measured on the embedded model: the names of other files alone cost it 4 of 31 small edits.
    shown = () if brief.endpoint.small else brief.other_paths[:_SHOWN_PATHS]
    paths = ", ".join(shown)
    asked = "".join(
        (
            f"Other files of the project: {paths}\n\n" if paths else "",
            *map(_told, history),
            f"{_block(brief.path, edited)}\n\n",
            _selected(brief),
            f"Instruction: {brief.prompt.strip()}\n\n",
            f"Write all of {brief.path} with this change.",
        )
    )
    return (Message("system", _RULES), Message("user", from_utf16(asked)))


def _selected(brief: Brief) -> str:
    """Return what tells the model where to look."""
    if brief.selected is None or brief.selected == brief.region:
        return ""
    lines = _fenced(lines_of(brief.text, brief.selected))
    return f"The instruction is about these lines:\n{lines}\n\n"


def _block(path: str, text: str) -> str:
    return f"{path}\n{_fenced(text, _language(path))}"


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{language}\n{text}{end}{fence}"


_LANGUAGES: Final = {
    "py": "python",
    "js": "javascript",
    "mjs": "javascript",
    "ts": "typescript",
    "md": "markdown",
    "yml": "yaml",
    "htm": "html",
    "sh": "bash",
    "rs": "rust",
    "rb": "ruby",
}


def _language(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    return _LANGUAGES.get(ending, ending if ending.isalnum() else "")


_CLOSERS: Final = ("", "}", ")", "]")


def choose_region(
    text: str, selection: tuple[int, int], max_lines: int = REGION_LINES
) -> tuple[int, int] | None:
    """Return the lines a small model is to rewrite; None for the whole file.

    `selection` holds two offsets in `text` in any order; a caret is a selection of nothing. A text
    of at most `max_lines` lines is rewritten whole. A real selection is widened to whole lines.
    Around a caret, the lines are those of the definition it stands in: a small model that is given
    more gives back only the one that the instruction is about, and the rest would be lost.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) <= max_lines:
        return None
    selected = selected_lines(text, selection)
    if selected is not None:
        return selected
    return _around(lines, min(text.count("\n", 0, selection[0]), len(lines) - 1), max_lines)


def selected_lines(text: str, selection: tuple[int, int]) -> tuple[int, int] | None:
    """Return the lines that a selection touches, two offsets in any order; None for a caret."""
    start, end = sorted(selection)
    if start == end:
        return None
    last_line = max(1, text.count("\n") + (not text.endswith("\n")))
    first = text.count("\n", 0, start) + 1
    last = text.count("\n", 0, end) + 1
    if text[end - 1] == "\n":
        last -= 1  # the selection ends before the first character of the next line
    return min(first, last_line), min(last, last_line)


def _around(lines: list[str], caret: int, max_lines: int) -> tuple[int, int]:
    first, last = _block_at(lines, 0, len(lines), caret, "")
    if last - first > max_lines:  # a long class or function: the piece of it
        inner = [line for line in lines[first + 1 : last] if line.strip()]
        indent = min((_indent(line) for line in inner if _indent(line)), key=len, default="")
        first, last = _block_at(lines, first, last, caret, indent)
    if last - first > max_lines:
        first = max(first, min(caret - max_lines // 2, last - max_lines))
        last = first + max_lines
    while last - 1 > caret and not lines[last - 1].strip():
        last -= 1
    while first < caret and not lines[first].strip():
        first += 1
    return first + 1, last


def _block_at(lines: list[str], first: int, last: int, caret: int, indent: str) -> tuple[int, int]:
    """Return the block around `caret`: from a line of this indent after a blank one to the next."""
    starts = [i for i in range(first + 1, last) if _begins_block(lines, i, indent)]
    return (
        max((i for i in starts if i <= caret), default=first),
        min((i for i in starts if i > caret), default=last),
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _begins_block(lines: list[str], i: int, indent: str) -> bool:
    line = lines[i]
    return (
        _indent(line) == indent
        and line[len(indent) :][:1] not in _CLOSERS
        and not lines[i - 1].strip()
    )
