"""The outbox: order, credit, coalescing, overflow."""

from __future__ import annotations

import random

from webapp.live import outbox
from webapp.live.outbox import Outbox


def _drain(box: Outbox) -> list[str]:
    taken = []
    while (text := box.take()) is not None:
        taken.append(text)
    return taken


def test_frames_leave_in_the_order_they_came() -> None:
    box = Outbox()
    for text in ("one", "two", "three"):
        assert box.put(text)
    assert _drain(box) == ["one", "two", "three"]
    assert (len(box), box.queued_bytes, box.unacknowledged_bytes) == (0, 0, 11)


def test_what_is_under_way_is_bounded_until_the_page_acknowledges() -> None:
    box = Outbox(credit_bytes=10)
    for _ in range(5):
        box.put("x" * 6)
    assert len(_drain(box)) == 2
    assert box.take() is None
    assert box.acknowledge(6)
    assert len(_drain(box)) == 1
    assert box.acknowledge(18)
    assert len(_drain(box)) == 2


def test_an_acknowledgement_of_more_than_was_sent_is_refused_and_an_old_one_harmless() -> None:
    box = Outbox(credit_bytes=10)
    box.put("x" * 10)
    box.put("y")
    _drain(box)
    assert not box.acknowledge(12)
    assert box.unacknowledged_bytes == 10
    assert box.acknowledge(10)
    assert box.acknowledge(3)
    assert box.unacknowledged_bytes == 0
    assert box.take() == "y"


def test_a_newer_frame_of_a_kind_replaces_the_older_at_its_own_place() -> None:
    box = Outbox()
    box.put("progress at 1", "progress")
    box.put("entry 2")
    box.put("progress at 2", "progress")
    box.put("here", "here:a")
    assert _drain(box) == ["entry 2", "progress at 2", "here"]


def test_what_was_taken_is_not_replaced() -> None:
    box = Outbox()
    box.put("progress at 1", "progress")
    assert box.take() == "progress at 1"
    box.put("progress at 2", "progress")
    assert _drain(box) == ["progress at 2"]


def test_a_page_that_does_not_read_overflows_by_bytes_and_by_frames() -> None:
    by_bytes = Outbox(credit_bytes=1, max_bytes=100, max_frames=1_000)
    assert sum(by_bytes.put("x" * 10) for _ in range(50)) == 11
    by_frames = Outbox(credit_bytes=1, max_bytes=1_000, max_frames=20)
    assert sum(by_frames.put("x") for _ in range(50)) == 20


def test_a_frame_may_be_larger_than_the_queue() -> None:
    box = Outbox(credit_bytes=10, max_bytes=100)
    assert box.put("x" * 5_000)
    assert not box.put("y")
    assert box.take() == "x" * 5_000


def test_large_files_that_wait_leave_room_for_what_people_type_and_have_a_bound() -> None:
    large = "x" * outbox.LARGE_BYTES
    box = Outbox(credit_bytes=1, max_bytes=100, max_large_bytes=3 * len(large))
    for _ in range(3):
        assert box.put(large)
        assert box.put("typed")
    assert box.put(large)
    assert not box.put("typed")
    assert box.take() == large
    assert box.acknowledge(len(large))
    assert box.put("typed")


def test_droppable_frames_alone_never_overflow() -> None:
    box = Outbox(credit_bytes=1, max_bytes=100, max_frames=3)
    box.put("x")
    box.take()
    for count in range(1_000):
        assert box.put(f"progress at {count}", "progress")
    assert len(box) == 1


def test_in_a_random_life_nothing_is_lost_doubled_or_out_of_order() -> None:
    chance = random.Random(7)
    box = Outbox(credit_bytes=200, max_bytes=500, max_frames=30)
    put: list[str] = []
    taken: list[str] = []
    acked = sent = 0
    for count in range(20_000):
        action = chance.random()
        if action < 0.5:
            text = f"{count}" + "." * chance.randint(0, 40)
            if box.put(text):
                put.append(text)
        elif action < 0.9:
            text_or_none = box.take()
            if text_or_none is not None:
                taken.append(text_or_none)
                sent += len(text_or_none)
        else:
            acked = chance.randint(acked, sent)
            assert box.acknowledge(acked)
        assert box.queued_bytes <= 500 + 46
        assert len(box) <= 30
        assert box.unacknowledged_bytes < 200 + 46
        assert box.unacknowledged_bytes == sent - acked
    assert taken == put[: len(taken)]
    assert len(put) - len(taken) == len(box)
    assert len(taken) > 1_000
