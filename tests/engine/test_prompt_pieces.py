"""What is told beside the file, what of it gives way, and what can be known before it is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engine.landing.projects import apply
from webapp.engine.ports import Endpoint, Request
from webapp.engine.prompt import (
    Brief,
    Excerpt,
    PastTurn,
    Redirection,
    TooLarge,
    build,
    estimate_tokens,
    outline,
    warm_request,
)
from webapp.lib.sentences import Sentence

WHOLE = Endpoint("http://127.0.0.1:1", "k", "m", "Test model", 8192, 2048)
SMALL = replace(WHOLE, small=True)
BLOCKS = replace(WHOLE, edit_format="blocks")
PATCH = replace(WHOLE, edit_format="patch")
JSON = replace(WHOLE, edit_format="json")
TEXT = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
OTHER = Excerpt("lib/other.py", "def three():\n    return 3\n")
REDIRECTED = Redirection("Make one return 3", (Excerpt("app.py", "    return 3\n", 2, 2),))


def brief(endpoint: Endpoint = WHOLE, **fields: object) -> Brief:
    made = Brief("Make it 4", "app.py", TEXT, endpoint)
    return replace(made, **fields)  # type: ignore[arg-type] # any of its fields


def said(asked: Brief) -> str:
    request = build(asked)
    assert isinstance(request, Request)
    return request.messages[-1].content


def kinds(asked: Brief) -> list[str]:
    return [part.kind for part in outline(asked).parts]


# ----- what is told


@pytest.mark.parametrize("endpoint", [WHOLE, SMALL, BLOCKS], ids=["whole", "small", "blocks"])
def test_a_mentioned_file_stands_whole_between_the_file_and_the_instruction(
    endpoint: Endpoint,
) -> None:
    text = said(brief(endpoint, mentioned=(OTHER,)))
    assert f"lib/other.py\n```python\n{OTHER.text}```\n" in text
    assert text.index(TEXT) < text.index(OTHER.text) < text.index("Make it 4")


def test_an_excerpt_is_called_by_its_lines() -> None:
    part = outline(brief(mentioned=(replace(OTHER, from_line=3, to_line=4),))).parts[-2]
    assert (part.kind, part.label) == ("mention", "lib/other.py:3-4")


@pytest.mark.parametrize("endpoint", [WHOLE, BLOCKS], ids=["whole", "blocks"])
def test_a_redirection_tells_the_old_prompt_what_was_kept_and_the_new_one(
    endpoint: Endpoint,
) -> None:
    text = said(brief(endpoint, redirection=REDIRECTED))
    order = ["Make one return 3", "app.py:2-2\n```python\n    return 3\n```", "Make it 4"]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)


def test_a_small_model_is_told_the_old_prompt_alone_since_the_text_shows_the_rest() -> None:
    text = said(brief(SMALL, redirection=REDIRECTED))
    assert "Make one return 3" in text and "app.py:2-2" not in text
    assert text.count("    return 3\n") == 0


def test_blocks_are_asked_for_and_the_file_is_not() -> None:
    request = build(brief(BLOCKS, other_paths=("b.py",)))
    assert isinstance(request, Request)
    rules, asked = (message.content for message in request.messages)
    assert "<<<<<<< SEARCH" in rules and "whole file" not in rules
    assert "Write all of" not in asked and "b.py" in asked


def test_a_region_for_blocks_says_that_the_search_has_to_be_unique_in_all_lines() -> None:
    text = said(brief(BLOCKS, region=(5, 6)))
    assert "lines 5 to 6 of app.py, which has 6 lines" in text
    assert "def one" not in text
    assert "which has" not in said(brief(WHOLE, region=(5, 6)))


@pytest.mark.parametrize(
    ("endpoint", "asked", "unique"),
    [
        (PATCH, "Answer with one patch", "behind @@"),
        (JSON, "Answer with one JSON object", "The text of old must stand only once"),
    ],
    ids=["patch", "json"],
)
def test_other_formats_are_asked_for_as_blocks_are(
    endpoint: Endpoint, asked: str, unique: str
) -> None:
    text = said(brief(endpoint, text=TEXT * 9, region=(1, 6)))
    assert asked in text and "Write all of" not in text
    assert "which has 54 lines" in text and unique in text


@pytest.mark.parametrize("endpoint", [BLOCKS, PATCH, JSON], ids=["blocks", "patch", "json"])
def test_the_example_of_a_format_is_one(endpoint: Endpoint) -> None:
    request = build(brief(endpoint))
    assert isinstance(request, Request)
    rules = request.messages[0].content
    files = {
        "path/of/the/file": "the lines to replace, exactly as they stand in the file\n",
        "src/greeting.py": 'def greet(name):\n    if not name:\n        name = "you"\n'
        '    return f"Hello, {name}"\n',
        "src/old_name.py": "VERSION = 1\n",
        "src/unused.py": "",
    }
    if endpoint is JSON:
        files["src/greeting.py"] = '    name = "you"\n'
    result = apply(endpoint.edit_format, files, rules)
    assert result.applied.error is None, result.reasons
    changed = {path for path in files if result.files.get(path) != files[path]}
    assert changed >= ({"path/of/the/file"} if endpoint is BLOCKS else {"src/greeting.py"})


def test_an_answer_in_blocks_may_be_short_and_must_not_hold_the_file() -> None:
    text = "value = compute(value)\n" * 600
    assert isinstance(build(brief(text=text)), TooLarge)
    request = build(brief(BLOCKS, text=text))
    assert isinstance(request, Request)
    assert 1000 < request.max_tokens <= BLOCKS.max_output


# ----- what gives way


LONG = Excerpt("a.py", "value = compute(value)\n" * 300)
HISTORY = (PastTurn("First " + "x" * 300, "Done."), PastTurn("Second " + "y" * 300, "Done."))


def full(window: int, **fields: object) -> Brief:
    kept = (Excerpt("app.py", "    kept = 1\n" * 150, 1, 150),)
    return brief(
        replace(WHOLE, context_window=window),
        history=HISTORY,
        mentioned=(OTHER, LONG),
        redirection=Redirection("Old prompt", kept),
        **fields,
    )


def test_what_gives_way_and_in_which_order() -> None:
    seen: list[tuple[str, ...]] = []
    for window in range(8000, 300, -10):
        told = outline(full(window))
        if not told.fits:
            assert isinstance(build(full(window)), TooLarge)
            continue
        text = said(full(window))
        assert TEXT in text and "Make it 4" in text and "Old prompt" in text
        here = tuple(
            name
            for name, mark in (
                ("first", "First"),
                ("second", "Second"),
                ("other", OTHER.text),
                ("long", LONG.text),
                ("kept", "kept = 1"),
            )
            if mark in text
        )
        if not seen or seen[-1] != here:
            seen.append(here)
    assert seen == [
        ("first", "second", "other", "long", "kept"),
        ("second", "other", "long", "kept"),
        ("other", "long", "kept"),
        ("other", "kept"),
        ("first", "second", "other", "kept"),  # the long one alone is larger than the window
        ("second", "other", "kept"),
        ("other", "kept"),
        ("other",),  # what was kept has an eighth of the window at most, too little here
    ]


def test_what_was_kept_is_shortened_before_it_is_left_out() -> None:
    lengths = {
        said(full(window)).count("kept = 1")
        for window in range(400, 8000, 10)
        if isinstance(build(full(window)), Request)
    }
    assert max(lengths) > 50
    assert 0 < min(lengths - {0}) < 20


def test_prompt_and_answer_fit_whatever_gives_way() -> None:
    for window in range(300, 8000, 30):
        request = build(full(window))
        if isinstance(request, Request):
            used = sum(estimate_tokens(message.content) for message in request.messages)
            assert used + request.max_tokens <= window


# ----- what can be known before


def test_the_outline_says_what_build_would_send() -> None:
    asked = full(8000, other_paths=("b.py", "c.py"), selected=(2, 2), region=(1, 2))
    told = outline(asked)
    assert [(part.kind, part.label) for part in told.parts] == [
        ("rules", ""),
        ("paths", "2"),
        ("history", "First " + "x" * 33 + "…"),
        ("history", "Second " + "y" * 32 + "…"),
        ("region", "app.py:1-2"),
        ("mention", "lib/other.py"),
        ("mention", "a.py"),
        ("selection", "app.py:2-2"),
        ("redirect", "Old prompt"),
        ("prompt", ""),
    ]
    request = build(asked)
    assert isinstance(request, Request)
    assert told.used == sum(part.tokens for part in told.parts)
    sent = sum(estimate_tokens(message.content) for message in request.messages)
    assert sent <= told.used <= sent + 16 + len(told.parts)
    assert (told.answer, told.window, told.fits) == (request.max_tokens, 8000, True)
    assert told.note == ""


def test_a_mention_that_is_left_out_has_no_tokens_and_is_named() -> None:
    told = outline(full(2000))
    out = [part.label for part in told.parts if not part.tokens and part.kind == "mention"]
    assert out == ["a.py"] and told.fits
    assert isinstance(told.note, Sentence) and "a.py" in told.note


def test_a_mention_that_never_fits_drives_nothing_else_out() -> None:
    huge = Excerpt("huge.py", "x = 1\n" * 10_000)
    told = outline(brief(history=HISTORY, mentioned=(huge, OTHER)))
    out = [part.label for part in told.parts if not part.tokens]
    assert out == ["huge.py"] and told.fits
    assert "huge.py" in told.note and "huge.py" not in said(brief(mentioned=(huge,)))


def test_an_outline_of_what_does_not_fit_has_the_numbers_of_the_refusal() -> None:
    asked = brief(text="value = compute(value)\n" * 3000)
    told, refused = outline(asked), build(asked)
    assert isinstance(refused, TooLarge) and not told.fits
    assert told.used + told.answer == refused.needed > told.window == refused.window


@pytest.mark.parametrize("endpoint", [WHOLE, SMALL, BLOCKS], ids=["whole", "small", "blocks"])
def test_warming_reads_a_beginning_of_what_is_asked_later(endpoint: Endpoint) -> None:
    before = brief(endpoint, prompt="", history=HISTORY, other_paths=("b.py",))
    asked = replace(
        before, prompt="Do it", mentioned=(OTHER,), selected=(1, 1), redirection=REDIRECTED
    )
    warm, request = warm_request(before), build(asked)
    assert isinstance(request, Request)
    assert warm.max_tokens == 1
    assert warm.messages[0] == request.messages[0]
    assert request.messages[1].content.startswith(warm.messages[1].content)
    assert TEXT in warm.messages[1].content and "Instruction" not in warm.messages[1].content
