"""The `whole` parser: named cases, and the same events however the message is cut."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.formats import Event, FileEnd, FileStart, Omission, Prose, Text
from webapp.engine.formats.omissions import is_omission, may_begin
from webapp.engine.formats.targets import may_be_name_or_fence, name_on_line
from webapp.engine.formats.whole import WholeParser


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


def parse(message: str, *cuts: int, focus: str | None = "app.py") -> list[Event]:
    parser = WholeParser(focus)
    events: list[Event] = []
    for start, end in zip((0, *cuts), (*cuts, len(message)), strict=True):
        events += parser.push(message[start:end])
    return joined(events + parser.finish())


def files(message: str, focus: str | None = "app.py") -> list[tuple[str | None, str, bool]]:
    found: list[tuple[str | None, str, bool]] = []
    for event in parse(message, focus=focus):
        match event:
            case FileStart(path=path):
                found.append((path, "", False))
            case Text(text=text) | Omission(text=text):
                path, before, _ = found[-1]
                found[-1] = path, before + text, False
            case FileEnd(complete=complete):
                found[-1] = *found[-1][:2], complete
            case Prose():
                pass
    return found


@pytest.mark.parametrize(
    "name",
    [
        "app.py",
        "`app.py`",
        "**app.py**",
        "**`app.py`**",
        "### app.py",
        "### `app.py`",
        "File: app.py",
        "File: `app.py`",
        "filename: app.py:",
        "app.py:",
        "1. `app.py`",
        "**File: app.py**",
    ],
)
def test_a_name_on_the_line_before_the_fence(name: str) -> None:
    assert files(f"Sure.\n\n{name}\n\n```python\nx\n```\n") == [("app.py", "x\n", True)]
    assert parse(f"{name}\n```\nx\n```\n")[0] == FileStart("app.py", "", (), f"{name}\n```\n")


@pytest.mark.parametrize(
    ("info", "language", "path"),
    [
        ("python app.py", "python", "app.py"),
        ("app.py", "", "app.py"),
        ("python:src/app.py", "python", "src/app.py"),
        ('js title="src/a.js"', "js", "src/a.js"),
        ("python", "python", None),
        ("", "", None),
        ("c++", "c++", None),
        ("Makefile", "", "Makefile"),
    ],
)
def test_a_name_in_the_info(info: str, language: str, path: str | None) -> None:
    start = parse(f"```{info}\nx\n```")[0]
    assert isinstance(start, FileStart)
    assert (start.language, start.path) == (language, path)


@pytest.mark.parametrize(
    "line",
    ["Here it is:", "It is in app.py now.", "# Changes", "- first", "https://a.b/c.py", "e.g."],
)
def test_a_line_that_says_more_than_a_path_is_no_name(line: str) -> None:
    assert files(f"{line}\n```\nx\n```\n") == [(None, "x\n", True)]


def test_names_in_backticks_in_the_sentence_before_are_told() -> None:
    start = parse("Here is a new version of `a.txt` for you:\n\n```\nx\n```")[1]
    assert isinstance(start, FileStart)
    assert (start.path, start.mentions) == (None, ("a.txt",))


@pytest.mark.parametrize("name", ["bin/run", "`bin/run`", "### CODEOWNERS", "**src/tool**:"])
def test_a_word_alone_before_the_fence_may_be_a_file_without_extension(name: str) -> None:
    start = parse(f"{name}\n```\nx\n```\n")[1]
    assert isinstance(start, FileStart)
    assert (start.path, start.mentions) == (None, (name.strip("#*`: "),))


@pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "~/.bashrc", ".git/config", "./run"])
def test_a_path_from_elsewhere_is_a_name_and_never_the_file_in_focus(name: str) -> None:
    assert files(f"{name}\n```\nx\n```\n") == [(name, "x\n", True)]


def test_a_path_that_is_not_followed_by_a_fence_is_prose() -> None:
    assert parse("app.py\n\nis fine\n") == [Prose("app.py\n\nis fine\n")]
    assert parse("app.py\n") == [Prose("app.py\n")]


def test_the_longer_fence_holds_a_shorter_one() -> None:
    assert files("app.py\n````\na\n```\nb\n```\n````\n") == [("app.py", "a\n```\nb\n```\n", True)]


def test_tildes_hold_backticks() -> None:
    assert files("app.py\n~~~\na\n```\n~~~\n") == [("app.py", "a\n```\n", True)]


def test_in_markdown_a_fence_with_an_info_string_nests() -> None:
    message = "README.md\n```markdown\n# T\n\n```bash\nrun\n```\n\nend\n```\nDone.\n"
    assert files(message) == [("README.md", "# T\n\n```bash\nrun\n```\n\nend\n", True)]


def test_elsewhere_a_fence_of_that_length_ends_the_file() -> None:
    assert files("app.py\n```\na\n```\nb\n")[0] == ("app.py", "a\n", True)


@pytest.mark.parametrize("line", ["```x", "x ```", "    ```", "``", "``` x", "\t```"])
def test_only_a_whole_line_closes(line: str) -> None:
    assert files(f"app.py\n```\n{line}\n```\n") == [("app.py", line + "\n", True)]


@pytest.mark.parametrize("fence", ["```", "   ```", "````", "```  "])
def test_the_closing_fence_may_be_the_last_thing_said(fence: str) -> None:
    assert files(f"```\nx\n{fence}") == [(None, "x\n", True)]


@pytest.mark.parametrize("message", ["```\nx", "```\nx\n", "```\nx\n``", "```\nx\n    ```"])
def test_without_a_closing_fence_the_file_is_not_complete(message: str) -> None:
    assert files(message) == [(None, message[4:], False)]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_every_line_end_becomes_lf(end: str) -> None:
    message = "Hi.\n\napp.py\n```\nx\n\ny\n```\nBye.\n"
    assert parse(message.replace("\n", end)) == parse(message)


OMISSIONS = [
    "# ... rest of code remains the same ...",
    "// existing code",
    "// ... existing code ...",
    "# Rest of the code",
    "# rest of the file unchanged",
    "    # ... (rest of the function)",
    "/* ... */",
    "<!-- rest of the HTML -->",
    "<!-- ... existing content ... -->",
    "{/* ... */}",
    "# ...",
    "// …",
    "# Existing code here",
    "# your existing implementation goes here",
    "# other methods remain unchanged",
    "// the rest stays the same",
    "# Keep the rest of the code as is",
    "-- remaining functions",
    "# same as before",
    "# unchanged",
    "# Other functions...",
]
ORDINARY = [
    "...",
    "    ...",
    "# existing users are kept",
    "# other imports",
    "# the rest of the numbers, doubled",
    "# code for the door",
    "x = 1  # rest of code",
    "#rest { color: red }",
    "--existing-code: 1",
    "# TODO: handle the rest",
    "// previous value",
    "# All tests",
    "# remaining = total - used",
    "#!/usr/bin/env python",
    "print('...')",
]


@pytest.mark.parametrize("line", OMISSIONS)
def test_an_omission_is_told_apart_and_never_comes_as_text(line: str) -> None:
    assert parse(f"```\na\n{line}\nb\n```") == [
        FileStart(None, "", (), "```\n"),
        Text("a\n"),
        Omission(line + "\n"),
        Text("b\n"),
        FileEnd(True, "```"),
    ]
    assert all(may_begin(line[:end]) for end in range(len(line) + 1))


@pytest.mark.parametrize("line", ORDINARY)
def test_an_ordinary_line_is_no_omission(line: str) -> None:
    assert not is_omission(line)


def test_in_markdown_a_heading_is_no_omission() -> None:
    assert not is_omission("# Existing code", markup=True)
    assert is_omission("<!-- rest of the file -->", markup=True)


def test_text_is_handed_on_as_it_comes() -> None:
    parser = WholeParser("app.py")
    parser.push("app.py\n```python\n")
    assert parser.push("ret") == [Text("ret")]
    assert parser.push("urn") == [Text("urn")]
    assert parser.push("\n") == [Text("\n")]
    assert parser.push("``") == []
    assert parser.push("x") == [Text("``x")]


def test_prose_is_handed_on_as_it_comes() -> None:
    parser = WholeParser("app.py")
    assert parser.push("I ") == []
    assert parser.push("have") == [Prose("I have")]
    assert parser.push(" done") == [Prose(" done")]


MESSAGE = (
    "Sure, `app.py` it is.\r\n\r\n### `src/app.py`\r\n\r\n```python\r\ndef f():\r\n    # ... rest"
    " of the code\r\n    return '```'\r\n```\r\n\r\nREADME.md\n````md\n# T\n```sh\nls\n```\n~~~\n"
    "````\nFile: my file.txt\nnot a fence\n~~~\nlast\n``"
)


def test_every_split_point_gives_the_same_events() -> None:
    whole = parse(MESSAGE)
    assert [type(event) for event in whole].count(FileStart) == 3
    for cut in range(len(MESSAGE) + 1):
        assert parse(MESSAGE, cut) == whole, cut


def test_every_pair_of_split_points_gives_the_same_events() -> None:
    message = MESSAGE[20:110]
    whole = parse(message)
    for first in range(len(message)):
        for second in range(first, len(message) + 1):
            assert parse(message, first, second) == whole, (first, second)


PARTS = st.sampled_from(
    ["`", "```", "````", "~~~", "\n", "\r", "\r\n", " ", "    ", "app.py", "a.md", "python", "#"]
    + ["...", "//", "rest of the code", "text", "`a.py`", "**", "File: ", ":", "x y", "<!--", "1."]
    + ["```py\n", "```python ", "\t", " " * 300, "y" * 300, "js"]
)


@given(st.lists(PARTS, max_size=30), st.randoms(use_true_random=False))
def test_random_messages_cut_at_random_give_the_same_events(
    parts: list[str], chance: random.Random
) -> None:
    message = "".join(parts)
    cuts = sorted(chance.randint(0, len(message)) for _ in range(chance.randint(0, 9)))
    assert parse(message, *cuts) == parse(message)
    assert parse(message, *range(1, len(message))) == parse(message)


@given(st.lists(PARTS, max_size=8))
def test_a_line_that_ends_as_a_name_was_never_taken_for_prose(parts: list[str]) -> None:
    line = "".join(parts).replace("\n", "").replace("\r", "")
    if name_on_line(line) is not None:
        assert all(may_be_name_or_fence(line[:end]) for end in range(len(line) + 1))


@given(st.lists(PARTS, max_size=8))
def test_a_line_that_ends_as_an_omission_was_always_held(parts: list[str]) -> None:
    line = "".join(parts).replace("\n", "").replace("\r", "")
    for markup in (False, True):
        if is_omission(line, markup=markup):
            assert all(may_begin(line[:end], markup=markup) for end in range(len(line) + 1))


WRAPPED = "```\napp.py\n```python\na = 1\n```\n"


@pytest.mark.parametrize("ending", ["", "```\n", "```", "\n```\nThat is it.\n"])
def test_a_bare_fence_around_name_and_fence_is_a_wrapper(ending: str) -> None:
    message = WRAPPED + ending
    assert files(message) == [("app.py", "a = 1\n", True)]
    for cut in range(1, len(message)):
        assert parse(message, cut) == parse(message)
    assert parse(message, *range(1, len(message))) == parse(message)


def test_two_wrapped_files_are_two() -> None:
    second = WRAPPED.replace("app.py", "b.py").removeprefix("```\n")
    assert [path for path, _, _ in files(f"{WRAPPED}```\n\n```\n{second}```\n")] == [
        "app.py",
        "b.py",
    ]


@pytest.mark.parametrize(
    ("inside", "focus"),
    [
        ("app.py\nb.py\n", "list.txt"),
        ("app.py\n", "list.txt"),
        ("", "app.py"),
        ("x = 1\n", "app.py"),
        ("app.py\n\n", "list.txt"),
        ("app.py\n~~~python\nx\n~~~\n", "README.md"),
    ],
)
def test_a_bare_fence_around_anything_else_is_a_block(inside: str, focus: str) -> None:
    message = f"```\n{inside}```\n"
    assert files(message, focus) == [(None, inside, True)]
    for cut in range(1, len(message)):
        assert parse(message, cut, focus=focus) == parse(message, focus=focus)
