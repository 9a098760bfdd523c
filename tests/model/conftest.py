"""The product with its own model, and a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import browser
from tests.browser.person import Person
from tests.product import Product, wait_until

__all__ = ["browser"]

_DOWNLOAD_WITHIN_S = 900


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    """The product on a machine with nothing configured; waits until its model answers."""
    with Product() as running:
        wait_until(
            "the embedded model",
            lambda: running.model_status().get("state") in {"ready", "failed", "missing"},
            _DOWNLOAD_WITHIN_S,
        )
        assert running.model_status()["state"] == "ready", running.model_status()
        yield running


@pytest.fixture(scope="module")
def people(product: Product, browser: Browser) -> Iterator[tuple[Person, Person]]:
    """Two people in the example session, each in a browser of their own."""
    contexts, found = [], []
    for name, link in (("Ann", product.link), ("Ben", product.link_for("ben@example.org"))):
        context = browser.new_context(base_url=product.origin)
        contexts.append(context)
        person = Person(context.new_page())
        person.sign_in(link, name)
        person.open_example()
        found.append(person)
    yield found[0], found[1]
    for context in contexts:
        context.close()
