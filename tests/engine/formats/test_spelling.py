"""A block whose lines are spelled otherwise than the file: what is written, against an oracle."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

import pytest

from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.spelling import Spelling
from webapp.engine.formats.whole_writer import RegionWriter
from webapp.engine.locate import Found, locate
from webapp.engine.locate_lines import Level, Shift

PLAIN: Final = str.maketrans("—“”", '-""')


def written(text: str, old: str, pieces: list[str], *, verbatim: bool = False) -> str | None:
    """Return the text with the block in it; None when the block does not fit or has no place."""
    found = locate(text, old, verbatim=verbatim)
    if not isinstance(found, Found):
        return None
    writer = BlockWriter.at(text, found, old, verbatim=verbatim)
    for piece in pieces:
        writer.push(piece)
        flush = writer.take(text)
        if flush is not None and flush.change is not None:
            text = flush.change.apply(text)
    writer.close()
    flush = writer.take(text)
    if flush is not None and flush.change is not None:
        text = flush.change.apply(text)
    return text if writer.misfit is None else None


def cut(rng: random.Random, text: str) -> list[str]:
    places = sorted(rng.randrange(len(text) + 1) for _ in range(rng.randrange(6)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


def fits(line: str, new: str, known: dict[str, set[str]], shift: Shift) -> bool:
    """Say whether a line of the file may stand for a new line of the model."""
    if new in known:
        return line in known[new]
    if not new.strip():
        return line == new
    return line == shift.add + new.removeprefix(shift.take)


def test_each_line_is_the_one_that_stands_or_the_new_one_shifted() -> None:
    rng = random.Random(3)
    kinds = ["x = 1", "y — z", "say “hi”  ", "if a:", "  deep", "", "end\t"]
    levels: Counter[Level] = Counter()
    for _ in range(6_000):
        indent = rng.choice(["", "    ", "\t"])
        body = [
            (indent + line if line else line) for line in rng.choices(kinds, k=rng.randint(1, 5))
        ]
        above, below = rng.choice([[], ["top"]]), rng.choice([[], ["bottom"]])
        text = "\n".join([*above, *body, *below]) + rng.choice(["", "\n"])
        plain = [line.translate(PLAIN).rstrip() for line in body]
        less = rng.choice([indent, ""])
        more = rng.choice(["", "", "  "])
        searched = [more + line.removeprefix(less) if line else line for line in plain]
        found = locate(text, "\n".join(searched) + "\n")
        if not isinstance(found, Found) or found.ahead or found.spare:
            continue
        levels[found.level] += 1
        new = [rng.choice([*searched, more + "fresh", more + "  deeper", ""]) for _ in range(4)]
        message = "\n".join(new) + "\n"
        result = written(text, "\n".join(searched) + "\n", cut(rng, message))
        assert result is not None
        known: dict[str, set[str]] = {}
        stands = text[found.start : found.end].removesuffix("\n").split("\n")
        for name, line in zip(searched, stands, strict=True):
            known.setdefault(name, set()).add(line)
        assert result.startswith(text[: found.start])
        assert result.endswith(text[found.end :])
        middle = result[found.start : len(result) - (len(text) - found.end)]
        if below or text.endswith("\n"):
            assert middle.endswith("\n")
        lines = (
            middle.removesuffix("\n").split("\n")
            if below or text[-1:] == "\n"
            else middle.split("\n")
        )
        assert len(lines) == len(new), (text, searched, new, result)
        for line, wanted in zip(lines, new, strict=True):
            assert fits(line, wanted, known, found.shift), (text, searched, new, result)
    assert all(levels[level] > 100 for level in Level), levels


def test_where_nothing_is_spelled_otherwise_the_block_is_the_models() -> None:
    rng = random.Random(4)
    for _ in range(4_000):
        lines = rng.choices(["a", "b", "", "  c", "d"], k=rng.randint(1, 8))
        text = "\n".join(lines) + "\n"
        first = rng.randrange(len(lines))
        old = lines[first : first + rng.randint(1, 4)]
        new = rng.choices(["a", "b", "", "  c", "e"], k=rng.randrange(5))
        found = locate(text, "\n".join(old) + "\n")
        if not isinstance(found, Found) or found.level is not Level.EXACT:
            continue
        message = "".join(line + "\n" for line in new)
        result = written(text, "\n".join(old) + "\n", cut(rng, message))
        assert result == text[: found.start] + message + text[found.end :]


def test_a_piece_of_text_is_replaced_as_it_stands() -> None:
    rng = random.Random(5)
    for _ in range(4_000):
        text = "".join(rng.choices(["a", "b", "cd", "\n", " "], k=rng.randint(1, 20)))
        start = rng.randrange(len(text))
        end = rng.randint(start + 1, len(text))
        old, new = text[start:end], "".join(rng.choices(["a", "x", "\n", " "], k=rng.randrange(6)))
        result = written(text, old, cut(rng, new), verbatim=True)
        if text.count(old) > 1 or text.find(old, text.find(old) + 1) >= 0:
            assert result is None
            continue
        expected = text[:start] + new + text[end:]
        if end == len(text):
            # Whether the file ends with a line end is the file's.
            assert result is not None
            assert result.rstrip("\n") == expected.rstrip("\n")
        else:
            assert result == expected, (text, old, new)


@pytest.mark.parametrize(
    ("shift", "line", "result"),
    [
        (Shift(add="  "), "a", "  a"),
        (Shift(add="\t"), "  a", "\t  a"),
        (Shift(add="  "), "", ""),
        (Shift(add="  "), " ", " "),
        (Shift(take="  "), "   a", " a"),
        (Shift(take="  "), " a", None),
        (Shift(take="\t"), "  a", None),
        (Shift(take="  "), "", ""),
        (Shift(), "  a", "  a"),
    ],
)
def test_a_line_at_another_indentation(shift: Shift, line: str, result: str | None) -> None:
    assert shift.apply(line) == result
    spelling = Spelling(shift=shift)
    assert spelling.of(line) == (line if result is None else result)
    assert spelling.misfit == (line if result is None else None)


def test_a_growing_line_waits_for_its_indentation_and_no_longer() -> None:
    text = "    old\n"
    found = locate(text, "old\n")
    assert isinstance(found, Found)
    writer = BlockWriter.at(text, found, "old\n")
    for piece in ("  ", "new"):
        writer.push(piece)
    flush = writer.take(text)
    assert flush is not None and flush.change is not None
    assert flush.change.apply(text) == "      new\n    old\n"


def test_what_is_repeated_costs_no_change() -> None:
    text = "say “hi”  \nx\n"
    found = locate(text, 'say "hi"\nx\n')
    assert isinstance(found, Found)
    writer = BlockWriter.at(text, found, 'say "hi"\nx\n')
    writer.push('say "hi"\nx\n')
    writer.close()
    assert writer.take(text) is None
    assert (writer.received_utf16, writer.applied_utf16) == (11, 11)


def test_a_file_of_mixed_line_ends_keeps_them_and_new_lines_follow_their_place() -> None:
    rng = random.Random(6)
    for _ in range(6_000):
        lines = rng.choices(["a", "b", "c", "", "d"], k=rng.randint(1, 6))
        ends = [rng.choice(["\n", "\r\n"]) for _ in lines]
        if rng.random() < 0.3:
            ends[-1] = ""
        text = "".join(map(str.__add__, lines, ends))
        if not text:
            continue
        new = rng.choices(["a", "b", "c", "", "x", "y"], k=rng.randint(1, 6))
        writer = RegionWriter(text)
        result = text
        for piece in cut(rng, "".join(line + "\n" for line in new)):
            writer.push(piece)
            flush = writer.take(result)
            if flush is not None and flush.change is not None:
                result = flush.change.apply(result)
        writer.close()
        flush = writer.take(result)
        if flush is not None and flush.change is not None:
            result = flush.change.apply(result)
        got = result.split("\n")
        final = text.endswith("\n")
        if final:
            assert got.pop() == ""
        assert [line.removesuffix("\r") for line in got] == new, (text, new, result)
        assert final or not got[-1].endswith("\r")
        if len({*ends} - {""}) == 1:
            assert {line.endswith("\r") for line in got[: len(got) - (not final)]} <= {
                ends[0] == "\r\n"
            }, (text, new, result)
