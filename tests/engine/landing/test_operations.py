"""Files that a patch adds, deletes and moves: all or none, at the end, and never over another."""

from __future__ import annotations

import pytest

from tests.engine.landing.people import Session
from tests.engine.landing.projects import apply, cut
from webapp.engine.guard import Rules
from webapp.engine.landing.held import Remove, Rename
from webapp.engine.landing.withheld import Kind

Files = dict[str, str]
AB = {"a": "1\n", "b": "2\n"}


def patch(text: str) -> str:
    """Return a patch; "D a" deletes, "M a b" moves, "A a" adds "+new", "U a 1 2" edits."""
    lines = ["*** Begin Patch"]
    for each in text.split(", "):
        match each.split(" "):
            case ["D", path]:
                lines.append(f"*** Delete File: {path}")
            case ["A", path]:
                lines += [f"*** Add File: {path}", "+new"]
            case ["M", path, to]:
                lines += [f"*** Update File: {path}", f"*** Move to: {to}"]
            case ["U", path, old, new]:
                lines += [f"*** Update File: {path}", "@@", f"-{old}", f"+{new}"]
            case ["UM", path, to, old, new]:
                lines += [f"*** Update File: {path}", f"*** Move to: {to}", "@@"]
                lines += [f"-{old}", f"+{new}"]
    return "\n".join([*lines, "*** End Patch", ""])


@pytest.mark.parametrize(
    ("files", "message", "expected"),
    [
        (AB, "D a", {"b": "2\n"}),
        (AB, "D ./a", {"b": "2\n"}),
        (AB, "D a, D a", {"b": "2\n"}),
        (AB, "M a c", {"c": "1\n", "b": "2\n"}),
        (AB, "M a new/deep/c", {"new/deep/c": "1\n", "b": "2\n"}),
        (AB, "M a ./a", AB),
        (AB, "UM a .//a 1 9", {"a": "9\n", "b": "2\n"}),
        (AB, "M a A", {"A": "1\n", "b": "2\n"}),
        (AB, "UM a c 1 9", {"c": "9\n", "b": "2\n"}),
        (AB, "U ./a 1 9", {"a": "9\n", "b": "2\n"}),
        (AB, "D b, M a b", {"b": "1\n"}),
        (AB, "M a b, D b", {"b": "1\n"}),
        (AB, "M b c, M a b", {"c": "2\n", "b": "1\n"}),
        (AB, "M a b, M b c", {"b": "1\n", "c": "2\n"}),
        (AB, "M a c, M c d", {"d": "1\n", "b": "2\n"}),
        (AB, "M a c, D c", {"b": "2\n"}),
        (AB, "M a c, U c 1 9", {"c": "9\n", "b": "2\n"}),
        (AB, "M a c, M a c", {"c": "1\n", "b": "2\n"}),
        (AB, "A c, D c", AB),
        (AB, "A c, M c d", AB | {"d": "new\n"}),
        (AB, "A x/y/z", AB | {"x/y/z": "new\n"}),
        (AB, "U a 1 9, D a", {"b": "2\n"}),
        ({"a": "1\n", "d/a": "2\n"}, "M a d/b", {"d/b": "1\n", "d/a": "2\n"}),
        ({"x": "1\n"}, "M x x/y", {"x/y": "1\n"}),
    ],
)
def test_what_is_done(files: Files, message: str, expected: Files) -> None:
    for size in (1, 10_000):
        result = apply("patch", files, *cut(patch(message), size))
        assert (result.files, result.applied.error) == (expected, None), size


@pytest.mark.parametrize(
    ("files", "message", "expected", "reason"),
    [
        (AB, "D none", AB, "There is no such file."),
        ({"d/a": "1\n"}, "D d", {"d/a": "1\n"}, "It is a folder"),
        ({"d/a": "1\n"}, "D d/", {"d/a": "1\n"}, "It is a folder"),
        (AB, "M a b", AB, 'A file named "b" exists already.'),
        (AB, "M a B", AB, "do not tell it from"),
        (AB, "UM a b 1 9", {"a": "9\n", "b": "2\n"}, "Other edits of the answer stand in: a."),
        (AB, "M a ../c", AB, "not a name"),
        (AB, "M a /etc/c", AB, "start inside the project"),
        (AB, "M a .git/c", AB, "folder of git"),
        (AB, "M a b, M b a", AB, "change places"),
        (AB, "M a b/c", AB, "is a file, so it cannot be a folder"),
        (AB, "M a c, M b c", AB, "exists already"),
        (AB, "D a, M b c, D none", AB, "Another file could not be deleted or moved"),
        (AB, "D a, M a c", AB, "two things with it"),
        (AB, "M a c, D a", AB, "two things with it"),
        (AB, "D a, U b 7 8", AB, "No other edit of the answer stands."),
        (AB, "U b 2 8, D a, U b 7 9", AB | {"b": "8\n"}, "edits of the answer stand in: b."),
        (AB, "A a", AB, "exists already"),
        (AB, "A ./a", AB, "exists already"),
        (AB, "A ../../etc/x", AB, "cannot be used"),
        (AB, "A a/x", AB, "cannot be a folder"),
        (AB, "A A", AB, "do not tell it from"),
        (AB, "A c, D a, A c", AB | {"c": "new\n"}, "exists already"),
        (AB, "D a, A a", AB, "exists already"),
        (AB, "U none 1 2, D a", AB, "there is no such file"),
    ],
)
def test_what_is_refused_and_leaves_the_files(
    files: Files, message: str, expected: Files, reason: str
) -> None:
    for size in (1, 10_000):
        result = apply("patch", files, *cut(patch(message), size))
        assert result.files == expected
        assert reason in result.reasons
        assert result.applied.error is not None


@pytest.mark.parametrize("message", ["D a", "M a c", "D a, M b c"])
def test_a_patch_without_its_end_deletes_and_moves_nothing(message: str) -> None:
    text = patch(message).removesuffix("*** End Patch\n")
    assert apply("patch", AB, text).files == AB
    assert apply("patch", AB, text.removeprefix("*** Begin Patch\n"), is_cut=True).files == AB


def test_a_file_that_is_not_written_to_its_end_is_not_made() -> None:
    message = "*** Begin Patch\n*** Add File: c\n+one\n+two"
    result = apply("patch", AB, *cut(message, 3))
    assert result.files == AB and result.applied.error is not None


def test_an_empty_file_that_is_meant_stays() -> None:
    message = "*** Begin Patch\n*** Add File: pkg/__init__.py\n*** End Patch\n"
    assert apply("patch", {}, message).files == {"pkg/__init__.py": ""}


def test_deletes_and_moves_wait_for_a_word_in_a_session() -> None:
    session = Session("patch", AB | {"c": "3\n"}, Rules())
    session.says(patch("UM a d 1 9, D b"))
    session.ends()
    assert {file.path: file.text for file in session.project.all} == {
        "a": "9\n",
        "b": "2\n",
        "c": "3\n",
    }
    delete, move = session.withheld
    assert (delete.kind, delete.op, delete.path, delete.old) == (Kind.FROZEN, "delete", "b", "2\n")
    assert (move.kind, move.op, move.path, move.to) == (Kind.FROZEN, "move", "a", "d")
    files = session.project.files
    held = [each.take(files) for each in session.held if each is not None]
    assert held == [Remove(session.file("b").id), Rename(session.file("a").id, "d")]


def test_a_move_that_a_person_s_file_stands_in_the_way_of_is_not_made() -> None:
    session = Session("patch", AB, Rules())
    session.says(patch("M a d"))
    session.ends()
    session.project.create("d")
    answer = session.held[0].take(session.project.files) if session.held[0] else None
    assert isinstance(answer, str) and "exists already" in answer


@pytest.mark.parametrize("message", ["M a secrets/a", "M secrets/k k", "D secrets/k"])
def test_a_protected_path_is_neither_left_nor_entered_unasked(message: str) -> None:
    files = AB | {"secrets/k": "3\n"}
    rules = Rules(protected=("secrets/",), asks_for_files=False)
    result = apply("patch", files, patch(message), rules=rules)
    assert result.files == files
    assert [status for _, status in result.statuses] == ["frozen"]
