"""A model's Markdown as HTML that may be shown: what it says is untrusted.

HTML in the Markdown stays text (markdown-it's `html` is off), pictures become their text, since
loading one would tell its server who looks, and what is left is sanitised again.
"""

from __future__ import annotations

from typing import Final

import nh3
from markdown_it import MarkdownIt

from webapp.document.text import from_utf16

LONGEST: Final = 20_000
"""How many characters are shown; a model that says more is not read to its end anyway."""

_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_HEADINGS: Final = {f"h{level}" for level in range(1, 7)}
_TABLE: Final = {"table", "thead", "tbody", "tr", "th", "td"}
_TAGS: Final = (
    {"p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
    | _HEADINGS
    | _TABLE
)


def html_of(markdown: str) -> str:
    """Return sanitised HTML; '' for text that says nothing."""
    text = plain(markdown[:LONGEST]).strip()
    if not text:
        return ""
    return nh3.clean(
        _markdown.render(text),
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )


def plain(text: str) -> str:
    """Return utf16 text as an ordinary str that any database and encoder takes."""
    joined = from_utf16(text).replace("\0", "")
    return joined if joined.isascii() else joined.encode("utf-8", "replace").decode("utf-8")
