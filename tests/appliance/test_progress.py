"""Progress of a download: what the terminal and the page show."""

from webapp.appliance.progress import Meter, Progress, sentence
from webapp.lib import clock


def test_rate_and_time_left_follow_the_last_seconds() -> None:
    seen: list[Progress] = []
    with clock.held(clock.HeldClock()) as held:
        meter = Meter(100_000_000, seen.append)
        meter.at(0)
        for second in range(1, 11):
            held.advance(1)
            meter.at(second * 1_000_000)
        for second in range(1, 11):
            held.advance(1)
            meter.at(10_000_000 + second * 5_000_000)
    assert seen[10].bytes_per_s == 1_000_000
    assert seen[10].eta_s == 90
    assert seen[-1].bytes_per_s == 5_000_000
    assert seen[-1].eta_s == 8
    assert seen[-1].percent == 60


def test_at_most_four_reports_a_second_and_always_the_last() -> None:
    seen: list[Progress] = []
    with clock.held(clock.HeldClock()) as held:
        meter = Meter(1000, seen.append)
        for done in range(1, 1001):
            held.advance(0.001)
            meter.at(done)
    assert len(seen) <= 6
    assert seen[-1].done_bytes == 1000


def test_a_download_that_begins_anew_shows_no_negative_rate() -> None:
    seen: list[Progress] = []
    with clock.held(clock.HeldClock()) as held:
        meter = Meter(1000, seen.append)
        for done in (500, 900, 100, 200):
            held.advance(1)
            meter.at(done)
    assert [each.done_bytes for each in seen] == [500, 900, 100, 200]
    assert all(each.bytes_per_s >= 0 for each in seen)


def test_the_sentence_tells_percent_megabytes_rate_and_time_left() -> None:
    assert (
        sentence(Progress(245_700_032, 491_400_064, 12_340_000.0, 95.4))
        == " 50 %, 246 of 491 MB, 12.3 MB/s, 1 min 35 s left"
    )
    assert sentence(Progress(0, 491_400_064, 0.0, None)) == "  0 %, 0 of 491 MB"
