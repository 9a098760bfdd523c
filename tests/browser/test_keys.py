"""Keys that several parts of the page could take: each press does one thing."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.product import wait_until
from tests.upstream import Upstream

_HELD = """() => {
  const held = { key: 'Escape', code: 'Escape', repeat: true, bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', held));
}"""
_COMPOSING = _HELD.replace("repeat: true", "isComposing: true")
_OPTION = """() => {
  const key = { key: '{', code: 'Digit2', altKey: true, bubbles: true, cancelable: true };
  return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key));
}"""


def test_escape_closes_first_and_stops_with_a_press_of_its_own(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\ntwo\n"}))
    upstream.script({"text": "thinking"}, {"gate": "never"})
    ann.ask("go")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    ann.caret_before("one")
    ann.page.keyboard.press("Shift+End")
    ann.page.keyboard.press("Control+f")
    expect(ann.page.get_by_role("textbox", name="Find")).to_be_focused()
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("textbox", name="Find")).to_have_count(0)
    expect(ann.page.locator("#editor .cm-content")).to_be_focused()
    for script in (_HELD, _COMPOSING):
        ann.page.evaluate(script)
    expect(ann.page.locator("#stop")).not_to_have_attribute("aria-busy", "true")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    ann.page.keyboard.press("Escape")
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")
    expect(ann.page.locator("#focus-text")).to_have_text("notes.txt, line 1")


def test_stop_with_the_keyboard_hands_it_on(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    upstream.script({"text": "thinking"}, {"gate": "never"})
    ann.ask("go")
    expect(ann.page.locator("#stop")).to_be_enabled()
    for beside in ("#send", "#keep", "#queue", "#stop"):
        ann.page.keyboard.press("Tab")
        expect(ann.page.locator(beside)).to_be_focused()
    expect(ann.page.locator("#stop")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")
    expect(ann.page.locator("#prompt")).to_be_focused()


def test_option_and_a_digit_type_on_a_mac_and_control_goes_to_a_file(
    cast: Cast, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\n", "other.txt": "two\n"})
    for mac in (True, False):
        ann = cast.enter("ann")
        if mac:
            ann.page.add_init_script(
                "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })"
            )
        ann.go(address)
        for name in ("notes.txt", "other.txt"):
            ann.open_file(name)
        first = ann.page.locator("#tabs [role=tab]").first
        ann.page.locator("#prompt").focus()
        assert ann.page.evaluate(_OPTION) is mac, "whether the key is left to the text"
        expect(first).to_have_attribute("aria-selected", "false")
        ann.page.keyboard.press("Control+1" if mac else "Alt+1")
        expect(first).to_have_attribute("aria-selected", "true")


def test_follow_ends_when_one_goes_to_another_file(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n", "other.txt": "two\n"}))
    ann.open_file("notes.txt")
    more = {"say": "three\n" * 200, "pace": 200}
    upstream.script({"say": "notes.txt\n```\n1\n", "pace": 200}, more, {"gate": "on"}, more)
    ann.ask("count")
    follow = ann.page.locator("#follow")
    expect(follow).to_have_attribute("aria-pressed", "true")
    wait_until("the model at work", lambda: "three" in ann.text())
    ann.open_file("other.txt")
    expect(follow).to_have_attribute("aria-pressed", "false")
    seen = upstream.sent(0)
    upstream.release("on")
    wait_until("more of it", lambda: upstream.sent(0) > seen + 100)
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("other.txt")
    ann.page.locator("#stop").click()
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")


def test_a_prompt_is_cut_nowhere_and_what_is_typed_while_it_goes_is_the_next(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    box = ann.page.locator("#prompt")
    ann.ask("long " * 7_000)
    expect(ann.page.locator("#notice")).to_contain_text("34,999 characters")
    assert len(box.input_value()) == 35_000
    upstream.script({"text": "thinking"}, {"gate": "never"})
    box.fill("first")
    # Both in one go: the answer cannot come in between.
    ann.page.evaluate("""() => {
      const box = document.getElementById('prompt');
      box.form.requestSubmit();
      box.value += ' and second';
    }""")
    expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("first")
    expect(box).to_have_value("and second")
    ann.page.locator("#stop").click()
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")
