"""What a newcomer meets: prompts to click, a turn that is running, a role that changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Cast
from tests.browser.scripts import answer
from tests.product import wait_until
from tests.upstream import Upstream


def test_a_narrow_screen_leads_from_the_prompts_to_the_code(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann", width=360, height=740)
    ann.go(session({"notes.txt": "one\n"}))
    example = ann.page.locator(".example").first
    expect(example).to_be_in_viewport()
    example.click()
    expect(ann.page.locator("#prompt")).not_to_have_value("")
    upstream.script({"say": answer("two\n")})
    ann.page.locator("#send").click()
    expect(ann.page.locator("#editor")).to_be_visible()
    wait_until("the edit", lambda: ann.text() == "two\n")
    ann.page.reload()
    ann.arrive()
    expect(ann.page.locator("#editor")).to_be_visible()


def test_a_prompt_of_an_empty_session_makes_the_file_it_needs(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({}))
    ann.page.locator(".example").first.click()
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("primes.py")
    upstream.script({"say": answer("print(2)\n", "primes.py")})
    ann.page.keyboard.press("Enter")
    wait_until("the program", lambda: ann.text() == "print(2)\n")


def test_an_empty_box_says_what_it_is_for_and_the_sentence_goes_with_the_turn(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    upstream.script({"text": "thinking"}, {"gate": "waits"})
    ann.ask("first")
    send, notice = ann.page.locator("#send"), ann.page.locator("#notice")
    expect(send).to_have_attribute("data-flint", "redirect")
    send.click()
    expect(notice).to_contain_text("Type what it should do instead")
    ann.page.locator("#prompt").fill("second")
    upstream.release("waits")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(notice).to_be_hidden()
    expect(send).to_have_attribute("data-flint", "send")
    expect(ann.page.locator("#prompt")).to_have_value("second")


def test_the_prompt_of_a_failed_turn_comes_back_and_spares_another(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    upstream.script({"status": 400, "body": "no"})
    ann.ask("spell it out")
    expect(ann.newest_turn).to_have_attribute("data-state", "failed")
    box, again = ann.page.locator("#prompt"), ann.newest_turn.locator(".turn-again")
    box.fill("another")
    again.click()
    expect(box).to_have_value("another")
    expect(ann.page.locator("#notice")).to_contain_text("Another prompt")
    box.fill("")
    again.click()
    expect(box).to_have_value("spell it out")
    expect(box).to_be_focused()


def test_a_role_that_is_lowered_makes_the_open_text_read_only(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    sockets: list[WebSocketRoute] = []
    role = {"is": "owner"}

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def down(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "welcome":
                frame["you"]["role"] = role["is"]
            page.send(json.dumps(frame))

        server.on_message(down)
        page.on_message(server.send)
        sockets.append(page)

    ann.page.route_web_socket(re.compile("/ws/"), between)
    ann.go(session({"notes.txt": "one\n"}))
    text = ann.page.locator("#editor .cm-content")
    expect(text).to_have_attribute("aria-readonly", "false")
    role["is"] = "view"
    sockets[-1].send(json.dumps({"t": "resync", "reason": "role"}))
    expect(text).to_have_attribute("aria-readonly", "true")
    expect(ann.page.locator("#saved")).to_contain_text("Read only")
    expect(ann.page.locator("#notice")).to_contain_text("Your role has changed")
    expect(ann.page.locator("#send")).to_be_disabled()
    ann.caret_to_end()
    ann.type("two")
    assert ann.text() == "one\n"
