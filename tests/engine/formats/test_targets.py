"""Which file a block means."""

from __future__ import annotations

import pytest

from webapp.engine.formats import FileStart
from webapp.engine.formats.targets import Example, Existing, New, resolve

PATHS = ["app.py", "lib/util.py", "README.md"]


@pytest.mark.parametrize(
    ("start", "written", "target"),
    [
        (FileStart("app.py"), [], Existing("app.py")),
        (FileStart("./app.py"), [], Existing("app.py")),
        (FileStart("lib/util.py"), [], Existing("lib/util.py")),
        (FileStart("path/to/README.md"), [], Existing("README.md")),
        (FileStart("project/app.py"), [], Existing("app.py")),
        (FileStart("new.py"), [], New("new.py")),
        (FileStart("../x.py"), [], New("../x.py")),
        (FileStart(None), [], Existing("app.py")),
        (FileStart(None, mentions=("README.md",)), [], Existing("README.md")),
        (FileStart(None, mentions=("other.md",)), [], Existing("app.py")),
        (FileStart(None), ["app.py"], Example()),
        (FileStart(None, mentions=("app.py",)), ["app.py"], Example()),
        (FileStart("app.py"), ["app.py"], Existing("app.py")),
        (FileStart(None, "bash"), [], Example()),
        (FileStart("run.sh", "bash"), [], New("run.sh")),
    ],
)
def test_a_block_means_one_file(
    start: FileStart, written: list[str], target: Existing | New | Example
) -> None:
    assert resolve(start, PATHS, "app.py", written) == target


def test_without_a_focus_a_block_needs_a_name() -> None:
    assert resolve(FileStart(None), PATHS, None, []) == Example()
    assert resolve(FileStart("app.py"), PATHS, None, []) == Existing("app.py")
