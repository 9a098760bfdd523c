"""A model that is brought on demand: offered, downloaded, stopped, started; for all to see.

The test says what the appliance would say, and hears what the page asks of it: the real one would
follow at once, and this machine has no gigabyte to give.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.product import Product, wait_until
from tests.upstream import Upstream
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus, State

_TOTAL = 1_117_000_000


@pytest.fixture
def says(product: Product) -> Iterator[Callable[..., None]]:
    """Writes what the appliance would say of the deeper model, and afterwards what it did say."""
    path = product.home / "model-standard.json"
    before = path.read_bytes()

    def write(state: State, done: int = 0, message: str = "", rate: float = 0) -> None:
        eta = (_TOTAL - done) / rate if rate else None
        modelstatus.write(
            path,
            ModelStatus(state, "Qwen 1.5B", message, done, _TOTAL, rate, eta, tier="standard"),
        )

    yield write
    path.write_bytes(before)


def wishes(person: Person) -> list[tuple[str, str]]:
    """Take from now on what the page asks to fetch; returns the list of it, which grows."""
    asked: list[tuple[str, str]] = []

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def up(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["t"] != "fetch":
                return server.send(text)
            asked.append((frame["tier"], frame["op"]))
            page.send(json.dumps({"t": "ok", "id": frame["id"]}))

        page.on_message(up)

    person.page.route_web_socket(re.compile("/ws/"), between)
    return asked


def strip(person: Person) -> Locator:
    """What stands above the prompt box about the deeper model."""
    return person.page.locator("#fetch [data-tier=standard]")


def test_everybody_sees_it_come_and_it_can_be_stopped_and_resumed(
    cast: Cast, session: Callable[..., str], says: Callable[..., None]
) -> None:
    address = session({"notes.txt": "one\n"})
    says("offered")
    ann, ben = cast.enter("ann"), cast.enter("ben")
    asked = wishes(ann)
    for person in (ann, ben):
        person.go(address)
        expect(strip(person)).to_have_count(0)
    ann.page.locator("#prompt").fill("/standard ")
    ann.page.locator("#prompt").press("Enter")
    expect(strip(ann)).to_contain_text("Qwen 1.5B is not on this machine yet")
    expect(strip(ben)).to_have_count(0)
    button = strip(ann).get_by_role("button", name="Download (1.1 GB)")
    button.focus()
    ann.page.keyboard.press("Enter")
    wait_until("the wish", lambda: asked == [("standard", "start")])
    says("downloading", 210_000_000, rate=3_200_000)
    for person in (ann, ben):
        expect(strip(person)).to_contain_text("The other models answer meanwhile")
        expect(strip(person)).to_contain_text("210 of 1,117 MB · 3.2 MB/s · 5 min left")
        expect(strip(person).get_by_role("progressbar")).to_have_attribute("value", "18")
    expect(strip(ann).get_by_role("button", name="Stop the download")).to_be_focused()
    ann.page.keyboard.press("Enter")
    wait_until("the second wish", lambda: asked[1:] == [("standard", "stop")])
    says("paused", 210_000_000)
    for person in (ann, ben):
        expect(strip(person)).to_contain_text("What has arrived is kept")
    expect(strip(ann).get_by_role("button", name="Resume")).to_be_focused()
    # Ben puts it away; the next state shows again.
    strip(ben).get_by_role("button", name="Dismiss").click()
    expect(strip(ben)).to_have_count(0)
    expect(ben.page.locator("#prompt")).to_be_focused()
    says("starting", _TOTAL)
    for person in (ann, ben):
        expect(strip(person)).to_contain_text("It answers in a moment")
    says("ready", _TOTAL)
    for person in (ann, ben):
        expect(strip(person)).to_contain_text("The deeper model is ready.")
    expect(ann.page.locator("#live")).to_contain_text("The deeper model is ready.")
    strip(ben).get_by_role("button", name="Use it").click()
    expect(ben.page.locator("#tier-name")).to_have_text("standard")
    expect(strip(ben)).to_have_count(0)


def test_one_that_is_here_is_started_and_one_that_cannot_be_says_why(
    cast: Cast, session: Callable[..., str], says: Callable[..., None]
) -> None:
    says("offered", _TOTAL)
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    ann.page.locator("#prompt").fill("/standard ")
    ann.page.locator("#prompt").press("Enter")
    expect(strip(ann).get_by_role("button", name="Start", exact=True)).to_be_visible()
    why = "This machine is too small for the model: it needs 2.0 GB of memory, and 1.1 GB are free."
    says("unfit", message=why)
    expect(strip(ann)).to_contain_text(why)
    expect(strip(ann)).to_contain_text("As soon as it fits, it is offered here.")
    expect(strip(ann).locator(".fetch-acts button")).to_have_count(0)
    says("paused", 210_000_000, "The network went away. What has arrived is kept; resume later.")
    expect(strip(ann)).to_contain_text("The network went away.")
    expect(strip(ann).get_by_role("button", name="Resume")).to_be_visible()
    says("failed", _TOTAL, "The model server ended at once. The terminal says why.")
    expect(strip(ann).get_by_role("button", name="Try again")).to_be_visible()
    says("missing", message="No source has the model.")
    expect(strip(ann)).to_contain_text("No source has the model.")
    expect(strip(ann).locator(".fetch-acts button")).to_have_count(0)
    # The prompt for a model that answers is not held up by it.
    ann.page.locator("#prompt").fill("/preview ")
    ann.page.locator("#prompt").press("Enter")
    expect(strip(ann)).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_how_a_download_looks(
    cast: Cast,
    upstream: Upstream,
    session: Callable[..., str],
    says: Callable[..., None],
    width: int,
    theme: str,
) -> None:
    says("downloading", 640_000_000, rate=11_400_000)
    ann = cast.enter("ann", width=width, color_scheme=theme)
    ann.go(session({"notes.txt": "one\n"}))
    expect(strip(ann)).to_contain_text("640 of 1,117 MB")
    ann.shoot(_SHOTS / f"download-{width}-{theme}.png")
    assert complaints_of_axe(ann.page) == []
    assert not scrolls_sideways(ann.page)
