"""One open file: what a push becomes, and what is remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from webapp.document.changes import ChangeError, ChangeSet
from webapp.document.hunks import Hunk
from webapp.document.text import loads_utf16
from webapp.live import files
from webapp.live.files import OpenFile, Step, Verdict
from webapp.live.wire import Update

CHANGES = loads_utf16((Path(__file__).parent.parent / "wire" / "changes.json").read_text())


def _file(text: str, ending: Any = "lf") -> OpenFile:
    return OpenFile("f" * 20, "a.py", ending, text, 0)


def _append(file: OpenFile, change: Any, client: str = "other", counter: int | None = None) -> None:
    parsed = ChangeSet.from_json(change, len(file.text), keep_cr=True)
    file.append(Step(file.version + 1, parsed, client, counter, json.dumps(change)))


def _named(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", CHANGES["good"], ids=_named)
def test_good_changes_are_applied(case: dict[str, Any]) -> None:
    file = _file(CHANGES["text"])
    mine = file.rebase("me", 0, [Update(1, case["c"])])
    assert isinstance(mine, list)
    assert mine[0][1].apply(file.text) == case["text"]


@pytest.mark.parametrize("case", CHANGES["bad"], ids=_named)
def test_bad_changes_do_not_fit(case: dict[str, Any]) -> None:
    file = _file(CHANGES["text"])
    with pytest.raises(ChangeError):
        file.rebase("me", 0, [Update(1, case["c"])])
    with pytest.raises(ChangeError):
        file.rebase("me", 0, [Update(1, [17]), Update(2, case["c"])])


def test_a_file_that_mixes_line_ends_takes_carriage_returns() -> None:
    assert isinstance(_file("a", "mixed").rebase("me", 0, [Update(1, [1, [0, "\r"]])]), list)


def test_a_push_at_a_version_that_is_not_there_yet_does_not_fit() -> None:
    with pytest.raises(ChangeError):
        _file("a").rebase("me", 1, [Update(1, [1])])


def test_a_push_is_rebased_over_each_newer_entry() -> None:
    file = _file("abc")
    _append(file, [[0, "x"], 3])
    _append(file, [4, [0, "y"]])
    mine = file.rebase("me", 0, [Update(4, [1, [1, "B"], 1]), Update(5, [3, [0, "!"]])])
    assert isinstance(mine, list)
    assert [(n, change.to_json()) for n, change in mine] == [
        (4, [2, [1, "B"], 2]),
        (5, [5, [0, "!"]]),
    ]


def test_an_update_that_is_in_the_log_is_not_applied_again() -> None:
    file = _file("abc")
    _append(file, [[0, "x"], 3], "me", 1)
    _append(file, [4, [0, "y"]])
    assert file.rebase("me", 0, [Update(1, [[0, "x"], 3])]) is Verdict.KNOWN

    mine = file.rebase("me", 0, [Update(1, [[0, "x"], 3]), Update(2, [4, [0, "z"]])])
    assert isinstance(mine, list)
    assert [(n, change.to_json()) for n, change in mine] == [(2, [5, [0, "z"]])]


def test_another_change_under_a_number_that_is_in_the_log_does_not_fit() -> None:
    file = _file("abc")
    _append(file, [[0, "x"], 3], "me", 1)
    with pytest.raises(ChangeError):
        file.rebase("me", 0, [Update(1, [[0, "other"], 3]), Update(2, [8])])


def test_a_push_that_leaves_out_an_own_entry_does_not_fit() -> None:
    file = _file("abc")
    _append(file, [[0, "x"], 3], "me", 1)
    _append(file, [4, [0, "y"]], "me", 2)
    with pytest.raises(ChangeError):
        file.rebase("me", 1, [Update(1, [4]), Update(3, [4])])


def test_what_rebasing_leaves_nothing_of_stays_an_update() -> None:
    file = _file("abc")
    _append(file, [[3]])
    mine = file.rebase("me", 0, [Update(1, [[1], 2]), Update(2, [2, [0, "d"]])])
    assert isinstance(mine, list)
    assert [(n, change.to_json()) for n, change in mine] == [(1, []), (2, [[0, "d"]])]


def test_a_push_from_too_far_back_is_the_page_s_to_rebase() -> None:
    file = _file("")
    for _ in range(files.MAX_BEHIND + 1):
        _append(file, [*([len(file.text)] if file.text else []), [0, "x"]])
    assert file.rebase("me", 0, [Update(1, [[0, "y"]])]) is Verdict.BEHIND
    assert isinstance(file.rebase("me", 1, [Update(1, [1, [0, "y"]])]), list)


def test_work_that_would_hold_everybody_up_is_the_page_s_too() -> None:
    file = _file("ab" * 20_000)
    scattered = [part for _ in range(20_000) for part in (1, [1, "c"])]
    for _ in range(files.FREE_BEHIND + 1):
        _append(file, [40_000, *[[0, "x"]]] if not file.version else [len(file.text), [0, "x"]])
    assert file.rebase("me", 0, [Update(1, scattered)]) is Verdict.BEHIND


def test_only_the_newest_entries_are_remembered() -> None:
    file = _file("")
    for _ in range(files.KEEP_STEPS + 10):
        _append(file, [*([len(file.text)] if file.text else []), [0, "x"]])
    assert file.base == 10
    assert file.since(9) is None
    assert [step.version for step in file.since(file.version - 2) or ()] == [1009, 1010]
    assert file.since(file.version) == []
    assert (file.length_at(9), file.length_at(10), file.length_at(1010)) == (None, 10, 1010)


def test_entries_are_remembered_up_to_a_size() -> None:
    file = _file("")
    body = "x" * (files.KEEP_CHARS // 4)
    for _ in range(10):
        file.append(Step(file.version + 1, ChangeSet.empty(0), "other", None, body))
    assert len(file.steps) == 4


def test_hunks_follow_their_own_turn_and_everybody_else() -> None:
    file = _file("one\ntwo\n")
    for ordinal, start in ((1, 4), (2, 8)):
        hunk = Hunk(f"t/{ordinal}", "t", file.id, ordinal, start, start, "")
        file.hunks[hunk.id] = hunk
    own = ChangeSet.of(8, [(4, 8, "TWO\n")])
    file.append(Step(1, own, files.SERVER, None, ""), "t", 1)
    _append(file, [[0, "# "], 8])
    places = [(frame["ordinal"], frame["start"], frame["end"]) for frame in file.hunk_frames()]
    assert places == [(1, 6, 10), (2, 10, 10)]
    assert file.hunks["t/1"].old_text == "two\n"


def test_many_entries_leave_in_parts_without_a_gap() -> None:
    bodies = [f'"v":{n}' for n in range(8, 8 + 1_200)]
    frames = [json.loads(text) for text in files.entries_texts("f", 7, bodies)]
    assert [frame["v"] for frame in frames] == [7, 507, 1_007]
    listed = [entry["v"] for frame in frames for entry in frame["list"]]
    assert listed == list(range(8, 1_208))
    assert json.loads(files.entries_texts("f", 7, [])[0])["list"] == []


def test_what_a_hunk_replaced_is_shown_up_to_a_length() -> None:
    old = "x" * (files.SHOWN_OLD_CHARS + 1)
    hunk = Hunk("t/1", "t", "f", 1, 0, 0, old)
    assert files.hunk_frame(hunk, 3)["old"] == old[:-1]
