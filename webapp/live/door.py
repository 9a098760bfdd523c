"""What a page may ask of a room, and who is there: the way in for messages.

Functions take the room, and never wait. Each message is checked against the role that its sender
has at this moment before anything looks at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from webapp.live import (
    answers,
    codes,
    fetching,
    opening,
    presence,
    pushing,
    restoring,
    roles,
    sentences,
    tree,
    wire,
)
from webapp.live.answers import error, rejected, resync
from webapp.live.clients import Client, Socket
from webapp.pairing.access import Role

if TYPE_CHECKING:
    from webapp.live.room import Room


def enter(
    room: Room, socket: Socket, user: int, name: str, role: Role, language: str = "en"
) -> Client:
    """Return a client for a socket that was let in; it hears nothing until it says hello."""
    room.names[user] = name
    client = Client(socket, user, name, room.colors.of(user), role, language)
    room.clients[client.conn] = client
    return client


def leave(room: Room, client: Client) -> None:
    """Forget a client whose socket has closed, or closes."""
    if room.clients.pop(client.conn, None) is not None and client.joined:
        room.send_all({"t": "leave", "conn": client.conn})


def dismiss(room: Room, client: Client, code: int) -> None:
    """Close a client's socket."""
    client.close(code)
    leave(room, client)


def receive(room: Room, client: Client, message: wire.Message) -> None:
    """Act on a message. What comes while the room loads itself anew is dropped: it comes again."""
    if room.state != "open" or client.closed:
        return
    if client.role < roles.NEEDED[type(message)]:
        refuse(room, client, message, "role")
    elif isinstance(message, wire.Hello):
        _hello(room, client, message)
    elif isinstance(message, wire.Ping):
        client.send({"t": "pong", "at": message.at})
    elif not client.joined:
        room.send_to(client, error("state", getattr(message, "id", "")))
    else:
        _act(room, client, message)


def _act(room: Room, client: Client, message: wire.Message) -> None:
    waiting = room.creating.get(getattr(message, "file", None) or "")
    if waiting is not None:
        waiting.append(partial(receive, room, client, message))
        return
    match message:
        case wire.Push():
            pushing.push(room, client, message)
        case wire.Here():
            _here(room, client, message)
        case wire.Open():
            opening.open_file(room, client, message)
        case wire.Close():
            client.following.discard(message.file)
            client.opening.pop(message.file, None)
        case wire.Tree():
            tree.change(room, client, message)
        case wire.Prompt():
            room.turns.prompt(client, message)
        case wire.Redirect():
            room.turns.redirect(client, message)
        case wire.FollowUp():
            room.turns.followup(client, message)
        case wire.Outline():
            room.turns.outline(client, message)
        case wire.Warm():
            room.turns.warm(client, message)
        case wire.Fetch():
            _fetch(room, client, message)
        case wire.Stop():
            room.turns.stop(client, message)
        case wire.Keep():
            room.turns.keep(client, message)
        case wire.Revert():
            room.turns.revert(client, message)
        case wire.Answer():
            room.turns.answer(client, message)
        case wire.Checkpoint():
            restoring.checkpoint(room, client, message)
        case wire.Restore():
            restoring.restore(room, client, message)


def refuse(room: Room, client: Client, message: wire.Message, code: str) -> None:
    """Answer that a message was not acted on."""
    if isinstance(message, wire.Push):
        room.send_to(client, rejected(message.id, message.file, code))
    else:
        room.send_to(client, error(code, getattr(message, "id", "")))


def _hello(room: Room, client: Client, message: wire.Hello) -> None:
    if room.owners.get(message.client, client.user) != client.user:
        room.send_to(client, error("refused"))
        return
    for other in list(room.clients.values()):
        if other is not client and other.client == message.client and other.user == client.user:
            # The page came back before its old socket was known to be dead.
            dismiss(room, other, codes.MOVED)
    others = [other for other in room.joined() if other is not client]
    is_new = not client.joined
    client.client = message.client
    client.joined = True
    client.following.clear()
    client.opening.clear()
    room.send_to(client, welcome(room, client))
    if is_new:
        frame = {"t": "join", "person": client.presence()}
        room.send_text(others, wire.encode(frame))


def welcome(room: Room, client: Client) -> Mapping[str, Any]:
    """Return the room at this moment."""
    files = sorted(room.files.values(), key=lambda file: file.path)
    return {
        "t": "welcome",
        "you": {**client.person(), "role": client.role.label},
        "session": {"slug": room.slug, "title": room.title, "team": room.team},
        "files": [file.listing() for file in files],
        "people": [other.presence() for other in room.joined()],
        "turns": room.turns.for_welcome(),
        "followups": room.turns.waiting(),
        "models": [answers.model(status) for status in room.models.all()],
        "endpoints": [choice.frame() for choice in room.choices],
        "limits": {
            "push_bytes": wire.PUSH_BYTES,
            "frame_bytes": wire.FRAME_BYTES,
            "ack_bytes": wire.ACK_BYTES,
        },
    }


def _fetch(room: Room, client: Client, message: wire.Fetch) -> None:
    problem = fetching.ask(message.tier, message.op, client.name)
    if problem is None:
        room.send_to(client, {"t": "ok", "id": message.id})
    else:
        room.send_to(client, error("refused", message.id, problem))


def _here(room: Room, client: Client, message: wire.Here) -> None:
    file = room.files.get(message.file) if message.file else None
    client.where = presence.place(message, file)
    frame = {"t": "here", "conn": client.conn, **client.where.frame()}
    others = [other for other in room.joined() if other is not client]
    room.send_text(others, wire.encode(frame), f"here:{client.conn}")


def resync_all(room: Room, reason: str) -> None:
    """Tell every page to start anew on its socket."""
    for client in list(room.clients.values()):
        resync(room, client, reason)


def apply_roles(room: Room, held: Mapping[int, Role]) -> None:
    """Let everybody have the role that the rows say now; who has none is put out."""
    for client in list(room.clients.values()):
        role = held.get(client.user)
        if role is None:
            dismiss(room, client, codes.PUT_OUT)
        elif role != client.role:
            client.role = role
            resync(room, client, sentences.ROLE_CHANGED)
