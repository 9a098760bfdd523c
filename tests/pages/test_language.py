"""Choosing a language: on every page, with a form, for this browser."""

from __future__ import annotations

import pytest

from tests.cast import Cast, signed_in


@pytest.mark.parametrize("address", ["/accounts/login/", "/nowhere/"])
def test_a_stranger_finds_both_languages(address: str, db: None) -> None:
    page = signed_in(None).get(address).content.decode()
    assert '<button type="submit" name="language" value="zh-hans" lang="zh-hans"' in page
    assert 'value="en" lang="en" aria-pressed="true"' in page


def test_the_choice_holds_and_leads_back(cast: Cast) -> None:
    client = signed_in(cast.member)
    answer = client.post(
        "/i18n/setlang/",
        {"language": "zh-hans"},
        HTTP_REFERER="http://testserver/accounts/profile/",
    )
    assert (answer.status_code, answer["Location"]) == (302, "http://testserver/accounts/profile/")
    assert '<html lang="zh-hans">' in client.get("/").content.decode()
    assert 'value="zh-hans" lang="zh-hans" aria-pressed="true"' in client.get("/").content.decode()


def test_each_language_is_named_in_itself(cast: Cast) -> None:
    client = signed_in(cast.member)
    for language in ("zh-hans", "en"):
        client.post("/i18n/setlang/", {"language": language})
        page = client.get("/").content.decode()
        assert ">English</button>" in page and ">简体中文</button>" in page


def test_it_leads_nowhere_else_and_takes_no_unknown_language(cast: Cast) -> None:
    client = signed_in(cast.member)
    elsewhere = client.post("/i18n/setlang/", {"language": "xx", "next": "https://example.org/"})
    assert elsewhere["Location"] == "/"
    assert '<html lang="en">' in client.get("/").content.decode()
    assert client.get("/i18n/setlang/").status_code == 302
