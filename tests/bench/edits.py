"""What an edit costs: CPU a token for parsing and locating, and with writing, in a file of 1 MB.

A message of about 128k tokens comes token by token; what it writes goes into the file once for 16
tokens, as when a model at 1,000 tokens/s is shown at every frame. One in five blocks is spelled
otherwise than the file: other blanks, quotes, or indentation. Of some runs the cheapest counts:
whatever else the machine does can only add to it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Final

from tests.engine.formats.applying import Project, parser_of

TOKENS: Final = 128_000
TOKEN_UTF16: Final = 4
FRAME_TOKENS: Final = 16
RUNS: Final = 3
MOST_US: Final = 10
"""What parsing and locating may cost a token at most."""

Edit = tuple[int, str, str]
"""The line where it goes, what is searched, what replaces it."""


def source(functions: int) -> list[str]:
    """Return the lines of a file of functions of ten lines each, all of them different."""
    lines: list[str] = []
    for number in range(functions):
        lines += [
            f"def function_{number}(value: int, factor: int = {number % 9}) -> int:",
            f'    """Return what \u201c{number}\u201d makes of the value."""',
            "    if value < 0:",
            f"        raise ValueError('negative in {number}')",
            f"    total_{number} = value * factor",
            "    for step in range(factor):",
            f"        total_{number} += step - {number}",
            f"    return total_{number}",
            "",
            "",
        ]
    return lines


def edits(lines: list[str], rng: random.Random) -> Iterator[Edit]:
    """Yield edits of six lines, in the order of the file, one a function."""
    for first in range(0, len(lines), 10):
        old = lines[first + 1 : first + 7]
        new = [*old[:3], "        return 0", *old[4:]]
        if rng.random() < 0.2:
            change = rng.choice([_blanks, _quotes, _indent])
            old, new = change(old), change(new)
        yield first, "\n".join(old) + "\n", "\n".join(new) + "\n"


def _blanks(lines: list[str]) -> list[str]:
    return [line + " " for line in lines]


def _quotes(lines: list[str]) -> list[str]:
    return [line.replace("\u201c", '"').replace("\u201d", '"') for line in lines]


def _indent(lines: list[str]) -> list[str]:
    return [line.removeprefix("    ") for line in lines]


def blocks(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Yield the pieces of a message in search/replace blocks."""
    for _, old, new in edits(lines, rng):
        yield f"f.py\n```python\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n\n"


def patch(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Yield the pieces of a patch; every other hunk names its function."""
    yield "*** Begin Patch\n*** Update File: f.py\n"
    for first, old, new in edits(lines, rng):
        yield f"@@ {lines[first]}\n" if first % 20 else "@@\n"
        for a, b in zip(old.splitlines(), new.splitlines(), strict=True):
            yield f" {a}\n" if a == b else f"-{a}\n+{b}\n"
    yield "*** End Patch\n"


def json_edits(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Yield the pieces of a list of JSON edits."""
    yield "["
    for first, old, new in edits(lines, rng):
        yield ("," if first else "") + json.dumps({"path": "f.py", "old": old, "new": new})
    yield "]"


def whole(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Yield the pieces of the whole file, of which every twentieth line is another."""
    yield "f.py\n```python\n"
    for number, line in enumerate(lines):
        yield line + ("  # new\n" if line and not number % 20 else "\n")
    yield "```\n"


FORMATS: Final[dict[str, Callable[[list[str], random.Random], Iterator[str]]]] = {
    "whole": whole,
    "blocks": blocks,
    "patch": patch,
    "json": json_edits,
}


def message_of(form: str, lines: list[str]) -> str:
    """Return a message of as many tokens as there may be; one in `whole` says all of the file."""
    pieces: list[str] = []
    length = 0
    for piece in FORMATS[form](lines, random.Random(1)):
        pieces.append(piece)
        length += len(piece)
        if form != "whole" and length > TOKENS * TOKEN_UTF16:
            break
    return "".join(pieces)


class Timed(Project):
    """Knows how long its writing took."""

    writing_s = 0.0

    def flush(self) -> None:
        """Write what waits."""
        begun_s = time.process_time()
        super().flush()
        self.writing_s += time.process_time() - begun_s


def cost(form: str, text: str, message: str) -> tuple[float, Timed]:
    """Return the CPU seconds that a message costs, and what came of it."""
    files = {"f.py": text}
    parser, project = parser_of(form, files), Timed(files, eager=False)
    tokens = [message[at : at + TOKEN_UTF16] for at in range(0, len(message), TOKEN_UTF16)]
    begun_s = time.process_time()
    for number, token in enumerate(tokens):
        project.take(parser.push(token))
        if not number % FRAME_TOKENS:
            project.flush()
    project.take(parser.finish())
    return time.process_time() - begun_s, project


def bench() -> Iterator[dict[str, object]]:
    """Yield what `make bench` prints of edits."""
    lines = source(3_300)
    text = "\n".join(lines)
    for form in FORMATS:
        message = message_of(form, lines)
        tokens = len(message) // TOKEN_UTF16
        runs = [cost(form, text, message) for _ in range(RUNS)]
        reading_s = min(spent_s - project.writing_s for spent_s, project in runs)
        spent_s, project = min(runs, key=lambda run: run[0])
        yield {
            "bench": f"edits in {form} a token",
            "unit": "us",
            "flint": round(reading_s / tokens * 1e6, 2),
            "with_writing": round(spent_s / tokens * 1e6, 2),
            "most": MOST_US,
            "tokens": tokens,
            "edits": project.edits,
            "refused": len(project.refused),
            "file_utf16": len(text),
            "runs": RUNS,
        }
