"""What the document's tests share: one oracle for all of them."""

from collections.abc import Iterator

import pytest

from tests.document.oracle import Oracle, running


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """CodeMirror itself, in a Node process."""
    with running() as process:
        yield process
