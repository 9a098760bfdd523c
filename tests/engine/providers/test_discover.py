"""Model servers on this machine are found, and nothing else is taken for one."""

import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.engine.providers.serving import serving
from tests.upstream import Upstream
from webapp.engine.providers.discover import USUAL_PORTS, Found, discover

MODELS = "GET /v1/models"


def listed(name: str, owner: str) -> dict[str, Any]:
    return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": owner}]}


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


def test_the_usual_ports() -> None:
    assert USUAL_PORTS == {"vllm": 8000, "ollama": 11434, "llamacpp": 8080, "lmstudio": 1234}


async def test_several_are_found_at_once() -> None:
    ollama, studio = listed("qwen:7b", "library"), listed("qwen", "organization_owner")
    async with serving({MODELS: ollama}) as one, serving({MODELS: studio}) as two:
        ports = {"ollama": port_of(one.url), "lmstudio": port_of(two.url)}
        assert await discover(ports, limit_s=5) == (
            Found("ollama", one.url + "/v1", ("qwen:7b",)),
            Found("lmstudio", two.url + "/v1", ("qwen",)),
        )
        assert one.lines == [MODELS]
        assert "Authorization" not in one.asked[0][1]


@pytest.mark.parametrize(
    ("preset", "answer", "is_found"),
    [
        ("ollama", {"object": "list", "data": []}, True),
        ("ollama", {"object": "list", "data": None}, False),
        ("llamacpp", listed("x.gguf", "llamacpp"), True),
        ("llamacpp", listed("x", "vllm"), False),
        ("llamacpp", listed("x", "somebody"), False),
        ("vllm", listed("x", "vllm"), True),
        ("vllm", listed("x", ""), False),
        ("vllm", {"object": "list", "data": []}, False),
        ("lmstudio", (404, {"detail": "Not Found"}), False),
        ("lmstudio", (302, {}), False),
        ("lmstudio", (401, {"error": "no"}), False),
        ("lmstudio", b"<html>Flint</html>", False),
        ("lmstudio", {"status": "ok"}, False),
        ("lmstudio", ["a", "b"], True),
    ],
)
async def test_only_what_answers_like_it_is_taken(preset: str, answer: Any, is_found: bool) -> None:
    async with serving({MODELS: answer}) as served:
        found = await discover({preset: port_of(served.url)}, limit_s=5)
    assert bool(found) == is_found


async def test_nothing_there_is_nothing_found() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert await discover({"ollama": taken.getsockname()[1]}, limit_s=5) == ()
    assert await discover({}) == ()


async def test_a_silent_server_is_not_waited_for() -> None:
    async with Upstream() as upstream, serving({MODELS: listed("q", "library")}) as served:
        with socket.socket() as mute:
            mute.bind(("127.0.0.1", 0))
            mute.listen()
            ports = {"lmstudio": mute.getsockname()[1], "ollama": port_of(served.url)}
            found = await discover(ports, limit_s=0.3)
    assert [each.preset for each in found] == ["ollama"]
    assert upstream.connections == 0
