"""The hunks of a revert, told by the client of its entry."""

from __future__ import annotations

import pytest

from webapp.live.files import SERVER
from webapp.live.revert_clients import revert_client, reverted_ordinals


@pytest.mark.parametrize(
    ("ordinals", "client"),
    [
        ([3], "revert:3"),
        ([1, 2, 3], "revert:1-3"),
        ([7, 1, 2, 9, 9], "revert:1-2,7,9"),
        (range(1, 5_001), "revert:1-5000"),
    ],
    ids=["one", "a row", "several", "very many"],
)
def test_what_is_told_is_read_again(ordinals: list[int], client: str) -> None:
    assert revert_client(ordinals) == client
    assert reverted_ordinals(client) == set(ordinals)


def test_what_does_not_fit_is_not_told() -> None:
    assert revert_client(range(1, 60, 2)) == SERVER
    assert reverted_ordinals(SERVER) is None
