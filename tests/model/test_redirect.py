"""A turn is redirected half-way: the real model goes on from what was kept, in two browsers."""

from __future__ import annotations

import ast

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.product import Product, make_session, wait_until

_TURN_MS = 120_000
_SHOP = '''"""A small shop."""


def price(amount):
    return amount * 2


def total(amounts):
    result = 0
    for amount in amounts:
        result = result + price(amount)
    return result
'''


def test_a_redirect_ends_one_turn_and_begins_the_next(
    product: Product, people: tuple[Person, Person]
) -> None:
    ann, ben = people
    address = make_session(product, {"shop.py": _SHOP})
    ann.go(address)
    ben.go(address)
    ann.ask("write twenty more functions for the shop, each with a long docstring")
    expect(ben.newest_turn).to_have_attribute("data-state", "streaming", timeout=_TURN_MS)
    old = ben.newest_turn.get_attribute("data-turn")
    ben.ask("add a docstring to every function")
    expect(ann.page.locator(f'[data-turn="{old}"]')).to_have_attribute("data-state", "redirected")
    expect(ann.newest_turn).not_to_have_attribute("data-turn", old or "")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished", timeout=_TURN_MS)
    wait_until("equal texts", lambda: ann.text() == ben.text())
    tree = ast.parse(ann.text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {"price", "total"} <= functions.keys()
    assert all(ast.get_docstring(functions[name]) for name in ("price", "total"))
