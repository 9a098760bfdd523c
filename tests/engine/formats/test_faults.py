"""Faults that edits are known for, in blocks and whole files: none of them happens here.

Each case is a name, the files before, the message, and either the files that are other afterwards,
or why an edit is refused (then nothing is other, but for what is said besides). Every case comes
out the same at every single cut of its message.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.formats.applying import apply

Files = dict[str, str]
Case = tuple[Files, str, Files, list[str]]
"""Files before, message, what is other afterwards, what is refused."""

PY: Final = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"


def block(old: str, new: str, path: str = "f.py", marks: int = 7) -> str:
    """Return one search/replace block in a fence, under its file's name."""
    return (
        f"{path}\n```\n{'<' * marks} SEARCH\n{old}{'=' * marks}\n{new}{'>' * marks} REPLACE\n```\n"
    )


BLOCKS: Final[dict[str, Case]] = {
    "the second of two equal places is not taken for the first": (
        {"f.py": "x = 1\ny = 2\nx = 1\n"},
        block("x = 1\n", "x = 3\n"),
        {},
        ["ambiguous"],
    ),
    "two places that differ in trailing blanks alone are still two when neither is exact": (
        {"f.py": "x  \ny\nx \n"},
        block("x\n", "z\n"),
        {},
        ["ambiguous"],
    ),
    "an exact place wins over one that only looks alike": (
        {"f.py": "s = 'x'\ns = \u2018x\u2019\n"},
        block("s = 'x'\n", "s = 1\n"),
        {"f.py": "s = 1\ns = \u2018x\u2019\n"},
        [],
    ),
    "an edit that fails to match does not empty the file": (
        {"f.py": PY},
        block("def c():\n", ""),
        {},
        ["missing"],
    ),
    "first and last line alone are no match": (
        {"f.py": PY},
        block("def a():\n    return 9\n\n", "def a():\n"),
        {},
        ["missing"],
    ),
    "one other character in a long search is no match": (
        {"f.py": PY},
        block(PY.replace("return 2", "return 3"), "gone\n"),
        {},
        ["missing"],
    ),
    "part of a line is no match": (
        {"f.py": "value = 10\n"},
        block("value = 1\n", "value = 2\n"),
        {},
        ["missing"],
    ),
    "an underlined heading is no divider": (
        {"f.md": "Title\n=====\n\ntext\n"},
        block("Title\n=====\n", "Other\n=====\n", "f.md"),
        {"f.md": "Other\n=====\n\ntext\n"},
        [],
    ),
    "a heading as long as the divider goes into a longer block": (
        {"f.md": "Heading\n=======\n"},
        block("Heading\n=======\n", "New one\n=======\n", "f.md", marks=9),
        {"f.md": "New one\n=======\n"},
        [],
    ),
    "a divider of another length divides nothing": (
        {"f.py": PY},
        "f.py\n<<<<<<< SEARCH\n    return 1\n=====\n    return 9\n>>>>>>> REPLACE\n",
        {},
        ["incomplete"],
    ),
    "markers of five characters": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n", marks=5),
        {"f.py": PY.replace("return 1", "return 9")},
        [],
    ),
    "markers of four characters are text": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n", marks=4),
        {},
        [],
    ),
    "a block that is cut in its replacement stays nowhere": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n").partition("9\n")[0],
        {},
        ["incomplete"],
    ),
    "a block that is cut right before its end stays nowhere": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n").partition(">>>")[0],
        {},
        ["incomplete"],
    ),
    "a block cut inside its divider": (
        {"f.py": PY},
        "f.py\n<<<<<<< SEARCH\n    return 1\n====",
        {},
        ["incomplete"],
    ),
    "a complete block before a cut one stays": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n") + "f.py\n<<<<<<< SEARCH\n    return 2\n",
        {"f.py": PY.replace("return 1", "return 9")},
        ["incomplete"],
    ),
    "a block without an end does not swallow the next": (
        {"f.py": PY},
        "f.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 9\n"
        "<<<<<<< SEARCH\n    return 2\n=======\n    return 8\n>>>>>>> REPLACE\n",
        {"f.py": PY.replace("return 2", "return 8")},
        ["incomplete"],
    ),
    "an empty search does not overwrite a file with content": (
        {"f.py": PY},
        block("", "all new\n"),
        {},
        ["not empty"],
    ),
    "an empty search fills an empty file": (
        {"f.py": ""},
        block("", "x = 1\n"),
        {"f.py": "x = 1\n"},
        [],
    ),
    "an empty search makes a new file": (
        {"f.py": PY},
        block("", "x = 1\n", "lib/new.py"),
        {"lib/new.py": "x = 1\n"},
        [],
    ),
    "a new file that is cut is not there": (
        {"f.py": PY},
        block("", "x = 1\n", "lib/new.py").partition(">>>")[0],
        {},
        ["incomplete"],
    ),
    "a search in a file that is not there makes no file": (
        {"f.py": PY},
        block("x\n", "y\n", "none.py"),
        {},
        ["no file"],
    ),
    "the name of the block before is inherited": (
        {"f.py": PY, "g.py": PY},
        block("    return 1\n", "    return 9\n", "g.py")
        + "and\n<<<<<<< SEARCH\n    return 2\n=======\n    return 8\n>>>>>>> REPLACE\n",
        {"g.py": PY.replace("return 1", "return 9").replace("return 2", "return 8")},
        [],
    ),
    "the name stands in the fence": (
        {"f.py": PY, "g.py": PY},
        "```python g.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 9\n"
        ">>>>>>> REPLACE\n```\n",
        {"g.py": PY.replace("return 1", "return 9")},
        [],
    ),
    "no fence at all": (
        {"f.py": PY},
        "f.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 9\n>>>>>>> REPLACE",
        {"f.py": PY.replace("return 1", "return 9")},
        [],
    ),
    "text behind the block is not written": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n") + "That returns 9 now.\n",
        {"f.py": PY.replace("return 1", "return 9")},
        [],
    ),
    "an escaped divider is content": (
        {"f.md": "a\n=======\nb\n"},
        block("a\n\\=======\nb\n", "a\n\\=======\nc\n", "f.md"),
        {"f.md": "a\n=======\nc\n"},
        [],
    ),
    "escaped markers of a merge conflict are content": (
        {"f.md": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> theirs\n"},
        block("\\<<<<<<< HEAD\na\n\\=======\nb\n\\>>>>>>> theirs\n", "a\n", "f.md"),
        {"f.md": "a\n"},
        [],
    ),
    "a file about blocks is written with escaped markers": (
        {"f.md": "x\n"},
        block("x\n", "\\<<<<<<< SEARCH\n\\>>>>>>> REPLACE\n", "f.md"),
        {"f.md": "<<<<<<< SEARCH\n>>>>>>> REPLACE\n"},
        [],
    ),
    "a backslash elsewhere stays": (
        {"f.md": "\\begin\n"},
        block("\\begin\n", "\\<b\n\\====x\n", "f.md"),
        {"f.md": "\\<b\n\\====x\n"},
        [],
    ),
    "white space at line ends that the model left out stays where lines stay": (
        {"f.py": "a  \nb  \nc\n"},
        block("a\nb\nc\n", "a\nB\nc\n"),
        {"f.py": "a  \nB\nc\n"},
        [],
    ),
    "quotes that an editor made curly stay where lines stay": (
        {"f.md": "say \u201chi\u201d\nold\n"},
        block('say "hi"\nold\n', 'say "hi"\nnew\n', "f.md"),
        {"f.md": "say \u201chi\u201d\nnew\n"},
        [],
    ),
    "a line that the model moves keeps its dash": (
        {"f.md": "a \u2014 b\nend\n"},
        block("a - b\nend\n", "end\na - b\n", "f.md"),
        {"f.md": "end\na \u2014 b\n"},
        [],
    ),
    "no-break spaces with white space behind": (
        {"f.md": "a\u00a0b \t\nc\n"},
        block("a b\nc\n", "a b\nd\n", "f.md"),
        {"f.md": "a\u00a0b \t\nd\n"},
        [],
    ),
    "new lines get the indentation that the search lacks": (
        {"f.py": "class A:\n    def f(self):\n        return 1\n"},
        block("def f(self):\n    return 1\n", "def f(self):\n    x = 1\n\n    return x\n"),
        {"f.py": "class A:\n    def f(self):\n        x = 1\n\n        return x\n"},
        [],
    ),
    "new lines lose the indentation that the search has too much": (
        {"f.py": PY},
        block("        return 1\n", "        x = 1\n        return x\n"),
        {"f.py": PY.replace("    return 1", "    x = 1\n    return x")},
        [],
    ),
    "tabs are added as tabs": (
        {"f.go": "func a() {\n\treturn\n}\n"},
        block("return\n", "if x {\n\treturn\n}\n", "f.go"),
        {"f.go": "func a() {\n\tif x {\n\t\treturn\n\t}\n}\n"},
        [],
    ),
    "indentation that is not off by the same everywhere is no match": (
        {"f.py": "if a:\n        b()\n        c()\n"},
        block("if a:\n    b()\n    c()\n", "pass\n"),
        {},
        ["missing"],
    ),
    "a new line that lacks the indentation to be taken is refused, not guessed": (
        {"f.py": PY},
        block("        return 1\n", "        x = 1\nreturn x\n"),
        {},
        ["misfit"],
    ),
    "two places by indentation are two": (
        {"f.py": "if a:\n  x()\nif b:\n    x()\n"},
        block("x()\n", "y()\n"),
        {},
        ["ambiguous"],
    ),
    "a file without a final line end keeps none": (
        {"f.py": "a\nb"},
        block("b\n", "c\n"),
        {"f.py": "a\nc"},
        [],
    ),
    "a line added behind the last one of such a file": (
        {"f.py": "a\nb"},
        block("b\n", "b\nc\n"),
        {"f.py": "a\nb\nc"},
        [],
    ),
    "a final line end stays": (
        {"f.py": "a\nb\n"},
        block("b\n", "c\n"),
        {"f.py": "a\nc\n"},
        [],
    ),
    "mixed line ends stay as they are": (
        {"f.py": "a\r\nb\nc\r\nd\n"},
        block("b\nc\n", "b\nC\nx\n"),
        {"f.py": "a\r\nb\nC\r\nx\r\nd\n"},
        [],
    ),
    "a message in CRLF changes a file in LF without one CR": (
        {"f.py": PY},
        block("    return 1\n", "    return 9\n").replace("\n", "\r\n"),
        {"f.py": PY.replace("return 1", "return 9")},
        [],
    ),
    "characters of two units before the place move nothing": (
        {"f.py": "# \U0001f600\U0001f600\nx = 1\ny = 1\n"},
        block("x = 1\n", "x = '\U0001f680'\n"),
        {"f.py": "# \U0001f600\U0001f600\nx = '\U0001f680'\ny = 1\n"},
        [],
    ),
    "a blank line that the model put before its search": (
        {"f.py": "    x\n    y\n"},
        block("\n  x\n", "\n  z\n"),
        {"f.py": "    z\n    y\n"},
        [],
    ),
    "a blank line that the model put behind its search": (
        {"f.py": "x\ny\n"},
        block("x\ny\n\n", "x\nz\n\n"),
        {"f.py": "x\nz\n"},
        [],
    ),
    "left-out code is not written": (
        {"f.py": PY},
        block("    return 1\n", "    x = 1\n    # ... existing code ...\n"),
        {},
        ["omission"],
    ),
    "a comment about left-out code that stands there already may stay": (
        {"f.py": "# ... rest of the code ...\nx\n"},
        block("# ... rest of the code ...\nx\n", "# ... rest of the code ...\ny\n"),
        {"f.py": "# ... rest of the code ...\ny\n"},
        [],
    ),
    "an empty replacement deletes the lines and no more": (
        {"f.py": PY},
        block("    return 1\n\n", ""),
        {"f.py": "def a():\n\ndef b():\n    return 2\n"},
        [],
    ),
    "a block finds what the block before has written": (
        {"f.py": "a\n"},
        block("a\n", "b\n") + block("b\n", "c\n"),
        {"f.py": "c\n"},
        [],
    ),
    "a failed block does not stop the next": (
        {"f.py": PY},
        block("nothing\n", "x\n") + block("    return 1\n", "    return 9\n"),
        {"f.py": PY.replace("return 1", "return 9")},
        ["missing"],
    ),
    "dollar signs and entities are text": (
        {"f.py": "a\n"},
        block("a\n", "$& $1 \\1 &lt; %s {x}\n"),
        {"f.py": "$& $1 \\1 &lt; %s {x}\n"},
        [],
    ),
}


def fence(text: str, path: str = "f.py", marks: str = "```", info: str = "python") -> str:
    """Return a whole file in a fence, under its name."""
    return f"{path}\n{marks}{info}\n{text}{marks}\n"


WHOLE: Final[dict[str, Case]] = {
    "left-out code does not replace the code": (
        {"f.py": PY},
        fence("def a():\n    return 9\n\n# ... rest of code remains the same ...\n"),
        {},
        ["omission"],
    ),
    "left-out code in words without dots": (
        {"f.py": PY},
        fence("def a():\n    return 9\n\n# The rest of the file remains unchanged\n"),
        {},
        ["omission"],
    ),
    "left-out code in a comment of another language": (
        {"f.ts": "let a = 1;\nlet b = 2;\n"},
        fence("let a = 9;\n// ... existing code ...\n", "f.ts", info="ts"),
        {},
        ["omission"],
    ),
    "an unclosed fence takes nothing away": (
        {"f.py": PY},
        "f.py\n```python\ndef a():\n    return 1\n",
        {},
        ["incomplete"],
    ),
    "an unclosed fence leaves nothing new": (
        {"f.py": PY},
        "f.py\n```python\n" + PY + "\n\ndef c():\n    return 3\n",
        {},
        ["incomplete"],
    ),
    "an unclosed new file is not there": (
        {"f.py": PY},
        "lib/g.py\n```python\nx = 1\n",
        {},
        ["incomplete"],
    ),
    "an opening fence alone does not empty the file": (
        {"f.py": PY},
        "f.py\n```python\n",
        {},
        ["incomplete"],
    ),
    "a fence in a longer fence is content": (
        {"f.md": "x\n"},
        fence("a\n```\nb\n```\nc\n", "f.md", "````", ""),
        {"f.md": "a\n```\nb\n```\nc\n"},
        [],
    ),
    "a fence in a fence of the same length, in Markdown": (
        {"f.md": "x\n"},
        fence("a\n```sh\nls\n```\nb\n", "f.md", info="markdown"),
        {"f.md": "a\n```sh\nls\n```\nb\n"},
        [],
    ),
    "a fence in a text inside code does not cut the file short": (
        {"f.py": PY},
        fence('HELP = """\n```python\nx = 1\n```\n"""\n' + PY),
        {"f.py": 'HELP = """\n```python\nx = 1\n```\n"""\n' + PY},
        [],
    ),
    "a file whose fence was not closed does not swallow the next": (
        {"f.py": PY, "g.py": "y = 1\n"},
        "f.py\n```python\nx = 1\n\ng.py\n```python\ny = 2\n```\n",
        {},
        ["incomplete"],
    ),
    "the name in the fence": (
        {"f.py": PY, "g.py": "y = 1\n"},
        "```python g.py\ny = 2\n```\n",
        {"g.py": "y = 2\n"},
        [],
    ),
    "the name behind a colon in the fence": (
        {"f.py": PY, "g.py": "y = 1\n"},
        "```python:g.py\ny = 2\n```\n",
        {"g.py": "y = 2\n"},
        [],
    ),
    "the name in a heading": (
        {"f.py": PY, "g.py": "y = 1\n"},
        "### `g.py`\n\n```python\ny = 2\n```\n",
        {"g.py": "y = 2\n"},
        [],
    ),
    "a command to run is no file": (
        {"f.py": PY},
        fence("x = 1\n") + "Run it:\n```bash\npython f.py\n```\n",
        {"f.py": "x = 1\n"},
        [],
    ),
    "a second block without a name is an example": (
        {"f.py": PY},
        fence("x = 1\n") + "It prints\n```\n1\n```\n",
        {"f.py": "x = 1\n"},
        [],
    ),
    "a file that says the same is not touched": (
        {"f.py": PY},
        fence(PY),
        {},
        [],
    ),
    "a whole file without a final line end keeps none": (
        {"f.py": "a\nb"},
        fence("a\nc\n"),
        {"f.py": "a\nc"},
        [],
    ),
    "a whole file keeps its mixed line ends where lines stay": (
        {"f.py": "a\r\nb\nc\r\n"},
        fence("a\nB\nc\n"),
        {"f.py": "a\r\nB\nc\r\n"},
        [],
    ),
    "an empty block empties nothing unasked: it is complete, and the guard's to judge": (
        {"f.py": "a\n"},
        fence(""),
        {"f.py": ""},
        [],
    ),
    "tildes": (
        {"f.md": "x\n"},
        fence("```\na\n```\n", "f.md", "~~~", ""),
        {"f.md": "```\na\n```\n"},
        [],
    ),
    "a path from the prompt's example is the file": (
        {"f.py": PY},
        fence("x = 1\n", "path/to/f.py"),
        {"f.py": "x = 1\n"},
        [],
    ),
}

CASES: Final = {("blocks", name): case for name, case in BLOCKS.items()} | {
    ("whole", name): case for name, case in WHOLE.items()
}


@pytest.mark.parametrize(("form", "name"), CASES, ids=[name for _, name in CASES])
def test_the_fault_does_not_happen(form: str, name: str) -> None:
    files, message, other, refused = CASES[form, name]
    project = apply(form, files, message)
    assert (project.files, project.refused) == (files | other, refused)
    for cut in range(len(message) + 1):
        project = apply(form, files, message, cut)
        assert (project.files, project.refused) == (files | other, refused), cut
    every = apply(form, files, message, *range(len(message)))
    assert (every.files, every.refused) == (files | other, refused)
