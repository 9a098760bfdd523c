"""What the model is told, piece by piece, and what of it fits. Pure.

The order is fixed: what changes least stands first (rules, paths, history, the file), the
instruction last, since servers keep the state of a prompt's beginning. A mention that is larger
than the window is left out at once. When not all else fits, history goes first, oldest first, then
mentions, last first, then what was kept of a redirected turn is shortened; never the file.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from webapp.engine.brief import (
    Brief,
    Excerpt,
    PastTurn,
    Redirection,
    estimate_tokens,
    label_of,
    lines_of,
)
from webapp.engine.instructions import ASKED, RULES, UNIQUE

Kind = Literal[
    "rules", "paths", "history", "file", "region", "mention", "selection", "redirect", "prompt"
]

_TOKENS_A_MESSAGE: Final = 8  # the chat template's marks
_LEAST_GROWTH_TOKENS: Final = 64
_GROWTH_TOKENS: Final = 320  # what an edit may add, beside doubling the text
_LEAST_BLOCKS_TOKENS: Final = 256
_BLOCKS_TOKENS: Final = 2048  # prose and searched lines, beside what is shown twice over
_SHOWN_PATHS: Final = 40
_SHOWN_TURNS: Final = 3
_SHOWN_PROMPT_CHARS: Final = 1000
_LEAST_KEPT_TOKENS: Final = 32


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of what is told; left out when it does not fit. `label` is a name, never words."""

    kind: Kind
    label: str
    text: str
    is_left_out: bool = False

    @property
    def tokens(self) -> int:
        """About how many tokens it costs."""
        if self.is_left_out:
            return 0
        marks = _TOKENS_A_MESSAGE if self.kind in ("rules", "prompt") else 0
        return estimate_tokens(self.text) + marks


@dataclass(frozen=True, slots=True)
class Composed:
    """All pieces in their order, and the tokens: of the shortest answer, of the longest."""

    pieces: tuple[Piece, ...]
    used: int
    least: int
    most: int
    window: int
    fits: bool


def compose(brief: Brief) -> Composed:
    """Return what is told of the brief, as much as fits."""
    endpoint = brief.endpoint
    least, most = _answer(brief)
    pieces = _pieces(brief)
    tokens = [piece.tokens for piece in pieces]
    room = endpoint.context_window - least
    history = [i for i, piece in enumerate(pieces) if piece.kind == "history"]
    mentions = [i for i, piece in enumerate(pieces) if piece.kind == "mention"]
    for i in (*history, *reversed(mentions)):
        if sum(tokens) <= room:
            break
        pieces[i] = replace(pieces[i], is_left_out=True)
        tokens[i] = 0
    spare = room - sum(tokens)
    for i, piece in enumerate(pieces):
        if piece.kind == "redirect" and spare < 0 and brief.redirection is not None:
            pieces[i] = replace(piece, text=_redirected(brief, max(0, tokens[i] + spare)))
            tokens[i] = pieces[i].tokens
    used = sum(tokens)
    fits = used <= room and least <= endpoint.max_output
    most = min(most, endpoint.max_output, endpoint.context_window - used) if fits else least
    return Composed(tuple(pieces), used, least, most, endpoint.context_window, fits)


def _answer(brief: Brief) -> tuple[int, int]:
    """Return how long the answer must be able to be, and how long it may be."""
    edited = estimate_tokens(lines_of(brief.text, brief.region))
    if brief.endpoint.edit_format != "whole":
        mentioned = sum(estimate_tokens(excerpt.text) for excerpt in brief.mentioned)
        return _LEAST_BLOCKS_TOKENS, 2 * (edited + mentioned) + _BLOCKS_TOKENS
    return edited + _LEAST_GROWTH_TOKENS, 2 * edited + _GROWTH_TOKENS


def _pieces(brief: Brief) -> list[Piece]:
    endpoint = brief.endpoint
    in_parts = endpoint.edit_format != "whole"
    pieces = [Piece("rules", "", RULES[endpoint.edit_format])]
    # Measured on the embedded model: the names of other files alone cost it 4 of 31 small edits.
    paths = () if endpoint.small else brief.other_paths[:_SHOWN_PATHS]
    if paths:
        text = f"Other files of the project: {', '.join(paths)}\n\n"
        pieces.append(Piece("paths", str(len(paths)), text))
    for past in _recent(brief.history, endpoint.context_window):
        pieces.append(Piece("history", _first_words(past.prompt), _told(past)))
    pieces.append(_file(brief))
    for excerpt in brief.mentioned:
        if estimate_tokens(excerpt.text) > endpoint.context_window:
            # It may have megabytes, which are not even copied here.
            pieces.append(Piece("mention", excerpt.label, "", is_left_out=True))
            continue
        text = f"Another file of the project, to look at:\n{_block(excerpt.path, excerpt.text)}\n\n"
        if in_parts:
            text = f"{_block(excerpt.path, excerpt.text)}\n\n"
        pieces.append(Piece("mention", excerpt.label, text))
    if brief.selected is not None and brief.selected != brief.region:
        lines = _fenced(lines_of(brief.text, brief.selected))
        text = f"The instruction is about these lines:\n{lines}\n\n"
        pieces.append(Piece("selection", label_of(brief.path, *brief.selected), text))
    if brief.redirection is not None:
        text = _redirected(brief, endpoint.context_window // 8)
        pieces.append(Piece("redirect", _first_words(brief.redirection.prompt), text))
    asked = f"Instruction: {brief.prompt.strip()}\n\n"
    asked += ASKED.get(endpoint.edit_format, f"Write all of {brief.path} with this change.")
    pieces.append(Piece("prompt", "", asked))
    return pieces


def _file(brief: Brief) -> Piece:
    text = f"{_block(brief.path, lines_of(brief.text, brief.region))}\n\n"
    if brief.region is None:
        return Piece("file", brief.path, text)
    from_line, to_line = brief.region
    if unique := UNIQUE.get(brief.endpoint.edit_format):
        count = brief.text.count("\n") + (not brief.text.endswith("\n"))
        text += (
            f"These are lines {from_line} to {to_line} of {brief.path}, which has {count} lines. "
            f"{unique}\n\n"
        )
    return Piece("region", label_of(brief.path, from_line, to_line), text)


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
    return f"Before, the instruction was: {_shortened(past.prompt)}\n{past.outcome}\n\n"


def _shortened(prompt: str) -> str:
    prompt = prompt.strip()
    if len(prompt) > _SHOWN_PROMPT_CHARS:
        prompt = prompt[: _SHOWN_PROMPT_CHARS - 1] + "…"
    return prompt


def _first_words(prompt: str) -> str:
    words = " ".join(prompt.split())
    return words if len(words) <= 40 else words[:39] + "…"


def _redirected(brief: Brief, budget: int) -> str:
    """Return what is told of the turn before, in about `budget` tokens."""
    redirection = brief.redirection or Redirection("")
    head = f"Before, the instruction was: {_shortened(redirection.prompt)}\n"
    if brief.endpoint.small:  # what it kept stands in the lines above; twice would confuse it
        return head + "It was stopped; the text above is how it stands now.\n\n"
    head += "It was stopped before it was done. All files are shown as they stand now.\n\n"
    budget -= estimate_tokens(head)
    kept: list[str] = []
    for excerpt in redirection.kept:
        room = budget // (len(redirection.kept) - len(kept))
        text = _excerpt(excerpt, room)
        kept.append(text)
        budget -= estimate_tokens(text)
    told = "".join(kept)
    return f"{head}This was kept of it:\n\n{told}" if told else head


def _excerpt(excerpt: Excerpt, budget: int) -> str:
    """Return the excerpt in about so many tokens: whole, or its first lines, or nothing."""
    text = f"{excerpt.label}\n{_fenced(excerpt.text, _language(excerpt.path))}\n\n"
    if estimate_tokens(text) <= budget:
        return text
    if budget < _LEAST_KEPT_TOKENS:
        return ""
    chars = int(budget * len(text) / estimate_tokens(text)) - (len(text) - len(excerpt.text)) - 2
    cut = excerpt.text[: max(0, chars)].rpartition("\n")[0]
    fenced = _fenced(f"{cut}\n…", _language(excerpt.path))
    return f"{excerpt.label}\n{fenced}\n\n" if cut else ""


def _block(path: str, text: str) -> str:
    return f"{path}\n{_fenced(text, _language(path))}"


def _fenced(text: str, language: str = "") -> str:
    longest = 2
    if "```" in text:  # asked first: looking for runs in megabytes that have none is slow
        longest = max(len(run) for run in re.findall(r"`{3,}", text))
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
