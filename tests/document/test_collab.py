"""The Python client against @codemirror/collab itself, on random histories with a room."""

import random

from tests.document.collab import CollabClient, Update
from tests.document.oracle import Oracle
from tests.document.randoms import random_change, random_text
from tests.document.seeds import cases


def _history(rnd: random.Random) -> tuple[dict[str, object], list[object]]:
    """Play one client in a random history; return the request and what our client shows."""
    text = random_text(rnd, 12)
    client = CollabClient("me", text, version=rnd.randint(0, 9))
    server_text, unseen = text, list[Update]()
    request = {"op": "collab", "text": text, "client": "me", "version": client.version}
    in_log: list[object] = []
    sent = 0
    steps, shown = [], []
    for _ in range(rnd.randint(5, 30)):
        kind = rnd.random()
        if kind < 0.4:
            change = random_change(rnd, len(client.text), 3)
            client.edit(change)
            steps.append({"edit": change.to_json()})
        elif kind < 0.6:
            # The room takes another's change, made at its newest text.
            other = random_change(rnd, len(server_text), 3)
            server_text = other.apply(server_text)
            unseen.append(Update("other", other))
            in_log.append("other")
            continue
        elif kind < 0.75 and sent < len(client.unconfirmed):
            # The room takes the client's oldest unsent change, over each newer entry in turn.
            pending = list(client.unconfirmed)
            for entry in unseen:
                if entry.client_id == "me":
                    del pending[0]
                    continue
                incoming = entry.changes
                for index, own in enumerate(pending):
                    pending[index] = own.map(incoming)
                    incoming = incoming.map(own, before=True)
            change = pending[0]
            server_text = change.apply(server_text)
            unseen.append(Update("me", change))
            sent += 1
            continue
        elif unseen:
            update = unseen.pop(0)
            client.receive(update)
            sent -= update.client_id == "me"
            steps.append({"client": update.client_id, "changes": update.changes.to_json()})
        else:
            continue
        shown.append(
            [client.text, client.version, [one.changes.to_json() for one in client.sendable()]]
        )
    return {**request, "steps": steps}, shown


def test_client_is_codemirrors(oracle: Oracle) -> None:
    labels, requests, expected = [], [], []
    for label, rnd in cases("collab", 400):
        request, shown = _history(rnd)
        labels.append(label)
        requests.append(request)
        expected.append(shown)
    for label, ours, theirs in zip(labels, expected, oracle.ask(requests), strict=True):
        assert ours == theirs, f"{label}: @codemirror/collab shows something else"
    assert sum(map(len, expected)) > 2_000
