"""Renaming a session."""

from __future__ import annotations

import pytest

from tests.cast import Cast, signed_in


def address(cast: Cast) -> str:
    return f"/s/{cast.session.slug}/rename/"


def test_a_member_renames(cast: Cast) -> None:
    before = cast.session.changed_at
    answer = signed_in(cast.member).post(address(cast), {"title": "  Invoices "})
    cast.session.refresh_from_db()
    assert cast.session.title == "Invoices"
    assert cast.session.changed_at == before
    assert answer["Location"] == "/"


def test_the_way_back_is_the_one_asked_for(cast: Cast) -> None:
    back = f"/s/{cast.session.slug}/"
    answer = signed_in(cast.member).post(address(cast), {"title": "Invoices", "next": back})
    assert answer["Location"] == back


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
)
def test_the_way_back_leads_nowhere_else(cast: Cast, elsewhere: str) -> None:
    answer = signed_in(cast.member).post(address(cast), {"title": "x", "next": elsewhere})
    assert answer["Location"] == "/"


@pytest.mark.parametrize("title", ["", "   ", "x" * 121, "a\u202egpj", "\u200b\u200d"])
def test_an_impossible_title_changes_nothing_and_says_so(cast: Cast, title: str) -> None:
    answer = signed_in(cast.member).post(address(cast), {"title": title})
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    cast.session.refresh_from_db()
    assert cast.session.title == "Notes"


def test_htmx_gets_the_partial_that_the_page_holds(cast: Cast) -> None:
    client = signed_in(cast.member)
    whole = client.get(address(cast)).content.decode()
    part = client.get(address(cast), headers={"HX-Request": "true"})
    assert "<html" in whole
    assert "<html" not in part.content.decode()
    assert 'name="title"' in whole
    assert 'name="title"' in part.content.decode()
    assert "HX-Request" in part["Vary"]


def test_strangers_and_the_anonymous_change_nothing(cast: Cast) -> None:
    assert signed_in(cast.stranger).post(address(cast), {"title": "x"}).status_code == 404
    assert signed_in(cast.stranger).get(address(cast)).status_code == 404
    assert signed_in(None).post(address(cast), {"title": "x"}).status_code == 302
    cast.session.refresh_from_db()
    assert cast.session.title == "Notes"


def test_other_verbs_are_refused(cast: Cast) -> None:
    assert signed_in(cast.owner).delete(address(cast)).status_code == 405
