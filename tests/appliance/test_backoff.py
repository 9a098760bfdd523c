"""When a child that died is started again."""

from webapp.appliance.backoff import CALM_S, LONGEST_S, Backoff


def test_the_first_restart_is_within_300_ms() -> None:
    assert Backoff().after_death(lived_s=0.0) < 0.3


def test_each_death_soon_after_a_start_doubles_the_wait_up_to_the_longest() -> None:
    backoff = Backoff()
    waits = [backoff.after_death(lived_s=0.2) for _ in range(12)]
    assert waits[1:7] == [0.5, 1, 2, 4, 8, 16]
    assert waits[7:] == [LONGEST_S] * 5


def test_a_child_that_stayed_up_is_restarted_at_once_again() -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.after_death(lived_s=1.0)
    assert backoff.after_death(lived_s=CALM_S) < 0.3
    assert backoff.after_death(lived_s=1.0) == 0.5


def test_a_child_that_dies_for_days_overflows_nothing() -> None:
    backoff = Backoff(deaths=5000)
    assert backoff.after_death(lived_s=0.0) == LONGEST_S
