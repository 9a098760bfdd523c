"""The turn's state machine: its table, and what holds for any order of operations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine import turn as t
from webapp.engine.turn import State, Turn, apply

STOP = t.Stop("Ann", 5.0)


def run(*operations: t.Operation, start: Turn | None = None) -> tuple[Turn, list[t.Action]]:
    turn, actions = start or Turn(), []
    for operation in operations:
        turn, more = apply(turn, operation)
        actions += more
    return turn, actions


def test_a_turn_that_runs_through() -> None:
    turn, actions = run(
        t.Admitted(),
        t.Opened(1.0),
        t.Text("ab", 1.25),
        t.Text("c", 1.5),
        t.Usage(10, 2),
        t.Ended(),
        t.Settled(),
    )
    assert turn.state is State.FINISHED
    assert (turn.ttft_ms, turn.received_utf16, turn.tokens_in, turn.tokens_out) == (250, 3, 10, 2)
    assert [type(action) for action in actions] == [
        t.Save, t.Announce, t.OpenUpstream,
        t.Feed, t.Save, t.Announce,
        t.Feed,
        t.FinishParse, t.Settle,
        t.Save, t.Announce,
    ]  # fmt: skip


def test_a_stop_flips_the_state_before_anything_is_done() -> None:
    turn, actions = run(t.Admitted(), t.Opened(1.0), t.Text("a", 2.0))
    turn, actions = apply(turn, STOP)
    assert turn.state is State.STOPPING and not turn.may_write
    assert actions == (t.AbortUpstream(), t.Settle(), t.Save(), t.Announce())
    turn, actions = apply(turn, t.Text("late", 5.1))
    assert actions == (t.Ignored("Text", State.STOPPING),)
    turn, _ = run(t.Settled(), t.UpstreamClosed(5.009), start=turn)
    assert (turn.state, turn.ended_by, turn.reason) == (State.STOPPED, "Ann", "")
    assert turn.stop_ms == pytest.approx(9.0)


@pytest.mark.parametrize(
    "order", [[t.Settled(), t.UpstreamClosed(6)], [t.UpstreamClosed(6), t.Settled()]]
)
def test_a_stop_is_over_when_both_settled_and_closed(order: list[t.Operation]) -> None:
    turn, _ = run(t.Admitted(), STOP, order[0])
    assert turn.state is State.STOPPING
    assert apply(turn, order[1])[0].state is State.STOPPED


def test_a_redirect_is_over_once_it_is_settled_and_its_receipt_comes_later() -> None:
    turn, _ = run(t.Admitted(), t.Stop("Ann", 1, redirect=True, keep_partial=True))
    assert turn.state is State.STOPPING and turn.keep_partial
    turn, actions = apply(turn, t.Settled())
    assert (turn.state, turn.stop_ms) == (State.REDIRECTED, None)
    assert actions == (t.Save(), t.Announce())
    turn, actions = apply(turn, t.UpstreamClosed(1.5))
    assert (turn.state, turn.stop_ms) == (State.REDIRECTED, 500.0)
    assert actions == (t.Save(), t.Announce())
    assert apply(turn, t.UpstreamClosed(9)) == (
        turn,
        (t.Ignored("UpstreamClosed", State.REDIRECTED),),
    )


def test_a_turn_that_is_being_stopped_can_be_redirected() -> None:
    turn, _ = run(t.Admitted(), STOP, t.Settled())
    turn, actions = apply(turn, t.Stop("Bob", 6, redirect=True))
    assert (turn.state, turn.ended_by, turn.stopped_s) == (State.REDIRECTED, "Ann", 5.0)
    assert actions == (t.Save(), t.Announce())
    assert apply(turn, t.UpstreamClosed(7))[0].stop_ms == 2000.0


def test_a_second_redirect_comes_too_late() -> None:
    turn, _ = run(t.Admitted(), t.Stop("Ann", 1, redirect=True))
    again = t.Stop("Bob", 2, redirect=True)
    assert apply(turn, again) == (turn, (t.Ignored("Stop", State.STOPPING),))
    assert apply(run(t.Settled(), start=turn)[0], again)[0].ended_by == "Ann"


def test_a_turn_redirected_in_the_queue_asks_nobody() -> None:
    turn, actions = run(t.Stop("Ann", 1, redirect=True))
    assert (turn.state, turn.stop_ms, actions) == (
        State.REDIRECTED,
        0.0,
        [t.Save(), t.Announce()],
    )


def test_a_turn_stopped_in_the_queue_asks_nobody() -> None:
    turn, actions = run(STOP)
    assert turn.state is State.STOPPED
    assert actions == [t.Save(), t.Announce()]


def test_a_failure_settles_before_it_shows() -> None:
    turn, actions = run(t.Admitted(), t.Text("a", 1), t.Failed("It broke."))
    assert (turn.state, actions[-1]) == (State.STREAMING, t.Settle())
    turn, actions = run(t.Text("late", 2), t.Settled(), start=turn)
    assert (turn.state, turn.reason) == (State.FAILED, "It broke.")
    assert t.Feed("late") not in actions


@pytest.mark.parametrize(
    ("before", "settles"),
    [([], 0), ([t.Admitted()], 1), ([t.Admitted(), t.Text("a", 1)], 1), ([t.Admitted(), STOP], 0)],
)
def test_an_interrupt_ends_a_turn_wherever_it_is(before: list[t.Operation], settles: int) -> None:
    turn, _ = run(*before)
    turn, actions = apply(turn, t.Interrupt("The server restarted."))
    assert turn.state is State.INTERRUPTED
    assert sum(isinstance(action, t.Settle) for action in actions) == settles


OPERATIONS = st.sampled_from(
    [
        t.Admitted(),
        t.Refused("no"),
        t.Opened(1),
        t.Text("x", 2),
        t.Usage(1, 2),
        t.Ended(),
        t.Failed("broken"),
        t.Stop("Ann", 3),
        t.Stop("Bob", 3, redirect=True),
        t.UpstreamClosed(4),
        t.Settled(),
        t.Interrupt("restart"),
    ]
)


@given(st.lists(OPERATIONS, max_size=20))
def test_in_any_order(operations: list[t.Operation]) -> None:
    turn, stopped, settles, aborts, admitted = Turn(), False, 0, 0, False
    for operation in operations:
        before = turn
        turn, actions = apply(turn, operation)
        if before.is_over and not (before.state is State.REDIRECTED and not before.closed):
            assert turn == before
        if before.is_over:
            assert turn.state is before.state
        if any(isinstance(action, t.Ignored) for action in actions):
            assert len(actions) == 1 and turn == before
        assert not (stopped and any(isinstance(a, t.Feed | t.OpenUpstream) for a in actions))
        stopped = stopped or turn.state in (State.STOPPING, State.STOPPED, State.REDIRECTED)
        admitted = admitted or turn.state is State.STARTING
        settles += sum(isinstance(action, t.Settle) for action in actions)
        aborts += sum(isinstance(action, t.AbortUpstream) for action in actions)
        if turn.state != before.state:
            assert t.Announce() in actions and t.Save() in actions
        if turn.is_over:
            assert settles == admitted
    assert settles <= 1 and aborts <= 1
