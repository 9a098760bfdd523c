"""What the model is told, and which lines a small one gets."""

import random
from dataclasses import replace

import pytest

from webapp.document.text import to_utf16
from webapp.engine.ports import Endpoint, Request
from webapp.engine.prompt import (
    Brief,
    PastTurn,
    TooLarge,
    build,
    choose_region,
    estimate_tokens,
    lines_of,
)

SMALL = Endpoint("http://127.0.0.1:1", "k", "m", "Test model", 8192, 2048, small=True)
TEXT = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


def asked(brief: Brief) -> Request:
    request = build(brief)
    assert isinstance(request, Request)
    return request


def last_of(brief: Brief) -> str:
    return asked(brief).messages[-1].content


# ----- build


def test_the_file_stands_before_the_instruction() -> None:
    said = last_of(Brief("return 3", "app.py", TEXT, SMALL))
    assert said.startswith(f"app.py\n```python\n{TEXT}```\n")
    assert said.index(TEXT) < said.index("return 3")


def test_two_instructions_share_all_text_before_them() -> None:
    one = asked(Brief("first", "app.py", TEXT, SMALL))
    two = asked(Brief("second", "app.py", TEXT, SMALL))
    assert one.messages[0] == two.messages[0]
    shared = one.messages[-1].content.index("first")
    assert one.messages[-1].content[:shared] == two.messages[-1].content[:shared]


def test_a_region_shows_its_lines_only() -> None:
    said = last_of(Brief("return 3", "app.py", TEXT, SMALL, region=(5, 6)))
    assert "```python\ndef two():\n    return 2\n```" in said
    assert "one" not in said


def test_a_selection_is_told_unless_it_is_all_that_is_rewritten() -> None:
    brief = Brief("return 3", "app.py", TEXT, SMALL, selected=(6, 6))
    said = last_of(brief)
    assert f"app.py\n```python\n{TEXT}```\n" in said
    assert "about these lines:\n```\n    return 2\n```\n\nInstruction: return 3" in said
    assert "about these lines" not in last_of(replace(brief, region=(6, 6)))
    assert "about these lines" not in last_of(replace(brief, selected=None))


def test_a_file_without_a_last_line_end_still_closes_its_fence() -> None:
    assert "```text\nx\n```" in last_of(Brief("p", "a.text", "x", SMALL))


def test_an_empty_file_is_an_empty_block() -> None:
    assert last_of(Brief("p", "a.py", "", SMALL)).startswith("a.py\n```python\n```\n")


def test_a_fence_in_the_file_makes_the_fence_around_it_longer() -> None:
    text = "# Title\n\n````sh\nls\n````\n"
    assert f"\n`````markdown\n{text}`````\n" in last_of(Brief("p", "README.md", text, SMALL))


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("src/a.JS", "javascript"),
        ("a.json", "json"),
        ("Makefile", ""),
        ("x.y/Dockerfile", ""),
        ("a.b c", ""),
        ("a.", ""),
    ],
)
def test_the_fence_names_the_language(path: str, language: str) -> None:
    assert f"{path}\n```{language}\n" in last_of(Brief("p", path, "x\n", SMALL))


def test_other_paths_and_history_stand_before_the_file() -> None:
    brief = Brief(
        "more",
        "app.py",
        TEXT,
        replace(SMALL, small=False),
        other_paths=("test_app.py",),
        history=(PastTurn("return 3", "It was stopped; its edits were kept."),),
    )
    said = "\n".join(m.content for m in asked(brief).messages)
    assert said.index("test_app.py") < said.index("return 3") < said.index(TEXT)
    assert "It was stopped; its edits were kept." in said


def test_a_small_model_is_not_distracted_by_other_files() -> None:
    said = last_of(Brief("p", "app.py", TEXT, SMALL, other_paths=("test_app.py",)))
    assert "test_app.py" not in said


def test_surrogate_pairs_reach_the_model_as_characters() -> None:
    said = last_of(Brief(to_utf16("say 😀"), "a.py", to_utf16('x = "😀"\n'), SMALL))
    assert 'x = "😀"' in said
    assert "say 😀" in said


@pytest.mark.parametrize("lines", [1, 40, 150])
def test_the_cap_leaves_room_to_grow(lines: int) -> None:
    text = "value = compute(value)\n" * lines
    request = asked(Brief("p", "a.py", text, SMALL))
    assert estimate_tokens(text) + 256 <= request.max_tokens <= SMALL.max_output


def test_the_prompt_and_the_cap_fit_the_window() -> None:
    for lines in range(0, 700, 7):
        text = "value = compute(value)\n" * lines
        request = build(Brief("p", "a.py", text, SMALL))
        if isinstance(request, Request):
            shown = sum(estimate_tokens(m.content) for m in request.messages)
            assert shown + request.max_tokens <= SMALL.context_window


def test_what_does_not_fit_is_refused_with_numbers() -> None:
    text = "value = compute(value)\n" * 2000
    refused = build(Brief("p", "a.py", text, SMALL))
    assert isinstance(refused, TooLarge)
    assert refused.window == 8192
    assert refused.needed > 2 * estimate_tokens(text)
    assert isinstance(build(Brief("p", "a.py", text, SMALL, region=(1, 40))), Request)


def test_an_answer_longer_than_the_model_may_give_is_refused() -> None:
    text = "value = compute(value)\n" * 400  # fits the window twice, but not max_output
    assert isinstance(build(Brief("p", "a.py", text, SMALL)), TooLarge)


def test_history_is_dropped_before_a_turn_is_refused() -> None:
    narrow = Endpoint("http://127.0.0.1:1", "k", "m", "Test model", 2048, 2048)
    history = tuple(PastTurn(f"turn {i} " + "x" * 300, "Kept.") for i in range(5))
    told: set[int] = set()
    for lines in range(0, 140):
        text = "value = compute(value)\n" * lines
        alone = build(Brief("p", "a.py", text, narrow))
        full = build(Brief("p", "a.py", text, narrow, history=history))
        assert isinstance(alone, Request) == isinstance(full, Request)
        if isinstance(full, Request):
            said = full.messages[-1].content
            told.add(said.count("turn "))
            assert "turn 4" in said or "turn " not in said, "the latest is the last to go"
            assert sum(estimate_tokens(m.content) for m in full.messages) < 2048 - full.max_tokens
    assert told == {0, 1, 2}


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("a" * 35, 10)])
def test_estimate(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


# ----- choose_region


def numbered(count: int) -> str:
    return "".join(f"line {i}\n" for i in range(1, count + 1))


def functions(count: int, lines: int = 3) -> str:
    body = "    x = 1\n" * (lines - 1)
    return "\n\n".join(f"def f{i}():\n{body}" for i in range(count))


@pytest.mark.parametrize("text", ["", "x", "x\n", numbered(40), numbered(40)[:-1]])
@pytest.mark.parametrize("selection", [(0, 0), (0, 1)])
def test_a_short_file_is_rewritten_whole(text: str, selection: tuple[int, int]) -> None:
    assert choose_region(text, selection) is None


def test_a_selection_is_widened_to_whole_lines() -> None:
    text = numbered(100)
    at = text.index("line 50")
    assert choose_region(text, (at + 2, at + 3)) == (50, 50)
    assert choose_region(text, (at + 12, at + 2)) == (50, 51)
    assert choose_region(text, (at, at + 8)) == (50, 50), "up to the start of line 51"
    assert choose_region(text, (0, len(text))) == (1, 100)
    assert choose_region(text, (len(text) - 1, len(text))) == (100, 100)


def test_a_caret_takes_the_definition_it_stands_in() -> None:
    text = functions(20)
    region = choose_region(text, (text.index("def f7") + 14,) * 2)
    assert region is not None
    assert lines_of(text, region) == "def f7():\n    x = 1\n    x = 1\n"


def test_decorators_and_comments_belong_to_their_definition() -> None:
    text = functions(20).replace("def f7", "# why\n@cache\ndef f7")
    region = choose_region(text, (text.index("def f7"),) * 2)
    assert lines_of(text, region).startswith("# why\n@cache\ndef f7")


def test_braces_close_the_definition_they_end() -> None:
    text = "\n".join(f"function f{i}() {{\n  one();\n\n  two();\n}}\n" for i in range(20))
    region = choose_region(text, (text.index("f7") + 20,) * 2)
    assert lines_of(text, region) == "function f7() {\n  one();\n\n  two();\n}\n"


def test_a_long_class_gives_the_method() -> None:
    methods = "\n".join(f"    def m{i}(self):\n        x = 1\n\n        y = 2\n" for i in range(20))
    text = f"import re\n\n\nclass Big:\n{methods}\n\ndef after():\n    pass\n"
    region = choose_region(text, (text.index("def m9") + 30,) * 2)
    assert lines_of(text, region) == "    def m9(self):\n        x = 1\n\n        y = 2\n"


def test_a_long_run_without_structure_gives_the_lines_around() -> None:
    text = numbered(200)
    assert choose_region(text, (text.index("line 100"),) * 2) == (80, 119)
    assert choose_region(text, (0, 0)) == (1, 40)
    assert choose_region(text, (len(text), len(text))) == (161, 200)


def test_a_caret_on_a_blank_line_gives_a_region_with_that_line() -> None:
    text = functions(20)
    for offset, char in enumerate(text):
        if char == "\n":
            region = choose_region(text, (offset, offset))
            assert region is not None
            line = text.count("\n", 0, offset) + 1
            assert region[0] <= line <= region[1]


def test_regions_of_random_texts_are_small_and_hold_the_caret() -> None:
    rng = random.Random(11)
    pieces = ["def f():\n", "    x = 1\n", "\n", "        y\n", "}\n", "  z\n", "# c\n", "\ud83d\n"]
    for _ in range(2000):
        text = "".join(rng.choices(pieces, k=rng.randrange(41, 160)))
        caret = rng.randrange(len(text))
        region = choose_region(text, (caret, caret))
        assert region is not None
        from_line, to_line = region
        line = text.count("\n", 0, caret) + 1
        assert 1 <= from_line <= line <= to_line <= text.count("\n")
        assert to_line - from_line < 40
