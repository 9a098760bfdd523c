"""What somebody does in a browser, in the words of the product."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

_TEXT = """async () => {
  const { EditorView } = await import('/static/vendor/codemirror.js');
  const view = EditorView.findFromDOM(document.querySelector('#editor .cm-editor'));
  return view.state.doc.toString();
}"""
_CARET = """async (before) => {
  const { EditorView } = await import('/static/vendor/codemirror.js');
  const view = EditorView.findFromDOM(document.querySelector('#editor .cm-editor'));
  const text = view.state.doc.toString();
  const pos = before === null ? text.length : text.indexOf(before);
  if (pos < 0) throw new RangeError(`no ${before}`);
  view.dispatch({ selection: { anchor: pos }, scrollIntoView: true });
  view.focus();
}"""
_PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.querySelector('#editor .cm-content').dispatchEvent(paste);
}"""


class Person:
    """One person in one page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def sign_in(self, link: str, name: str) -> None:
        """Follow a one-time link and give a name, an email and a password."""
        self.page.goto(link)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_label("Name")).to_be_visible()
        self.page.get_by_label("Name").fill(name)
        email = self.page.get_by_label("Email")
        if email.count() and email.is_editable():
            email.fill(f"{name.lower()}@example.org")
        for label in (re.compile("^Password"), re.compile("again|Repeat|Confirm", re.I)):
            field = self.page.get_by_label(label)
            if field.count():
                field.first.fill("a long pass phrase")
        self.page.get_by_role("button", name=re.compile("Save|Continue|Go")).click()
        self.page.wait_for_url("**/")

    def open_example(self) -> None:
        """Open the session of the first visit."""
        self.page.goto("/")
        example = self.page.get_by_role("link", name="Example")
        older = self.page.get_by_role("link", name="Older")
        while not example.count() and older.count():
            self.page.goto(older.get_attribute("href") or "/")
        example.first.click()
        self.arrive()

    def arrive(self) -> None:
        """Wait until the session page is live."""
        expect(self.page.locator("#session")).to_have_attribute(
            "data-ready", "true", timeout=20_000
        )

    def go(self, address: str) -> None:
        """Open a session by its address."""
        self.page.goto(address)
        self.arrive()

    def open_file(self, path: str) -> None:
        """Show a file in the editor."""
        self.page.locator("#tree").get_by_text(path, exact=True).click()
        expect(self.page.locator("#tabs [aria-selected=true]")).to_contain_text(path)

    def text(self) -> str:
        """Return the text that the editor shows."""
        return str(self.page.evaluate(_TEXT))

    def caret_before(self, text: str) -> None:
        """Put the caret before the first place where `text` stands."""
        self.page.evaluate(_CARET, text)

    def caret_to_end(self) -> None:
        """Put the caret at the end of the text."""
        self.page.evaluate(_CARET, None)

    def type(self, text: str, delay_ms: float = 0) -> None:
        """Type at the caret."""
        self.page.keyboard.type(text, delay=delay_ms)

    def paste(self, text: str) -> None:
        """Paste at the caret."""
        self.page.evaluate(_PASTE, text)

    def ask(self, prompt: str) -> None:
        """Send a prompt."""
        self.page.locator("#prompt").fill(prompt)
        self.page.locator("#prompt").press("Enter")

    @property
    def newest_turn(self) -> Locator:
        """The card of the turn that was asked for last."""
        return self.page.locator("#turn-list [data-turn]").first

    def wait_saved(self) -> None:
        """Wait until everything typed here is acknowledged."""
        expect(self.page.locator("#saved")).to_contain_text("Saved", timeout=20_000)

    def shoot(self, path: Path) -> None:
        """Take a picture of the window."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)
