"""What must hold before anything starts, and the sentence for each thing that does not."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from webapp.appliance import checks
from webapp.appliance.checks import Refusal

NOBODY = 65534


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """Have no right to write everywhere, also when the tests are run by root."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """A folder that everybody may enter and only its owner may write to."""
    for each in (tmp_path, *tmp_path.parents[:2]):
        each.chmod(0o755)
    folder = tmp_path / "a folder"
    folder.mkdir(mode=0o755)
    return folder


def test_an_old_python_is_named_with_the_one_that_is_needed() -> None:
    with pytest.raises(Refusal, match=r"needs Python 3\.11 or later; this is 3\.10\.13"):
        checks.python((3, 10, 13))
    checks.python((3, 11, 0))


class TestHome:
    def test_is_made_for_its_owner_alone(self, tmp_path: Path) -> None:
        home = tmp_path / "with a space" / ".flint"
        checks.home(home)
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        assert list(home.iterdir()) == []

    def test_is_closed_to_others_when_it_was_open(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o755)
        checks.home(tmp_path)
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700

    def test_that_cannot_be_written_names_whose_it_is(
        self, public: Path, ordinary_user: None
    ) -> None:
        if os.getuid() != 0:
            public.chmod(0o555)
        with pytest.raises(Refusal, match=r"cannot write to .*a folder.*FLINT_HOME=") as refused:
            checks.home(public / ".flint")
        assert checks.user_name(public.stat().st_uid) in str(refused.value)

    def test_that_is_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("kept")
        with pytest.raises(Refusal, match="that is a file"):
            checks.home(tmp_path / "file")
        with pytest.raises(Refusal, match="that is a file"):
            checks.home(tmp_path / "file" / "below")
        assert (tmp_path / "file").read_text() == "kept"


class TestDisk:
    def usage(self, monkeypatch: pytest.MonkeyPatch, free_bytes: int) -> None:
        monkeypatch.setattr(
            shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1, 1, free_bytes)
        )

    def test_that_is_full_is_refused(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.usage(monkeypatch, 1_000_000)
        with pytest.raises(Refusal, match=r"is full \(1 MB left\)"):
            checks.disk(tmp_path)

    def test_that_is_nearly_full_is_told(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        self.usage(monkeypatch, 200_000_000)
        assert "only 200 MB left" in (checks.disk(tmp_path) or "")

    def test_with_room_is_not_mentioned(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        self.usage(monkeypatch, 900_000_000)
        assert checks.disk(tmp_path) is None


class TestLock:
    def test_a_second_flint_hears_where_the_first_one_is(self, tmp_path: Path) -> None:
        first = checks.lock(tmp_path)
        first.publish("http://127.0.0.1:8000")
        with pytest.raises(Refusal) as refused:
            checks.lock(tmp_path)
        assert f"as process {os.getpid()}, at http://127.0.0.1:8000" in str(refused.value)
        first.file.close()
        checks.lock(tmp_path).file.close()

    def test_a_lock_without_a_note_is_still_a_lock(self, tmp_path: Path) -> None:
        first = checks.lock(tmp_path)
        with pytest.raises(Refusal, match="already running"):
            checks.lock(tmp_path)
        first.file.close()


class TestPort:
    @pytest.mark.parametrize("text", ["eighty", "-1", "65536", "80 80", "8e3"])
    def test_that_is_no_port_is_refused(self, text: str) -> None:
        with pytest.raises(Refusal, match="PORT is"):
            checks.port_number(text)

    def test_that_is_taken_names_the_process_and_another_port(self) -> None:
        with checks.listen("127.0.0.1", 0) as first:
            port = first.getsockname()[1]
            with pytest.raises(Refusal) as refused:
                checks.listen("127.0.0.1", port)
        assert f"Port {port} on 127.0.0.1 is taken" in str(refused.value)
        assert "make run PORT=" in str(refused.value)
        if Path("/proc/net/tcp").exists():
            assert f"by process {os.getpid()}" in str(refused.value)

    def test_is_free_again_once_the_socket_is_closed(self) -> None:
        first = checks.listen("127.0.0.1", 0)
        port = first.getsockname()[1]
        first.close()
        checks.listen("127.0.0.1", port).close()

    def test_below_1024_is_told_to_need_root(self) -> None:
        assert "Only root may use port 80" in checks._cannot_bind(
            "127.0.0.1", 80, OSError(errno.EACCES, "Permission denied")
        )

    def test_on_an_address_of_another_machine_is_refused(self) -> None:
        with pytest.raises(Refusal, match=r"cannot listen on 192\.0\.2\.1"):
            checks.listen("192.0.2.1", 0)

    def test_on_what_is_no_address_is_refused(self) -> None:
        with pytest.raises(Refusal, match="is not an address"):
            checks.listen("a" * 64, 0)

    def test_listens_on_ipv6_where_the_machine_has_it(self) -> None:
        if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
            pytest.skip("this machine has no IPv6")
        with checks.listen("::1", 0) as listener:
            assert listener.family == socket.AF_INET6
