"""The session page: its marks, who may see it, and what its headers say."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.cast import Cast, signed_in, without_token
from tests.catalogue import speak_german
from webapp.lib.sentences import Sentence
from webapp.notices import modelstatus
from webapp.pairing import example
from webapp.pairing.create import create_session

MARKS = {"editor", "prompt", "send", "stop", "meter", "tree", "turns", "people", "saved"} | {
    "followups",
    "preview",
}
IDS = {
    *("session", "tree", "tabs", "editor", "turns", "turn-list", "turn-empty", "people", "saved"),
    *("prompt", "send", "stop", "meter", "meter-context", "meter-model", "meter-speed", "panes"),
    *("focus-chip", "live", "notice", "follow", "new-file", "help", "name-dialog"),
    *("confirm-dialog", "confirm-ok", "tpl-turn", "tpl-tree-item", "tpl-tab", "tpl-hunk"),
    *("tpl-rejected", "tpl-person", "tpl-tree-dir", "rejected-list", "editor-empty"),
}


class Marks(HTMLParser):
    """Collects ids and data-flint marks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.marks: list[str] = []
        self.prompts: list[str] = []
        self.session: dict[str, str | None] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.marks += [found["data-flint"] or ""] if "data-flint" in found else []
        self.prompts += [found["data-prompt"] or ""] if "data-prompt" in found else []
        if found.get("id") == "session":
            self.session = found


def test_every_mark_is_there_once(cast: Cast) -> None:
    found = Marks(signed_in(cast.member).get(f"/s/{cast.session.slug}/").content.decode())
    assert sorted(found.marks) == sorted(MARKS)
    assert set(found.ids) >= IDS
    assert len(found.ids) == len(set(found.ids))


def test_the_page_tells_its_script_where_to_connect(cast: Cast) -> None:
    answer = signed_in(cast.member).get(f"/s/{cast.session.slug}/")
    session = Marks(answer.content.decode()).session
    assert session["data-socket"] == f"/ws/session/{cast.session.slug}/"
    assert session["data-role"] == "prompt"
    nonce = session["data-csp-nonce"]
    assert nonce
    assert f"'nonce-{nonce}'" in answer["Content-Security-Policy"]


def test_owners_of_the_team_are_owners_of_the_session(cast: Cast) -> None:
    page = signed_in(cast.owner).get(f"/s/{cast.session.slug}/").content.decode()
    assert Marks(page).session["data-role"] == "owner"


def test_the_policy_allows_nothing_inline(cast: Cast) -> None:
    answer = signed_in(cast.member).get(f"/s/{cast.session.slug}/")
    policy = answer["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert re.search(r"script-src 'self'(;|$)", policy)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Frame-Options"] == "DENY"
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    ("files", "first"),
    [
        (example.files(), "return FizzBuzz for multiples of 15"),
        ({"a.py": ""}, "add a docstring to every function"),
        ({}, "write a program that prints the first ten primes"),
    ],
    ids=["example", "files", "empty"],
)
def test_three_prompts_to_click(cast: Cast, files: dict[str, str], first: str) -> None:
    session = create_session(cast.team, cast.owner, "T", files)
    page = signed_in(cast.owner).get(f"/s/{session.slug}/").content.decode()
    prompts = Marks(page).prompts
    assert len(prompts) == 3
    assert prompts[0] == first


def test_the_model_download_shows_its_percentage(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    named = settings.MODELS["preview"] | {"status_file": path}
    settings.MODELS = settings.MODELS | {"preview": named}
    client = signed_in(cast.member)
    assert "No model yet" in client.get(f"/s/{cast.session.slug}/").content.decode()
    status = modelstatus.ModelStatus("downloading", done_bytes=41, total_bytes=100)
    modelstatus.write(path, status)
    assert "downloading: 41 %" in client.get(f"/s/{cast.session.slug}/").content.decode()
    modelstatus.write(path, modelstatus.ModelStatus("downloading"))
    assert "downloading: 0 %" in client.get(f"/s/{cast.session.slug}/").content.decode()


def test_why_there_is_no_model_is_told_in_the_readers_language(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    speak_german(settings, tmp_path / "locale", {"No room in %(folder)s.": "%(folder)s ist voll."})
    path = tmp_path / "model.json"
    named = settings.MODELS["preview"] | {"status_file": path}
    settings.MODELS = settings.MODELS | {"preview": named}
    why = Sentence("No room in %(folder)s.", folder="<tmp>")
    modelstatus.write(path, modelstatus.ModelStatus("failed", message=why))
    client, url = signed_in(cast.member), f"/s/{cast.session.slug}/"
    assert "No room in &lt;tmp&gt;." in client.get(url).content.decode()
    german = client.get(url, headers={"accept-language": "de"}).content.decode()
    assert "&lt;tmp&gt; ist voll." in german and "No room" not in german


def test_a_strangers_session_looks_like_one_that_is_not_there(cast: Cast) -> None:
    client = signed_in(cast.stranger)
    strange = client.get(f"/s/{cast.session.slug}/")
    unknown = client.get("/s/aaaaaaaaaaaaaaaa/")
    assert strange.status_code == unknown.status_code == 404
    assert without_token(strange.content.decode()) == without_token(unknown.content.decode())


def test_whoever_left_the_team_is_a_stranger(cast: Cast) -> None:
    client = signed_in(cast.member)
    cast.member.memberships.all().delete()
    assert client.get(f"/s/{cast.session.slug}/").status_code == 404


def test_anonymous_people_sign_in_first_whether_it_exists_or_not(cast: Cast) -> None:
    client = signed_in(None)
    for slug in (cast.session.slug, "aaaaaaaaaaaaaaaa"):
        answer = client.get(f"/s/{slug}/")
        assert answer["Location"] == f"/accounts/login/?next=/s/{slug}/"


def test_post_is_refused(cast: Cast) -> None:
    assert signed_in(cast.owner).post(f"/s/{cast.session.slug}/").status_code == 405
