"""Texts that know what they were made of, and that the catalogues find all of them."""

from __future__ import annotations

import ast
import copy
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from webapp.lib.sentences import (
    Pattern,
    Sentence,
    from_json,
    gettext_noop,
    joined,
    listed,
    said,
    to_json,
)

ROOT = Path(__file__).parents[2]
SPEAKING = sorted(
    str(path.relative_to(ROOT / "webapp"))
    for path in (ROOT / "webapp").rglob("*.py")
    if "gettext_noop" in path.read_text(encoding="utf-8")
    and path != ROOT / "webapp/lib/sentences.py"
)
"""The modules without a framework whose sentences reach a page."""

NESTED = Sentence(
    gettext_noop("%(label)s said %(count)s times: %(problem)s."),
    label="100 % “é”",
    count=3,
    problem=Sentence("it is empty"),
)


def test_is_its_english_text() -> None:
    assert NESTED == "100 % “é” said 3 times: it is empty."
    assert {NESTED: 1}["100 % “é” said 3 times: it is empty."] == 1
    assert json.dumps([NESTED], ensure_ascii=False) == f'["{NESTED}"]'
    assert Sentence("100 % literally") == "100 % literally"


@pytest.mark.parametrize(
    ("msgid", "values"),
    [("%(a)s", {"b": "1"}), ("%(a)d", {"a": "x"}), ("%s %s", {"a": "1"}), ("%(a)", {"a": "1"})],
)
def test_values_that_do_not_fit_are_a_mistake_at_once(msgid: str, values: dict[str, str]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Sentence(msgid, **values)


def same(found: str, expected: str) -> bool:
    """Say whether two texts are made of the same things."""
    if not isinstance(expected, Sentence):
        return type(found) is type(expected) and found == expected
    return (
        isinstance(found, Sentence)
        and (found, found.msgid) == (expected, expected.msgid)
        and found.values.keys() == expected.values.keys()
        and all(
            same(value, expected.values[name]) if isinstance(value, str) else True
            for name, value in found.values.items()
        )
    )


def test_copies_know_what_they_were_made_of() -> None:
    assert same(copy.deepcopy(NESTED), NESTED)
    assert same(copy.copy(NESTED), NESTED)


@pytest.mark.parametrize("text", ["", "plain", Sentence("100 %"), NESTED])
def test_there_and_back(text: str) -> None:
    assert same(from_json(json.loads(json.dumps(to_json(text)))), text)


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        ["a"],
        {},
        {"msgid": "a"},
        {"msgid": 1, "values": {}},
        {"msgid": "%(a)s", "values": {"b": ""}},
        {"msgid": "%(a)s", "values": {"a": None}},
        {"msgid": "%(a)d", "values": {"a": "x"}},
        {"msgid": "%(a", "values": {"a": "x"}},
    ],
)
def test_what_was_never_written_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):
        from_json(value)


def test_a_pattern_becomes_the_sentence_when_it_is_filled() -> None:
    pattern = Pattern(gettext_noop("%(path)s is too large."))
    assert same(pattern % {"path": "a"}, Sentence(pattern.msgid, path="a"))
    with pytest.raises(KeyError):
        pattern % {"other": "a"}


def test_names_are_listed_so_that_a_language_can_list_them_its_way() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    three = listed(["a", "b", "100 %"])
    assert three == "a, b, 100 %"
    assert isinstance(three, Sentence) and three.msgid == "%(first)s, %(then)s"


def test_sentences_are_joined_without_what_is_empty() -> None:
    assert joined([]) == joined([""]) == ""
    assert joined(["", NESTED, ""]) is NESTED
    assert joined(["One.", "", NESTED, "Two."]) == f"One. {NESTED} Two."


def test_an_exception_says_what_it_was_made_with() -> None:
    assert same(said(OSError(NESTED)), NESTED)
    assert said(OSError(2, "No such file")) == "[Errno 2] No such file"
    assert said(KeyError("a")) == "'a'"


# What the catalogues find


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def literal(node: ast.expr) -> str | None:
    """Return the text when `node` is `gettext_noop("text")`: all that xgettext understands."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        arguments = node.args if node.func.id == "gettext_noop" else []
        if len(arguments) == 1 and isinstance(arguments[0], ast.Constant):
            return str(arguments[0].value)
    return None


def scope_of(tree: ast.AST, call: ast.Call) -> ast.AST:
    """Return the innermost function around a call, or the module."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.lineno <= call.lineno <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=tree)


def patterns(tree: ast.AST, node: ast.expr) -> list[str | None]:
    """Return what a Sentence's first argument may be: itself, or all that its name is given."""
    if not isinstance(node, ast.Name):
        return [literal(node)]
    return [
        literal(each.value)
        for each in ast.walk(tree)
        if isinstance(each, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == node.id for target in each.targets)
    ]


def marked() -> set[str]:
    """Return every msgid of SPEAKING, as a scan of the source finds them."""
    return {
        msgid
        for name in SPEAKING
        for call in calls(ast.parse((ROOT / "webapp" / name).read_text()), "gettext_noop")
        if (msgid := literal(call)) is not None
    }


def test_every_sentence_is_marked_and_has_the_values_its_pattern_names() -> None:
    speaking = set()
    for path in sorted((ROOT / "webapp").rglob("*.py")):
        if path == ROOT / "webapp/lib/sentences.py":
            continue  # what comes out of a file is made of what went in
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for call in calls(tree, "Pattern"):
            speaking.add(str(path.relative_to(ROOT / "webapp")))
            msgid = literal(call.args[0])
            assert msgid, f"{path}:{call.lineno}: not marked with gettext_noop"
            assert "%(" in msgid, f"{path}:{call.lineno}: a Sentence, as it has no values"
        for call in calls(tree, "Sentence"):
            where = f"{path}:{call.lineno}"
            speaking.add(str(path.relative_to(ROOT / "webapp")))
            found = patterns(scope_of(tree, call), call.args[0])
            assert found and None not in found, f"{where}: not marked with gettext_noop"
            values = {keyword.arg for keyword in call.keywords}
            for msgid in found:
                assert set(re.findall(r"%\((\w+)\)s", str(msgid))) == values, where
    assert speaking == set(SPEAKING)
    assert {"document/tree.py", "engine/providers/failures.py"} < speaking
    assert {f"appliance/{name}.py" for name in ("hub", "modelserver", "weights")} < speaking


@pytest.mark.parametrize("name", SPEAKING)
def test_nothing_that_is_raised_or_told_is_plain_text(name: str) -> None:
    """An f-string or a literal there would never be looked up."""
    tree = ast.parse((ROOT / "webapp" / name).read_text(encoding="utf-8"))
    kinds = ("PathError", "SourceFailed", "NoWeights", "TimeoutError", "Failed", "_failed")
    plain = [
        call.lineno
        for kind in kinds
        for call in calls(tree, kind)
        for text in call.args
        if isinstance(text, ast.JoinedStr)
        or (isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value)
    ]
    assert plain == []


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gettext's tools are not installed")
def test_xgettext_finds_them_all() -> None:
    """With the keyword and the language that `makemessages` gives it."""
    done = subprocess.run(
        [
            *("xgettext", "--language=Python", "--keyword=gettext_noop", "--from-code=UTF-8"),
            *("--output=-", *SPEAKING),
        ],
        cwd=ROOT / "webapp",
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    entries = re.findall(r'^msgid ((?:".*"\n)+)', done.stdout, re.MULTILINE)
    found = {ast.literal_eval(f"({entry})") for entry in entries} - {""}
    assert marked() <= found, "what else it finds is for Django's own functions"
    assert len(found) > 40
