"""What was typed and could not be sent: it is sent later, or set aside where one sees it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.line import Line
from tests.product import wait_until


def test_edits_that_could_not_be_sent_survive_a_reload(
    cast: Cast, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    line = Line(ann.page)
    for person in (ann, ben):
        person.go(address)
    line.cut()
    ann.caret_to_end()
    ann.type("kept over a reload")
    saved = ann.page.locator("#saved")
    expect(saved).to_contain_text("18 edits waiting")
    ann.page.reload()
    expect(saved).to_contain_text("18 edits waiting")
    ben.caret_before("one")
    ben.type("meanwhile ")
    ben.wait_saved()
    line.mend()
    ann.arrive()
    ann.wait_saved()
    wanted = "meanwhile one\nkept over a reload"
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)
    ann.caret_to_end()
    ann.type(", and on")
    wait_until("what came after", lambda: ben.text() == wanted + ", and on")
    ann.page.reload()
    ann.arrive()
    assert ann.text() == wanted + ", and on"
    expect(ann.page.locator("#rejected-list")).to_be_empty()


def test_a_file_that_is_deleted_under_unsent_edits_sets_them_aside(
    cast: Cast, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "one\n", "other.txt": "two\n"})
    ann = cast.enter("ann", permissions=["clipboard-read", "clipboard-write"])
    ben = cast.enter("ben")
    line = Line(ann.page)
    for person in (ann, ben):
        person.go(address)
    ann.open_file("notes.txt")
    line.cut()
    ann.caret_to_end()
    ann.type("precious")
    expect(ann.page.locator("#saved")).to_contain_text("8 edits waiting")
    ben.page.get_by_role("button", name="notes.txt", exact=True).press("Delete")
    ben.page.locator("#confirm-ok").click()
    expect(ben.page.locator("#tree")).not_to_contain_text("notes.txt")
    line.mend()
    strip = ann.page.locator("#rejected-list .rejected")
    expect(strip).to_contain_text("Not sent, in notes.txt. The file was deleted.")
    expect(ann.page.locator("#tree")).not_to_contain_text("notes.txt")
    ann.page.reload()
    ann.arrive()
    expect(strip).to_have_count(1)
    strip.get_by_role("button", name="Apply again").click()
    expect(strip).to_contain_text("Copy it instead")
    strip.get_by_role("button", name="Copy").click()
    expect(strip.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.page.evaluate("navigator.clipboard.readText()") == "precious"
    strip.get_by_role("button", name="Dismiss").click()
    expect(strip).to_have_count(0)
    ann.page.reload()
    ann.arrive()
    ann.open_file("other.txt")
    expect(strip).to_have_count(0)


def test_a_refused_edit_can_be_typed_past_and_applied_again(
    cast: Cast, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": ""})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    # A file holds 2 MB; what is left takes "small" and no more.
    room = 100
    full = ("x" * 99 + "\n") * 20_970
    full += "x" * (2 * 1024 * 1024 - room - len(full))
    ann.paste(full)
    ann.wait_saved()
    ann.caret_to_end()
    ann.paste("y" * (room + 8))
    strip = ann.page.locator("#rejected-list .rejected")
    expect(strip).to_contain_text("A file may hold 2 MB.")
    ann.caret_to_end()
    ann.type("small")
    ann.wait_saved()
    wait_until("what fits", lambda: ben.text() == full + "small")
    ben.caret_before("x" * 99)
    for _ in range(3):
        ben.page.keyboard.press("Control+Shift+k")
    ben.wait_saved()
    wait_until("room", lambda: ann.text() == ben.text())
    strip.get_by_role("button", name="Apply again").click()
    expect(strip).to_have_count(0)
    ann.wait_saved()
    wait_until("equal texts", lambda: ann.text() == ben.text())
    assert ann.text().count("y") == room + 8
    assert ann.text().count("small") == 1
