"""One block's replacement becomes one hunk, with people typing and the stream cut anywhere."""

from __future__ import annotations

import random
from dataclasses import replace

from webapp.document.changes import ChangeSet
from webapp.document.hunks import Hunk
from webapp.engine.formats.block_writer import BlockWriter
from webapp.engine.formats.whole_writer import Flush, Mark

TEXT = "one\ntwo\nthree\nfour\nfive\nsix\n"
RANGE = (TEXT.index("two"), TEXT.index("six"))


class Stage:
    """A text, a writer in it, and the hunk as the room keeps it."""

    def __init__(self, text: str = TEXT, bounds: tuple[int, int] = RANGE) -> None:
        self.text = text
        self.writer = BlockWriter(text, *bounds)
        self.mark: Mark | None = None
        self.marks = 0

    def say(self, text: str) -> None:
        self.writer.push(text)
        self.flush()

    def close(self) -> None:
        self.writer.close()
        self.flush()

    def flush(self) -> Flush | None:
        flush = self.writer.take(self.text)
        if flush is None:
            return None
        if flush.change is not None:
            self.text = flush.change.apply(self.text)
        assert len(flush.marks) <= 1, "one block is one hunk"
        for self.mark in flush.marks:
            self.marks += 1
        return flush

    def type(self, at: int, deleted: int, inserted: str) -> bool:
        change = ChangeSet.of(len(self.text), [(at, at + deleted, inserted)])
        self.text = change.apply(self.text)
        if self.mark is not None:
            held = Hunk("", "", "", 1, self.mark.start, self.mark.end, self.mark.old)
            moved = held.follow(change, own=False)
            self.mark = replace(self.mark, start=moved.start, end=moved.end)
        return self.writer.follow(change)

    def back(self) -> None:
        change = self.writer.rollback(self.text)
        if change is not None:
            self.text = change.apply(self.text)


def test_lines_that_stay_are_not_touched() -> None:
    stage = Stage()
    stage.say("two\nTHREE\n")
    stage.say("four\nfive\n")
    stage.close()
    assert stage.text == TEXT.replace("three", "THREE")
    assert stage.mark == Mark(0, 8, 14, "three\n", "applied", 1, 1)


def test_two_places_are_one_hunk_with_the_lines_between() -> None:
    stage = Stage()
    stage.say("TWO\nthree\n")
    assert stage.mark is not None and stage.mark.status == "open"
    assert stage.mark.old == "two\n"
    stage.say("FOUR\nfive\n")
    assert stage.mark.old == "two\nthree\nfour\n"
    stage.close()
    assert stage.text == "one\nTWO\nthree\nFOUR\nfive\nsix\n"
    mark = stage.mark
    assert mark.status == "applied" and (mark.added_lines, mark.removed_lines) == (2, 2)
    assert stage.text[mark.start : mark.end] == "TWO\nthree\nFOUR\n"


def test_a_replacement_that_changes_nothing_is_no_hunk() -> None:
    stage = Stage()
    stage.say(TEXT[slice(*RANGE)])
    stage.close()
    assert (stage.text, stage.mark) == (TEXT, None)
    assert not stage.writer.pending


def test_an_empty_replacement_deletes() -> None:
    stage = Stage()
    stage.close()
    assert stage.text == "one\nsix\n"
    assert stage.mark is not None and stage.mark.old == TEXT[slice(*RANGE)]


def test_the_end_is_told_also_when_nothing_more_is_written() -> None:
    stage = Stage()
    stage.say("TWO\nthree\nfour\nfive\n")
    assert stage.mark is not None and stage.mark.status == "open"
    stage.writer.close()
    assert stage.writer.pending
    flush = stage.flush()
    assert flush is not None and flush.change is None
    assert stage.mark.status == "applied" and not stage.writer.pending


def test_all_of_a_block_is_taken_back() -> None:
    stage = Stage()
    stage.say("TWO\nthree\nFOUR\nfi")
    assert stage.text != TEXT
    assert stage.writer.applied_utf16 > 0
    stage.back()
    assert stage.text == TEXT
    assert stage.writer.applied_utf16 == 0


def test_typing_in_the_hunk_ends_the_block() -> None:
    stage = Stage()
    stage.say("TWO\nthree\nFOUR\n")
    assert stage.type(stage.text.index("three") + 5, 0, "!")
    stage.say("FIVE\n")
    stage.close()
    assert stage.text == "one\nTWO\nthree!\nFOUR\nfour\nfive\nsix\n"
    stage.back()
    assert "three!" in stage.text


def test_typing_elsewhere_in_the_range_is_merged() -> None:
    stage = Stage()
    stage.say("TWO\n")
    assert not stage.type(stage.text.index("five") + 4, 0, "!")
    assert not stage.type(0, 0, "zero\n")
    stage.say("three\nfour\nFIVE\n")
    stage.close()
    assert stage.text == "zero\none\nTWO\nthree\nfour\nfive!\nFIVE\nsix\n" or (
        stage.text == "zero\none\nTWO\nthree\nfour\nFIVE\nfive!\nsix\n"
    )


def test_at_the_end_of_a_text_without_a_last_line_end() -> None:
    stage = Stage("a\nb", (2, 3))
    stage.say("B\n")
    stage.close()
    assert stage.text == "a\nB"
    stage = Stage("a\nb", (2, 3))
    stage.say("B\nC\n")
    stage.back()
    assert stage.text == "a\nb"


def test_random_blocks_cut_anywhere_end_as_the_model_said_or_as_before() -> None:
    rng = random.Random(13)
    for _ in range(3000):
        old = [rng.choice("abcdef") + "\n" for _ in range(rng.randrange(1, 10))]
        first = rng.randrange(len(old))
        last = rng.randrange(first, len(old)) + 1
        text = "".join(old)
        if rng.random() < 0.2:
            text = text[:-1]
        start, end = len("".join(old[:first])), min(len("".join(old[:last])), len(text))
        new = "".join(rng.choice("abcdefXYZ") + "\n" for _ in range(rng.randrange(8)))
        stage = Stage(text, (start, end))
        cuts = sorted(rng.choices(range(len(new) + 1), k=rng.randrange(5)))
        for a, b in zip((0, *cuts), (*cuts, len(new)), strict=True):
            if a < b:
                stage.say(new[a:b])
        if rng.random() < 0.3:
            stage.back()
            assert stage.text == text
            continue
        stage.close()
        whole = text[:start] + new + text[end:]
        assert stage.text.rstrip("\n") == whole.rstrip("\n"), (text, new)
        if stage.mark is not None:
            mark = stage.mark
            back = stage.text[: mark.start] + mark.old + stage.text[mark.end :]
            assert back == text, "the hunk's old text is what stood there"


def test_random_typists_lose_nothing() -> None:
    rng = random.Random(17)
    typed = 0
    for _ in range(3000):
        old = [rng.choice("abcdef") * rng.randrange(4) + "\n" for _ in range(8)]
        text = "".join(old)
        stage = Stage(text, (len(old[0]), len("".join(old[:7]))))
        new = "".join(rng.choice("abcdefXYZ") * 2 + "\n" for _ in range(6))
        letters: list[str] = []
        yielded = False
        for char in new:
            stage.say(char)
            if rng.random() < 0.1:
                letter = chr(0x4E00 + len(letters))
                letters.append(letter)
                yielded |= stage.type(rng.randrange(len(stage.text) + 1), 0, letter)
                typed += 1
        if rng.random() < 0.5:
            stage.close()
        else:
            stage.back()
            if not yielded:
                kept = "".join(c for c in stage.text if c not in letters)
                assert kept == text, "all of the model is taken back"
        assert all(stage.text.count(letter) == 1 for letter in letters)
    assert typed > 1000
