"""The person wins: what somebody does around and in the hunk that is being written, in each format.

In every one of them: what was typed stays, what was deleted stays away, the log says what the room
says, the rest of the answer is written, and the model's version of a place that it left is offered.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.cast import Cast
from tests.live.test_turns_left import die
from tests.live.turning import Ask, Stage, upstream
from tests.live.withholding import OLD, open_in, protect, say, shown, states
from tests.upstream import Upstream

__all__ = ["upstream"]

WRITTEN = "    one = 1\n    two = 2\n"
REST = "    three = 3\n"
GONE = "    return 2\n"
ALL = OLD.replace("return 1\n", "return 10\n").replace(GONE, WRITTEN + REST)
"""What the model wants: three lines for b, and then another place."""

_FIRST = "    return 1\n", "    return 10\n"


def _block(old: str, new: str) -> str:
    return f"app.py\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def _json(old: str, new: str) -> str:
    return json.dumps({"path": "app.py", "old": old, "new": new})


def _patch(old: str, new: str) -> str:
    lines = [
        *(f"-{line}\n" for line in old.splitlines()),
        *(f"+{line}\n" for line in new.splitlines()),
    ]
    return "@@\n" + "".join(lines)


ANSWERS = {
    "whole": f"app.py\n```\n{ALL}```\n",
    "blocks": _block(GONE, WRITTEN + REST) + "\n" + _block(*_FIRST),
    "json": f'{{"edits": [{_json(GONE, WRITTEN + REST)}, {_json(*_FIRST)}]}}',
    "patch": "*** Begin Patch\n*** Update File: app.py\n"
    + _patch(*_FIRST)
    + _patch(GONE, WRITTEN + REST)
    + "*** End Patch\n",
}
STREAMED = ("whole", "blocks", "json")
"""Where a hunk is written while it comes; one of a patch is written at once, when it is whole."""

StageOf = Callable[[str], Awaitable[Stage]]
Person = Callable[[Stage, int, int], None]
"""Does something to the text of which [start, end) is what the model has written so far."""


@pytest.fixture
async def stage_of(
    cast: Cast, transactional_db: None, tmp_path: Path, upstream: Upstream, rows: Ask
) -> AsyncIterator[StageOf]:
    stages: list[Stage] = []

    async def make(edit_format: str) -> Stage:
        stages.append(await open_in(cast, tmp_path, upstream, rows, edit_format))
        return stages[-1]

    yield make
    for stage in stages:
        await stage.hub.shutdown()


async def writes(stage: Stage, edit_format: str) -> tuple[str, int, int]:
    """Have the model write half of the hunk; return the turn, and where that half stands."""
    answer = ANSWERS[edit_format]
    cut = answer.index("    three")
    stage.script({"say": answer[:cut]}, {"gate": "typed"}, {"say": answer[cut:]})
    turn = stage.prompt(repair=False)
    await stage.until(lambda: WRITTEN.removesuffix("\n") in stage.text)
    start = stage.text.index("    one = 1")
    return turn, start, start + len(WRITTEN)


async def goes_on(stage: Stage) -> None:
    stage.upstream.release("typed")
    await stage.over()
    assert stage.text == await stage.replayed()
    assert "    return 10\n" in stage.text, "the rest of the answer is written"


def offers(stage: Stage, turn: str) -> list[dict[str, object]]:
    return [held for held in shown(stage, turn).values() if held["kind"] == "yielded"]


INSIDE: dict[str, Person] = {
    "its first character": lambda stage, start, end: stage.edits(start, 1, ""),
    "behind its first": lambda stage, start, end: stage.edits(start + 1, 0, "mine"),
    "its middle": lambda stage, start, end: stage.edits(start + 11, 0, " + mine"),
    "a line of their own in it": lambda stage, start, end: stage.edits(start + 12, 0, "mine\n"),
    "its last character": lambda stage, start, end: stage.edits(end - 2, 1, ""),
    "before its last": lambda stage, start, end: stage.edits(end - 2, 0, "mine"),
    "all of it": lambda stage, start, end: stage.edits(start, end - start - 1, ""),
    "other text for it": lambda stage, start, end: stage.edits(start, end - start - 1, "mine"),
    "over its start": lambda stage, start, end: stage.edits(start - 5, 9, "mine"),
}


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "dismissed"])
@pytest.mark.parametrize("what", INSIDE)
@pytest.mark.parametrize("edit_format", STREAMED)
async def test_a_person_in_the_hunk_wins_and_is_offered_the_rest(
    stage_of: StageOf, edit_format: str, what: str, taken: bool
) -> None:
    stage = await stage_of(edit_format)
    turn, start, end = await writes(stage, edit_format)
    INSIDE[what](stage, start, end)
    theirs = stage.text.replace("return 1\n", "return 10\n")
    await goes_on(stage)
    assert stage.text == theirs, "nothing but the other place was written"
    assert "yielded" in [hunk.status for hunk in await stage.hunks(turn)]
    (offer,) = offers(stage, turn)
    assert (offer["state"], offer["until"], offer["path"]) == ("open", None, "app.py")
    assert "three = 3" in str(offer["new"])
    before, which = stage.text, int(str(offer["ordinal"]))
    answer = await stage.answered(stage.bob, say(stage, turn, taken, which=which))
    assert answer["t"] == "ok"
    if taken:
        assert "    three = 3\n" in stage.text and stage.text == await stage.replayed()
        assert stage.text.startswith("def a():\n    return 10\n")
    else:
        assert stage.text == before
    state = "taken" if taken else "declined"
    assert (await states(stage, turn))[which - 1] == (state, "Bob")


OUTSIDE: dict[str, Person] = {
    "the top": lambda stage, start, end: stage.edits(0, 0, "# mine\n"),
    "right before it": lambda stage, start, end: stage.edits(start, 0, "    # mine\n"),
    "the line before it": lambda stage, start, end: stage.edits(start - 3, 0, "mine"),
    "the end": lambda stage, start, end: stage.edits(len(stage.text), 0, "# mine\n"),
}


@pytest.mark.parametrize("what", OUTSIDE)
@pytest.mark.parametrize("edit_format", STREAMED)
async def test_a_person_beside_the_hunk_is_in_nobodys_way(
    stage_of: StageOf, edit_format: str, what: str
) -> None:
    stage = await stage_of(edit_format)
    turn, start, end = await writes(stage, edit_format)
    OUTSIDE[what](stage, start, end)
    await goes_on(stage)
    assert "mine" in stage.text and WRITTEN + REST in stage.text
    assert not offers(stage, turn)
    assert "yielded" not in [hunk.status for hunk in await stage.hunks(turn)]


@pytest.mark.parametrize("edit_format", STREAMED)
async def test_a_person_right_behind_the_hunk_loses_nothing(
    stage_of: StageOf, edit_format: str
) -> None:
    stage = await stage_of(edit_format)
    turn, _, end = await writes(stage, edit_format)
    stage.edits(end - (stage.text[end - 1] != "\n"), 0, "mine")
    await goes_on(stage)
    assert "mine" in stage.text
    if offers(stage, turn):
        assert "three" not in stage.text
    else:
        assert "three" in stage.text


@pytest.mark.parametrize(
    ("at", "deleted", "inserted", "lands"),
    [
        (OLD.index(GONE) + len(GONE) - 1, 0, " + mine", False),
        (OLD.index(GONE), len(GONE), "", False),
        (OLD.index(GONE), len(GONE), "mine\n", False),
        (OLD.index("def b"), 0, "# mine\n", True),
        (len(OLD), 0, "# mine\n", True),
    ],
    ids=["in its old line", "its old line away", "for its old line", "above", "below"],
)
async def test_what_a_hunk_of_a_patch_is_to_replace_is_changed_before_it_is_whole(
    stage_of: StageOf, at: int, deleted: int, inserted: str, lands: bool
) -> None:
    stage = await stage_of("patch")
    cut = ANSWERS["patch"].index("+    three")
    stage.script(
        {"say": ANSWERS["patch"][:cut]}, {"gate": "typed"}, {"say": ANSWERS["patch"][cut:]}
    )
    turn = stage.prompt(repair=False)
    await stage.until(lambda: "return 10" in stage.text)
    stage.edits(at + 1, deleted, inserted)
    await goes_on(stage)
    assert inserted in stage.text
    assert (WRITTEN + REST in stage.text) is lands
    kinds = [held["kind"] for held in shown(stage, turn).values()]
    assert kinds == ([] if lands else ["refused"])


@pytest.mark.parametrize("edit_format", ["blocks", "json", "patch"])
async def test_typing_where_a_frozen_edit_is_still_collected(
    stage_of: StageOf, edit_format: str
) -> None:
    stage = await stage_of(edit_format)
    await protect(stage, "app.py")
    answer = ANSWERS[edit_format]
    cut = answer.index("    three")
    stage.script({"say": answer[:cut]}, {"gate": "typed"}, {"say": answer[cut:]})
    turn = stage.prompt(repair=False)
    await stage.upstream.reached("typed")
    stage.types("return 2", " + mine")
    theirs = stage.text
    stage.upstream.release("typed")
    await stage.over()
    assert stage.text == theirs == await stage.replayed()
    for ordinal, held in shown(stage, turn).items():
        if "three" not in held["new"] or held["kind"] != "frozen":
            continue
        assert "mine" in held["old"], "a yes is to what is shown"
        await stage.answered(stage.bob, say(stage, turn, yes=True, which=ordinal))
        assert WRITTEN + REST in stage.text and "mine" not in stage.text


@pytest.mark.parametrize("edit_format", STREAMED)
async def test_an_offer_is_taken_as_the_persons_edit(stage_of: StageOf, edit_format: str) -> None:
    stage = await stage_of(edit_format)
    turn, start, end = await writes(stage, edit_format)
    INSIDE["its middle"](stage, start, end)
    await goes_on(stage)
    (offer,) = offers(stage, turn)
    entries = len(await stage.entries(turn))
    await stage.answered(
        stage.ann, say(stage, turn, True, which=int(str(offer["ordinal"])), by=stage.ann)
    )
    assert len(await stage.entries(turn)) == entries, "no entry is the turn's"
    (entry,) = stage.frames(stage.bob, "entry")[-1:]
    assert (entry["by"]["name"], entry["kind"]) == ("Ann", "edit") and "turn" not in entry


@pytest.mark.parametrize("edit_format", STREAMED)
async def test_typing_on_in_the_place_of_an_offer_and_taking_it(
    stage_of: StageOf, edit_format: str
) -> None:
    stage = await stage_of(edit_format)
    turn, start, end = await writes(stage, edit_format)
    INSIDE["its middle"](stage, start, end)
    await goes_on(stage)
    stage.types("mine", " and more")
    stage.edits(0, 0, "# above\n")
    (offer,) = offers(stage, turn)
    await stage.answered(stage.bob, say(stage, turn, True, which=int(str(offer["ordinal"]))))
    assert WRITTEN + REST in stage.text and "and more" not in stage.text
    assert stage.text.startswith("# above\n") and stage.text == await stage.replayed()


async def test_an_offer_ends_with_its_file_and_with_the_process(
    stage_of: StageOf,
) -> None:
    stage = await stage_of("blocks")
    turn, start, end = await writes(stage, "blocks")
    INSIDE["its middle"](stage, start, end)
    await goes_on(stage)
    assert not stage.turns.waits, "an offer keeps no room open"
    after = await die(stage)
    (offer,) = offers(after, turn)
    assert offer["state"] == "expired"
    await after.hub.shutdown()


@pytest.mark.parametrize("edit_format", STREAMED)
async def test_a_stop_right_after_the_person_typed(stage_of: StageOf, edit_format: str) -> None:
    stage = await stage_of(edit_format)
    turn, start, end = await writes(stage, edit_format)
    INSIDE["its middle"](stage, start, end)
    theirs = stage.text
    stage.stop(turn)
    await stage.over()
    assert stage.text == theirs == await stage.replayed()
