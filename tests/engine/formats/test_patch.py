"""The `patch` parser: named cases, and the same events however the message is cut."""

from __future__ import annotations

import pytest

from tests.engine.formats.reading import check_cuts, lined, read
from webapp.engine.formats.patch import PatchParser

BEGIN, END = "*** Begin Patch|", "*** End Patch|"
UPDATE, ADD, DELETE = "*** Update File: a|", "*** Add File: n|", "*** Delete File: d|"
HUNK = "@@|-x|+y|"


def patch(inside: str) -> str:
    return BEGIN + inside + END


CASES: dict[str, tuple[str, list[str]]] = {
    # The grammar
    "a hunk": (patch(f"{UPDATE}@@| c|-x|+y| d|"), ["edit a: c|x|d| -> c|y|d|"]),
    "two hunks": (patch(f"{UPDATE}{HUNK}@@|-p|+q|"), ["edit a: x| -> y|", "edit a: p| -> q|"]),
    "two files": (
        patch(f"{UPDATE}{HUNK}*** Update File: b|{HUNK}"),
        ["edit a: x| -> y|", "edit b: x| -> y|"],
    ),
    "lines taken and added by turns": (
        patch(f"{UPDATE}@@|-1|+2| c|-3|+4|"),
        ["edit a: 1|c|3| -> 2|c|4|"],
    ),
    "lines only taken": (patch(f"{UPDATE}@@|-x|-y|"), ["edit a: x|y| -> "]),
    "only context": (patch(f"{UPDATE}@@| x|"), ["edit a: x| -> x|"]),
    "a line to search behind": (
        patch(f"{UPDATE}@@ def f():|-x|+y|"),
        ["edit a [def f():]: x| -> y|"],
    ),
    "several lines narrow it in turn": (
        patch(f"{UPDATE}@@ class A:|@@     def f():|-x|+y|"),
        ["edit a [class A:,     def f():]: x| -> y|"],
    ),
    "a bare @@ behind them": (
        patch(f"{UPDATE}@@ class A:|@@|-x|+y|"),
        ["edit a [class A:]: x| -> y|"],
    ),
    "a blank line among them": (
        patch(f"{UPDATE}@@ class A:||@@ def f():|-x|+y|"),
        ["edit a [class A:, def f():]: x| -> y|"],
    ),
    "a bare @@ begins anew": (
        patch(f"{UPDATE}@@ f|-x|+y|@@|-p|+q|"),
        ["edit a [f]: x| -> y|", "edit a: p| -> q|"],
    ),
    "only added lines behind a line": (
        patch(f"{UPDATE}@@ def f():|+x|+y|"),
        ["edit a [def f():]:  -> x|y|"],
    ),
    "only added lines": (patch(f"{UPDATE}@@|+x|"), ["edit a:  -> x|"]),
    "the end of the file": (
        patch(f"{UPDATE}@@|-x|+y|*** End of File|"),
        ["edit a end: x| -> y|"],
    ),
    "added at the end of the file": (
        patch(f"{UPDATE}@@|+y|*** End of File|"),
        ["edit a end:  -> y|"],
    ),
    "a hunk behind the end of the file": (
        patch(f"{UPDATE}@@|-x|+y|*** End of File|@@ f|-p|+q|"),
        ["edit a end: x| -> y|", "edit a [f]: p| -> q|"],
    ),
    "a new file": (patch(f"{ADD}+x|+  y|"), ["add n: x|  y|"]),
    "an empty new file": (patch(ADD), ["add n: "]),
    "a new file with blank lines": (patch(f"{ADD}+x|+|+|+y|"), ["add n: x|||y|"]),
    "an empty line at a new file's end": (patch(f"{ADD}+x|+|"), ["add n: x|"]),
    "two empty lines at a new file's end": (patch(f"{ADD}+x|+|+|"), ["add n: x||"]),
    "a deletion": (patch(DELETE), ["delete d"]),
    "a move": (patch(f"{UPDATE}*** Move to: b|"), ["move a to b"]),
    "a move with a hunk": (
        patch(f"{UPDATE}*** Move to: b|{HUNK}"),
        ["edit a: x| -> y|", "move a to b"],
    ),
    "a move behind the hunks": (
        patch(f"{UPDATE}{HUNK}*** Move to: b|"),
        ["edit a: x| -> y|", "move a to b"],
    ),
    "every operation": (
        patch(f"{ADD}+x|{DELETE}{UPDATE}{HUNK}"),
        ["add n: x|", "delete d", "edit a: x| -> y|"],
    ),
    "nothing in it": (patch(""), []),
    # What is content
    "added markers": (
        patch(f"{UPDATE}@@|-x|+*** End Patch|+@@|"),
        ["edit a: x| -> *** End Patch|@@|"],
    ),
    "taken markers": (patch(f"{UPDATE}@@|-*** Add File: q|"), ["edit a: *** Add File: q| -> "]),
    "context that reads like markers": (
        patch(f"{UPDATE}@@| *** Begin Patch| @@ f| *** End Patch|-x|"),
        ["edit a: *** Begin Patch|@@ f|*** End Patch|x| -> *** Begin Patch|@@ f|*** End Patch|"],
    ),
    "a new file that holds a patch": (
        patch(f"{ADD}+*** Begin Patch|+*** End Patch|"),
        ["add n: *** Begin Patch|*** End Patch|"],
    ),
    "signs behind signs": (patch(f"{UPDATE}@@|--x|++y|  z|"), ["edit a: -x| z| -> +y| z|"]),
    "white space at the ends of lines": (
        patch(f"{UPDATE}@@|-x \t|+y  |"),
        ["edit a: x \t| -> y  |"],
    ),
    "a fence in a hunk": (patch(f"{UPDATE}@@| ```|-x|+y|"), ["edit a: ```|x| -> ```|y|"]),
    "code left out": (
        patch(f"{UPDATE}@@|-x|+a|+# ... rest of the code ...|+b|"),
        ["edit a: x| -> a|⟨# ... rest of the code ...|⟩b|"],
    ),
    "code left out that is context": (
        patch(f"{UPDATE}@@| # ... rest of the code ...|-x|"),
        ["edit a: # ... rest of the code ...|x| -> # ... rest of the code ...|"],
    ),
    "code left out of a new file": (
        patch(f"{ADD}+a|+|+# ... rest of the code ...|"),
        ["add n: a||⟨# ... rest of the code ...|⟩"],
    ),
    "a heading in Markdown": (
        patch("*** Add File: n.md|+# ... rest of the code ...|"),
        ["add n.md: # ... rest of the code ...|"],
    ),
    # Blank lines that lack their space
    "a blank line in a hunk": (patch(f"{UPDATE}@@| a||-b|+B|"), ["edit a: a||b| -> a||B|"]),
    "a blank line that begins a hunk": (patch(f"{UPDATE}@@||-b|"), ["edit a: |b| -> |"]),
    "a blank line that ends a hunk": (
        patch(f"{UPDATE}@@|-b||@@|-c|"),
        ["edit a: b|| -> |", "edit a: c| -> "],
    ),
    "white space alone": (patch(f"{UPDATE}@@| a|\t|-b|"), ["edit a: a||b| -> a||"]),
    "a blank line around added lines": (patch(f"{UPDATE}@@ f||+x||"), ["edit a [f]:  -> x|"]),
    "a blank line between added lines": (
        patch(f"{UPDATE}@@ f|+x||+y|"),
        ["edit a [f]: (bad_line)"],
    ),
    "a blank line before the first hunk": (patch(f"{UPDATE}|{HUNK}"), ["edit a: x| -> y|"]),
    "blank lines around operations": (patch(f"|{DELETE}|{ADD}+x||"), ["delete d", "add n: x|"]),
    "a blank line in a new file": (patch(f"{ADD}+x||+y|"), ["add n: x||y|"]),
    # What is taken as well
    "padded markers": (
        f" *** Begin Patch |  *** Update File: a |{HUNK}\t*** End Patch |",
        ["edit a: x| -> y|"],
    ),
    "a padded end": (f"{BEGIN}{UPDATE}{HUNK} *** End Patch|", ["edit a: x| -> y|"]),
    "a padded end with prose behind": (
        f"{BEGIN}{UPDATE}{HUNK} *** End Patch||Done.|",
        ["edit a: x| -> y|", "say Done.|"],
    ),
    "a padded end with a fence behind": (
        f"```|{BEGIN}{UPDATE}{HUNK} *** End Patch|```|Done.|",
        ["edit a: x| -> y|", "say Done.|"],
    ),
    "a padded end with another patch behind": (
        f"{BEGIN}{UPDATE}{HUNK} *** End Patch|{patch(DELETE)}",
        ["edit a: x| -> y|", "delete d"],
    ),
    "a padded operation behind another": (
        patch(f"{DELETE}  *** Delete File: e|{ADD}+x|  *** Delete File: f|"),
        ["delete d", "delete e", "add n: x|", "delete f"],
    ),
    "a first hunk without @@": (
        patch(f"{UPDATE}-x|+y|@@|-p|"),
        ["edit a: x| -> y|", "edit a: p| -> "],
    ),
    "line numbers": (patch(f"{UPDATE}@@ -1,2 +1,3 @@|-x|+y|"), ["edit a: x| -> y|"]),
    "line numbers with a line behind": (
        patch(f"{UPDATE}@@ -1 +1,3 @@ def f():|-x|+y|"),
        ["edit a [def f():]: x| -> y|"],
    ),
    "line numbers of an empty file": (patch(f"{UPDATE}@@ -0,0 +1,2 @@|+x|"), ["edit a:  -> x|"]),
    "@@ on both sides": (patch(f"{UPDATE}@@ def f(): @@|-x|"), ["edit a [def f():]: x| -> "]),
    "dots for a line": (
        patch(f"{UPDATE}@@ ... @@|-x|@@ …|-y|"),
        ["edit a: x| -> ", "edit a: y| -> "],
    ),
    "the head of a unified diff": (
        patch(f"{UPDATE}--- a/a|+++ b/a|@@ -1 +1 @@|-x|+y|"),
        ["edit a: x| -> y|"],
    ),
    "no newline at the end of the file": (
        patch(f"{UPDATE}@@|-x|+y|\\ No newline at end of file|"),
        ["edit a: x| -> y|"],
    ),
    "a bare @@ at the end": (patch(f"{UPDATE}{HUNK}@@|"), ["edit a: x| -> y|"]),
    "a quoted path": (
        patch('*** Delete File: `a b.py`|*** Delete File: "c"|'),
        ["delete a b.py", "delete c"],
    ),
    "a path with spaces": (patch("*** Delete File:  a b/c d.py |"), ["delete a b/c d.py"]),
    "a heredoc": (
        f"apply_patch <<'EOF'|{patch(UPDATE + HUNK)}EOF|Done.|",
        ["edit a: x| -> y|", "say Done.|"],
    ),
    "a heredoc of cat in a fence": (
        f'Sure.|```sh|$ cat <<"PATCH" \\| apply_patch|{patch(DELETE)}PATCH|```|Done.|',
        ["say Sure.|", "delete d", "say Done.|"],
    ),
    "a fence": (
        f"Sure.|```diff||{patch(UPDATE + HUNK)}```|Done.|",
        ["say Sure.|", "edit a: x| -> y|", "say Done.|"],
    ),
    "a fence of tildes": (f"~~~~|{patch(DELETE)}~~~~|", ["delete d"]),
    "two patches in a fence": (
        f"```|{patch(DELETE)}|{patch(UPDATE + HUNK)}```|",
        ["delete d", "say |", "edit a: x| -> y|"],
    ),
    "two patches with prose between": (
        f"{patch(DELETE)}Then:|{patch(UPDATE + HUNK)}",
        ["delete d", "say Then:|", "edit a: x| -> y|"],
    ),
    "an envelope begun twice": (BEGIN + patch(DELETE), ["delete d"]),
    "no line end at the end": (patch(UPDATE + HUNK)[:-1], ["edit a: x| -> y|"]),
    # Without an envelope
    "no envelope": (UPDATE + HUNK, ["edit a: x| -> y|"]),
    "no envelope and no line end": ((UPDATE + HUNK)[:-1], ["edit a: x| -> y|"]),
    "no envelope, and a fence": (
        f"```|{UPDATE}{HUNK}```|Done.|",
        ["edit a: x| -> y|", "say Done.|"],
    ),
    "no envelope, and another behind": (
        f"{UPDATE}{HUNK}{patch(DELETE)}",
        ["edit a: x| -> y|", "delete d"],
    ),
    "an end alone": (f"{UPDATE}{HUNK}{END}Done.|", ["edit a: x| -> y|", "say Done.|"]),
    "a new file without an envelope": (ADD + "+x", ["add n: x"]),
    "a deletion without an envelope": (DELETE, ["delete d"]),
    "a move without an envelope": (f"{UPDATE}*** Move to: b", ["move a to b"]),
    # What is not complete
    "the end is missing": (BEGIN + UPDATE + HUNK, ["edit a: (cut)"]),
    "the end is missing behind two hunks": (
        f"{BEGIN}{UPDATE}{HUNK}@@|-p|+q",
        ["edit a: x| -> y|", "edit a: (cut)"],
    ),
    "the end is cut": (f"{BEGIN}{UPDATE}{HUNK}*** End Pat", ["edit a: (cut)"]),
    "the end is missing behind a deletion": (BEGIN + DELETE, ["edit d: (cut)"]),
    "the end is missing behind a move": (f"{BEGIN}{UPDATE}*** Move to: b|", ["edit a: (cut)"]),
    "the end is missing behind a new file": (f"{BEGIN}{ADD}+x|+y", ["add n: x|y (cut)"]),
    "the end is missing behind nothing": (BEGIN, ["edit None: (cut)"]),
    "the end of the file is no end": (
        f"{BEGIN}{UPDATE}{HUNK}*** End of File|",
        ["edit a: (cut)"],
    ),
    "a fence ends before the patch": (
        f"```|{BEGIN}{UPDATE}{HUNK}```|Done.|",
        ["edit a: (no_end)", "say Done.|"],
    ),
    "a heredoc ends before the patch": (
        f"cat <<EOF|{BEGIN}{ADD}+x|EOF|",
        ["add n: x| (no_end)"],
    ),
    "another begins before the end": (
        f"{BEGIN}{UPDATE}{HUNK}{patch(DELETE)}",
        ["edit a: (no_end)", "delete d"],
    ),
    # Faults
    "a line of no kind": (
        patch(f"{UPDATE}@@|-x|foo|+y|@@|-p|+q|"),
        ["edit a: (bad_line)", "edit a: p| -> q|"],
    ),
    "prose behind a hunk": (f"{UPDATE}{HUNK}|I changed x.|", ["edit a: (bad_line)"]),
    "a line of no kind before another file": (
        patch(f"{UPDATE}@@|foo|-x|{DELETE}"),
        ["edit a: (bad_line)", "delete d"],
    ),
    "a new file's line without its sign": (
        patch(f"{ADD}+x|y|+z|{DELETE}"),
        ["add n: x| (bad_line)", "delete d"],
    ),
    "an update of nothing": (patch(UPDATE), ["edit a: (empty)"]),
    "an update with a bare @@": (patch(f"{UPDATE}@@|"), ["edit a: (empty)"]),
    "a place without lines": (patch(f"{UPDATE}@@ f|"), ["edit a [f]: (empty)"]),
    "an operation that there is not": (
        patch(f"*** Rename File: a|-x|@@|{DELETE}"),
        ["edit None: (unknown)", "delete d"],
    ),
    "an unknown operation behind a hunk": (
        patch(f"{UPDATE}{HUNK}*** Copy File: a|"),
        ["edit a: x| -> y|", "edit None: (unknown)"],
    ),
    "an operation without a path": (patch("*** Delete File: |"), ["edit None: (unknown)"]),
    "a move of nothing": (patch("*** Move to: b|"), ["edit None: (unknown)"]),
    "a second move": (
        patch(f"{UPDATE}*** Move to: b|*** Move to: c|"),
        ["move a to b", "edit None: (unknown)"],
    ),
    "prose in the envelope": (patch(f"Hello.|{DELETE}"), ["edit None: (unknown)", "delete d"]),
    "a hunk of no file": (patch(HUNK), ["edit None: (unknown)"]),
    "line numbers alone say where": (
        patch(f"{UPDATE}@@ -3,0 +4 @@|+x|"),
        ["edit a: (no_place)"],
    ),
    "stars that are no marker": (patch(f"{UPDATE}@@|-x|***|+y|"), ["edit a: (bad_line)"]),
    "@@ that is none": (patch(f"{UPDATE}@@|-x|@@@|+y|"), ["edit a: (bad_line)"]),
    # Prose
    "prose alone": (
        "Hello.||```py|x = 1|```||cat is *** a|apply_patch it|*** End Patch|",
        ["say Hello.||```py|x = 1|```||cat is *** a|apply_patch it|*** End Patch|"],
    ),
    "a marker in a sentence": (
        "Write *** Begin Patch|    *** Delete File: x|",
        ["say Write *** Begin Patch|    *** Delete File: x|"],
    ),
    "a sample before the patch": (
        f"```py|x|```|{patch(DELETE)}bye|",
        ["say ```py|x|```|", "delete d", "say bye|"],
    ),
    "a heredoc without a patch": ("cat <<EOF|hi|EOF|", ["say cat <<EOF|hi|EOF|"]),
    "a fence that nothing follows": ("```|", ["say ```|"]),
    "nothing": ("", []),
}


def message(name: str) -> str:
    return CASES[name][0].replace("\\|", "\0").replace("|", "\n").replace("\0", "|")


@pytest.mark.parametrize("name", CASES)
def test_a_message(name: str) -> None:
    assert lined(read(PatchParser, message(name))) == CASES[name][1]


@pytest.mark.parametrize("name", CASES)
def test_no_cut_changes_the_events(name: str) -> None:
    check_cuts(PatchParser, message(name))


@pytest.mark.parametrize("name", CASES)
def test_line_ends_of_any_kind_are_the_same_message(name: str) -> None:
    for end in ("\r\n", "\r"):
        said = lined(read(PatchParser, message(name).replace("\n", end)))
        assert [line.removesuffix(" crlf") for line in said] == CASES[name][1]
        check_cuts(PatchParser, message(name).replace("\n", end))
