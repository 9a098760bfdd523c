"""The Node process that answers with CodeMirror's own algebra (oracle.mjs)."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webapp.document.text import dumps_ascii, loads_utf16

_SCRIPT = Path(__file__).with_name("oracle.mjs")


class Oracle:
    """A running oracle; `ask` sends many requests at once, as that is what makes it quick."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, requests: list[dict[str, Any]]) -> list[Any]:
        """Return CodeMirror's answers, texts as utf16 text, in the order of the requests."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(dumps_ascii(requests) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the oracle ended; `npm ci` in the root installs what it imports"
        answers = loads_utf16(line)
        assert len(answers) == len(requests)
        return list(answers)


@contextmanager
def running() -> Iterator[Oracle]:
    """Run an oracle for as long as the block lasts."""
    with subprocess.Popen(
        ["node", str(_SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=_SCRIPT.parent,
    ) as process:
        yield Oracle(process)
        assert process.stdin is not None
        process.stdin.close()
