"""Keeping and reverting what a turn changed: by mouse and by keyboard, alone and together."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer, listing
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.product import Product, wait_until
from tests.upstream import Upstream

_OLD = listing(60)
_NEW = (
    _OLD.replace("line 3\n", "three\n")
    .replace("line 20\n", "twenty\nand one more\n")
    .replace("line 50\n", "fifty\n")
)
_MARKED = ".cm-line.fl-add"


def changed(person: Person, upstream: Upstream, address: str, new: str = _NEW) -> None:
    """Open a session with notes.txt, and have a turn change it to `new`."""
    person.go(address)
    upstream.script({"say": answer(new)})
    person.ask("spell them out")
    expect(person.newest_turn).to_have_attribute("data-state", "finished", timeout=20_000)


def row(person: Person, ordinal: int) -> Locator:
    """The row of a place in the newest turn's card, counted from 1."""
    return person.newest_turn.locator(".hunk").nth(ordinal - 1)


def marked(page: Page) -> list[str]:
    """Return the lines on the screen that are tinted."""
    return page.locator(_MARKED).all_inner_texts()


def test_a_place_is_kept_and_another_reverted_by_mouse(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": _OLD})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    ben.go(address)
    changed(ann, upstream, address)
    expect(ann.newest_turn.locator(".hunk")).to_have_count(3)
    row(ann, 1).get_by_role("button", name="Keep notes.txt:3").click()
    for person in (ann, ben):
        expect(row(person, 1)).to_have_attribute("data-status", "kept")
        expect(row(person, 1).locator(".hunk-status")).to_have_text("kept by Ann")
        expect(person.page.locator(_MARKED).filter(has_text="three")).to_have_count(0)
    # What is kept can still be taken back, and what is decided leaves the keyboard on its row.
    expect(row(ann, 1).locator(".hunk-keep")).to_be_hidden()
    expect(row(ann, 1).locator(".hunk-go")).to_be_focused()
    row(ben, 2).get_by_role("button", name="Revert notes.txt:20").click()
    wait_until("the old line", lambda: "line 20\n" in ann.text())
    expect(row(ann, 2).locator(".hunk-status")).to_have_text("reverted by Ben")
    expect(row(ann, 2).get_by_role("button", name="Revert")).to_have_count(0)
    expect(ben.page.locator("#notice")).to_contain_text("Took back 1 change in notes.txt")
    assert ann.text() == _NEW.replace("twenty\nand one more\n", "line 20\n")
    row(ann, 1).get_by_role("button", name="Revert notes.txt:3").click()
    wait_until("the first line", lambda: "line 3\n" in ben.text())


def test_the_bar_in_the_text_shows_where_the_pointer_is_and_moves_nothing(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    changed(ann, upstream, session({"notes.txt": _OLD}))
    bar = ann.page.locator(".hunk-bar")
    expect(bar).to_be_hidden()
    line = ann.page.locator(_MARKED).filter(has_text="three")
    before = line.bounding_box()
    line.hover()
    expect(bar).to_be_visible()
    assert line.bounding_box() == before
    expect(bar.locator(".bar-count")).to_have_text("1 of 3")
    ann.shoot(_SHOTS / "hunk-bar.png")
    bar.get_by_role("button", name="Next change").click()
    expect(bar.locator(".bar-count")).to_have_text("2 of 3")
    ann.page.locator(_MARKED).filter(has_text="twenty").hover()
    bar.get_by_role("button", name="Keep").click()
    expect(row(ann, 2)).to_have_attribute("data-status", "kept")
    expect(bar).to_be_hidden()


def test_the_keyboard_goes_through_the_places_and_decides(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    changed(ann, upstream, session({"notes.txt": _OLD}))
    keys = ann.page.keyboard
    bar = ann.page.locator(".hunk-bar")
    keys.press("Alt+j")
    expect(ann.page.locator("#editor .cm-content")).to_be_focused()
    expect(bar.locator(".bar-count")).to_have_text("1 of 3")
    expect(ann.page.locator("#live")).to_contain_text("Change 1 of 3, line 3")
    keys.press("Alt+j")
    expect(bar.locator(".bar-count")).to_have_text("2 of 3")
    keys.press("Alt+Shift+j")
    expect(bar.locator(".bar-count")).to_have_text("1 of 3")
    # Deciding goes on to the next.
    keys.press("Alt+Enter")
    expect(row(ann, 1)).to_have_attribute("data-status", "kept")
    expect(bar.locator(".bar-count")).to_have_text("1 of 2")
    keys.press("Alt+Backspace")
    wait_until("the old line", lambda: "line 20\n" in ann.text())
    expect(row(ann, 2)).to_have_attribute("data-status", "reverted")
    expect(bar.locator(".bar-count")).to_have_text("1 of 1")
    # The bar is the stop after the text.
    keys.press("Escape")
    keys.press("Tab")
    expect(bar.locator(".bar-previous")).to_be_focused()
    bar.locator(".bar-revert").press("Enter")
    wait_until("the last", lambda: "line 50\n" in ann.text())
    expect(bar).to_be_hidden()
    expect(ann.page.locator("#editor .cm-content")).to_be_focused()
    keys.press("Alt+j")
    expect(ann.page.locator("#live")).to_contain_text("There is no change of Flint's to look at.")
    assert ann.text() == _OLD.replace("line 3\n", "three\n")


def test_rows_of_the_card_are_one_stop_and_arrows_go_through_them(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    changed(ann, upstream, session({"notes.txt": _OLD}))
    rows = ann.newest_turn.locator(".hunk")
    assert ann.newest_turn.locator(".hunks button[tabindex='0']").count() == 1
    rows.nth(0).locator(".hunk-go").focus()
    keys = ann.page.keyboard
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    expect(rows.nth(1).locator(".hunk-keep")).to_be_focused()
    keys.press("End")
    expect(rows.nth(2).locator(".hunk-keep")).to_be_focused()
    keys.press("Enter")
    expect(rows.nth(2)).to_have_attribute("data-status", "kept")
    expect(rows.nth(2).locator(".hunk-go")).to_be_focused()
    keys.press("Home")
    keys.press("Alt+Enter")
    expect(rows.nth(0)).to_have_attribute("data-status", "kept")
    assert ann.newest_turn.locator(".hunks button[tabindex='0']").count() == 1


def test_a_file_and_a_turn_are_decided_at_once(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"a.txt": listing(30), "b.txt": listing(30)}))
    ann.open_file("a.txt")
    upstream.script(
        {
            "say": "".join(
                answer(listing(30).replace("line 3\n", "three\n").replace("line 20\n", "x\n"), name)
                + "\n"
                for name in ("a.txt", "b.txt")
            )
        }
    )
    ann.ask("both")
    card = ann.newest_turn
    expect(card).to_have_attribute("data-state", "finished", timeout=20_000)
    expect(card.locator(".hunk-file")).to_have_count(2)
    expect(card.locator(".hunk")).to_have_count(4)
    card.get_by_role("button", name="Revert all in b.txt").click()
    expect(card.locator(".hunk[data-status=reverted]")).to_have_count(2)
    expect(ann.page.locator("#notice")).to_contain_text("Took back 2 changes in b.txt")
    ann.shoot(_SHOTS / "hunk-files.png")
    card.get_by_role("button", name="Keep this turn").click()
    expect(card.locator(".hunk[data-status=kept]")).to_have_count(2)
    expect(card.get_by_role("button", name="Keep this turn")).to_have_count(0)
    card.get_by_role("button", name="Revert this turn").click()
    dialog = ann.page.locator("#confirm-dialog")
    expect(dialog).to_contain_text("What people typed stays.")
    dialog.get_by_role("button", name="Revert").click()
    expect(card.locator(".hunk[data-status=reverted]")).to_have_count(4)
    wait_until("the old text", lambda: ann.text() == listing(30))


def test_typing_in_a_place_keeps_it(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    changed(ann, upstream, session({"notes.txt": _OLD}))
    ann.caret_before("hree\n")
    ann.type("h")
    expect(row(ann, 1).locator(".hunk-status")).to_have_text("kept by Ann")
    expect(ann.page.locator(_MARKED).filter(has_text="thhree")).to_have_count(0)
    expect(ann.page.locator(_MARKED).filter(has_text="twenty")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_line_of_two_authors_is_shown_both_ways_and_left_to_the_person(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int, theme: str
) -> None:
    ann = cast.enter("ann", width=width, color_scheme=theme)
    changed(ann, upstream, session({"notes.txt": _OLD}))
    ann.caret_before("hree\n")
    ann.type("HH")
    ann.wait_saved()
    if width == 360:
        ann.page.locator("#panes [data-pane=turns]").click()
    ann.newest_turn.get_by_role("button", name="Revert this turn").click()
    ann.page.locator("#confirm-dialog").get_by_role("button", name="Revert").click()
    dialog = ann.page.locator("#mixed")
    expect(dialog).to_be_visible()
    wait_until("the rest is taken back", lambda: "line 20\n" in ann.text())
    expect(dialog.locator(".mixed-now ins, .mixed-now del")).to_contain_text("tHHhree")
    expect(dialog.get_by_role("radio", name="Leave it as it is now")).to_be_checked()
    expect(dialog.get_by_role("radio", name="Leave it as it is now")).to_be_focused()
    ann.shoot(_SHOTS / f"mixed-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)
    dialog.get_by_role("button", name="Do as chosen").click()
    expect(ann.page.locator("#notice")).to_contain_text("1 place where somebody typed stays")
    assert "tHHhree\n" in ann.text()
    row(ann, 1).get_by_role("button", name="Revert").click()
    dialog.get_by_role("radio", name="Take Flint’s change back").check()
    dialog.get_by_role("button", name="Do as chosen").click()
    expect(row(ann, 1)).to_have_attribute("data-status", "reverted")
    wait_until("all is taken back", lambda: "hree" not in ann.text())


def test_older_turns_are_shown_from_their_card_and_decided_after_a_reload(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    address = session({"notes.txt": _OLD})
    changed(ann, upstream, address)
    newer = _NEW.replace("line 10\n", "ten\n")
    upstream.script({"say": answer(newer)})
    ann.ask("ten too")
    wait_until("the second turn", lambda: ann.text() == newer)
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(ann.page.locator(_MARKED)).to_have_text(["ten"])
    ann.go(address)
    expect(ann.page.locator(_MARKED)).to_have_text(["ten"])
    old = ann.page.locator("#turn-list [data-turn]").nth(1)
    button = old.get_by_role("button", name="Show in the text")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(ann.page.locator(_MARKED).filter(has_text="three")).to_have_count(1)
    ann.caret_before("twenty")
    ann.page.keyboard.press("Alt+Backspace")
    wait_until("taken back", lambda: "line 20\n" in ann.text())
    expect(old.locator(".hunk[data-status=reverted]")).to_have_count(1)
    button.click()
    expect(ann.page.locator(_MARKED)).to_have_text(["ten"])


def test_hundreds_of_places_stay_quick(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    lines = [f"line {i}\n" for i in range(1, 901)]
    old = "".join(lines)
    new = "".join(f"L{i}\n" if i % 3 == 0 else line for i, line in enumerate(lines, 1))
    ann = cast.enter("ann")
    changed(ann, upstream, session({"notes.txt": old}), new)
    card = ann.newest_turn
    expect(card.locator(".hunk")).to_have_count(300)
    # Within the card they scroll, and Tab passes them with one press.
    box = card.locator(".hunks").bounding_box()
    assert box is not None and box["height"] < 400
    assert card.locator(".hunks button[tabindex='0']").count() == 1
    spent = ann.page.evaluate(
        """async () => {
          const tasks = [];
          new PerformanceObserver((list) => tasks.push(...list.getEntries()))
            .observe({ type: 'longtask' });
          const keep = document.querySelector('#turn-list .turn-keep');
          keep.click();
          const kept = () => document.querySelectorAll('.hunk[data-status=kept]').length;
          while (kept() < 300) await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          return Math.max(0, ...tasks.map(({ duration }) => duration));
        }"""
    )
    assert spent < 1_000, spent
    expect(ann.page.locator(_MARKED)).to_have_count(0)


def test_a_stopped_turn_is_decided_after_a_restart(
    cast: Cast, upstream: Upstream, product: Product, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    address = session({"notes.txt": _OLD})
    ann.go(address)
    whole = answer(_NEW)
    cut = whole.index("line 40\n")
    upstream.script({"say": whole[:cut]}, {"gate": "never"}, {"say": whole[cut:]})
    ann.ask("spell them out")
    wait_until("the edits", lambda: "and one more\n" in ann.text())
    ann.page.keyboard.press("Escape")
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")
    product.stop()
    product.start()
    cast.complaints.clear()
    ann.go(address)
    row(ann, 1).get_by_role("button", name="Revert").click()
    wait_until("taken back", lambda: "line 3\n" in ann.text())
    assert "and one more\n" in ann.text()
    cast.complaints.clear()
