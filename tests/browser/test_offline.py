"""With the network away: the page comes up from what the browser kept, typing goes on, and it merges on return."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.proxy import Proxy
from tests.product import Product, wait_until

_KEPT = "() => document.documentElement.dataset.kept === location.pathname"


@pytest.fixture
def network(product: Product) -> Iterator[Proxy]:
    """A network that a test may cut."""
    proxy = Proxy(product.port, product.proxy_port)
    yield proxy
    proxy.close()


def through(proxy: Proxy, address: str) -> str:
    """Return a session's address as it is reached through the proxy."""
    return f"http://127.0.0.1:{proxy.port}/s/{address.rstrip('/').rsplit('/', 1)[1]}/"


def kept(person: Person) -> None:
    """Wait until the browser has everything it needs to show this page again."""
    person.page.wait_for_function(_KEPT, timeout=20_000)


def test_a_reload_without_the_network_goes_on_typing_and_merges(
    cast: Cast, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"notes.txt": "one\ntwo\n", "other.txt": "never open\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    ann.go(through(network, address))
    ben.go(address)
    kept(ann)
    ann.open_file("notes.txt")
    ann.caret_to_end()
    ann.type("online, ")
    ann.wait_saved()
    network.cut()
    ann.type("cut, ")
    saved = ann.page.locator("#saved")
    expect(saved).to_contain_text("5 edits waiting")
    ann.page.reload()
    ann.arrive()
    assert ann.text() == "one\ntwo\nonline, cut, "
    expect(saved).to_contain_text("Offline, 5 edits waiting")
    ann.caret_to_end()
    ann.type("reloaded")
    expect(saved).to_contain_text("Offline, 13 edits waiting")
    ben.caret_before("two")
    ben.type("meanwhile ")
    ben.wait_saved()
    ann.page.reload()
    ann.arrive()
    expect(saved).to_contain_text("Offline, 13 edits waiting")
    network.mend()
    ann.wait_saved()
    wanted = "one\nmeanwhile two\nonline, cut, reloaded"
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)
    expect(ann.page.locator("#rejected-list")).to_be_empty()
