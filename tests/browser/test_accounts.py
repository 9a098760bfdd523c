"""Coming in and going out: the one-time link, email and password, signing out."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.product import Product


def test_a_link_lets_in_once_and_the_password_after_that(cast: Cast, product: Product) -> None:
    link = product.link_for("cara@example.org")
    cara, other = cast.enter("nobody"), cast.enter("nobody")
    cara.sign_in(link, "Cara")
    other.page.goto(link)
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.get_by_role("heading")).to_have_text("This link no longer works")
    other.page.goto("/")
    expect(other.page).to_have_url(re.compile("/accounts/login/"))

    sign_out(cara)
    cara.page.goto("/")
    expect(cara.page).to_have_url(re.compile("/accounts/login/"))
    sign_in_by_password(cara, "a wrong pass phrase")
    expect(cara.page.get_by_role("main")).to_contain_text("The email or the password is wrong.")
    sign_in_by_password(cara, "a long pass phrase")
    expect(cara.page).to_have_url(re.compile("/$"))
    cara.open_example()
    expect(cara.page.locator("#people")).to_contain_text("Cara (you)")
    # Refused links and passwords answer with a status that the console notes.
    cast.complaints[:] = [text for text in cast.complaints if "Failed to load" not in text]


def test_going_out_ends_the_sessions_that_are_open(cast: Cast, product: Product) -> None:
    dora = cast.enter("nobody")
    dora.sign_in(product.link_for("dora@example.org"), "Dora")
    dora.open_example()
    second = Person(dora.page.context.new_page())
    second.page.goto("/")
    sign_out(second)
    dora.page.reload()
    expect(dora.page).to_have_url(re.compile("/accounts/login/"))


def sign_out(person: Person) -> None:
    """Sign out by the menu of one's own account."""
    person.page.get_by_title(re.compile("^Account of")).click()
    person.page.get_by_role("button", name="Sign out").click()
    expect(person.page.get_by_title(re.compile("^Account of"))).to_have_count(0)


def sign_in_by_password(person: Person, password: str) -> None:
    """Fill in the form of the sign-in page."""
    person.page.get_by_label("Email").fill("cara@example.org")
    person.page.get_by_label("Password").fill(password)
    person.page.get_by_role("button", name="Sign in").click()
