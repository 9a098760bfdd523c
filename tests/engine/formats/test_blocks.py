"""The `blocks` parser: named cases, and the same events however the message is cut."""

from __future__ import annotations

import random
import time

import pytest

from webapp.engine.formats import (
    BlockEnd,
    BlockFault,
    BlockStart,
    Event,
    Omission,
    Prose,
    Search,
    Text,
)
from webapp.engine.formats.blocks import BlocksParser

Block = tuple[str | None, str | None, str, str]
"""Path, what is searched (None: it never came to the divider), what replaces it, the fault."""


def joined(events: list[Event]) -> list[Event]:
    out: list[Event] = []
    for event in events:
        last = out[-1] if out else None
        if isinstance(event, Text) and isinstance(last, Text):
            out[-1] = Text(last.text + event.text)
        elif isinstance(event, Prose) and isinstance(last, Prose):
            out[-1] = Prose(last.text + event.text)
        else:
            out.append(event)
    return out


def parse(message: str, *cuts: int) -> list[Event]:
    parser = BlocksParser()
    events: list[Event] = []
    for start, end in zip((0, *cuts), (*cuts, len(message)), strict=True):
        events += parser.push(message[start:end])
    return joined(events + parser.finish())


def told(message: str) -> tuple[list[Block], str]:
    """Return the blocks of a message, and its prose."""
    blocks: list[Block] = []
    prose = ""
    for event in parse(message):
        match event:
            case BlockStart(path=path):
                blocks.append((path, None, "", "open"))
            case Search(text=text):
                blocks[-1] = (blocks[-1][0], text, "", "open")
            case Text(text=text) | Omission(text=text):
                path, search, before, _ = blocks[-1]
                blocks[-1] = (path, search, before + text, "open")
            case BlockEnd(fault=fault):
                blocks[-1] = (*blocks[-1][:3], str(fault or ""))
            case Prose(text=text):
                prose += text
            case _:
                raise AssertionError(event)
    return blocks, prose


def block(search: str = "a\n", replacement: str = "b\n", length: int = 7) -> str:
    """Return one block with markers of this length; "|" stands for LF."""
    search, replacement = search.replace("|", "\n"), replacement.replace("|", "\n")
    opener, divider, closer = "<" * length, "=" * length, ">" * length
    return f"{opener} SEARCH\n{search}{divider}\n{replacement}{closer} REPLACE\n"


ONE = block()
CASES: dict[str, tuple[str, list[Block], str]] = {
    "in a fence": (
        f"Sure.\n\napp.py\n```python\n{ONE}```\nDone.\n",
        [("app.py", "a\n", "b\n", "")],
        "Sure.\n\nDone.\n",
    ),
    "without a fence": (f"app.py\n{ONE}", [("app.py", "a\n", "b\n", "")], ""),
    "the name inside the fence": (
        f"```\napp.py\n{ONE}```\nBye\n",
        [("app.py", "a\n", "b\n", "")],
        "Bye\n",
    ),
    "the name in a fence of its own": (
        f"```python\napp.py\n```\n```python\n{ONE}```\n",
        [("app.py", "a\n", "b\n", "")],
        "",
    ),
    "the name in the info": (f"```python a/b.py\n{ONE}```", [("a/b.py", "a\n", "b\n", "")], ""),
    "the name as a heading": (
        f"### `a b.py`\n\n```\n{ONE}```\n",
        [("a b.py", "a\n", "b\n", "")],
        "",
    ),
    "the nearest name": (
        f"one.py\n\ntwo.py\n{ONE}",
        [("two.py", "a\n", "b\n", "")],
        "one.py\n\n",
    ),
    "no name": (f"```\n{ONE}```\n", [(None, "a\n", "b\n", "")], ""),
    "a language that is also a file": (
        f"```dockerfile\n{ONE}```\n",
        [(None, "a\n", "b\n", "")],
        "",
    ),
    "two in a fence": (
        f"x.py\n```\n{ONE}\n...\n\n{block('c|', 'd|')}```\nend\n",
        [("x.py", "a\n", "b\n", ""), (None, "c\n", "d\n", "")],
        "\n...\n\nend\n",
    ),
    "two in fences of their own": (
        f"x.py\n```\n{ONE}```\n\ny.py\n```\n{ONE}```\n",
        [("x.py", "a\n", "b\n", ""), ("y.py", "a\n", "b\n", "")],
        "\n",
    ),
    "a closing fence alone": (f"x.py\n{ONE}```\nbye\n", [("x.py", "a\n", "b\n", "")], "bye\n"),
    "tags for fences": (
        f"x.py\n<source>python\n{ONE}</source>\nbye\n",
        [("x.py", "a\n", "b\n", "")],
        "bye\n",
    ),
    "a sample before it": (
        f"```sh\nls\n```\nx.py\n```\n{ONE}```\n",
        [("x.py", "a\n", "b\n", "")],
        "```sh\nls\n```\n",
    ),
    "a sample behind it": (
        f"x.py\n```\n{ONE}```\n\n```sh\nls\n```\n",
        [("x.py", "a\n", "b\n", "")],
        "\n```sh\nls\n```\n",
    ),
    "an empty search": (f"new.py\n{block('', 'x|')}", [("new.py", "", "x\n", "")], ""),
    "an empty replacement": (f"x.py\n{block('a|', '')}", [("x.py", "a\n", "", "")], ""),
    "both empty": (f"x.py\n{block('', '')}", [("x.py", "", "", "")], ""),
    "five characters": (f"x.py\n{block(length=5)}", [("x.py", "a\n", "b\n", "")], ""),
    "nine characters": (f"x.py\n{block(length=9)}", [("x.py", "a\n", "b\n", "")], ""),
    "four are no marker": (
        f"x.py\n{block(length=4)}",
        [],
        f"x.py\n{block(length=4)}",
    ),
    "ten are no marker": (f"x.py\n{block(length=10)}", [], f"x.py\n{block(length=10)}"),
    "a heading's underline is content": (
        f"r.md\n{block('Title|=====|', 'New|===|======|')}",
        [("r.md", "Title\n=====\n", "New\n===\n======\n", "")],
        "",
    ),
    "a block of another length is content": (
        f"r.md\n{block(block(length=5), block(length=7) + 'x|', 9)}",
        [("r.md", block(length=5), block(length=7) + "x\n", "")],
        "",
    ),
    "a closer of another length ends it": (
        "x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>> REPLACE\nbye\n",
        [("x.py", "a\n", "b\n", "")],
        "bye\n",
    ),
    "the divider twice": (
        "x.py\n<<<<<<< SEARCH\na\n=======\n=======\n>>>>>>> REPLACE\n",
        [("x.py", "a\n", "", "")],
        "",
    ),
    "a divider as the first line": (
        f"x.py\n{block('a|', '=======|b|')}",
        [("x.py", "a\n", "=======\nb\n", "")],
        "",
    ),
    "markers in the line are content": (
        f"x.py\n{block('x <<<<<<< SEARCH| ======= |', 'x >>>>>>> REPLACE|>>>>>>> REPLACED|')}",
        [
            (
                "x.py",
                "x <<<<<<< SEARCH\n ======= \n",
                "x >>>>>>> REPLACE\n>>>>>>> REPLACED\n",
                "",
            )
        ],
        "",
    ),
    "spaces behind markers": (
        "x.py\n<<<<<<< SEARCH  \na\n======= \t\nb\n>>>>>>> REPLACE \n",
        [("x.py", "a\n", "b\n", "")],
        "",
    ),
    "a mark more behind the opener": (
        "x.py\n<<<<<<< SEARCH>\na\n=======\nb\n>>>>>>> REPLACE\n",
        [("x.py", "a\n", "b\n", "")],
        "",
    ),
    "a fence in it is content": (
        f"r.md\n````\n{block('```sh|', '```|````|')}````\n",
        [("r.md", "```sh\n", "```\n````\n", "")],
        "",
    ),
    "CRLF": (
        f"x.py\n```\n{ONE}```\n".replace("\n", "\r\n"),
        [("x.py", "a\n", "b\n", "")],
        "",
    ),
    "CR": (
        f"x.py\n```\n{ONE}```\nbye\n".replace("\n", "\r"),
        [("x.py", "a\n", "b\n", "")],
        "bye\n",
    ),
    "no line end at the end": (f"x.py\n{ONE[:-1]}", [("x.py", "a\n", "b\n", "")], ""),
    "cut in the replacement": (
        "x.py\n<<<<<<< SEARCH\na\n=======\nb\nc",
        [("x.py", "a\n", "b\nc", "cut")],
        "",
    ),
    "cut in the closer": (
        "x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLAC",
        [("x.py", "a\n", "b\n>>>>>>> REPLAC", "cut")],
        "",
    ),
    "cut behind the divider": ("<<<<<<< SEARCH\na\n=======", [(None, "a\n", "", "cut")], ""),
    "cut in the search": ("<<<<<<< SEARCH\na\n====", [(None, None, "", "cut")], ""),
    "cut behind the opener": ("x.py\n<<<<<<< SEARCH", [("x.py", None, "", "cut")], ""),
    "cut in the opener": ("x.py\n<<<<<<< SEAR", [], "x.py\n<<<<<<< SEAR"),
    "no divider": (
        f"x.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n{ONE}",
        [("x.py", None, "", "no_divider"), (None, "a\n", "b\n", "")],
        "",
    ),
    "another begins in the search": (
        f"x.py\n<<<<<<< SEARCH\na\n{ONE}",
        [("x.py", None, "", "no_divider"), (None, "a\n", "b\n", "")],
        "",
    ),
    "another begins in the replacement": (
        f"x.py\n<<<<<<< SEARCH\na\n=======\nb\n{ONE}",
        [("x.py", "a\n", "b\n", "no_end"), (None, "a\n", "b\n", "")],
        "",
    ),
    "prose alone": (
        "Look at `a.py`:\n\n```python\nx = 1\n```\n\napp.py\n\n# Heading\n",
        [],
        "Look at `a.py`:\n\n```python\nx = 1\n```\n\napp.py\n\n# Heading\n",
    ),
    "a name that nothing follows": ("app.py\n```\n", [], "app.py\n```\n"),
    "nothing": ("", [], ""),
    "astral characters": (
        "x.py\n" + block("\ud83d\ude00|", "\ud83d\ude01|"),
        [("x.py", "\ud83d\ude00\n", "\ud83d\ude01\n", "")],
        "",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_message(name: str) -> None:
    message, blocks, prose = CASES[name]
    assert told(message) == (blocks, prose)


@pytest.mark.parametrize("name", CASES)
def test_no_cut_changes_the_events(name: str) -> None:
    message = CASES[name][0]
    whole = parse(message)
    for cut in range(len(message) + 1):
        assert parse(message, cut) == whole, cut
    assert parse(message, *range(1, len(message))) == whole


def test_no_random_cuts_of_random_messages_change_the_events() -> None:
    rng = random.Random(3)
    pieces = [
        *(
            f"{mark * n}{word}{end}"
            for mark, word in (("<", " SEARCH"), ("=", ""), (">", " REPLACE"))
            for n in (5, 7)
            for end in ("\n", "\r\n", "\r", " \n", "x\n")
        ),
        *(
            "app.py\n",
            "b.py\r\n",
            "```\n",
            "```py\n",
            "```",
            "\n",
            "x = 1\n",
            "<source>\n",
            "</source>\n",
        ),
        *("# ... rest of code ...\n", "# a\n", "a", " ", "=", "<", ">", "\r", "Then `c.py`:\n"),
        *("\\", "\\<<<<<<< HEAD\n", "\\=======\n", "\\>>>>>>> REPLACE\n", "\\=====\n"),
        *("y" * 300 + "\n", " " * 300, "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
    ]
    for _ in range(3000):
        message = "".join(rng.choices(pieces, k=rng.randrange(1, 14)))
        cuts = sorted(rng.sample(range(len(message) + 1), rng.randrange(min(6, len(message) + 1))))
        whole = parse(message)
        assert parse(message, *cuts) == whole, (message, cuts)
        check_order(whole)


def check_order(events: list[Event]) -> None:
    """Check that the events are in the order that the format's contract promises."""
    state = "prose"
    follows = {
        ("prose", Prose): "prose",
        ("prose", BlockStart): "started",
        ("started", Search): "found",
        ("started", BlockEnd): "prose",
        ("found", Text): "found",
        ("found", Omission): "found",
        ("found", BlockEnd): "prose",
    }
    for event in events:
        assert (state, type(event)) in follows, events
        state = follows[state, type(event)]
    assert state == "prose", events


def test_the_sentence_before_may_name_the_file() -> None:
    events = parse(f"In `bin/run`:\n\n```\n{ONE}```\n")
    assert BlockStart(None, ("bin/run",)) in events
    again = parse(f"In `bin/run`:\n\n```\n{ONE}```\n```\n{ONE}```\n")
    assert [e.mentions for e in again if isinstance(e, BlockStart)] == [("bin/run",), ()]


def test_code_left_out_is_told_apart_in_the_replacement_alone() -> None:
    line = "    # ... rest of the code ...\n"
    events = parse(f"x.py\n{block(line, line)}")
    assert Search(line) in events and Omission(line) in events
    assert Omission(line) not in parse(f"x.md\n{block(line, line)}"), "in Markdown it is a heading"


def test_a_replacement_is_handed_on_as_it_comes() -> None:
    parser = BlocksParser()
    parser.push("x.py\n<<<<<<< SEARCH\na\n=======\n")
    assert parser.push("ret") == [Text("ret")]
    assert parser.push("urn 1\n") == [Text("urn 1\n")]
    assert parser.push(">>>> x") == [Text(">>>> x")]
    assert parser.push("\n>>>>") == [Text("\n")]
    assert parser.push("> REP") == []
    assert parser.push("AIR") == [Text(">>>>> REPAIR")]
    assert parser.push("\n>>>>>>> REPLACE\n") == [Text("\n"), BlockEnd()]


def test_what_is_searched_is_told_when_all_of_it_is_there() -> None:
    parser = BlocksParser()
    assert parser.push("x.py\n<<<<<<< SEARCH\n") == [BlockStart("x.py")]
    assert parser.push("a\nb\n===") == []
    assert parser.push("====\n") == [Search("a\nb\n")]


def test_prose_is_handed_on_as_it_comes() -> None:
    parser = BlocksParser()
    assert parser.push("I will ") == [Prose("I will ")]
    assert parser.push("do it.\napp") == [Prose("do it.\n")]
    assert parser.push(".py is fine") == [Prose("app.py is fine")]


def test_a_fault_says_what_is_missing() -> None:
    assert BlockEnd().complete and not BlockEnd(BlockFault.CUT).complete


@pytest.mark.parametrize(
    "piece",
    ["x", "=", "<", ">", " ", "\n", "\r", "`", "=======\n", "app.py\n", "# ", "<<<<<<< ", "```\n"],
)
@pytest.mark.parametrize("start", ["", "x.py\n<<<<<<< SEARCH\n", "<<<<<<< SEARCH\n=======\n"])
def test_time_grows_with_the_message_alone(piece: str, start: str) -> None:
    def seconds(count: int) -> float:
        parser = BlocksParser()
        parser.push(start)
        began = time.process_time()
        for _ in range(count):
            parser.push(piece)
        parser.finish()
        return time.process_time() - began

    assert min(seconds(8000) for _ in range(3)) < 12 * min(seconds(2000) for _ in range(3)) + 0.01
