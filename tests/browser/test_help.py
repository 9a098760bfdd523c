"""The sheet of keys, and the hints of a first visit, which never come back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.upstream import Upstream

_MAC = "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })"


def hint(person: Person) -> Locator:
    """The hint that shows, if any."""
    return person.page.locator("#hints .tip")


def test_the_sheet_opens_by_key_by_button_and_by_command(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    sheet = ann.page.locator("#help")
    opener = ann.page.get_by_role("button", name="Keys and help")
    opener.focus()
    ann.page.keyboard.press("?")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("heading", level=3)).to_have_text(
        ["Prompt", "Turns", "Editor", "Files", "Page"]
    )
    ann.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    ann.page.locator("#prompt").fill("/help")
    ann.page.locator("#prompt").press("Escape")
    ann.page.locator("#prompt").press("Enter")
    expect(sheet).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.page.locator("#prompt").fill("why?")
    ann.page.locator("#prompt").press("?")
    expect(sheet).to_be_hidden()


def test_keys_are_named_as_the_keyboard_has_them(cast: Cast, session: Callable[..., str]) -> None:
    address = session({"notes.txt": "one\n"})
    for mac in (False, True):
        ann = cast.enter("ann")
        if mac:
            ann.page.add_init_script(_MAC)
        ann.go(address)
        ann.page.get_by_role("button", name="Keys and help").click()

        def keys(of: str, person: Person = ann) -> Locator:
            return person.page.locator(f"#help [data-keys='{of}'] dt")

        expect(keys("Mod+K")).to_have_text("⌘ K" if mac else "Ctrl K")
        expect(keys("Alt+Enter").first).to_have_text("⌥ ⏎" if mac else "Alt ⏎")
        expect(keys("KeyW")).to_have_text("Ctrl W" if mac else "Alt W")
        shown = keys("Mod+Y").locator("[data-only]").locator("visible=true")
        expect(shown).to_have_text("⇧ ⌘ Z" if mac else "Ctrl Y")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_how_the_sheet_and_a_hint_look(
    cast: Cast, session: Callable[..., str], width: int, theme: str
) -> None:
    ann = cast.enter("ann", width=width, color_scheme=theme)
    ann.go(session({"notes.txt": "one\n"}))
    expect(hint(ann)).to_be_visible()
    ann.shoot(_SHOTS / f"hint-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    ann.page.get_by_role("button", name="Keys and help").click()
    ann.shoot(_SHOTS / f"help-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)


def test_three_hints_come_in_time_and_never_again(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    box = ann.page.locator("#prompt")
    expect(hint(ann)).to_contain_text("press Enter")
    expect(box).to_be_focused()
    # Reached from the box by the keyboard, and left into it.
    for _ in range(12):
        ann.page.keyboard.press("Shift+Tab")
        if ann.page.evaluate("document.activeElement.matches('.tip-done')"):
            break
    expect(hint(ann).get_by_role("button", name="Got it")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(hint(ann)).to_have_count(0)
    expect(box).to_be_focused()
    first, *rest = answer("two\n").partition("\ntwo")
    upstream.script({"say": first}, {"gate": "half"}, {"say": "".join(rest)})
    ann.ask("say two")
    expect(hint(ann)).to_contain_text("Esc stops")
    expect(box).to_be_focused()
    upstream.release("half")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(hint(ann)).to_contain_text("Keep and Revert decide for one")
    ann.newest_turn.locator(".hunk-go").first.click()
    expect(hint(ann)).to_have_count(0)
    # Another session, another turn: none of them again.
    ann.go(session({"notes.txt": "one\n"}))
    expect(hint(ann)).to_have_count(0)
    ann.ask("say two")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(hint(ann)).to_have_count(0)


def test_all_hints_are_switched_off_at_once(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann", reduced_motion="reduce")
    ann.go(session({"notes.txt": "one\n"}))
    hint(ann).get_by_role("button", name="No more hints").click()
    expect(hint(ann)).to_have_count(0)
    upstream.script({"say": answer("two\n")})
    ann.ask("say two")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(hint(ann)).to_have_count(0)
    ann.page.reload()
    ann.arrive()
    expect(hint(ann)).to_have_count(0)
