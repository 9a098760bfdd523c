"""A session's settings: who sees them, who changes them, what they take, and how fast it is so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.cast import Cast, signed_in
from tests.live.conftest import hub, rows
from tests.live.people import Page
from tests.live.shapes import check
from webapp.engine.guard import Rules
from webapp.live import hub as hubs
from webapp.live.hub import Hub
from webapp.pages.settings import LONGEST_GLOB, MOST_GLOBS
from webapp.pairing.create import create_session

__all__ = ["hub", "rows"]

GOOD = {"protected": "migrations/\n*.lock\n", "guard_lines": "30", "guard_percent": "20"}


def address(cast: Cast) -> str:
    return f"/s/{cast.session.slug}/settings/"


async def once_round() -> None:
    """Let everything else run once."""
    await asyncio.sleep(0)


def kept(cast: Cast) -> tuple[str, int, int]:
    cast.session.refresh_from_db()
    return cast.session.protected, cast.session.guard_lines, cast.session.guard_percent


DEFAULT = ("", 60, 50)


def test_an_owner_changes_them(cast: Cast) -> None:
    before = cast.session.access_version
    answer = signed_in(cast.owner).post(address(cast), GOOD, follow=True)
    assert answer.redirect_chain == [(f"/s/{cast.session.slug}/", 302)]
    assert "The settings were changed." in answer.content.decode()
    assert kept(cast) == ("migrations/\n*.lock", 30, 20)
    assert cast.session.access_version == before + 1


def test_saying_the_same_again_changes_nothing(cast: Cast) -> None:
    client = signed_in(cast.owner)
    client.post(address(cast), GOOD)
    version = cast.session.__class__.objects.get(pk=cast.session.pk).access_version
    client.post(address(cast), GOOD)
    cast.session.refresh_from_db()
    assert cast.session.access_version == version


def test_whoever_made_it_changes_them_too(cast: Cast) -> None:
    own = create_session(cast.team, cast.member, "Mine", {})
    answer = signed_in(cast.member).post(f"/s/{own.slug}/settings/", GOOD)
    assert answer.status_code == 302
    own.refresh_from_db()
    assert own.guard_lines == 30


def test_a_member_sees_them_and_changes_nothing(cast: Cast) -> None:
    signed_in(cast.owner).post(address(cast), GOOD)
    client = signed_in(cast.member)
    page = client.get(address(cast)).content.decode()
    assert "migrations/" in page and "Only the session’s owners" in page
    assert page.count("disabled") >= 3 and ">Save<" not in page
    assert client.post(address(cast), {**GOOD, "guard_lines": "1"}).status_code == 404
    assert kept(cast)[1] == 30


def test_strangers_and_the_anonymous_see_and_change_nothing(cast: Cast) -> None:
    assert signed_in(cast.stranger).get(address(cast)).status_code == 404
    assert signed_in(cast.stranger).post(address(cast), GOOD).status_code == 404
    assert signed_in(None).get(address(cast)).status_code == 302
    assert signed_in(None).post(address(cast), GOOD).status_code == 302
    assert kept(cast) == DEFAULT


def test_whoever_left_the_team_is_a_stranger(cast: Cast) -> None:
    client = signed_in(cast.member)
    cast.member.memberships.all().delete()
    assert client.get(address(cast)).status_code == 404


def test_other_verbs_are_refused(cast: Cast) -> None:
    assert signed_in(cast.owner).delete(address(cast)).status_code == 405
    assert signed_in(cast.owner).put(address(cast)).status_code == 405


def test_htmx_gets_the_partial_that_the_page_holds(cast: Cast) -> None:
    client = signed_in(cast.owner)
    whole = client.get(address(cast)).content.decode()
    part = client.get(address(cast), headers={"HX-Request": "true"})
    assert "<html" in whole and 'name="protected"' in whole
    assert "<html" not in part.content.decode() and 'name="protected"' in part.content.decode()
    assert "HX-Request" in part["Vary"]


def test_the_session_page_leads_there_with_and_without_a_script(cast: Cast) -> None:
    for who in (cast.owner, cast.member):
        page = signed_in(who).get(f"/s/{cast.session.slug}/").content.decode()
        assert f'href="{address(cast)}"' in page and f'hx-get="{address(cast)}"' in page
        assert 'id="sheet"' in page


@pytest.mark.parametrize(
    ("protected", "sentence"),
    [
        ("../secrets", "leads out of the project"),
        ("a/../b", "leads out of the project"),
        ("/", "names no file and no folder"),
        ("./.", "names no file and no folder"),
        ("a\\b", "has a backslash"),
        ("a\u200bb", "cannot be seen"),
        ("src/**.py", "has to stand alone"),
        ("x" * (LONGEST_GLOB + 1), "is longer than 200 characters"),
        ("\n".join(f"file{n}" for n in range(MOST_GLOBS + 1)), "At most 100 paths"),
    ],
)
def test_what_is_no_path_is_said_and_changes_nothing(
    cast: Cast, protected: str, sentence: str
) -> None:
    answer = signed_in(cast.owner).post(address(cast), {**GOOD, "protected": protected})
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert kept(cast) == DEFAULT


def test_each_line_that_is_wrong_has_a_sentence_of_its_own(cast: Cast) -> None:
    answer = signed_in(cast.owner).post(address(cast), {**GOOD, "protected": "../a\nok\nb\\c"})
    page = answer.content.decode()
    assert "“../a”" in page and "“b\\c”" in page and "“ok”" not in page


def test_blank_lines_and_repetitions_are_passed_over(cast: Cast) -> None:
    text = "\r\n  a.py  \r\n\r\na.py\r\n**/b/*.c\r\n"
    signed_in(cast.owner).post(address(cast), {**GOOD, "protected": text})
    assert kept(cast)[0] == "a.py\n**/b/*.c"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("guard_lines", "-1"),
        ("guard_lines", "100001"),
        ("guard_lines", "many"),
        ("guard_percent", "-1"),
        ("guard_percent", "101"),
        ("guard_percent", ""),
    ],
)
def test_figures_that_cannot_be(cast: Cast, name: str, value: str) -> None:
    answer = signed_in(cast.owner).post(address(cast), {**GOOD, name: value})
    assert answer.status_code == 422 and "errorlist" in answer.content.decode()
    assert kept(cast) == DEFAULT


async def test_an_open_room_keeps_to_them_at_once_and_everybody_hears(
    cast: Cast, hub: Hub, rows: Callable[[Callable[[], Any]], Awaitable[Any]]
) -> None:
    room = await hub.enter(cast.session.pk)
    assert room.rules == Rules()
    page = Page(room, cast.member.pk, "Max")
    page.hello()
    answer = await rows(lambda: signed_in(cast.owner).post(address(cast), GOOD))
    assert answer.status_code == 302
    async with asyncio.timeout(hubs.WATCH_S * 2 + 5):
        while room.rules == Rules():
            await once_round()
    assert room.rules == Rules(("migrations/", "*.lock"), 30, 0.2)
    done = asyncio.Event()
    room.after_commit(done.set)
    await done.wait()
    (frame,) = page.take("rules")
    check(frame)
    assert (frame["protected"], frame["lines"], frame["percent"]) == (
        ["migrations/", "*.lock"], 30, 20,
    )  # fmt: skip


async def test_a_room_that_opens_later_keeps_to_them(
    cast: Cast, hub: Hub, rows: Callable[[Callable[[], Any]], Awaitable[Any]]
) -> None:
    await rows(lambda: signed_in(cast.owner).post(address(cast), GOOD))
    room = await hub.enter(cast.session.pk)
    assert room.rules == Rules(("migrations/", "*.lock"), 30, 0.2)
