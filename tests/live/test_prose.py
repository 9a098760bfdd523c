"""What a model says is shown as HTML that can do nothing."""

from __future__ import annotations

import pytest

from webapp.live.prose import html_of, plain


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("", ""),
        ("  \n", ""),
        ("I did `x`.", "<p>I did <code>x</code>.</p>\n"),
        ("# A\n\n- b", "<h1>A</h1>\n<ul>\n<li>b</li>\n</ul>\n"),
        ("<b>hi</b>", "<p>&lt;b&gt;hi&lt;/b&gt;</p>\n"),
        ("\ud83d\ude00", "<p>\U0001f600</p>\n"),
    ],
)
def test_markdown_becomes_html(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://evil.example/pixel.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html,x)",
        "<a href='javascript:alert(1)'>x</a>",
        "<style>body{display:none}</style>",
        "<iframe src='https://evil.example'></iframe>",
    ],
)
def test_nothing_in_it_acts_or_loads(attack: str) -> None:
    html = html_of(attack)
    for bad in ("<script", "<img", "<style", "<iframe", 'href="javascript', 'href="data'):
        assert bad not in html


def test_links_tell_nobody_where_they_were_followed() -> None:
    assert 'rel="noopener noreferrer nofollow"' in html_of("[x](https://example.org)")


def test_what_no_database_takes_is_replaced() -> None:
    assert plain("a\0b\ud83d\ude00\ud83d") == "ab\U0001f600?"
