"""The product in a process of its own, a scripted model beside it, and people in real browsers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.person import Person
from tests.product import Product, make_session
from tests.upstream import Upstream

_CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    "",
)
_FLAGS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    """The scripted model server."""
    with Upstream.in_thread() as server:
        yield server


@pytest.fixture(scope="session")
def product(upstream: Upstream) -> Iterator[Product]:
    """The product, its preview tier pointed at the scripted model."""
    with Product(
        FLINT_PREVIEW_BASE_URL=upstream.url,
        FLINT_PREVIEW_API_KEY="scripted",
        FLINT_PREVIEW_MODEL="scripted",
    ) as running:
        yield running


@pytest.fixture(scope="session")
def cookies(product: Product, browser: Browser) -> dict[str, list[dict[str, object]]]:
    """Sign-in cookies of the first person and of a colleague, by name."""
    kept = {}
    for name, link in (("ann", product.link), ("ben", product.link_for("ben@example.org"))):
        context = browser.new_context(base_url=product.origin)
        person = Person(context.new_page())
        person.sign_in(link, name.title())
        kept[name] = context.cookies()
        context.close()
    return kept


class Cast:
    """Opens browsers for people, and closes them after the test."""

    def __init__(self, browser: Browser, product: Product, cookies: dict[str, list[dict]]) -> None:
        self._browser, self._product, self._cookies = browser, product, cookies
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def enter(self, name: str, width: int = 1440, height: int = 900, **more: object) -> Person:
        """Return a person who is signed in, on the list of sessions."""
        context = self._browser.new_context(
            base_url=self._product.origin, viewport={"width": width, "height": height}, **more
        )
        context.add_cookies(self._cookies.get(name, []))
        self._contexts.append(context)
        page = context.new_page()
        self._listen(page)
        return Person(page)

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda line: (
                self.complaints.append(line.text)
                if line.type == "error"
                and "ERR_INTERNET_DISCONNECTED" not in line.text
                and "WebSocket connection" not in line.text
                and "ERR_CONNECTION" not in line.text
                # Chromium's word for a worker's script that a cut network kept away.
                and "occurred when fetching the script" not in line.text
                else None
            ),
        )

    def leave(self) -> None:
        """Close every browser."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def cast(
    browser: Browser, product: Product, upstream: Upstream, cookies: dict[str, list[dict]]
) -> Iterator[Cast]:
    """People on demand. The test fails when one of their pages complained in its console."""
    upstream.reset()
    people = Cast(browser, product, cookies)
    yield people
    people.leave()
    assert not people.complaints, people.complaints


@pytest.fixture
def session(product: Product) -> Callable[..., str]:
    """Makes a session with the files it is given; returns its address."""
    return lambda files: make_session(product, files)
