"""What a turn's card says: who, which model, who ended it, and what came before and after."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer, halves, listing
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.product import wait_until
from tests.upstream import Upstream

_OLD = listing(20)
_NEW = _OLD.replace("line 3\n", "three\n").replace("line 15\n", "fifteen\n")
_LONG = "Spell the numbers out, but leave the ones that stand in a name as they are. " * 6


def card(person: Person, prompt: str) -> Locator:
    """The card of the turn with this prompt."""
    found = person.page.locator(".turn-prompt").filter(has_text=prompt)
    return person.page.locator("#turn-list [data-turn]").filter(has=found)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_redirected_turn_hangs_together_with_the_next(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int, theme: str
) -> None:
    address = session({"notes.txt": _OLD})
    ann = cast.enter("ann", width=width, color_scheme=theme)
    ben = cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    first, second = halves(answer(_NEW))
    upstream.script({"say": first}, {"gate": "never"}, {"say": second})
    ann.ask(_LONG)
    wait_until("the first edit", lambda: "three\n" in ben.text())
    upstream.script({"say": answer(_NEW)})
    ben.ask("only two of them")
    expect(ben.newest_turn).to_have_attribute("data-state", "finished")
    if width == 360:
        ann.page.locator("#panes [data-pane=turns]").click()
    new, old = card(ann, "only two of them"), card(ann, "Spell the numbers")
    expect(old.locator(".turn-receipt")).to_contain_text("Redirected by Ben after")
    expect(old.locator(".turn-receipt")).to_contain_text("1 edit kept")
    mine = card(ben, "Spell the numbers").locator(".turn-receipt")
    expect(mine).to_contain_text("Redirected after")
    expect(new).to_have_attribute("data-joined", "")
    expect(new.locator(".turn-model")).to_have_text("scripted · preview")
    expect(new.locator(".turn-asker")).to_have_text("Ben")
    expect(old.locator(".turn-asker")).to_have_text("Ann (you)")
    # From one to the other and back, by keyboard.
    new.locator(".turn-from").focus()
    ann.page.keyboard.press("Enter")
    expect(old).to_be_focused()
    old.get_by_role("button", name="Went on with “only two of them”").press("Enter")
    expect(new).to_be_focused()
    more = old.locator(".turn-more")
    expect(more).to_have_text("Show all")
    ann.shoot(_SHOTS / f"cards-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)
    short = old.locator(".turn-prompt").bounding_box()
    more.click()
    whole = old.locator(".turn-prompt").bounding_box()
    assert short is not None and whole is not None and whole["height"] > short["height"]
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(card(ann, "only two of them").locator(".turn-more")).to_be_hidden()


def test_who_stopped_it_and_who_left_is_said(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    upstream.script({"text": "thinking"}, {"gate": "never"})
    ben.ask("first")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    expect(ann.page.locator("#live")).to_contain_text("Ben asked: first.")
    ann.page.keyboard.press("Escape")
    expect(ben.newest_turn.locator(".turn-receipt")).to_contain_text("Stopped by Ann in")
    expect(ben.page.locator("#live")).to_contain_text("Stopped by Ann in")
    expect(ann.newest_turn.locator(".turn-receipt")).to_contain_text("Stopped in")
    expect(ann.newest_turn.locator(".turn-asker")).to_have_text("Ben")
    ben.page.goto("/")
    expect(ann.newest_turn.locator(".turn-asker")).to_have_text("Ben, not here now")
    # The prompt of a turn that was stopped can be used again.
    ann.newest_turn.get_by_role("button", name="Use the prompt again").click()
    expect(ann.page.locator("#prompt")).to_have_value("first")
    expect(ann.page.locator("#prompt")).to_be_focused()


def test_a_turn_that_was_redirected_and_taken_back_says_so(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": _OLD}))
    first, second = halves(answer(_NEW))
    upstream.script({"say": first}, {"gate": "never"}, {"say": second})
    ann.ask("first")
    wait_until("the first edit", lambda: "three\n" in ann.text())
    ann.page.locator("#keep").click()
    ann.page.get_by_role("menuitemradio", name="Take the turn back").click()
    upstream.script({"say": "Nothing to do."})
    ann.ask("leave it")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(card(ann, "first").locator(".turn-receipt")).to_contain_text(
        "Its edits were taken back."
    )
    wait_until("the old text", lambda: ann.text() == _OLD)
