"""A model that is not there yet: the page says how far it is, and keeps the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.scripts import answer
from tests.product import Product, wait_until
from tests.upstream import Upstream
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus


@pytest.fixture
def status(product: Product) -> Iterator[Path]:
    """Where the appliance would say how far its model is; gone after the test."""
    path = product.home / "model-preview.json"
    yield path
    path.unlink(missing_ok=True)


def test_a_download_shows_and_the_prompt_waits_for_it(
    cast: Cast, upstream: Upstream, session: Callable[..., str], status: Path
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    meter, bar = ann.page.locator("#meter"), ann.page.get_by_role("progressbar")
    expect(meter).to_contain_text("scripted")
    expect(bar).to_be_hidden()
    half = ModelStatus("downloading", "weights", "", 210_000_000, 500_000_000, 3_200_000, 91)
    modelstatus.write(status, half)
    expect(meter).to_contain_text("Model downloading: 42%")
    card = ann.page.locator("#turn-empty-model")
    expect(card).to_contain_text("210 of 500 MB · 3.2 MB/s · 2 min left")
    expect(bar).to_have_attribute("value", "42")
    expect(card.get_by_role("button")).to_have_count(0)
    ann.ask("say two")
    notice, box = ann.page.locator("#notice"), ann.page.locator("#prompt")
    expect(notice).to_be_visible()
    expect(box).to_have_value("say two")
    late = cast.enter("ben")
    late.go(ann.page.url)
    expect(late.page.locator("#turn-empty-model")).to_contain_text("210 of 500 MB")
    modelstatus.write(status, ModelStatus("starting", "weights"))
    expect(meter).to_contain_text("The model is starting")
    expect(bar).to_be_hidden()
    modelstatus.write(status, ModelStatus("ready", "weights"))
    expect(meter).to_contain_text("weights")
    expect(notice).to_contain_text("The model is ready")
    upstream.script({"say": answer("two\n")})
    box.press("Enter")
    wait_until("the edit", lambda: ann.text() == "two\n")


def test_a_model_that_cannot_be_had_says_what_to_do(
    cast: Cast, session: Callable[..., str], status: Path
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    said = "No source has the model. Run it again when the network is back."
    modelstatus.write(status, ModelStatus("missing", "weights", said))
    expect(ann.page.locator("#meter")).to_contain_text("No model yet")
    expect(ann.page.locator("#turn-empty-model")).to_contain_text(said)
    ann.ask("say two")
    expect(ann.page.locator("#notice")).to_contain_text("your prompt is kept")
    expect(ann.page.locator("#prompt")).to_have_value("say two")
