"""What the live preview gets of the server: an empty document, and the bytes of binary files."""

from __future__ import annotations

import pytest

from tests.cast import Cast, signed_in
from webapp.document.encodings import Binary, recognise
from webapp.pages import preview
from webapp.pairing.create import import_session
from webapp.pairing.models import File, Session
from webapp.pairing.uploads import NewFile

PIXEL = b"\x89PNG\r\n\x1a\n\x00<script>alert(1)</script>"


@pytest.fixture
def pictured(cast: Cast) -> Session:
    """A session with a text and a picture."""
    picture = recognise(PIXEL)
    assert isinstance(picture, Binary)
    files = [NewFile("a.png", picture), NewFile("a.txt", recognise(b"a\n"))]
    return import_session(cast.team, cast.owner, "Pictures", files)


def address(session: Session, path: str) -> str:
    return f"/s/{session.slug}/files/{File.objects.get(session=session, path=path).pk}/"


def test_a_binary_file_is_given_as_bytes_that_no_browser_runs(
    cast: Cast, pictured: Session
) -> None:
    answer = signed_in(cast.member).get(address(pictured, "a.png"))
    assert (answer.status_code, answer.content) == (200, PIXEL)
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == "attachment"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_it_is_not_there_for_strangers_nor_below_another_session(
    cast: Cast, pictured: Session
) -> None:
    where = address(pictured, "a.png")
    assert signed_in(cast.stranger).get(where).status_code == 404
    assert signed_in(None).get(where).status_code == 302
    elsewhere = where.replace(pictured.slug, cast.session.slug)
    assert signed_in(cast.owner).get(elsewhere).status_code == 404


def test_a_text_and_a_deleted_file_have_no_bytes(cast: Cast, pictured: Session) -> None:
    assert signed_in(cast.owner).get(address(pictured, "a.txt")).status_code == 404
    where = address(pictured, "a.png")
    File.objects.filter(session=pictured, path="a.png").update(deleted_seq=9)
    assert signed_in(cast.owner).get(where).status_code == 404


def test_the_empty_document_reaches_nothing_and_stands_only_in_our_pages(db: None) -> None:
    answer = signed_in(None).get(f"/preview/{preview.version()}/")
    policy = dict(part.split(" ", 1) for part in answer["Content-Security-Policy"].split("; "))
    assert policy["sandbox"] == "allow-scripts allow-forms"
    assert policy["default-src"] == policy["connect-src"] == policy["form-action"] == "'none'"
    assert policy["frame-ancestors"] == "'self'"
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
