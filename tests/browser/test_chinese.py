"""The whole loop in Simplified Chinese: at both sizes, in both themes, and with no English left."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Cast
from tests.browser.scripts import answer, halves
from tests.browser.test_page import complaints_of_axe, scrolls_sideways
from tests.product import ROOT
from tests.upstream import Upstream

_CATALOGUES = ROOT / "webapp/locale/zh_Hans/LC_MESSAGES"
_WORDS = """() => {
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    // What people named and wrote.
    const named = '.cm-content, .turn-prompt, .row-title, .crumb, #session-title';
    const skip = `script, style, template, ${named}`;
    if (!parent.closest(skip)) seen.add(node.data.trim());
  }
  for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder'])
      seen.add((element.getAttribute(name) ?? '').trim());
  return [...seen].filter(Boolean);
}"""
OLD = "def total(amounts):\n    result = 0\n    return result + sum(amounts)\n"
NEW = 'def total(amounts):\n    """Return the sum."""\n    return sum(amounts)\n'


def english() -> set[str]:
    """Return every English text of ours that Chinese says in other words."""
    texts = set()
    for name in ("django.po", "djangojs.po"):
        source = (_CATALOGUES / name).read_text(encoding="utf-8")
        for found in re.finditer(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)', source, re.MULTILINE):
            msgid, msgstr = (ast.literal_eval(f"({part})") for part in found.groups())
            if msgid and msgid != msgstr and "%(" not in msgid:
                texts.add(msgid)
    return texts


def has_no_english(page: Page) -> None:
    """Fail when the page shows one of our texts in English, or looks wrong."""
    assert not english().intersection(page.evaluate(_WORDS))
    assert page.locator("html").get_attribute("lang") == "zh-hans"
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 360])
def test_the_loop_in_chinese(
    cast: Cast, session: Callable[..., str], upstream: Upstream, width: int, theme: str
) -> None:
    ann = cast.enter("ann", width, 740, color_scheme=theme, locale="zh-CN")
    page = ann.page
    address = session({"shop.py": OLD, "index.html": "<h1>x</h1>\n"})
    for plain in ("/", "/new/", "/accounts/profile/", "/nowhere/"):
        page.goto(plain)
        has_no_english(page)
        assert not complaints_of_axe(page)
    cast.complaints.clear()  # that there is nothing at the last one
    ann.go(address)
    first, _ = halves(answer(NEW, "shop.py"))
    upstream.script({"say": first}, {"gate": "half"}, once=True)
    ann.ask("用 sum 改写")
    expect(ann.newest_turn).to_have_attribute("data-state", "streaming")
    expect(page.locator("#send")).to_contain_text("转向")
    page.locator("#prompt").fill("再写测试")
    page.locator("#prompt").press("Alt+Enter")
    expect(page.locator("#followups")).to_contain_text("再写测试")
    has_no_english(page)
    upstream.script({"say": answer(NEW, "shop.py")}, once=True)
    upstream.script({"status": 429, "body": "slow down"}, once=True)
    page.locator("#prompt").fill("不，保留循环")
    page.locator("#prompt").press("Enter")
    expect(page.locator("[data-turn][data-state=redirected]")).to_have_count(1)
    expect(ann.newest_turn).to_have_attribute("data-state", "failed")
    upstream.release("half")
    expect(ann.newest_turn.locator(".turn-reason")).to_contain_text("没有")
    if width < 900:
        page.locator("#panes [data-pane=turns]").click()
    has_no_english(page)
    page.locator("[data-opens=help]").click()
    has_no_english(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+p")
    expect(page.locator("#preview")).to_be_visible()
    has_no_english(page)
    assert not complaints_of_axe(page)
