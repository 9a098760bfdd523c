"""The Models page in a browser: every size and theme, with htmx, and without any JavaScript."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.test_page import complaints_of_axe, scrolls_sideways
from tests.product import ROOT, Product
from tests.upstream import Upstream

_SHOTS = Path(os.environ.get("FLINT_SHOTS") or ROOT / "test-results")
_KEY = "sk-SECRET-0123456789"


@pytest.fixture(scope="module")
def product(upstream: Upstream) -> Iterator[Product]:
    """A product of its own: a default model made here must answer nobody else's prompts."""
    with Product(
        FLINT_PREVIEW_BASE_URL=upstream.url,
        FLINT_PREVIEW_API_KEY="scripted",
        FLINT_PREVIEW_MODEL="scripted",
    ) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(product: Product, browser: Browser) -> dict[str, list[dict[str, object]]]:
    """Sign-in cookies of the team's owner."""
    context = browser.new_context(base_url=product.origin)
    person = Person(context.new_page())
    person.sign_in(product.link, "Ann")
    kept = {"ann": context.cookies()}
    context.close()
    return kept


def open_models(person: Person) -> Page:
    """Go to the page by the menu; the menu of a page without JavaScript opens too."""
    page = person.page
    page.goto("/")
    page.locator("header details.menu > summary").last.click()
    page.get_by_role("link", name="Models of").click()
    expect(page.get_by_role("heading", name="Models", exact=True)).to_be_visible()
    return page


def fill(page: Page, upstream: Upstream, label: str, model: str = "scripted") -> None:
    """Choose another server at the list of presets, and fill in its form."""
    page.get_by_role("link", name="Add a model").click()
    page.get_by_role("link", name="Another server").click()
    page.get_by_label("Base URL").fill(f"{upstream.url}/v1")
    page.get_by_label("API key").fill(_KEY)
    page.get_by_label("Model", exact=True).fill(model)
    page.get_by_label("Name", exact=True).fill(label)


def save(page: Page, label: str) -> None:
    """Add the model that was filled in."""
    page.get_by_role("button", name="Add the model").click()
    expect(page.get_by_role("status").filter(has_text=f"“{label}” was added")).to_be_visible()


def delete(page: Page, label: str) -> None:
    """Delete a model, in the dialog or on its page."""
    page.get_by_role("link", name=f"Delete {label}").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text(f"“{label}” was deleted.")).to_be_visible()


def test_a_model_is_added_tested_chosen_and_deleted(cast: Cast, upstream: Upstream) -> None:
    upstream.script({"say": "1 2 3"})
    ann = cast.enter("ann")
    page = open_models(ann)
    fill(page, upstream, "Quick", "not-there")
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.locator("#tested")).to_contain_text("It answers")
    expect(page.locator("#known-models option")).not_to_have_count(0)
    expect(page.get_by_label("API key")).to_have_value(_KEY)
    page.get_by_label("Model", exact=True).fill("scripted")
    save(page, "Quick")
    row = page.locator(".model").filter(has_text="Quick")
    expect(row.locator(".badge")).to_have_text("Default")
    button = row.get_by_role("button", name="Test Quick")
    button.focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("It answers")
    expect(button).to_be_focused()
    expect(page.locator("#said")).to_contain_text("It answers")
    page.get_by_role("button", name="Make default: scripted").click()
    expect(row.locator(".badge")).to_have_count(0)
    assert _KEY not in page.content()
    delete(page, "Quick")
    page.get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    row.get_by_role("button", name="Test Quick").click()
    expect(row).to_contain_text("It answers")
    assert upstream.records[-1].headers["authorization"] == f"Bearer {_KEY}"
    delete(page, "Quick")
    expect(row).to_have_count(0)


def test_a_request_that_fails_says_so_until_another_is_made(cast: Cast, upstream: Upstream) -> None:
    upstream.script({"say": "1 2 3"})
    ann = cast.enter("ann")
    page = open_models(ann)
    fill(page, upstream, "Flaky")
    save(page, "Flaky")
    row = page.locator(".model").filter(has_text="Flaky")
    test = row.get_by_role("button", name="Test Flaky")
    alert = page.get_by_role("alert")
    page.route("**/test/", lambda route: route.abort())
    test.click()
    expect(alert).to_contain_text("The server cannot be reached")
    page.unroute("**/test/")
    page.route("**/test/", lambda route: route.fulfill(status=503, body="<b>busy</b>"))
    test.click()
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("The server could not do that")
    page.unroute("**/test/")
    test.click()
    expect(row).to_contain_text("It answers")
    expect(alert).to_have_count(0)
    delete(page, "Flaky")
    cast.complaints.clear()  # htmx and Chromium tell both failures too


def test_everything_works_without_javascript(cast: Cast, upstream: Upstream) -> None:
    upstream.script({"say": "1 2 3"})
    ann = cast.enter("ann", java_script_enabled=False)
    page = open_models(ann)
    fill(page, upstream, "Plain")
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.locator("#tested")).to_contain_text("It answers")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Plain")
    expect(page.get_by_label("API key")).to_have_value("")
    page.get_by_label("API key").fill(_KEY)
    save(page, "Plain")
    page.get_by_role("button", name="Test Plain").click()
    expect(page.get_by_text("Plain: It answers")).to_be_visible()
    page.get_by_role("link", name="Change Plain").click()
    page.get_by_label("Name", exact=True).fill("Plainer")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“Plainer” was saved")).to_be_visible()
    delete(page, "Plainer")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_pages_at_both_widths_in_both_themes(
    cast: Cast, upstream: Upstream, width: int, theme: str
) -> None:
    ann = cast.enter("ann", width=width, color_scheme=theme)
    page = open_models(ann)

    def look(name: str) -> None:
        page.wait_for_load_state("networkidle")
        page.screenshot(path=_SHOTS / f"models-{name}-{width}-{theme}.png", full_page=True)
        assert complaints_of_axe(page) == []
        assert not scrolls_sideways(page), name

    look("empty")
    page.get_by_role("link", name="Add a model").click()
    look("presets")
    page.get_by_role("link", name="OpenAI").click()
    page.get_by_label("Longest answer").fill("9")
    page.get_by_role("button", name="Add the model").click()
    expect(page.locator(".errorlist").first).to_be_visible()
    look("errors")
    open_models(ann)
    fill(
        page, upstream, f"Quick {width} {theme}", "a-model-with-a-very-long-name:7b-instruct-q4_K_M"
    )
    save(page, f"Quick {width} {theme}")
    look("list")
    page.get_by_role("link", name="Delete Quick").click()
    expect(page.locator("#sheet")).to_be_visible()
    look("delete")
    page.get_by_role("button", name="Delete", exact=True).click()
    look("deleted")
    cast.complaints[:] = [text for text in cast.complaints if "422" not in text]
