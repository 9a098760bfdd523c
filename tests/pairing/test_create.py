"""How a session starts in the log."""

from __future__ import annotations

import json

import pytest

from tests.cast import Cast
from webapp.document.tree import PathError
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, Session


def test_each_file_is_one_entry_with_its_whole_text(cast: Cast) -> None:
    session = create_session(cast.team, cast.owner, "T", {"a.txt": "x\ny\n", "d/b.txt": "😀"})
    entries = list(Entry.objects.filter(session=session).order_by("seq"))
    assert [(row.seq, row.version, row.kind, row.file.path) for row in entries] == [
        (1, 0, "create", "a.txt"),
        (2, 0, "create", "d/b.txt"),
    ]
    assert entries[1].payload == '"\\ud83d\\ude00"'
    assert {row.author for row in entries} == {f"user:{cast.owner.pk}"}
    assert [row.file.created_seq for row in entries] == [1, 2]


@pytest.mark.parametrize(
    ("text", "ending", "kept"),
    [
        ("a\r\nb\r\n", "crlf", "a\nb\n"),
        ("a\rb", "cr", "a\nb"),
        ("a\r\nb\n", "mixed", "a\r\nb\n"),
        ("", "lf", ""),
    ],
)
def test_the_line_ending_is_kept_beside_the_text(
    cast: Cast, text: str, ending: str, kept: str
) -> None:
    session = create_session(cast.team, cast.owner, "T", {"a.txt": text})
    entry = Entry.objects.get(session=session)
    assert entry.file.ending == ending
    assert json.loads(entry.payload) == kept


def test_an_impossible_path_makes_nothing(cast: Cast) -> None:
    before = Session.objects.count()
    with pytest.raises(PathError):
        create_session(cast.team, cast.owner, "T", {"ok.txt": "", "../out.txt": ""})
    with pytest.raises(ValueError, match="exists already"):
        create_session(cast.team, cast.owner, "T", {"a.txt": "", "A.txt": ""})
    assert Session.objects.count() == before
