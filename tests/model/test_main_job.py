"""A prompt becomes edits in two browsers; Stop ends one half-way and frees the model."""

from __future__ import annotations

import ast
import re

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.product import ROOT, Product, make_session, wait_until

_TURN_MS = 120_000
_STOP_COSTS_AT_MOST_MS = 1000


def ask(people: tuple[Person, Person], prompt: str) -> None:
    """Send a prompt as the first of them, and wait until all of them see its turn."""
    before = people[0].page.locator("#turn-list [data-turn]").count()
    people[0].ask(prompt)
    for person in people:
        expect(person.page.locator("#turn-list [data-turn]")).to_have_count(before + 1)


def first_token_ms(person: Person) -> int:
    """Return the newest turn's time to the first token, as its card shows it."""
    card = person.newest_turn.inner_text()
    found = re.search(r"first (?:token )?([\d,.]+) ?(ms|s)\b", card)
    assert found, card
    figure = float(found[1].replace(",", ""))
    return round(figure * (1000 if found[2] == "s" else 1))


def test_a_prompt_changes_a_real_file_in_two_browsers(
    product: Product, people: tuple[Person, Person]
) -> None:
    ann, ben = people
    example = ROOT / "webapp/pairing/example/fizzbuzz.py.txt"
    address = make_session(product, {"fizzbuzz.py": example.read_text(encoding="utf-8")})
    for person in people:
        person.go(address)
    before = ann.text()
    assert '"FizzBuzz"' not in before
    ask(people, "return FizzBuzz for multiples of 15")
    expect(ben.newest_turn).to_have_attribute("data-state", "finished", timeout=_TURN_MS)
    wait_until("equal texts", lambda: ann.text() == ben.text() != before)
    tree = ast.parse(ann.text())
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert "FizzBuzz" in texts
    assert {"Fizz", "Buzz"} <= texts


def test_stop_half_way_and_in_prefill_frees_the_model(people: tuple[Person, Person]) -> None:
    ann, ben = people
    idle = "add a docstring to every function"
    ask(people, idle)
    expect(ann.newest_turn).to_have_attribute("data-state", "finished", timeout=_TURN_MS)
    idle_ms = first_token_ms(ann)

    ask(people, "write twenty more functions for other games, with long docstrings")
    expect(ben.newest_turn).to_have_attribute("data-state", "streaming", timeout=_TURN_MS)
    ben.page.locator("#stop").click()
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")
    expect(ann.newest_turn.locator(".turn-receipt")).to_contain_text("Stopped")
    wait_until("equal texts", lambda: ann.text() == ben.text())

    ask(people, "rewrite the whole of it as a class with many methods")
    ann.page.locator("#stop").click()
    expect(ann.newest_turn).to_have_attribute("data-state", "stopped")

    ask(people, idle)
    expect(ann.newest_turn).to_have_attribute("data-state", "finished", timeout=_TURN_MS)
    assert first_token_ms(ann) <= idle_ms + _STOP_COSTS_AT_MOST_MS
