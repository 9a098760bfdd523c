"""Prompts that wait, in the browser: one list for everybody, by pointer and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.upstream import Upstream

_LONG = "make every line shorter, " * 12 + "and tell why"


def rows(person: Person) -> Locator:
    """The prompts that wait, in order."""
    return person.page.locator("#followups .followup")


def texts(person: Person) -> Locator:
    """What they say, in order."""
    return person.page.locator("#followups .followup-prompt")


def row(person: Person, text: str) -> Locator:
    """The row of one prompt."""
    return rows(person).filter(has=person.page.get_by_text(text, exact=True))


def queue(person: Person, *prompts: str) -> None:
    """Let prompts wait behind the running turn."""
    for prompt in prompts:
        person.page.locator("#prompt").fill(prompt)
        person.page.locator("#prompt").press("Alt+Enter")
        expect(row(person, prompt)).to_have_count(1)
        expect(person.page.locator("#prompt")).to_have_value("")


@pytest.fixture
def pair(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> Callable[..., tuple[Person, Person]]:
    """Ann, whose turn runs until a gate opens, and Ben beside her."""

    def enter(width: int = 1440, theme: str = "light") -> tuple[Person, Person]:
        address = session({"notes.txt": "one\ntwo\nthree\n"})
        ann = cast.enter("ann", width=width, color_scheme=theme)
        ben = cast.enter("ben")
        for person in (ann, ben):
            person.go(address)
        upstream.script({"text": "thinking"}, {"gate": "end"})
        ann.ask("first")
        expect(ben.newest_turn).to_have_attribute("data-state", "streaming")
        return ann, ben

    return enter


def test_a_list_that_everybody_sees_moved_edited_and_removed(
    pair: Callable[..., tuple[Person, Person]],
) -> None:
    ann, ben = pair()
    expect(ann.page.locator("#followups")).to_be_hidden()
    queue(ben, "second")
    queue(ann, "third", "fourth")
    for person in (ann, ben):
        expect(texts(person)).to_have_text(["second", "third", "fourth"])
        expect(person.page.locator("#followups-title")).to_have_text("3 prompts wait")
    # Ann moves Ben's with the keyboard, and stays on it; Ben's own focus is not touched.
    mine = row(ben, "third").get_by_role("button", name="Edit: third")
    mine.focus()
    row(ann, "second").locator(".followup-text").focus()
    ann.page.keyboard.press("Alt+ArrowDown")
    ann.page.keyboard.press("Alt+ArrowDown")
    for person in (ann, ben):
        expect(texts(person)).to_have_text(["third", "fourth", "second"])
    expect(row(ann, "second").locator(".followup-text")).to_be_focused()
    expect(mine).to_be_focused()
    expect(ann.page.locator("#live")).to_contain_text("number 3 in line now: second")
    expect(ben.page.locator("#live")).to_contain_text("number 2 in line now: fourth")
    row(ann, "fourth").get_by_role("button", name="Move up: fourth").click()
    expect(texts(ben)).to_have_text(["fourth", "third", "second"])
    # In place, with Enter.
    row(ben, "third").get_by_role("button", name="Edit: third").press("Enter")
    ben.page.keyboard.press("Control+a")
    ben.type("third, better")
    ben.page.keyboard.press("Enter")
    for person in (ann, ben):
        expect(texts(person)).to_have_text(["fourth", "third, better", "second"])
    expect(row(ben, "third, better").locator(".followup-text")).to_be_focused()
    # Removed, and back where it stood.
    row(ann, "third, better").locator(".followup-text").focus()
    ann.page.keyboard.press("Delete")
    expect(texts(ben)).to_have_text(["fourth", "second"])
    expect(row(ann, "second").locator(".followup-text")).to_be_focused()
    expect(ben.page.locator("#live")).to_contain_text("was removed: third, better")
    ann.page.get_by_role("button", name="Undo").click()
    for person in (ann, ben):
        expect(texts(person)).to_have_text(["fourth", "third, better", "second"])
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")


def test_the_pointer_drags_one_by_its_grip(pair: Callable[..., tuple[Person, Person]]) -> None:
    ann, ben = pair()
    queue(ann, "second", "third", "fourth")
    grip = row(ann, "fourth").locator(".followup-grip").bounding_box()
    goal = row(ann, "second").bounding_box()
    assert grip is not None and goal is not None
    mouse = ann.page.mouse
    mouse.move(grip["x"] + 2, grip["y"] + 4)
    mouse.down()
    mouse.move(goal["x"] + 20, goal["y"] + 20, steps=3)
    mouse.move(goal["x"] + 20, goal["y"] + 2, steps=3)
    expect(row(ann, "second")).to_have_attribute("data-drop", "before")
    mouse.up()
    for person in (ann, ben):
        expect(texts(person)).to_have_text(["fourth", "second", "third"])
    # Escape lets it be, and does not stop the turn.
    grip = row(ann, "fourth").locator(".followup-grip").bounding_box()
    assert grip is not None
    mouse.move(grip["x"] + 2, grip["y"] + 4)
    mouse.down()
    mouse.move(grip["x"] + 2, grip["y"] + 90, steps=3)
    ann.page.keyboard.press("Escape")
    mouse.up()
    expect(ann.page.locator("[data-drop], [data-dragged]")).to_have_count(0)
    expect(texts(ben)).to_have_text(["fourth", "second", "third"])
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")


def test_send_now_redirects_and_the_next_goes_by_itself(
    pair: Callable[..., tuple[Person, Person]], upstream: Upstream
) -> None:
    ann, ben = pair()
    queue(ann, "second", "third")
    upstream.script({"say": answer("two\n")}, once=True)
    upstream.script({"text": "thinking"}, {"gate": "never"})
    now = row(ben, "third").get_by_role("button", name="Send now: third")
    expect(now).to_have_attribute(
        "title", "Ends the running turn, keeps its finished edits and asks this instead"
    )
    now.focus()
    ben.page.keyboard.press("Enter")
    for person in (ann, ben):
        expect(person.newest_turn.locator(".turn-prompt")).to_have_text("second")
    expect(rows(ann)).to_have_count(0)
    expect(ann.page.locator("#followups")).to_be_hidden()
    expect(ben.page.locator("#prompt")).to_be_focused()
    cards = ann.page.locator("#turn-list [data-turn]")
    expect(cards.locator(".turn-prompt")).to_have_text(["second", "third", "first"])
    expect(cards.nth(2).locator(".turn-receipt")).to_contain_text("Redirected by Ben after")
    expect(cards.nth(1).locator(".turn-from")).to_have_text("Goes on from “first”")


def test_after_a_stop_they_are_on_hold_until_somebody_sends_one(
    pair: Callable[..., tuple[Person, Person]], upstream: Upstream
) -> None:
    ann, ben = pair()
    queue(ann, "second", "third")
    ben.page.locator("#stop").click()
    held = ann.page.locator(".followups-held")
    expect(held).to_have_text("On hold, since Ben stopped the last turn.")
    expect(ben.page.locator(".followups-held")).to_have_text(
        "On hold, since the last turn was stopped."
    )
    # Nothing runs that it could wait for: undone, it is in the box.
    row(ann, "third").get_by_role("button", name="Remove: third").click()
    expect(texts(ann)).to_have_text(["second"])
    ann.page.get_by_role("button", name="Undo").click()
    expect(ann.page.locator("#prompt")).to_have_value("third")
    expect(ann.page.locator("#notice")).to_contain_text("It is back in the prompt box")
    expect(texts(ann)).to_have_text(["second"])
    upstream.script({"say": answer("two\n")})
    ann.page.get_by_role("button", name="Send the next one").click()
    expect(ben.newest_turn.locator(".turn-prompt")).to_have_text("second")
    expect(ben.newest_turn).to_have_attribute("data-state", "finished")
    expect(ann.page.locator("#followups")).to_be_hidden()


def test_what_is_typed_in_one_that_is_gone_is_kept(
    pair: Callable[..., tuple[Person, Person]], upstream: Upstream
) -> None:
    ann, ben = pair()
    queue(ann, "second")
    row(ben, "second").get_by_role("button", name="Edit: second").click()
    ben.type(" and more")
    row(ann, "second").get_by_role("button", name="Edit: second").click()
    ann.type("!")
    ann.page.keyboard.press("Enter")
    note = ben.page.locator(".followup-note")
    expect(note).to_contain_text("Somebody changed it meanwhile to: second!")
    row(ann, "second!").get_by_role("button", name="Remove: second!").click()
    expect(note).to_contain_text("What you typed is kept here")
    expect(ben.page.locator(".followup textarea")).to_be_focused()
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("#followups")).to_be_hidden()
    expect(ben.newest_turn).to_have_attribute("data-state", "streaming")
    upstream.release("end")
    expect(ben.newest_turn).to_have_attribute("data-state", "finished")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_how_the_list_looks(
    pair: Callable[..., tuple[Person, Person]], width: int, theme: str
) -> None:
    ann, ben = pair(width, theme)
    queue(ben, "second")
    queue(ann, _LONG, "fourth", "fifth", "sixth")
    expect(rows(ann).locator("visible=true")).to_have_count(3)
    toggle = ann.page.locator(".followups-all")
    expect(toggle).to_have_text("Show all 5")
    ann.shoot(_SHOTS / f"followups-few-{width}-{theme}.png")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    row(ann, _LONG).locator(".followup-text").click()
    expect(row(ann, _LONG).locator(".followup-more")).to_contain_text("Ann · now · preview")
    ann.shoot(_SHOTS / f"followups-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)
    ben.page.locator("#stop").click()
    expect(ann.page.locator(".followups-held")).to_be_visible()
    row(ann, "fourth").locator(".followup-text").click()
    row(ann, "fourth").get_by_role("button", name="Edit: fourth").click()
    ann.shoot(_SHOTS / f"followups-held-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)
