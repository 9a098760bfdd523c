"""Edits that wait for a word, could not be applied, or gave way to somebody: the real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer, listing
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.product import Product, make_session, wait_until
from tests.upstream import Upstream

_LONG = listing(200)
_SHORT = listing(10)


def withheld(person: Person, ordinal: int = 1) -> Locator:
    """The card of a withheld edit of the newest turn, counted from 1."""
    return person.newest_turn.locator(".withheld").nth(ordinal - 1)


def asked(person: Person, upstream: Upstream, text: str = _SHORT) -> None:
    """Have a turn ask for a word, since it would take most of notes.txt out."""
    upstream.script({"say": answer(text)})
    person.ask("shorten it")
    expect(withheld(person)).to_be_visible(timeout=20_000)


def test_two_people_see_a_question_and_either_answers(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": _LONG, "app.py": "x = 1\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
        person.open_file("notes.txt")
    ben.open_file("app.py")
    asked(ann, upstream)
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(ben.page.locator("#questions")).to_contain_text("May Flint change notes.txt?")
    assert ben.page.title().startswith("(1 question) ")
    dot = ben.page.locator("#tabs .tab").filter(has_text="notes.txt").locator(".dot")
    expect(dot).to_be_visible()
    assert ann.text() == _LONG
    ben.page.keyboard.press("Alt+g")
    expect(withheld(ben)).to_be_focused()
    ben.shoot(_SHOTS / "question-real.png")
    ben.page.keyboard.press("n")
    for person in (ann, ben):
        expect(withheld(person)).to_contain_text("Ben said no, so nothing was done.")
        expect(person.page.locator("#questions")).to_be_hidden()
    expect(dot).to_be_hidden()
    assert ann.text() == _LONG
    asked(ann, upstream)
    expect(withheld(ben).get_by_role("button", name="Yes")).to_be_visible()
    withheld(ann).get_by_role("button", name="Yes").click()
    wait_until("it is done", lambda: ann.text() == _SHORT)
    expect(withheld(ben)).to_contain_text("Ann said yes, and it was done.")
    # What was written so is the turn's: it is marked, and can be taken back.
    ben.newest_turn.locator(".hunk").first.get_by_role("button", name="Revert").click()
    wait_until("it is taken back", lambda: ann.text() == _LONG)


def test_a_question_outlives_a_reload_but_not_a_restart(
    cast: Cast, upstream: Upstream, product: Product, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": _LONG})
    ann = cast.enter("ann")
    ann.go(address)
    asked(ann, upstream)
    ann.page.reload()
    ann.arrive()
    expect(ann.page.locator("#questions")).to_contain_text("It waits for your word: 1:")
    product.stop()
    product.start()
    ann.go(address)
    expect(withheld(ann)).to_contain_text("so nothing was done.")
    expect(ann.page.locator("#questions")).to_be_hidden()
    expect(withheld(ann).get_by_role("button", name="Yes")).to_have_count(0)
    assert ann.text() == _LONG
    cast.complaints.clear()


@pytest.mark.parametrize("word", ["Take it", "Dismiss"])
def test_the_models_version_of_a_place_where_somebody_typed_is_offered(
    cast: Cast, upstream: Upstream, session: Callable[..., str], word: str
) -> None:
    address = session({"notes.txt": listing(20)})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    wanted = listing(20).replace("line 5\n", "new five\nand five more\nand the last of five\n")
    first, second = answer(wanted).split(" more\n")
    upstream.script({"say": first}, {"gate": "inside"}, {"say": " more\n" + second})
    ann.ask("spell some out")
    wait_until("the hunk", lambda: "and five" in ben.text())
    ben.caret_before("five\n")
    ben.type("truly ")
    ben.wait_saved()
    upstream.release("inside")
    for person in (ann, ben):
        expect(person.newest_turn).to_have_attribute("data-state", "finished")
        expect(withheld(person)).to_contain_text("What was typed stays at notes.txt")
    before = ann.text()
    assert "truly" in before
    withheld(ben).locator("summary").click()
    expect(withheld(ben).locator(".diff")).to_contain_text("and the last of five")
    ben.shoot(_SHOTS / "yielded-real.png")
    assert complaints_of_axe(ben.page) == []
    withheld(ben).get_by_role("button", name=word).click()
    if word == "Dismiss":
        expect(withheld(ann)).to_contain_text("Dismissed by Ben.")
        assert ann.text() == before
    else:
        expect(withheld(ann)).to_contain_text("Ben took Flint's version.")
        wait_until("the model's text", lambda: ann.text() == ben.text() == wanted)


@pytest.fixture(scope="module")
def patching(upstream: Upstream) -> Iterator[Product]:
    """A product whose model writes patches."""
    with Product(
        FLINT_PREVIEW_BASE_URL=upstream.url,
        FLINT_PREVIEW_API_KEY="scripted",
        FLINT_PREVIEW_MODEL="scripted",
        FLINT_PREVIEW_FORMAT="patch",
    ) as running:
        yield running


@pytest.fixture(scope="module")
def signed_in(patching: Product, browser: Browser) -> list[dict[str, object]]:
    """The sign-in cookies of its first person."""
    context = browser.new_context(base_url=patching.origin)
    Person(context.new_page()).sign_in(patching.link, "Ann")
    cookies = context.cookies()
    context.close()
    return cookies


@pytest.fixture
def ann(
    patching: Product, browser: Browser, upstream: Upstream, signed_in: list[dict[str, object]]
) -> Iterator[Person]:
    """Somebody in a session of two files there."""
    upstream.reset()
    people = Cast(browser, patching, {"ann": signed_in})
    person = people.enter("ann")
    person.go(make_session(patching, {"notes.txt": listing(20), "old.txt": "gone\n"}))
    yield person
    people.leave()
    assert not people.complaints, people.complaints


def patch(*lines: str) -> str:
    """Return a patch of these lines."""
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))


def test_a_file_is_deleted_when_somebody_says_so(ann: Person, upstream: Upstream) -> None:
    upstream.script({"say": patch("*** Delete File: old.txt")})
    ann.ask("away with it")
    expect(withheld(ann)).to_contain_text("May Flint delete old.txt?")
    expect(withheld(ann).locator("del")).to_have_text("gone\n")
    expect(ann.page.locator("#tree")).to_contain_text("old.txt")
    withheld(ann).get_by_role("button", name="Yes").click()
    expect(ann.page.locator("#tree")).not_to_contain_text("old.txt")
    expect(withheld(ann)).to_contain_text("Ann said yes, and it was done.")


def test_what_could_not_be_applied_is_asked_for_once_more(ann: Person, upstream: Upstream) -> None:
    wrong = patch("*** Update File: notes.txt", "@@", "-line five", "+five")
    right = patch("*** Update File: notes.txt", "@@", "-line 5", "+five")
    upstream.script({"say": wrong}, once=True)
    upstream.script({"say": right}, once=True)
    ann.ask("spell five out")
    wait_until("the second try", lambda: "five\n" in ann.text())
    cards = ann.page.locator("#turn-list [data-turn]")
    expect(cards).to_have_count(2)
    again, first = cards.nth(0), cards.nth(1)
    expect(first.locator(".turn-receipt")).to_have_text("1 edit, 1 not applied.")
    expect(first.locator(".withheld")).to_contain_text("Not applied: notes.txt")
    expect(first.locator(".withheld")).to_contain_text("It was applied when Flint was asked")
    link = again.get_by_role("button", name="Second try for “spell five out”")
    link.click()
    expect(first).to_be_focused()
    ann.shoot(_SHOTS / "repaired.png")
    assert complaints_of_axe(ann.page) == []


def test_who_wants_no_second_try_gets_none(ann: Person, upstream: Upstream) -> None:
    ann.page.locator("#tier").click()
    ann.page.get_by_role("menuitemcheckbox", name="Ask once more").click()
    ann.page.keyboard.press("Escape")
    upstream.script(
        {"say": patch("*** Update File: notes.txt", "@@", "-line five", "+five")}, once=True
    )
    ann.ask("spell five out")
    expect(ann.newest_turn.locator(".withheld")).to_contain_text("Not applied: notes.txt")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(ann.page.locator("#turn-list [data-turn]")).to_have_count(1)
    withheld(ann).get_by_role("button", name="Dismiss").click()
    expect(withheld(ann)).to_contain_text("Dismissed by Ann.")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_path_that_the_session_protects_is_asked_for(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int, theme: str
) -> None:
    person = cast.enter("ann", width=width, color_scheme=theme)
    person.go(session({"notes.txt": "one\n"}))
    person.page.locator("summary").filter(has_text="Account of").click()
    person.page.get_by_role("link", name="Settings of this session").click()
    dialog = person.page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Settings of this session")).to_be_visible()
    person.shoot(_SHOTS / f"settings-{width}-{theme}.png")
    assert complaints_of_axe(person.page) == []
    assert not scrolls_sideways(person.page)
    dialog.locator("textarea").first.fill("*.txt")
    dialog.get_by_role("button", name="Save").click()
    person.arrive()
    upstream.script({"say": answer("two\n")})
    person.ask("say two")
    expect(person.page.locator("#questions")).to_contain_text("May Flint change notes.txt?")
    person.page.keyboard.press("Alt+g")
    person.page.keyboard.press("y")
    wait_until("it is done", lambda: person.text() == "two\n")
