"""The product beside a model server that nobody here wrote: @copilotkit/aimock, from npm.

Its answers are in tests/aimock/fixtures.json, chosen by words of the prompt. What is looked at is
the page: what it says each time, and that neither the text nor the prompt is lost.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import Person
from tests.product import ROOT, Product, make_session, wait_until

_CLI = ROOT / "node_modules/@copilotkit/aimock/dist/cli.js"
_FIXTURES = ROOT / "tests/aimock/fixtures.json"
_LISTENING = re.compile(r"listening on (http://\S+)")
_TEXT = "one\ntwo\nthree\nfour\nfive\nsix\n"
_KEY = "key-of-the-mock"


@pytest.fixture(scope="module")
def aimock() -> Iterator[str]:
    """The mock server, started as its README says; yields its address."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            ["node", str(_CLI), "--port", "0", "--fixtures", str(_FIXTURES), "--validate-on-load"],
            env={"PATH": os.environ["PATH"], "AIMOCK_API_KEYS": _KEY},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )

        def address() -> str:
            log.seek(0)
            printed = log.read()
            assert process.poll() is None, printed
            found = _LISTENING.search(printed)
            return found[1] if found else ""

        try:
            wait_until("the mock server", address)
            yield address()
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(scope="module")
def beside(aimock: str) -> Iterator[Product]:
    """The product, its preview tier pointed at the mock server."""
    with Product(
        FLINT_PREVIEW_BASE_URL=f"{aimock}/v1",
        FLINT_PREVIEW_API_KEY=_KEY,
        FLINT_PREVIEW_MODEL="aimock-fast",
    ) as running:
        yield running


@pytest.fixture(scope="module")
def signed_in(beside: Product, browser: Browser) -> list[dict[str, object]]:
    """The cookies of somebody who is signed in there."""
    context = browser.new_context(base_url=beside.origin)
    Person(context.new_page()).sign_in(beside.link, "Ann")
    cookies = context.cookies()
    context.close()
    return cookies


@pytest.fixture
def ann(beside: Product, browser: Browser, signed_in: list[dict[str, object]]) -> Iterator[Person]:
    """Ann in a session with one file of six lines. Her page must not complain in its console."""
    context = browser.new_context(base_url=beside.origin)
    context.add_cookies(signed_in)
    person = Person(context.new_page())
    complaints: list[str] = []
    person.page.on("pageerror", lambda error: complaints.append(str(error)))
    person.go(make_session(beside, {"notes.txt": _TEXT}))
    person.open_file("notes.txt")
    yield person
    context.close()
    assert complaints == []


def fails(ann: Person, prompt: str, *sentences: str) -> None:
    """Ask, see these sentences on the card, the text as it was, and the prompt back in the box."""
    ann.caret_to_end()
    ann.type("# mine")
    ann.wait_saved()
    ann.ask(prompt)
    card = ann.newest_turn
    expect(card).to_have_attribute("data-state", "failed", timeout=20_000)
    for sentence in sentences:
        expect(card.locator(".turn-reason")).to_contain_text(sentence)
    wait_until("the text as it was", lambda: ann.text() == _TEXT + "# mine")
    expect(card.locator(".turn-prompt")).to_contain_text(prompt)
    card.get_by_role("button", name="Use the prompt again").click()
    expect(ann.page.locator("#prompt")).to_have_value(prompt)
    ann.page.reload()
    ann.arrive()
    ann.open_file("notes.txt")
    assert ann.text() == _TEXT + "# mine"
    expect(ann.newest_turn).to_have_attribute("data-state", "failed")


def test_the_main_job(ann: Person) -> None:
    ann.ask("shout the second line")
    wait_until("its edit while it still writes", lambda: "TWO" in ann.text())
    card = ann.newest_turn
    expect(card).to_have_attribute("data-state", "finished", timeout=20_000)
    assert ann.text() == _TEXT.replace("two", "TWO")
    expect(card.locator(".turn-prose")).to_contain_text("I write it in capitals.")
    expect(card.locator(".turn-figures")).not_to_be_empty()
    card.get_by_role("button", name="Revert this turn").click()
    ann.page.locator("#confirm-ok").click()
    wait_until("the old text", lambda: ann.text() == _TEXT)


def test_a_limit_is_said_with_its_wait(ann: Person) -> None:
    fails(ann, "be refused", "limits how fast requests may come", "wait 7 s")


def test_an_error_in_mid_answer_takes_its_half_edit_back(ann: Person) -> None:
    fails(ann, "break in the middle", "reported an error in mid-answer")


def test_a_cut_connection_takes_its_half_edit_back(ann: Person) -> None:
    fails(ann, "be cut off", "closed the connection in mid-answer")


def test_nonsense_is_said_to_be_no_stream(ann: Person) -> None:
    fails(ann, "answer nonsense", "answered with application/json instead of a stream")


def test_a_model_that_is_not_there_and_then_one_that_is(ann: Person) -> None:
    """What failed is no hindrance: the next prompt in the same session is answered."""
    fails(ann, "nothing that it knows", "has no chat completions")
    ann.ask("shout the second line")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished", timeout=20_000)
    assert "TWO" in ann.text()


def test_the_mock_is_the_one_that_is_pinned() -> None:
    package = Path(_CLI).parent.parent / "package.json"
    assert '"name": "@copilotkit/aimock"' in package.read_text(encoding="utf-8")
