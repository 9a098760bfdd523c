"""Edits that are not written, as frames tell of them: every kind and state, and how time passes."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.browser.told import Frame, Told
from tests.product import wait_until
from tests.upstream import Upstream

_NOTES = "one\ntwo\nthree\nfour\nfive\n"


def stage(
    cast: Cast,
    upstream: Upstream,
    session: Callable[..., str],
    *,
    role: str = "",
    width: int = 1440,
    theme: str = "light",
) -> tuple[Person, Told, Callable[..., Frame]]:
    """Return a person with a turn that is over, the line to them, and what makes frames."""
    ann = cast.enter("ann", width=width, color_scheme=theme)
    told = Told(ann.page, "answer")
    address = session({"notes.md": _NOTES, "app.py": "x = 1\n"})
    ann.go(address)
    if width > 900:
        ann.open_file("app.py")
    upstream.script({"say": "There."})
    ann.ask("tidy up")
    expect(ann.page.locator("#turn-list [data-turn]").first).to_have_attribute(
        "data-state", "finished"
    )
    turn = ann.newest_turn.get_attribute("data-turn")
    if role:
        told.role = role
        ann.go(address)
    # Only the welcome tells of files; any id will do for one that the page need not open.
    file = next((frame["file"] for frame in told.of("open")), "aaaaaaaaaaaaaaaaaaaa")

    def withheld(ordinal: int, **rest: object) -> Frame:
        frame = {
            "turn": turn,
            "ordinal": ordinal,
            "kind": "frozen",
            "state": "open",
            "op": "edit",
            "path": "notes.md",
            "to": "",
            "file": file,
            "first": 2,
            "last": 4,
            "old": "two\nthree\nfour\n",
            "new": "2\nthree\n",
            "reason": "",
            "by": "",
            "until": None,
        }
        return {"t": "withheld", "withheld": {**frame, **rest}}

    return ann, told, withheld


def until(seconds: float) -> str:
    """Return the moment so many seconds from now."""
    now = datetime.datetime.now(tz=datetime.UTC)
    return (now + datetime.timedelta(seconds=seconds)).isoformat()


def card(person: Person, ordinal: int) -> Locator:
    """The card of a withheld edit of the newest turn, counted from 1."""
    return person.newest_turn.locator(".withheld").nth(ordinal - 1)


_DELETE = {
    "op": "delete",
    "first": None,
    "last": None,
    "old": _NOTES,
    "new": "",
    "reason": "Deleting a file needs a word from somebody here.",
}
_REFUSED = {
    "kind": "refused",
    "reason": "The old text stands in lines 2 and 4, and nothing says which one is meant.",
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_every_kind_at_both_widths_in_both_themes(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int, theme: str
) -> None:
    ann, told, withheld = stage(cast, upstream, session, width=width, theme=theme)
    told.say(withheld(1, **_DELETE, until=until(103)))
    told.say(withheld(2, **_REFUSED))
    told.say(withheld(3, kind="yielded", reason="Ann typed in lines 2 to 4."))
    told.say(withheld(4, state="taken", by="Ben", **_DELETE))
    if width == 360:
        expect(ann.page.locator("#questions")).to_contain_text("May Flint delete notes.md?")
        ann.shoot(_SHOTS / f"question-{width}-{theme}.png")
    ann.page.keyboard.press("Alt+g")
    expect(card(ann, 1)).to_be_focused()
    expect(card(ann, 1)).to_contain_text("It waits for your word: 1:4")
    assert ann.page.title().startswith("(1 question) ")
    ann.shoot(_SHOTS / f"withheld-{width}-{theme}.png")
    expect(card(ann, 4)).to_contain_text("Ben said yes, and it was done.")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)
    card(ann, 3).scroll_into_view_if_needed()
    card(ann, 3).locator("summary").click()
    card(ann, 2).locator("summary").click()
    ann.shoot(_SHOTS / f"withheld-open-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []


def test_a_question_is_said_once_and_answered_by_keyboard(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, told, withheld = stage(cast, upstream, session)
    ann.page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver(() => window.said.push(document.querySelector('#live').textContent))
            .observe(document.querySelector('#live'), { childList: true, characterData: true });
        }"""
    )
    told.say(withheld(1, **_DELETE, until=until(119)))
    clock = ann.page.locator("#questions .question-clock")
    first = clock.inner_text()
    expect(clock).not_to_have_text(first, timeout=5_000)
    question = (
        "May Flint delete notes.md? It waits up to two minutes for your word. "
        "Alt+G goes to the question."
    )
    assert "".join(ann.page.evaluate("window.said")).count(question) == 1
    ann.page.locator("#prompt").focus()
    ann.page.keyboard.press("Alt+g")
    ann.page.keyboard.press("y")
    wait_until("the answer", lambda: told.of("answer"))
    frame = told.of("answer")[0]
    assert (frame["withheld"], frame["yes"]) == (1, True)
    told.say({"t": "error", "id": frame["id"], "code": "gone", "message": "Ben was quicker."})
    told.say(withheld(1, **_DELETE, state="declined", by="Ben"))
    expect(ann.page.locator("#notice")).to_contain_text("Ben was quicker.")
    expect(card(ann, 1)).to_contain_text("Ben said no, so nothing was done.")
    expect(card(ann, 1)).to_be_focused()
    expect(ann.page.locator("#questions")).to_be_hidden()
    assert "question" not in ann.page.title()
    expect(ann.page.locator("#live")).to_contain_text("Ben said no, so nothing was done.")


def test_nobody_answered_in_time(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, told, withheld = stage(cast, upstream, session)
    told.say(withheld(1, **_DELETE, until=until(1)))
    expect(card(ann, 1)).to_contain_text("It waits for your word: 0:00", timeout=5_000)
    told.say(withheld(1, **_DELETE, state="expired", until=until(0)))
    expect(card(ann, 1)).to_contain_text("Nobody answered in time, so nothing was done.")
    expect(card(ann, 1).get_by_role("button", name="Yes")).to_have_count(0)
    expect(card(ann, 1).locator(".withheld-clock")).to_be_hidden()


def test_whoever_may_not_prompt_sees_that_it_waits_for_others(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, told, withheld = stage(cast, upstream, session, role="edit")
    told.say(withheld(1, **_DELETE, until=until(100)))
    expect(card(ann, 1)).to_contain_text("It waits for somebody who may prompt: 1:")
    expect(card(ann, 1).get_by_role("button", name="Yes")).to_have_count(0)
    expect(ann.page.locator("#live")).to_contain_text("It waits for somebody who may prompt.")


def test_what_was_refused_is_shown_with_its_place_and_dismissed(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, told, withheld = stage(cast, upstream, session)
    told.say(withheld(1, **_REFUSED))
    it = card(ann, 1)
    expect(it).to_contain_text("Not applied: notes.md:2–4")
    expect(it).to_contain_text("nothing says which one is meant")
    it.locator("summary").click()
    expect(it.locator("del")).to_have_text(["two\n", "four\n"])
    expect(it.locator("ins")).to_have_text(["2\n"])
    it.get_by_role("button", name="Show notes.md:2–4").click()
    expect(ann.page.locator("#editor .cm-content")).to_be_focused()
    it.get_by_role("button", name="Copy").click()
    it.get_by_role("button", name="Dismiss").click()
    wait_until("the answer", lambda: told.of("answer"))
    assert told.of("answer")[0]["yes"] is False
    told.say({"t": "ok", "id": told.of("answer")[0]["id"]})
    told.say(withheld(1, **_REFUSED, state="declined", by="Ann"))
    expect(it).to_contain_text("Dismissed by Ann.")


def test_what_gave_way_to_typing_can_be_taken(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, told, withheld = stage(cast, upstream, session)
    told.say(withheld(1, kind="yielded", reason="Ann typed there."))
    it = card(ann, 1)
    expect(it).to_contain_text("What was typed stays at notes.md:2–4")
    it.get_by_role("button", name="Take it").click()
    wait_until("the answer", lambda: told.of("answer"))
    assert told.of("answer")[0]["yes"] is True
    told.say({"t": "ok", "id": told.of("answer")[0]["id"]})
    told.say(withheld(1, kind="yielded", state="taken", by="Ann"))
    expect(it).to_contain_text("Ann took Flint's version.")


def test_the_toggle_for_asking_once_more_is_remembered_and_sent(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, told, _ = stage(cast, upstream, session)
    assert "repair" not in told.of("prompt")[0]
    ann.page.locator("#tier").click()
    toggle = ann.page.get_by_role("menuitemcheckbox", name="Ask once more")
    expect(toggle).to_be_checked()
    toggle.press("Enter")
    expect(toggle).not_to_be_checked()
    expect(toggle).to_be_focused()
    ann.shoot(_SHOTS / "repair-menu.png")
    assert complaints_of_axe(ann.page) == []
    ann.page.keyboard.press("Escape")
    ann.page.reload()
    ann.arrive()
    ann.ask("once more")
    expect(ann.page.locator("#turn-list [data-turn]")).to_have_count(2)
    assert told.of("prompt")[-1]["repair"] is False
    ann.page.locator("#tier").click()
    toggle.click()
    expect(toggle).to_be_checked()
