"""The past of a session: scrubbed, played, restored, copied and shared."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer
from tests.browser.test_page import complaints_of_axe, scrolls_sideways
from tests.product import Product, wait_until
from tests.upstream import Upstream

START = "one\ntwo\n"
ANSWER = answer("one\ntwo\nthree\n")


def _past(page: Page) -> str:
    """Return the text that the timeline shows."""
    return str(page.locator("#time-text .cm-content").inner_text()).replace("\n\n", "\n")


def _go(page: Page, seq: int) -> None:
    page.locator("#time-range").evaluate(
        "(range, seq) => { range.value = seq; range.dispatchEvent(new Event('input')); }", seq
    )
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")


def _last(page: Page) -> int:
    return int(page.locator("#time-range").get_attribute("max") or 0)


@pytest.fixture
def ann(cast: Cast, session: Callable[..., str], upstream: Upstream) -> Person:
    """Ann, in a session in which she typed, Flint wrote, and she typed again."""
    person = cast.enter("ann")
    person.go(session({"notes.txt": START}))
    person.caret_before("one")
    person.type("# mine ")
    person.wait_saved()
    upstream.script({"say": ANSWER})
    person.ask("Count on")
    expect(person.newest_turn).to_have_attribute("data-state", "finished", timeout=20_000)
    return person


def _open(person: Person) -> Page:
    person.page.keyboard.press("Alt+T")
    expect(person.page.locator("#timeline")).to_be_visible()
    expect(person.page.locator("#time-text .cm-line").first).to_be_visible()
    expect(person.page.locator("#timeline")).to_have_attribute("aria-busy", "false")
    return person.page


def test_it_opens_at_the_end_and_scrubs_to_the_beginning(ann: Person) -> None:
    page = _open(ann)
    end = _past(page)
    assert "three" in end
    page.keyboard.press("Home")
    expect(page.locator("#time-none")).to_have_text("There was no file at this moment.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#time-text .cm-content")).to_contain_text("two")
    assert "mine" not in _past(page)
    expect(page.locator("#time-done")).to_contain_text("created notes.txt")
    page.keyboard.press("End")
    expect(page.locator("#time-text .cm-content")).to_contain_text("three")
    assert _past(page) == end
    expect(page.locator("#time-done")).to_have_text("Flint edited notes.txt")
    expect(page.locator("#time-prompt")).to_contain_text("asked: Count on")


def test_nobody_types_into_the_past(ann: Person) -> None:
    page = _open(ann)
    before = _past(page)
    page.locator("#time-text .cm-content").click()
    page.keyboard.type("nothing")
    assert _past(page) == before
    page.keyboard.press("Escape")
    expect(page.locator("#timeline")).to_be_hidden()
    expect(page.locator("#editor .cm-content")).to_be_focused()


def test_marks_are_gone_to(ann: Person) -> None:
    page = _open(ann)
    page.keyboard.press("PageDown")
    expect(page.locator("#time-prompt")).to_contain_text("Count on")
    expect(page.locator("#time-text .cm-content")).not_to_contain_text("three")
    page.locator("#time-list-box summary").click()
    page.get_by_role("button", name=re.compile("The start")).click()
    expect(page.locator("#time-done")).to_contain_text("created notes.txt")


def test_it_plays_to_the_end(ann: Person) -> None:
    page = _open(ann)
    page.locator("#time-speed").select_option("64")
    page.locator("#time-play").click()
    expect(page.locator("#time-play")).to_have_text("Pause")
    expect(page.locator("#time-play")).to_have_text("Play", timeout=20_000)
    assert int(page.locator("#time-range").input_value()) == _last(page)
    assert "three" in _past(page)


def test_a_restore_is_for_everybody_and_can_be_taken_back(ann: Person, cast: Cast) -> None:
    ben = cast.enter("ben")
    ben.go(ann.page.url)
    expect(ben.page.locator("#editor .cm-content")).to_contain_text("three")
    page = _open(ann)
    end = _last(page)
    _go(page, 1)
    page.locator("#time-restore").click()
    page.locator("#confirm-ok").click()
    expect(page.locator("#time-say")).to_contain_text("Restored.")
    wait_until("the first text", lambda: ben.text() == START)
    ben.caret_before("one")
    ben.type("# ben ")
    ben.wait_saved()
    _go(page, end)
    expect(page.locator("#time-text .cm-content")).to_contain_text("three")
    page.locator("#time-restore").click()
    page.locator("#confirm-ok").click()
    expect(page.locator("#time-say")).to_contain_text("Restored.")
    wait_until("the text before", lambda: ben.text() == "one\ntwo\nthree\n")
    page.locator("#time-list-box summary").click()
    expect(
        page.get_by_role("button", name=re.compile("Checkpoint before a restore"))
    ).to_have_count(2)


def test_a_checkpoint_by_hand_is_listed(ann: Person) -> None:
    page = _open(ann)
    page.locator("#time-checkpoint").click()
    page.locator("#checkpoint-label").fill("before the demo")
    page.keyboard.press("Enter")
    expect(page.locator("#time-say")).to_have_text("The checkpoint is made.")
    page.locator("#time-list-box summary").click()
    expect(
        page.get_by_role("button", name=re.compile("Checkpoint: before the demo"))
    ).to_be_visible()


def test_a_copy_begins_with_that_moment(ann: Person) -> None:
    page = _open(ann)
    before = page.url
    _go(page, 1)
    page.locator("#time-fork").click()
    page.locator("#confirm-ok").click()
    expect(page.locator("#session-title")).to_have_text("Copy of Notes")
    assert page.url != before
    expect(page.locator("#editor .cm-content")).to_contain_text("two")
    expect(page.locator("#editor .cm-content")).not_to_contain_text("three")


def _shared(page: Page) -> str:
    page.locator("#time-share").click()
    page.locator("#share-label").fill("The demo")
    page.locator("#share-ok").click()
    expect(page.locator("#share-link")).to_have_value(re.compile("/replay#"))
    return page.locator("#share-link").input_value()


def test_a_replay_is_watched_without_an_account(
    ann: Person, browser: Browser, product: Product
) -> None:
    page = _open(ann)
    link = _shared(page)
    context = browser.new_context(base_url=product.origin)
    try:
        reader = context.new_page()
        reader.goto(link)
        reader.locator("#link-button").click()
        expect(reader.get_by_role("heading", name="Notes")).to_be_visible()
        expect(reader.locator("#time-none")).to_be_visible()
        reader.locator("#time-speed").select_option("64")
        reader.locator("#time-play").click()
        expect(reader.locator("#time-text .cm-content")).to_contain_text("three", timeout=20_000)
        assert reader.locator("#time-restore, #time-share, #time-fork").count() == 0
        page.get_by_role("button", name="Revoke the link The demo").click()
        expect(page.locator("#share-list li")).to_have_count(0)
        reader.reload()
        expect(reader.get_by_role("heading", name="This replay is not shared")).to_be_visible()
    finally:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_every_reader(
    scheme: str, ann: Person, cast: Cast, browser: Browser, product: Product
) -> None:
    phone = cast.enter("ben", width=360, height=740, color_scheme=scheme, reduced_motion="reduce")
    phone.go(ann.page.url)
    phone.page.locator("#panes [data-pane=code]").click()
    phone.page.locator("#time-open").click()
    expect(phone.page.locator("#time-text .cm-line").first).to_be_visible()
    assert not scrolls_sideways(phone.page)
    assert not complaints_of_axe(phone.page)
    link = _shared(_open(ann))
    assert not complaints_of_axe(ann.page)
    context = browser.new_context(
        base_url=product.origin, color_scheme=scheme, viewport={"width": 360, "height": 740}
    )
    try:
        reader = Person(context.new_page())
        reader.page.goto(link)
        reader.page.locator("#link-button").click()
        expect(reader.page.locator("#timeline")).to_have_attribute("aria-busy", "false")
        assert not scrolls_sideways(reader.page)
        assert not complaints_of_axe(reader.page)
    finally:
        context.close()
