"""How the pages look and behave: every size and theme, the keyboard alone, axe."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Cast
from tests.browser.scripts import answer
from tests.product import ROOT, wait_until
from tests.upstream import Upstream

_AXE = (ROOT / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
_SHOTS = Path(os.environ.get("FLINT_SHOTS") or ROOT / "test-results")
_PAGES = ["/", "/accounts/password/change/", "/accounts/profile/", "/nowhere/"]
_FIZZ = '''"""The game of Fizz and Buzz."""


def fizzbuzz(number: int) -> str:
    """Return what a player says for `number`."""
    if number % 3 == 0:
        return "Fizz"
    if number % 5 == 0:
        return "Buzz"
    return str(number)


def play(count: int) -> list[str]:
    """Return what players say from 1 to `count`."""
    return [fizzbuzz(number) for number in range(1, count)]


if __name__ == "__main__":
    print("\\n".join(play(15)))
'''
_FIXED = _FIZZ.replace(
    "    if number % 3 == 0:",
    '    if number % 15 == 0:\n        return "FizzBuzz"\n    if number % 3 == 0:',
)


def complaints_of_axe(page: Page) -> list[str]:
    """Return what axe finds on the page, a line each."""
    page.evaluate(_AXE)
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{v['id']}: {v['help']} {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]


def scrolls_sideways(page: Page) -> bool:
    """Say whether the window would scroll to the side."""
    return bool(
        page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_every_page_at_both_widths_in_both_themes(cast: Cast, width: int, theme: str) -> None:
    ann = cast.enter("ann", width=width, color_scheme=theme)
    for address in _PAGES:
        ann.page.goto(address)
        name = address.strip("/").replace("/", "-") or "list"
        ann.shoot(_SHOTS / f"{name}-{width}-{theme}.png")
        assert complaints_of_axe(ann.page) == []
        assert not scrolls_sideways(ann.page), address
    cast.complaints[:] = [text for text in cast.complaints if "404" not in text]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_session_in_mid_turn_at_both_widths_in_both_themes(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int, theme: str
) -> None:
    address = session(
        {
            "fizzbuzz.py": _FIZZ,
            "tests/test_fizzbuzz.py": "import fizzbuzz\n",
            "README.md": "# Game\n",
        }
    )
    ann, ben = cast.enter("ann", width=width, color_scheme=theme), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
        if person is ann and width == 360:
            person.page.locator("#panes [data-pane=files]").click()
        person.open_file("fizzbuzz.py")
    ben.caret_before("    return [fizzbuzz")
    first, second = answer(_FIXED, "fizzbuzz.py").split('        return "FizzBuzz"')
    said = "I add the case of both before the others.\n\n"
    upstream.script(
        {"say": said + first + '        return "FizzB'},
        {"gate": "g"},
        {"say": 'uzz"' + second},
    )
    ann.ask("return FizzBuzz for multiples of 15")
    wait_until("the half edit", lambda: 'return "FizzB' in ann.text())
    for pane in ("code", "files", "turns") if width == 360 else ("code",):
        if width == 360:
            ann.page.locator(f"#panes [data-pane={pane}]").click()
        ann.shoot(_SHOTS / f"session-{pane}-{width}-{theme}.png")
        assert complaints_of_axe(ann.page) == []
        assert not scrolls_sideways(ann.page)
    upstream.release("g")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    wait_until("the edit", lambda: ann.text() == _FIXED)
    ann.shoot(_SHOTS / f"session-done-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []


def test_the_main_job_with_the_keyboard_alone(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\ntwo\nthree\n"})
    ann = cast.enter("ann")
    ann.go(address)
    expect(ann.page.locator("#prompt")).to_be_focused()
    upstream.script({"say": "notes.txt\n```\none\nzwei\n"}, {"gate": "never"})
    keys = ann.page.keyboard
    keys.type("say two in German")
    keys.press("Shift+Enter")
    keys.type("please")
    keys.press("Enter")
    wait_until("the edit", lambda: "zwei" in ann.text())
    expect(ann.page.locator("#prompt")).to_have_value("")
    keys.press("Escape")
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")
    wait_until("rolled back", lambda: ann.text() == "one\ntwo\nthree\n")
    assert upstream.records[-1].body["messages"][-1]["content"].count("please") == 1


def test_a_draft_stays_while_anothers_turn_runs_and_is_stopped(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    upstream.script({"text": "thinking"}, {"gate": "never"})
    ben.ask("first")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    ann.page.locator("#prompt").fill("second")
    ann.page.reload()
    ann.arrive()
    expect(ann.page.locator("#prompt")).to_have_value("second")
    ann.page.locator("#stop").click()
    expect(ben.newest_turn).to_have_attribute("data-state", "stopped")


def test_files_are_made_renamed_and_deleted_for_everybody(
    cast: Cast, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    ann.page.locator("#new-file").click()
    ann.page.locator("#name-input").fill("../outside.py")
    ann.page.locator("#name-ok").click()
    expect(ann.page.locator("#name-error")).not_to_be_empty()
    ann.page.locator("#name-input").fill("tools/run.py")
    ann.page.locator("#name-ok").click()
    expect(ben.page.locator("#tree")).to_contain_text("run.py")
    expect(ann.page.locator("#editor .cm-content")).to_be_focused()
    ann.type("print(1)")
    ann.wait_saved()
    ben.open_file("run.py")
    wait_until("the text", lambda: ben.text().rstrip() == "print(1)")
    ann.page.get_by_role("button", name="run.py", exact=True).focus()
    ann.page.keyboard.press("F2")
    ann.page.locator("#name-input").fill("tools/start.py")
    ann.page.locator("#name-ok").click()
    expect(ben.page.locator("#tree")).to_contain_text("start.py")
    expect(ann.page.get_by_role("button", name="start.py", exact=True)).to_be_focused()
    expect(ben.page.get_by_role("textbox", name="Text of tools/start.py")).to_be_visible()
    ben.page.get_by_role("button", name="start.py", exact=True).focus()
    ben.page.keyboard.press("Delete")
    ben.page.locator("#confirm-ok").click()
    expect(ben.page.get_by_role("button", name="notes.txt", exact=True)).to_be_focused()
    expect(ann.page.locator("#tree")).not_to_contain_text("start.py")
    expect(ann.page.locator("#tree")).to_contain_text("notes.txt")


def test_long_names_leave_room_and_the_shown_tab_stays_in_sight(
    cast: Cast, session: Callable[..., str]
) -> None:
    long = "a_very_long_name_of_an_integration_test_that_somebody_chose_for_the_parser.py"
    files = {long: "x\n", "index.html": "<p>hi</p>\n"}
    files |= {f"lib/module_{number}.py": "y\n" for number in range(40)}
    ann = cast.enter("ann", width=1180)
    ann.go(session(files))
    for path in (long, "module_0.py", "module_1.py", "index.html"):
        ann.open_file(path)
    shown = ann.page.locator("#tabs [aria-selected=true]")
    expect(shown).to_be_in_viewport(ratio=1)
    ann.page.locator("#preview-open").click()
    expect(ann.page.locator("#preview")).to_be_visible()
    left, right = (ann.page.locator(f"#{name}").bounding_box() for name in ("tabs", "preview-open"))
    assert left and right and left["x"] + left["width"] <= right["x"]
    wait_until("in sight", lambda: shown.bounding_box()["x"] >= left["x"])
    ann.page.locator("#tree-list li").last.scroll_into_view_if_needed()
    expect(ann.page.locator("#new-file")).to_be_in_viewport(ratio=1)
    expect(ann.page.locator("#tree-filter")).to_be_in_viewport(ratio=1)


def test_a_stranger_sees_that_there_is_nothing(
    cast: Cast, session: Callable[..., str], product: object
) -> None:
    address = session({"notes.txt": "one\n"})
    nobody = cast.enter("nobody")
    nobody.page.goto(address)
    assert "/accounts/login/" in nobody.page.url
