"""The `patch` parser as the message comes: when it tells what, any cut of any message, its time."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.formats.reading import check_order, check_random_cuts, lined, read
from webapp.engine.formats import (
    BlockEnd,
    BlockStart,
    Delete,
    FileEnd,
    FileStart,
    Move,
    Omission,
    Prose,
    Search,
    Text,
)
from webapp.engine.formats.patch import PatchParser

BEGIN = "*** Begin Patch\n"
UPDATE = f"{BEGIN}*** Update File: a\n"
ADD = f"{BEGIN}*** Add File: n\n"
LINES = (
    *("*** Begin Patch", "*** End Patch", " *** End Patch", "*** End Patch ", "\t*** End Patch"),
    *("*** Update File: a", " *** Update File: b", "*** Add File: c", "*** Delete File: d"),
    *("*** Move to: e", "*** End of File", "*** Copy File: f", "*** Add File:", "***", "*** x"),
    *("@@", "@@ def f():", "@@ -1,2 +1,3 @@", "@@ -3,0 +4 @@", "@@ -0,0 +1 @@ g", "@@ h @@", "@@@"),
    *(" a", "-b", "+c", "", " ", "+", "-", "\t", "   ", "\\ No newline at end of file"),
    *("--- a/a", "+++ b/a", "+# ... rest of the code ...", "# ... rest of the code ...", "+#"),
    *("```", "```diff", "~~~", " ```", "apply_patch <<'EOF'", "cat <<EOF", "$ cat", "EOF", " EOF"),
    *("hello", "* one", "** two", "\ud83d\ude00", "+\ud83d\ude00", "x" * 1001, " " * 1001),
)
ENDS = ("\n", "\n", "\n", "\r\n", "\r", "")
STARTS = ("", BEGIN, UPDATE, UPDATE + "@@\n", ADD, f"```\n{UPDATE}", f"cat <<EOF\n{UPDATE}@@ f\n")


@st.composite
def messages(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(ENDS)), max_size=16))
    return draw(st.sampled_from(STARTS)) + "".join(line + end for line, end in lines)


@given(messages(), st.randoms(use_true_random=False))
def test_no_cut_of_any_message_changes_the_events(message: str, rng: random.Random) -> None:
    check_random_cuts(PatchParser, message, rng)


@given(st.text(alphabet=st.sampled_from("*@+- \n\r`~<EOF\ud83d\ude00\x00"), max_size=60))
def test_nothing_that_is_no_patch_raises(text: str) -> None:
    for start in STARTS:
        check_order(read(PatchParser, start + text))


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    for start in STARTS:
        check_order(read(PatchParser, start + data.decode("latin-1")))


@given(messages())
def test_what_is_said_outside_patches_is_kept(message: str) -> None:
    """A message without a marker that begins a patch is prose to the letter, but for its ends."""
    plain = message.replace("***", "**")
    said = "".join(e.text for e in read(PatchParser, plain) if isinstance(e, Prose))
    assert said == plain.replace("\r\n", "\n").replace("\r", "\n")


def test_a_hunk_is_told_whole_when_the_next_line_is_no_part_of_it() -> None:
    parser = PatchParser()
    assert parser.push(f"{UPDATE}@@ f\n-x\n+y\n") == []
    assert parser.push("@@\n") == [
        BlockStart("a", anchors=("f",), ordered=True, restarts=True),
        Search("x\n"),
        Text("y\n"),
        BlockEnd(),
    ]
    assert parser.push("-p\n*** End of Fi") == []
    assert parser.push("le\n") == []
    assert parser.push("*** End Patch\n") == [
        BlockStart("a", ordered=True, at_end=True),
        Search("p\n"),
        BlockEnd(),
    ]


def test_the_first_block_of_each_update_begins_a_new_order() -> None:
    hunk, again = "@@\n-x\n", "*** Update File: a\n"
    events = read(
        PatchParser, f"{UPDATE}{hunk}{hunk}{again}{hunk}bad\n{hunk}{again}*** End Patch\n"
    )
    starts = [event for event in events if isinstance(event, BlockStart)]
    assert [start.restarts for start in starts] == [True, False, True, False, True]
    assert all(start.ordered for start in starts)


def test_a_new_file_streams() -> None:
    parser = PatchParser()
    assert parser.push(f"{BEGIN}*** Add File: n") == []
    assert parser.push("\n") == [FileStart("n", creates=True)]
    assert parser.push("+") == []
    assert parser.push("ret") == [Text("ret")]
    assert parser.push("urn 1\n+\n") == [Text("urn 1\n")]
    assert parser.push("+x\n+# ... rest") == [Text("\nx\n")]
    assert parser.push(" of the code ...\n") == [Omission("# ... rest of the code ...\n")]
    assert parser.push("*** End Patch\n") == [FileEnd(True)]


def test_operations_are_told_when_the_next_marker_is_there() -> None:
    parser = PatchParser()
    assert parser.push(f"{BEGIN}*** Delete File: d\n\n") == []
    assert parser.push("*** Update File: a\n*** Move to: b\n") == [Delete("d")]
    assert parser.push("*** End Patch\n") == [Move("a", "b")]


def test_prose_streams_and_what_may_begin_a_patch_is_held() -> None:
    parser = PatchParser()
    assert parser.push("I will ") == [Prose("I will ")]
    assert parser.push("do it.\n***") == [Prose("do it.\n")]
    assert parser.push("bold") == [Prose("***bold")]
    assert parser.push("***\n```sh\n") == [Prose("***\n")]
    assert parser.push("cat <<EOF\n") == []
    assert parser.push("ls\n") == [Prose("```sh\ncat <<EOF\nls\n")]


@pytest.mark.parametrize(
    ("lines", "crlf"),
    [
        ("+a\r\n+b\r\n", True),
        ("+a\r\n+b\r\n+\n", True),
        ("+a\r\n+b\n", False),
        ("+a\n+b\n", False),
        ("+a\r+b\r", False),
        ("+\r\n+\r\n", True),
        ("", False),
    ],
)
def test_a_new_file_says_how_most_of_its_lines_ended(lines: str, crlf: bool) -> None:
    for cut in range(len(lines)):
        start = len(ADD)
        events = read(PatchParser, f"{ADD}{lines}*** End Patch", start + cut)
        assert [event.crlf for event in events if isinstance(event, FileEnd)] == [crlf]


def test_a_hunk_says_how_its_lines_ended() -> None:
    for lines, crlf in (("+a\r\n+b\n", True), ("+a\r\n+b\n+c\n", False), ("+a\n", False)):
        events = read(PatchParser, f"{UPDATE}@@\n{lines}*** End Patch")
        assert [event.crlf for event in events if isinstance(event, BlockEnd)] == [crlf]


def test_a_long_line_is_no_marker() -> None:
    long = f"*** Delete File: {'x' * 1000}\n"
    assert lined(read(PatchParser, long)) == [f"say {long}".replace("\n", "|")]
    assert lined(read(PatchParser, f"{BEGIN}{long}*** End Patch")) == ["edit None: (unknown)"]


@pytest.mark.parametrize(
    "piece",
    [
        "x",
        "*",
        " ",
        "+",
        "\n",
        "\r",
        "`",
        "+x\n",
        "-x\n",
        "@@ f\n",
        "*** ",
        "***\n",
        "*** End Patch\n",
    ],
)
@pytest.mark.parametrize("start", ["", UPDATE + "@@\n+", ADD + "+", BEGIN, UPDATE + "bad\n"])
def test_time_grows_with_the_message_alone(piece: str, start: str) -> None:
    def seconds(count: int) -> float:
        parser = PatchParser()
        parser.push(start)
        began = time.process_time()
        for _ in range(count):
            parser.push(piece)
        parser.finish()
        return time.process_time() - began

    assert min(seconds(2000) for _ in range(3)) < 12 * min(seconds(500) for _ in range(3)) + 0.01
