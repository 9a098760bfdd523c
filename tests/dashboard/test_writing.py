"""How the team's pages write things."""

from __future__ import annotations

from webapp.dashboard.templatetags.dashboard import code


def test_what_stands_between_backticks_is_code_and_nothing_is_html() -> None:
    assert code("Run `a <b>` & go") == "Run <code>a &lt;b&gt;</code> &amp; go"
    assert code("plain") == "plain"
    assert code("") == ""
