"""Children's output in files that do not grow for ever."""

from pathlib import Path

from webapp.appliance.logs import KEPT_FILES, RotatingFile


def test_a_file_that_grew_too_large_is_set_aside_and_the_oldest_is_dropped(tmp_path: Path) -> None:
    log = RotatingFile(tmp_path / "web.log", largest_bytes=100)
    for number in range(12):
        log.write(f"{number:02d}".encode() * 30)
    log.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["web.log", *(f"web.log.{number}" for number in range(1, KEPT_FILES + 1))]
    assert (tmp_path / "web.log").read_bytes() == b"11" * 30
    assert (tmp_path / "web.log.3").read_bytes() == b"08" * 30


def test_a_full_disk_loses_lines_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "web.log").symlink_to("/dev/full")
    log = RotatingFile(tmp_path / "web.log")
    log.write(b"lost")
    (tmp_path / "web.log").unlink()
    log.write(b"kept")
    log.close()
    assert (tmp_path / "web.log").read_bytes() == b"kept"
