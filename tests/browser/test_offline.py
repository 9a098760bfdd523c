"""No network: a page comes up from what the browser kept, typing goes on, and it merges."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.proxy import Proxy
from tests.browser.test_page import complaints_of_axe, scrolls_sideways
from tests.product import ROOT, Product, wait_until

_SHOTS = Path(os.environ.get("FLINT_SHOTS") or ROOT / "test-results")
_KEPT = "() => document.documentElement.dataset.kept === location.pathname"
_CACHES = """async () => {
  const names = await caches.keys();
  const all = await Promise.all(names.map(async (name) => {
    const keys = await (await caches.open(name)).keys();
    return keys.map(({ url }) => [name, new URL(url).pathname]);
  }));
  return all.flat();
}"""
_ROWS = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open('flint');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const db = opening.result;
    const names = [...db.objectStoreNames];
    const reading = db.transaction(names);
    const found = names.map((name) => [name, reading.objectStore(name).getAll()]);
    reading.oncomplete = () => {
      db.close();
      resolve(found.flatMap(([name, { result }]) => result.map((row) => [name, row.slug])));
    };
  };
})"""
_PORTAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    b"<!doctype html><title>Hotel</title><h1>Welcome to the hotel</h1>"
)


@pytest.fixture
def network(product: Product) -> Iterator[Proxy]:
    """A network that a test may cut."""
    proxy = Proxy(product.port, product.proxy_port)
    yield proxy
    proxy.close()


def through(proxy: Proxy, address: str) -> str:
    """Return a session's address as it is reached through the proxy."""
    return f"http://127.0.0.1:{proxy.port}/s/{slug_of(address)}/"


def slug_of(address: str) -> str:
    """Return the slug in a session's address."""
    return address.rstrip("/").rsplit("/", 1)[1]


def kept(person: Person) -> None:
    """Wait until the browser has everything it needs to show this page again."""
    person.page.wait_for_function(_KEPT, timeout=20_000)
    # The tests look into the editor through a module that the page itself loads by another name.
    person.page.evaluate("fetch('/static/vendor/codemirror.js')")


def rows(person: Person) -> list[tuple[str, str]]:
    """Return what stands in the browser's database: table and scope of each row."""
    return [(name, scope) for name, scope in person.page.evaluate(_ROWS)]


def pages(person: Person) -> list[str]:
    """Return the paths of the pages that the browser keeps."""
    found = person.page.evaluate(_CACHES)
    return [path for name, path in found if name.startswith("flint-pages-")]


def test_a_reload_without_the_network_goes_on_typing_and_merges(
    cast: Cast, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"notes.txt": "one\ntwo\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    ann.go(through(network, address))
    ben.go(address)
    kept(ann)
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
    ann.page.keyboard.press("Control+z")
    assert not ann.text().endswith("reloaded")
    ann.page.keyboard.press("Control+y")
    expect(saved).to_contain_text("waiting")
    ben.caret_before("two")
    ben.type("meanwhile ")
    ben.wait_saved()
    ann.page.reload()
    ann.arrive()
    expect(saved).to_contain_text("Offline,")
    # The editor's styles are injected with the nonce of the page that was kept, and its policy.
    display = "getComputedStyle(document.querySelector('#editor .cm-scroller')).display"
    assert ann.page.evaluate(display) == "flex"
    network.mend()
    ann.wait_saved()
    wanted = "one\nmeanwhile two\nonline, cut, reloaded"
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)
    expect(ann.page.locator("#rejected-list")).to_be_empty()


def test_what_was_never_open_says_so_and_what_was_is_there(
    cast: Cast, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"a.txt": "first\n", "b.txt": "second\n", "c.txt": "third\n"})
    ann = cast.enter("ann")
    ann.go(through(network, address))
    for name in ("b.txt", "a.txt"):
        ann.open_file(name)
        expect(ann.page.locator("#editor .cm-content")).to_contain_text(
            "first" if name == "a.txt" else "second"
        )
    kept(ann)
    network.cut()
    ann.page.reload()
    ann.arrive()
    row = ann.page.locator("#tree-list li", has_text="c.txt")
    expect(row).to_have_attribute("data-away", "")
    expect(row.locator(".tree-open")).to_have_attribute(
        "aria-description", "Not kept in this browser"
    )
    ann.open_file("b.txt")
    wait_until("the kept text", lambda: ann.text() == "second\n")
    ann.caret_to_end()
    ann.type("more")
    ann.open_file("c.txt")
    expect(ann.page.locator("#editor-away")).to_contain_text("c.txt was never open in this browser")
    expect(ann.page.locator("#editor")).to_be_hidden()
    ann.page.locator("#new-file").click()
    ann.page.locator("#name-input").fill("d.txt")
    ann.page.locator("#name-ok").click()
    expect(ann.page.locator("#name-error")).to_contain_text("no connection")
    ann.page.keyboard.press("Escape")
    network.mend()
    ann.wait_saved()
    wait_until("the text that came", lambda: ann.text() == "third\n")
    expect(ann.page.locator("#editor-away")).to_be_hidden()
    expect(row).not_to_have_attribute("data-away", "")
    ann.open_file("b.txt")
    wait_until("what was typed", lambda: ann.text() == "second\nmore")


def test_two_tabs_without_the_network_lose_and_double_nothing(
    cast: Cast, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"notes.txt": "one\n"})
    ann = cast.enter("ann")
    ann.go(through(network, address))
    kept(ann)
    other = Person(ann.page.context.new_page())
    other.go(through(network, address))
    network.cut()
    for tab in (ann, other):
        tab.page.reload()
        tab.arrive()
    ann.caret_to_end()
    ann.type("of the first")
    other.caret_before("one")
    other.type("of the second ")
    for tab, count in ((ann, 12), (other, 14)):
        expect(tab.page.locator("#saved")).to_contain_text(f"{count} edits waiting")
        tab.page.reload()
        tab.arrive()
        expect(tab.page.locator("#saved")).to_contain_text(f"{count} edits waiting")
    network.mend()
    wanted = "of the second one\nof the first"
    for tab in (ann, other):
        tab.wait_saved()
    wait_until("equal texts", lambda: ann.text() == other.text() == wanted)


def test_the_page_of_what_is_kept(cast: Cast, session: Callable[..., str], network: Proxy) -> None:
    address = session({"notes.txt": "one\n"})
    for width, theme in ((360, "light"), (360, "dark"), (1440, "light"), (1440, "dark")):
        ann = cast.enter("ann", width=width, height=800, color_scheme=theme)
        network.mend()
        ann.go(through(network, address))
        kept(ann)
        network.cut()
        ann.page.locator("#panes button[data-pane=code]").click() if width < 500 else None
        ann.caret_to_end()
        ann.type("unsent, " * 16)
        saved = ann.page.locator("#saved")
        expect(saved).to_contain_text("Offline, 128 edits waiting")
        word = saved.locator(".saved-text")
        assert word.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "cut short"
        assert not scrolls_sideways(ann.page)
        ann.shoot(_SHOTS / f"offline-session-{width}-{theme}.png")
        ann.page.goto(f"http://127.0.0.1:{network.port}/")
        expect(ann.page.locator("#offline")).to_have_attribute("data-ready", "true")
        link = ann.page.locator("#kept-list a")
        expect(link).to_have_text("Notes")
        expect(ann.page.locator("#kept-list")).to_contain_text("128 edits waiting")
        expect(ann.page.locator("#unsent-list pre")).to_contain_text("unsent, unsent")
        ann.shoot(_SHOTS / f"offline-list-{width}-{theme}.png")
        assert complaints_of_axe(ann.page) == []
        assert not scrolls_sideways(ann.page)
        link.click()
        ann.arrive()
        expect(saved).to_contain_text("128 edits waiting")
        assert complaints_of_axe(ann.page) == []
        ann.page.context.close()


def test_an_answer_that_is_no_page_of_ours_is_shown_and_takes_nothing_away(
    cast: Cast, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"notes.txt": "one\n"})
    ann = cast.enter("ann")
    ann.go(through(network, address))
    kept(ann)
    network.portal(_PORTAL)
    ann.page.reload()
    expect(ann.page.get_by_role("heading")).to_have_text("Welcome to the hotel")
    network.cut()
    ann.page.reload()
    ann.arrive()
    assert ann.text() == "one\n"
    cast.complaints.clear()  # the browser reports the portal's 503 itself


def test_a_session_that_is_gone_takes_its_page_along_and_leaves_what_was_typed(
    cast: Cast, session: Callable[..., str], network: Proxy, product: Product
) -> None:
    address = session({"notes.txt": "one\n"})
    ann = cast.enter("ann")
    ann.go(through(network, address))
    kept(ann)
    network.cut()
    ann.caret_to_end()
    ann.type("precious")
    expect(ann.page.locator("#saved")).to_contain_text("8 edits waiting")
    product.manage(
        "shell",
        "-v",
        "0",
        "-c",
        "from webapp.pairing import shelf; from webapp.pairing.models import Session; "
        f"shelf.delete(Session.objects.get(slug={slug_of(address)!r}))",
    )
    network.mend()
    ann.page.goto(through(network, address))
    expect(ann.page.get_by_role("heading")).to_have_text("There is nothing here")
    wait_until("no kept page", lambda: f"/s/{slug_of(address)}/" not in pages(ann))
    ann.page.goto(f"http://127.0.0.1:{network.port}/offline/")
    row = ann.page.locator("#unsent-list li", has_text="precious")
    expect(row).to_contain_text("notes.txt in “Notes”")
    row.get_by_role("button", name="Discard").click()
    expect(row).to_have_count(0)
    ann.page.reload()
    expect(ann.page.locator("#offline")).to_have_attribute("data-ready", "true")
    expect(row).to_have_count(0)
    cast.complaints.clear()  # the browser reports the 404 itself


def sign_in(person: Person, origin: str, name: str) -> None:
    """Sign in with the password, which gives a session of its own: signing out ends no other."""
    person.page.goto(f"{origin}/accounts/login/")
    person.page.get_by_label("Email").fill(f"{name}@example.org")
    person.page.get_by_label("Password").fill("a long pass phrase")
    person.page.get_by_role("button", name="Sign in", exact=True).click()
    person.page.wait_for_url(f"{origin}/")


def sign_out(person: Person) -> None:
    """Choose to sign out."""
    person.page.locator(".menu > summary").click()
    person.page.get_by_role("button", name="Sign out", exact=True).click()


def test_signing_out_takes_everything_out_of_the_browser(
    cast: Cast, session: Callable[..., str], network: Proxy
) -> None:
    address = session({"notes.txt": "one\n"})
    origin = f"http://127.0.0.1:{network.port}"
    ann = cast.enter("somebody")
    sign_in(ann, origin, "ann")
    ann.go(through(network, address))
    kept(ann)
    other = Person(ann.page.context.new_page())
    other.page.goto(f"{origin}/accounts/profile/")
    ann.page.locator("#prompt").fill("a draft")
    network.cut()
    ann.caret_to_end()
    ann.type("unsent")
    expect(ann.page.locator("#saved")).to_contain_text("6 edits waiting")
    wait_until("kept", lambda: "edits" in dict(rows(other)))
    dialog = other.page.locator("#sign-out-dialog")
    sign_out(other)
    expect(dialog).to_contain_text("never sent")
    dialog.get_by_role("button", name="Sign out anyway").click()
    expect(dialog).to_contain_text("There is no connection, so you are still signed in")
    assert "edits" in dict(rows(other))
    dialog.get_by_role("button", name="Stay").click()
    network.mend()
    ann.wait_saved()
    other.page.reload()
    sign_out(other)
    for tab in (other, ann):
        tab.page.wait_for_url("**/accounts/login/**")
    assert rows(other) == []
    assert pages(other) == []
    left = "Object.keys(localStorage).filter((key) => key.startsWith('flint.'))"
    assert other.page.evaluate(left) == []
    network.cut()
    with pytest.raises(Error, match="ERR_"):
        ann.page.goto(through(network, address))
    network.mend()


def test_another_person_in_the_same_browser_sees_nothing_of_the_first(
    cast: Cast, session: Callable[..., str], network: Proxy, product: Product
) -> None:
    address = session({"notes.txt": "one\n"})
    origin = f"http://127.0.0.1:{network.port}"
    ann = cast.enter("somebody")
    sign_in(ann, origin, "ann")
    ann.go(through(network, address))
    kept(ann)
    network.cut()
    ann.caret_to_end()
    ann.type("secret")
    expect(ann.page.locator("#saved")).to_contain_text("6 edits waiting")
    wait_until("kept", lambda: "edits" in dict(rows(ann)))
    mine = dict(rows(ann))["edits"]
    # Her session ends elsewhere, and somebody else sits down.
    page = ann.page
    page.goto("about:blank")
    page.context.clear_cookies()
    network.mend()
    sign_in(ann, origin, "ben")
    wait_until("no page of hers", lambda: pages(ann) == [])
    page.goto(f"{origin}/offline/")
    expect(page.locator("#offline")).to_have_attribute("data-ready", "true")
    expect(page.locator("#offline")).not_to_contain_text("secret")
    theirs = session({"other.txt": "two\n"})
    ann.go(through(network, theirs))
    kept(ann)
    expect(page.locator("#rejected-list")).to_be_empty()
    wait_until("only what is unsent", lambda: dict(rows(ann)).get("edits") == mine)
    assert ("shelf", mine) not in rows(ann)
    assert ("sessions", mine) not in rows(ann)
    network.cut()
    page.goto(through(network, address))
    expect(page.locator("#kept-list")).to_contain_text("Notes")
    expect(page.locator("#offline")).not_to_contain_text("secret")
    network.mend()
    # She comes back, and it is there.
    page.goto("about:blank")
    page.context.clear_cookies()
    sign_in(ann, origin, "ann")
    ann.go(through(network, address))
    ann.wait_saved()
    wait_until("her edit", lambda: ann.text() == "one\nsecret")
