"""Redirect in the browser: by keyboard alone, with what is kept, once, and by several at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.line import Line
from tests.browser.scripts import answer, halves, listing
from tests.browser.test_prompt_box import frames, record
from tests.product import wait_until
from tests.upstream import Upstream

_OLD = listing(20)
_NEW = _OLD.replace("line 3\n", "three\n").replace("line 15\n", "fifteen\n")


def running(cast: Cast, upstream: Upstream, address: str, width: int = 1440) -> object:
    """Return Ann, whose turn has done its first edit and waits within."""
    ann = cast.enter("ann", width=width)
    record(ann.page)
    ann.go(address)
    first, second = halves(answer(_NEW))
    upstream.script({"say": first}, {"gate": "never"}, {"say": second})
    ann.ask("spell two of them out")
    wait_until("the first edit", lambda: "three\n" in ann.text())
    return ann


@pytest.mark.parametrize("width", [360, 1440])
def test_redirect_with_the_keyboard_alone(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int
) -> None:
    ann = running(cast, upstream, session({"notes.txt": _OLD}), width)
    keys, box = ann.page.keyboard, ann.page.locator("#prompt")
    expect(box).to_be_focused()
    button = ann.page.locator("[data-flint=redirect]")
    expect(button).to_be_visible()
    expect(button).to_have_attribute(
        "title", "Ends the running turn, keeps its finished edits and goes on with your prompt"
    )
    expect(ann.page.locator("[data-flint=send]")).to_have_count(0)
    keys.press("Enter")
    expect(ann.page.locator("#notice")).to_contain_text("Type what it should do instead")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    upstream.script({"say": answer(_OLD.replace("line 3\n", "drei\n"))})
    keys.type("in German")
    wait_until("the outline", lambda: frames(ann.page, "outline"))
    turn = ann.newest_turn.get_attribute("data-turn")
    assert frames(ann.page, "outline")[-1]["turn"] == turn, "it tells of the turn that would end"
    keys.press("Enter")
    expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("in German")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(ann.page.locator("#turn-list [data-turn]").last).to_have_attribute(
        "data-state", "redirected"
    )
    expect(ann.page.locator("#ask-live")).to_have_text("Redirected.")
    wait_until("the new text", lambda: ann.text() == _OLD.replace("line 3\n", "drei\n"))
    expect(box).to_have_value("")
    expect(box).to_be_focused()
    expect(ann.page.locator("[data-flint=send]")).to_be_visible()
    told = upstream.records[-1].body["messages"][-1]["content"]
    assert "spell two of them out" in str(upstream.records[-1].body) and "in German" in told


def test_what_is_kept_is_chosen_with_the_keyboard_and_remembered(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": _OLD})
    ann = running(cast, upstream, address)
    keys, keep = ann.page.keyboard, ann.page.locator("#keep")
    keys.press("Tab")
    keys.press("Tab")
    expect(keep).to_be_focused()
    keys.press("Enter")
    menu = ann.page.get_by_role("menu", name="What Redirect keeps of the running turn")
    expect(menu.get_by_role("menuitemradio", name="Keep finished edits")).to_be_focused()
    keys.press("End")
    keys.press("Enter")
    expect(menu).to_be_hidden()
    expect(ann.page.locator("#prompt")).to_be_focused()
    expect(ann.page.locator("#send")).to_have_attribute(
        "title", "Ends the running turn, takes it back and goes on with your prompt"
    )
    upstream.script({"say": "Nothing to do."})
    keys.type("leave it as it was")
    keys.press("Enter")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    wait_until("taken back", lambda: ann.text() == _OLD)
    assert frames(ann.page, "redirect")[-1]["keep"] == "nothing"
    again = cast.enter("ann")
    again.page.context.add_init_script("localStorage")
    kept = ann.page.evaluate(
        "Object.entries(localStorage).filter(([k]) => k.startsWith('flint.keep.'))"
    )
    assert [value for _, value in kept] == ['"nothing"']


def test_the_menu_closes_with_the_turn_and_hands_the_keyboard_on(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = running(cast, upstream, session({"notes.txt": _OLD}))
    keep = ann.page.locator("#keep")
    keep.click()
    menu = ann.page.get_by_role("menu", name="What Redirect keeps of the running turn")
    expect(menu.get_by_role("menuitemradio", name="Keep finished edits")).to_be_focused()
    upstream.release("never")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(menu).to_be_hidden()
    expect(keep).to_have_attribute("aria-expanded", "false")
    expect(ann.page.locator("#prompt")).to_be_focused()


def test_alt_enter_and_the_button_make_it_wait(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = running(cast, upstream, session({"notes.txt": _OLD}))
    keys, live = ann.page.keyboard, ann.page.locator("#ask-live")
    keys.type("first next")
    keys.press("Alt+Enter")
    expect(live).to_have_text("Queued as number 1.")
    expect(ann.page.locator("#prompt")).to_have_value("")
    ann.page.locator("#prompt").fill("second next")
    ann.page.locator("#queue").click()
    expect(live).to_have_text("Queued as number 2.")
    expect(ann.page.locator("#turn-list [data-turn]")).to_have_count(1)
    assert [frame["text"] for frame in frames(ann.page, "prompt")[1:]] == [
        "first next",
        "second next",
    ]
    assert not frames(ann.page, "redirect")


def test_who_redirects_second_is_told_and_waits(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": _OLD})
    ann = running(cast, upstream, address)
    ben = cast.enter("ben")
    line = Line(ben.page)
    ben.go(address)
    expect(ben.page.locator("[data-flint=redirect]")).to_be_visible()
    line.cut()
    expect(ben.page.locator("#saved")).not_to_contain_text("Saved")
    upstream.script({"say": "thinking"}, {"gate": "never"})
    ann.ask("ann's way")
    expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("ann's way")
    ben.ask("ben's way")
    line.mend()
    expect(ben.page.locator("#notice")).to_contain_text("Ann redirected that turn before you")
    expect(ben.page.locator("#prompt")).to_have_value("")
    expect(ann.page.locator("#turn-list [data-turn]")).to_have_count(2)


def test_a_redirect_whose_answer_is_lost_acts_once(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": _OLD})
    ann = cast.enter("ann")
    record(ann.page)
    line = Line(ann.page)
    ann.go(address)
    upstream.script({"text": "thinking"}, {"gate": "never"})
    ann.ask("go")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    upstream.script({"text": "thinking"}, {"gate": "never"})
    ann.page.locator("#prompt").fill("the other way")
    # Sent, and the line is gone before the answer.
    line.deaf = True
    ann.page.locator("#prompt").press("Enter")
    wait_until("it left", lambda: frames(ann.page, "redirect"))
    line.cut()
    line.deaf = False
    line.mend()
    expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("the other way")
    expect(ann.page.locator("#prompt")).to_have_value("")
    expect(ann.page.locator("#turn-list [data-turn]")).to_have_count(2)
    sent = frames(ann.page, "redirect")
    assert len(sent) >= 2 and len({frame["id"] for frame in sent}) == 1
    assert len(upstream.records) == 2


def test_a_turn_that_ended_in_between_is_told(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    line = Line(ann.page)
    ann.go(session({"notes.txt": _OLD}))
    upstream.script({"text": "thinking"}, {"gate": "end"})
    ann.ask("go")
    expect(ann.page.locator("[data-flint=redirect]")).to_be_visible()
    line.cut()
    expect(ann.page.locator("#saved")).not_to_contain_text("Saved")
    upstream.release("end")
    wait_until("its end", lambda: upstream.records[0].outcome == "done")
    upstream.script({"say": "Done."})
    ann.ask("and more")
    line.mend()
    expect(ann.page.locator("#notice")).to_contain_text("That turn had ended by itself")
    expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("and more")
