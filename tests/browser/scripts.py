"""Files and model answers that the browser tests share."""

from __future__ import annotations


def listing(count: int) -> str:
    """Return a file of `count` numbered lines."""
    return "".join(f"line {i}\n" for i in range(1, count + 1))


def answer(text: str, name: str = "notes.txt") -> str:
    """Return what a model says to replace the whole of a file by `text`."""
    return f"{name}\n```\n{text}```\n"


def halves(text: str) -> tuple[str, str]:
    """Cut an answer at a line's end near its middle."""
    cut = text.index("\n", len(text) // 2) + 1
    return text[:cut], text[cut:]
