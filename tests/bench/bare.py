"""The bare relay: forwards what a model says to one WebSocket, and does nothing else.

    python -m tests.bench.bare UPSTREAM_PORT

prints its port. A client sends `{"model": ...}` and gets one text frame a chunk, then `[DONE]`.
It is what ratios refer to, so it is as quick as Python can be: uvloop, picows, no checks.
"""

import asyncio
import json
import sys

import picows
import uvloop


class _Upstream(asyncio.Protocol):
    def __init__(self, client: picows.WSTransport, model: str) -> None:
        self._client, self._tail = client, b""
        body = json.dumps({"model": model, "stream": True, "messages": []}).encode()
        head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        self._request = head % len(body) + body

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        *events, self._tail = (self._tail + data).split(b"\n\n")
        for event in events:
            start = event.find(b"data: ")
            if start < 0:
                continue
            payload = event[start + 6 :]
            if payload == b"[DONE]":
                self._client.send(picows.WSMsgType.TEXT, b"[DONE]")
                self._transport.close()
                return
            choices = json.loads(payload)["choices"]
            if choices and (text := choices[0]["delta"].get("content")):
                self._client.send(picows.WSMsgType.TEXT, text.encode())


class _Client(picows.WSListener):
    def __init__(self, upstream_port: int) -> None:
        self._port = upstream_port

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.disconnect()
            return
        model = json.loads(frame.get_payload_as_bytes())["model"]
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(
            loop.create_connection(lambda: _Upstream(transport, model), "127.0.0.1", self._port)
        )


async def _main(upstream_port: int) -> None:
    server = await picows.ws_create_server(lambda _: _Client(upstream_port), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - read by who started it
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_main(int(sys.argv[1])))
