"""The wish file: what was written is read, and nothing half-way."""

from __future__ import annotations

from pathlib import Path

import pytest

from webapp.notices import modelwish
from webapp.notices.modelwish import Wish


def test_round_trip_beside_the_status_file(tmp_path: Path) -> None:
    path = modelwish.path_beside(tmp_path / "model-standard.json")
    assert path == tmp_path / "model-standard-wish.json"
    modelwish.write(path, Wish("start", "Ann"))
    modelwish.write(path, Wish("stop", "Bén", "2026-11-30T20:00:00+00:00"))
    assert modelwish.read(path) == Wish("stop", "Bén", "2026-11-30T20:00:00+00:00")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"op": "burn"}', '{"op": "stop", "x": 1}'])
def test_what_cannot_be_read_is_no_wish(tmp_path: Path, content: str) -> None:
    (tmp_path / "wish.json").write_text(content)
    assert modelwish.read(tmp_path / "wish.json") is None
    assert modelwish.read(tmp_path / "none.json") is None
