"""Waiting until the web process answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from webapp.appliance import ready

WITHIN_S = 20
"""What takes milliseconds gets this long on a machine that is busy."""


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(WITHIN_S)
        yield listener


def _answer(listener: socket.socket, status: str) -> None:
    asked, _ = listener.accept()
    with asked:
        asked.settimeout(WITHIN_S)
        assert b"Host: flint.example" in asked.recv(4096)
        asked.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())


def _thread() -> threading.Thread:
    (thread,) = [each for each in threading.enumerate() if each.name == "ready"]
    return thread


def test_it_asks_until_the_answer_is_good(listener: socket.socket) -> None:
    up = threading.Event()
    ready.when_healthy("127.0.0.1", listener.getsockname()[1], "flint.example", up.set)
    _answer(listener, "503 Service Unavailable")
    assert not up.is_set()
    _answer(listener, "200 OK")
    assert up.wait(WITHIN_S)


def test_who_has_given_up_hears_nothing(listener: socket.socket) -> None:
    up = threading.Event()
    given_up = ready.when_healthy("127.0.0.1", listener.getsockname()[1], "flint.example", up.set)
    thread = _thread()
    given_up.set()
    _answer(listener, "200 OK")
    thread.join(WITHIN_S)
    assert not thread.is_alive() and not up.is_set()
