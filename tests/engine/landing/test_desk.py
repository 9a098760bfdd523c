"""What becomes of an edit that is refused, frozen or yielded: told once, with what stands."""

from __future__ import annotations

import json

import pytest

from tests.engine.landing.people import Session
from tests.engine.landing.projects import UNASKED, apply, cut
from webapp.engine.guard import Rules
from webapp.engine.landing.withheld import Kind

CODE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
LONG = "".join(f"line {n}\n" for n in range(200))
PROTECTED = Rules(protected=("secrets/", "*.lock"), asks_for_files=False)


def block(search: str, replacement: str, path: str = "app.py") -> str:
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch")) + "\n"


# ----- refused


def test_a_missing_block_is_told_with_the_closest_lines() -> None:
    result = apply("blocks", {"app.py": CODE}, block("def b():\n    return 3\n", "x\n"))
    (told,) = result.withheld
    assert (told.kind, told.op, told.path) == (Kind.REFUSED, "edit", "app.py")
    assert (told.first_line, told.last_line) == (5, 6)
    assert told.old == "def b():\n    return 2\n" and told.new == "x\n"
    assert "the closest are lines 5 to 6" in told.reason


def test_an_ambiguous_block_is_told_with_its_first_lines_and_all_numbers() -> None:
    result = apply("blocks", {"a.txt": "x\ny\nz\nx\ny\n"}, block("x\ny\n", "q\n", "a.txt"))
    (told,) = result.withheld
    assert (told.first_line, told.last_line, told.old) == (1, 2, "x\ny\n")
    assert "lines 1, 4" in told.reason and result.files == {"a.txt": "x\ny\nz\nx\ny\n"}


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_the_rest_goes_on_and_is_counted(size: int) -> None:
    message = block("nowhere\n", "x\n") + block("    return 2\n", "    return 20\n")
    result = apply("blocks", {"app.py": CODE}, *cut(message, size))
    assert result.files["app.py"] == CODE.replace("return 2", "return 20")
    assert result.statuses == [("app.py", "refused"), ("app.py", "applied")]


def test_an_edit_of_a_file_that_is_no_text_is_refused_with_what_was_wanted() -> None:
    result = apply("blocks", {"a.bin": "\0\1"}, block("x\n", "y\n", "a.bin"))
    (told,) = result.withheld
    assert told.new == "y\n" and "not a text file" in told.reason


def test_json_that_stands_twice_is_refused_and_once_is_exact() -> None:
    files = {"a.py": "f(1)\ng(1)\n"}
    twice = apply("json", files, '{"path": "a.py", "old": "(1)", "new": "(2)"}')
    assert twice.files == files and twice.statuses == [("a.py", "refused")]
    once = apply("json", files, '{"path": "a.py", "old": "g(1)", "new": "g($&)"}')
    assert once.files == {"a.py": "f(1)\ng($&)\n"}


def test_lines_of_another_indentation_that_cannot_follow_are_refused_as_a_whole() -> None:
    stands = "if x:\n        a()\n        b()\n"
    message = block("            a()\n            b()\n", "            c()\n  d()\n", "a.py")
    result = apply("blocks", {"a.py": stands}, message)
    assert result.files == {"a.py": stands} and result.statuses == [("a.py", "refused")]


def test_an_omission_ends_a_whole_file_where_it_stands() -> None:
    message = f"app.py\n```\n{CODE.replace('return 1', 'return 9')}# ... rest of code ...\n```\n"
    result = apply("whole", {"app.py": CODE}, message)
    assert ("app.py", "refused") in result.statuses
    assert result.withheld[-1].new.endswith("# ... rest of code ...\n")


# ----- frozen


@pytest.mark.parametrize(
    ("edit_format", "message"),
    [
        ("blocks", block("    return 1\n", "    # ... existing code ...\n")),
        (
            "patch",
            patch("*** Update File: app.py", "@@", "-    return 1", "+    # ... existing code ..."),
        ),
        (
            "json",
            '{"path": "app.py", "old": "    return 1\\n", "new": "    # ... existing code ...\\n"}',
        ),
    ],
    ids=["blocks", "patch", "json"],
)
def test_a_placeholder_waits_for_a_word(edit_format: str, message: str) -> None:
    for size in (1, 10_000):
        result = apply(edit_format, {"app.py": CODE}, *cut(message, size))  # type: ignore[arg-type] # a format
        assert result.files == {"app.py": CODE}
        (told,) = result.withheld
        assert told.kind is Kind.FROZEN and "left out" in told.reason
        assert told.old.rstrip() == "    return 1"
        assert told.new.rstrip() == "    # ... existing code ..."
        assert told.first_line == 2


def test_a_placeholder_that_stood_there_may_stay() -> None:
    stands = "a\n# ... existing code ...\nb\n"
    message = block(stands, stands.replace("b\n", "c\n"), "a.py")
    result = apply("blocks", {"a.py": stands}, message)
    assert result.files == {"a.py": "a\n# ... existing code ...\nc\n"}


def test_what_stands_of_a_hunk_is_taken_back_when_it_freezes() -> None:
    session = Session("blocks", {"app.py": CODE})
    session.says("app.py\n<<<<<<< SEARCH\n    return 1\n=======\n    x = 1\n    y = 2\n")
    assert "x = 1" in session.text("app.py")
    session.says("    # ... rest of the code ...\n")
    assert session.text("app.py") == CODE and not session.withheld
    session.says("    z = 3\n>>>>>>> REPLACE\n" + block("    return 2\n", "    return 20\n"))
    session.ends()
    assert session.text("app.py") == CODE.replace("return 2", "return 20")
    (told,) = session.withheld
    assert told.new == "    x = 1\n    y = 2\n    # ... rest of the code ...\n    z = 3\n"
    assert "x = 1\n    y = 2\n    # ... rest" in session.yes()
    assert "return 20" in session.text("app.py") and "return 1\n" not in session.text("app.py")


@pytest.mark.parametrize("edit_format", ["whole", "blocks"])
def test_taking_most_of_a_file_out_waits_for_a_word(edit_format: str) -> None:
    rest = "".join(f"line {n}\n" for n in range(150, 200))
    message = f"a.txt\n```\n{rest}```\n" if edit_format == "whole" else block(LONG, rest, "a.txt")
    for size in (1, 50, 10_000):
        result = apply(edit_format, {"a.txt": LONG}, *cut(message, size))  # type: ignore[arg-type] # a format
        assert result.files == {"a.txt": LONG}
        (told,) = result.withheld
        assert told.kind is Kind.FROZEN and "150 of the 200 lines" in told.reason
        assert told.old.startswith("line 0\n") and "line 149" in told.old


def test_many_small_hunks_add_up() -> None:
    message = "".join(
        block("".join(f"line {n}\n" for n in range(at, at + 20)), "", "a.txt")
        for at in range(0, 200, 20)
    )
    result = apply("blocks", {"a.txt": LONG}, message)
    assert [status for _, status in result.statuses] == ["applied"] * 5 + ["frozen"] * 5
    assert result.files["a.txt"] == "".join(f"line {n}\n" for n in range(100, 200))


def test_taking_out_what_is_written_again_needs_no_word() -> None:
    new = "".join(f"other {n}\n" for n in range(200))
    for edit_format, message in (
        ("whole", f"a.txt\n```\n{new}```\n"),
        ("blocks", block(LONG, f"line 199\n{new}", "a.txt")),
    ):
        for size in (1, 10_000):
            result = apply(edit_format, {"a.txt": LONG}, *cut(message, size))  # type: ignore[arg-type] # a format
            assert result.applied.error is None, (edit_format, size, result.reasons)


@pytest.mark.parametrize(
    ("edit_format", "message"),
    [
        ("whole", "app.py\n```\n```\n"),
        ("blocks", block(CODE, "")),
        ("json", json.dumps({"path": "app.py", "old": CODE, "new": ""})),
        (
            "patch",
            patch("*** Update File: app.py", "@@", *(f"-{line}" for line in CODE.split("\n")[:-1])),
        ),
    ],
    ids=["whole", "blocks", "json", "patch"],
)
def test_emptying_a_file_waits_for_a_word(edit_format: str, message: str) -> None:
    for size in (1, 10_000):
        result = apply(edit_format, {"app.py": CODE}, *cut(message, size))  # type: ignore[arg-type] # a format
        assert result.files == {"app.py": CODE}
        assert result.statuses == [("app.py", "frozen")]


def test_a_protected_file_is_never_touched() -> None:
    files = {"secrets/key": "old\n", "app.py": CODE}
    message = block("old\n", "new\n", "secrets/key") + block("    return 1\n", "    return 9\n")
    for size in (1, 10_000):
        result = apply("blocks", files, *cut(message, size), rules=PROTECTED)
        assert result.files == files | {"app.py": CODE.replace("return 1", "return 9")}
        (told,) = result.withheld
        assert (told.kind, told.old, told.new) == (Kind.FROZEN, "old\n", "new\n")
        assert "secrets/" in told.reason


def test_a_protected_path_is_not_made() -> None:
    message = patch("*** Add File: new.lock", "+x") + ""
    result = apply("patch", {}, message, rules=PROTECTED)
    (told,) = result.withheld
    assert (told.kind, told.op, told.path, told.new) == (Kind.FROZEN, "create", "new.lock", "x\n")
    assert result.files == {}


def test_a_frozen_edit_whose_lines_somebody_changed_is_not_written() -> None:
    session = Session("blocks", {"app.py": CODE})
    session.says(block("    return 1\n", "    # ... existing code ...\n"))
    session.types("app.py", "    return 1", "0")
    answer = session.yes()
    assert "changed these lines" in answer and "return 10" in session.text("app.py")


def test_a_frozen_edit_moves_with_its_lines() -> None:
    session = Session("blocks", {"app.py": CODE})
    session.says(block("    return 2\n", "    # ... existing code ...\n"))
    session.edits("app.py", 0, 0, "import x\n")
    assert session.yes() == "import x\n" + CODE.replace("return 2", "# ... existing code ...")


# ----- yielded


def test_the_model_s_version_is_offered_beside_a_person_s() -> None:
    session = Session("blocks", {"app.py": CODE})
    session.says("app.py\n<<<<<<< SEARCH\n    return 1\n=======\n    x = 1\n")
    session.types("app.py", "x = 1", "0")
    session.says("    y = 2\n>>>>>>> REPLACE\n" + block("    return 2\n", "    return 20\n"))
    session.ends()
    (told,) = session.withheld
    assert told.kind is Kind.YIELDED and told.new == "    x = 1\n    y = 2\n"
    assert told.old == "    x = 10\n    return 1\n"
    stands = session.text("app.py")
    assert "x = 10" in stands and "return 20" in stands and "y = 2" not in stands
    assert session.yes() == CODE.replace("    return 1\n", "    x = 1\n    y = 2\n").replace(
        "return 2", "return 20"
    )


def test_in_a_whole_file_only_that_place_yields() -> None:
    session = Session("whole", {"app.py": CODE}, focus="app.py")
    session.says("app.py\n```\ndef a():\n    x = 1\n")
    session.types("app.py", "x = 1", "0")
    session.says("    y = 2\n\n\ndef b():\n")
    (told,) = session.withheld
    assert (told.kind, told.first_line) == (Kind.YIELDED, 2)
    assert told.new.startswith("    x = 1\n    y = 2\n")
    assert told.old.startswith("    x = 10\n    return 1\n")
    session.says("    return 20\n```\n")
    session.ends()
    stands = session.text("app.py")
    assert "x = 10\n    return 1\n" in stands and stands.endswith("    return 20\n")
    taken = session.yes()
    assert "x = 1\n    y = 2\n" in taken and "return 1\n" not in taken
    assert taken.endswith("def b():\n    return 20\n")


def test_a_message_that_stops_in_a_hunk_leaves_nothing_of_it() -> None:
    message = "app.py\n<<<<<<< SEARCH\n    return 1\n=======\n    x = 1\n    y"
    for size in (1, 10_000):
        result = apply("blocks", {"app.py": CODE}, *cut(message, size), rules=UNASKED)
        assert result.files == {"app.py": CODE}
        assert result.statuses == [("app.py", "rolled_back")]
