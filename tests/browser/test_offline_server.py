"""The server is gone, killed, or comes back as another release: a kept page lives through it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.person import Person
from tests.browser.test_offline import kept
from tests.product import Product, free_port, make_session, wait_until
from tests.upstream import Upstream

_STYLES = "css/offline.css"
_NEW = "css/offline.0123456789ab.css"
_NEW_RULE = "\n.brand { letter-spacing: 7px; }\n"
_SPACING = "getComputedStyle(document.querySelector('.brand')).letterSpacing"
_VERSIONS = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('flint-static-'));
  return names.length;
}"""

_PAGE = "async (path) => (await caches.match(path, { ignoreVary: true })).text()"


@pytest.fixture
def own(upstream: Upstream) -> Iterator[Product]:
    """A product that this test alone may stop and change."""
    with Product(
        FLINT_PREVIEW_BASE_URL=upstream.url,
        FLINT_PREVIEW_API_KEY="x",
        FLINT_PREVIEW_MODEL="scripted",
        PORT=str(free_port()),
    ) as product:
        yield product


@pytest.fixture
def context(own: Product, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of somebody who may use it."""
    fresh = browser.new_context(base_url=own.origin)
    yield fresh
    fresh.close()


def _release(product: Product) -> None:
    """Give one style sheet another text and name, as a release does, and start the web anew."""
    static = product.home / "static"
    manifest = static / "staticfiles.json"
    known = json.loads(manifest.read_text(encoding="utf-8"))
    old = static / known["paths"][_STYLES]
    (static / _NEW).write_text(old.read_text(encoding="utf-8") + _NEW_RULE, encoding="utf-8")
    known["paths"][_STYLES] = _NEW
    manifest.write_text(json.dumps(known), encoding="utf-8")
    old.unlink()
    before = product.web_pid()
    os.kill(before, signal.SIGKILL)
    wait_until("the new web process", lambda: product.answers("/readyz"), 60)


def _put_workers_away(ann: Person) -> None:
    """End the service workers that have nothing to do, so that a new one takes over.

    A browser does that by itself. But it never ends one that a debugger looks at, as it does here.
    """
    debugger = ann.page.context.new_cdp_session(ann.page)
    debugger.send("ServiceWorker.enable")
    debugger.send("ServiceWorker.stopAllWorkers")
    debugger.detach()


def test_a_server_that_is_gone_killed_and_released_anew(
    own: Product, context: BrowserContext
) -> None:
    ann = Person(context.new_page())
    complaints: list[str] = []
    ann.page.on("pageerror", lambda error: complaints.append(str(error)))
    ann.sign_in(own.link, "Ann")
    notes = make_session(own, {"notes.txt": "one\n"})
    other = make_session(own, {"other.txt": "two\n"})
    saved = ann.page.locator("#saved")
    for address in (other, notes):
        ann.go(address)
        kept(ann)

    # The device has no network.
    context.set_offline(True)
    expect(saved).to_contain_text("Offline")
    ann.caret_to_end()
    ann.type("a")
    expect(saved).to_contain_text("Offline, 1 edit waiting")
    context.set_offline(False)
    ann.wait_saved()

    # The web process is killed, and the page loaded anew in that very moment.
    os.kill(own.web_pid(), signal.SIGKILL)
    ann.type("b")
    ann.page.reload()
    ann.arrive()
    ann.caret_to_end()
    ann.type("c")
    ann.wait_saved()
    assert ann.text() == "one\nabc"

    # Nothing is there.
    own.stop()
    ann.page.reload()
    ann.arrive()
    ann.caret_to_end()
    ann.type("d")
    expect(saved).to_contain_text("Offline, 1 edit waiting")
    own.start()
    ann.wait_saved()
    assert ann.text() == "one\nabcd"

    # Another release takes the place of what was kept, also of a page that was not visited since.
    assert ann.page.evaluate(_SPACING) == "normal"
    _release(own)
    ann.page.reload()
    ann.arrive()
    wait_until("the new version beside the old", lambda: ann.page.evaluate(_VERSIONS) == 2)
    path = other.removeprefix(own.origin)
    wait_until("the other page anew", lambda: _NEW in ann.page.evaluate(_PAGE, path))
    kept(ann)
    _put_workers_away(ann)
    own.stop()
    for address in (notes, other):
        ann.go(address)
        assert ann.page.evaluate(_SPACING) == "7px"
        expect(saved).to_contain_text("Offline")
    assert not complaints
