"""How a model is told an edit format, in words and by an example. Pure texts.

Each example is a message of its format, and applies: a test holds them to that.
"""

from collections.abc import Mapping
from typing import Final

from webapp.engine.ports import EditFormat

_WHOLE_RULES: Final = (
    "You edit code. You are given a file and an instruction. "
    "Answer with the file's name on a line of its own and then the whole file, changed as the "
    "instruction says, in one fenced code block. "
    "Change only what the instruction asks for and copy all other lines exactly. "
    "Do not explain."
)
_BLOCKS_RULES: Final = """\
You edit code. You are given files and an instruction. Answer with one search/replace block for \
each place that changes, in this form:

path/of/the/file
<<<<<<< SEARCH
the lines to replace, exactly as they stand in the file
=======
the lines that replace them
>>>>>>> REPLACE

The lines under SEARCH must stand in the file exactly so, with every space, and only once; take a \
line or two around the change with them. Write several small blocks rather than a large one. To \
make a new file, leave SEARCH empty. Change only what the instruction asks for, and never put a \
comment in the place of code. Beside the blocks, say in one sentence what you changed."""

_PATCH_RULES: Final = """\
You edit code. You are given files and an instruction. Answer with one patch for all that changes, \
in this form:

*** Begin Patch
*** Update File: src/greeting.py
@@ def greet(name):
     if not name:
-        name = "you"
+        name = "friend"
     return f"Hello, {name}"
*** Add File: src/farewell.py
+def part(name):
+    return f"Goodbye, {name}"
*** Update File: src/old_name.py
*** Move to: src/new_name.py
@@
-VERSION = 1
+VERSION = 2
*** Delete File: src/unused.py
*** End Patch

Each place that changes is a part of its own, in the order of the file. A line of it begins with a \
space when it stays, with - when it goes and with + when it is new; then comes the line, with \
every space as it stands in the file. Take two or three lines around the change with it. Where \
those stand more than once, name the function or class that they are in behind @@. Add, delete and \
move files only when the instruction asks for it. Change only what it asks for, and never put a \
comment in the place of code. Beside the patch, say in one sentence what you changed."""
_JSON_RULES: Final = """\
You edit code. You are given files and an instruction. Answer with one JSON object that holds all \
that changes, in this form:

{"edits": [{"path": "src/greeting.py", "old": "    name = \\"you\\"\\n", \
"new": "    name = \\"friend\\"\\n"}]}

The text of old must stand in the file exactly so, with every space, and only once; take a line or \
two around the change with it, and repeat them in new. Write several small edits rather than a \
large one. To make a new file, leave old empty. Change only what the instruction asks for, and \
never put a comment in the place of code. Before the object, say in one sentence what you \
changed."""
RULES: Final[Mapping[EditFormat, str]] = {
    "whole": _WHOLE_RULES,
    "blocks": _BLOCKS_RULES,
    "patch": _PATCH_RULES,
    "json": _JSON_RULES,
}

ASKED: Final[Mapping[EditFormat, str]] = {
    "blocks": "Answer with search/replace blocks.",
    "patch": "Answer with one patch, from *** Begin Patch to *** End Patch.",
    "json": "Answer with one JSON object of edits.",
}
"""Asked at the end, behind the instruction; `whole` names its file there instead."""
UNIQUE: Final[Mapping[EditFormat, str]] = {
    "blocks": "The lines under SEARCH must stand only once in all of them.",
    "patch": "Where a line stands more than once in all of them, name what it is in behind @@.",
    "json": "The text of old must stand only once in all of them.",
}
"""Of a region: what its lines being fewer than the file's asks of an edit."""
