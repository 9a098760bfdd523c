"""People and the model in one file at the same time."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.scripts import answer, halves, listing
from tests.product import wait_until
from tests.upstream import Upstream

FINISHED = "finished"


def test_two_people_and_the_model_end_with_the_same_text(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": listing(60)})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    wanted = listing(60).replace("line 10\n", "line ten\n" + "more of ten\n" * 30)
    first, second = halves(answer(wanted))
    upstream.script({"say": first, "pace": 400}, {"gate": "half"}, {"say": second, "pace": 400})
    ann.ask("spell ten out")
    expect(ben.newest_turn).to_have_attribute("data-state", "streaming")
    ann.caret_before("line 55")
    ben.caret_to_end()
    for a, b in zip("Ann writes here. ", "Ben writes there.", strict=True):
        ann.type(a)
        ben.type(b)
    upstream.release("half")
    for a, b in zip("And on. ", "And on. ", strict=True):
        ben.type(b)
        ann.type(a)
    for person in (ann, ben):
        expect(person.newest_turn).to_have_attribute("data-state", FINISHED)
        person.wait_saved()
    late = cast.enter("ben")
    late.go(address)
    wait_until("equal texts", lambda: ann.text() == ben.text() == late.text())
    text = ann.text()
    assert "Ann writes here. And on. line 55\n" in text
    assert text.endswith("line 60\nBen writes there.And on. ")
    people = "Ann writes here. And on. ", "Ben writes there.And on. "
    assert text.replace(people[0], "").replace(people[1], "") == wanted


def test_nothing_of_a_turn_lands_after_stop_at_a_random_token(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    before = listing(60)
    address = session({"notes.txt": before})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    chance = random.Random(20)
    body = "".join(f"new {i}\n" + (f"line {i}\n" if i % 7 == 0 else "") for i in range(1, 3000))
    for stop in range(1, 21):
        upstream.script({"say": answer(body), "pace": 1000})
        wanted = chance.randint(1, 900)
        count = len(upstream.records)
        ann.ask(f"rewrite it, {stop}")
        wait_until("that token", lambda n=count, k=wanted: upstream.sent(n) >= k)
        (ann if stop % 2 else ben).page.locator("#stop").click()
        for person in (ann, ben):
            expect(person.newest_turn).to_have_attribute("data-state", "stopped")
        wait_until("the upstream saw it", lambda n=count: upstream.records[n].outcome == "left")
        settled = ben.text()
        ben.caret_to_end()
        ben.type(f"{stop};")
        ben.wait_saved()
        wait_until("equal texts", lambda: ann.text() == ben.text())
        assert ann.text() == settled + f"{stop};"
        receipt = ann.newest_turn.locator(".turn-receipt").inner_text()
        assert receipt.startswith("Stopped"), receipt
    assert ann.text().endswith("".join(f"{i};" for i in range(1, 21)))


def test_a_reload_in_mid_turn_rejoins_it_live(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": listing(50)})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    wanted = listing(50).replace("line 5\n", "five\n").replace("line 45\n", "forty-five\n")
    first, second = halves(answer(wanted))
    upstream.script({"say": first}, {"gate": "half"}, {"say": second, "pace": 200})
    ann.ask("spell two of them out")
    wait_until("the first edit", lambda: "five\n" in ann.text())
    ann.page.reload()
    ann.arrive()
    assert "five\n" in ann.text()
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    upstream.release("half")
    expect(ann.newest_turn).to_have_attribute("data-state", FINISHED)
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)


def test_a_turn_reverts_whole_and_where_somebody_typed_in_it_they_are_asked(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    before = listing(20)
    address = session({"notes.txt": before})
    ann = cast.enter("ann")
    ann.go(address)
    changed = before.replace("line 3\n", "three\nand a half\n")
    upstream.script({"say": answer(changed)})
    ann.ask("spell three out")
    expect(ann.newest_turn).to_have_attribute("data-state", FINISHED)
    wait_until("the edit", lambda: ann.text() == changed)
    revert = ann.newest_turn.get_by_role("button", name="Revert this turn")
    revert.click()
    ann.page.locator("#confirm-ok").click()
    wait_until("reverted", lambda: ann.text() == before)
    ann.ask("again")
    wait_until("the edit again", lambda: ann.text() == changed)
    expect(ann.newest_turn).to_have_attribute("data-state", FINISHED)
    expect(revert).to_be_visible()
    ann.caret_before("and a half")
    ann.type("mine ")
    ann.wait_saved()
    revert.click()
    ann.page.locator("#confirm-ok").click()
    expect(ann.page.locator("#mixed")).to_be_visible()
    ann.page.keyboard.press("Escape")
    assert "three\nmine and a half\n" in ann.text()
