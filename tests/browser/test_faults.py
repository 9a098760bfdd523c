"""The network goes, the server is killed: nothing is lost, nothing comes twice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.proxy import Proxy
from tests.browser.scripts import answer, halves, listing
from tests.product import Product, free_port, wait_until
from tests.upstream import Upstream

RECOVERED_WITHIN_S = 6


@pytest.fixture
def network(product: Product) -> Iterator[Proxy]:
    """A network that this test may cut."""
    proxy = Proxy(product.port, product.proxy_port)
    yield proxy
    proxy.close()


def through(proxy: Proxy, address: str) -> str:
    """Return a session's address as it is reached through the proxy."""
    return f"http://127.0.0.1:{proxy.port}/s/{address.rstrip('/').rsplit('/', 1)[1]}/"


def test_a_cut_of_five_seconds_loses_and_doubles_nothing(
    cast: Cast, upstream: Upstream, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"notes.txt": listing(50)})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    ann.go(through(network, address))
    ben.go(address)
    wanted = listing(50).replace("line 5\n", "five\n").replace("line 45\n", "forty-five\n")
    first, second = halves(answer(wanted))
    upstream.script({"say": first}, {"gate": "half"}, {"say": second, "pace": 100})
    ann.ask("spell two of them out")
    wait_until("the first edit", lambda: "five\n" in ann.text())
    ann.caret_to_end()
    ann.type("before, ")
    network.cut()
    begun = time.monotonic()
    ben.caret_before("line 20")
    while time.monotonic() - begun < 5:
        ann.type("q", delay_ms=90)
        ben.type("z", delay_ms=90)
    upstream.release("half")
    expect(ann.page.locator("#saved")).not_to_contain_text("Saved")
    network.mend()
    ann.type(" after")
    for person in (ann, ben):
        expect(person.newest_turn).to_have_attribute("data-state", "finished", timeout=20_000)
        person.wait_saved()
    wait_until("equal texts", lambda: ann.text() == ben.text())
    text = ann.text()
    typed = text.partition("line 50\n")[2]
    assert typed.startswith("before, q") and typed.endswith("q after")
    assert set(typed.removeprefix("before, ").removesuffix(" after")) == {"q"}
    assert text.replace(typed, "").replace("z", "") == wanted
    assert text.count("z") == text.count("q")


def test_kill_nine_of_the_web_process_three_times(
    cast: Cast, upstream: Upstream, session: Callable[..., str], product: Product
) -> None:
    before = listing(60)
    address = session({"notes.txt": before})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    body = listing(60).replace("line 10\n", "ten\n").replace("line 40\n", "forty\n" * 500)
    for kill in range(1, 4):
        upstream.script({"say": answer(body), "pace": 300})
        count = len(upstream.records)
        ann.ask(f"spell some out, {kill}")
        wait_until("a stream", lambda n=count: upstream.sent(n) > 60)
        ann.caret_before("line 60")
        ben.caret_to_end()
        ann.type(f"ann{kill} ")
        ben.type(f"ben{kill} ")
        ann.wait_saved()
        ben.wait_saved()
        ann.type(f"and{kill} ")
        killed = time.monotonic()
        os.kill(product.web_pid(), signal.SIGKILL)
        ben.type(f"unsaved{kill} ")
        for person in (ann, ben):
            expect(person.page.locator("#saved")).not_to_contain_text("Saved", timeout=3000)
        ben.wait_saved()
        ann.wait_saved()
        assert time.monotonic() - killed < RECOVERED_WITHIN_S
        for person in (ann, ben):
            expect(person.newest_turn).to_have_attribute("data-state", "interrupted")
        wait_until("equal texts", lambda: ann.text() == ben.text())
        text = ben.text()
        for typed in (f"ann{kill} and{kill} ", f"ben{kill} unsaved{kill} "):
            assert text.count(typed) == 1, (typed, text)
    assert "ten\n" in ann.text() or "line 10\n" in ann.text()


def test_a_full_stop_and_start_keeps_the_session(browser: Browser, upstream: Upstream) -> None:
    with Product(
        FLINT_PREVIEW_BASE_URL=upstream.url,
        FLINT_PREVIEW_API_KEY="x",
        FLINT_PREVIEW_MODEL="scripted",
        PORT=str(free_port()),
    ) as product:
        context = browser.new_context(base_url=product.origin)
        ann = Person(context.new_page())
        ann.sign_in(product.link, "Ann")
        ann.open_example()
        ann.caret_to_end()
        ann.type("# kept")
        ann.wait_saved()
        product.stop()
        ann.type(" and this")
        product.start()
        ann.wait_saved()
        ann.page.reload()
        ann.arrive()
        assert ann.text().endswith("# kept and this")
        context.close()
