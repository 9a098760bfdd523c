"""The event stream decoder, cut in every place."""

import random

import pytest

from webapp.engine.providers.sse import EventTooLong, SseDecoder

STREAMS = {
    "two events": (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
    "crlf": (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
    "lone cr": (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
    "mixed ends": (b"data: a\r\n\ndata: b\n\r\n", [b"a", b"b"]),
    "comments": (b": keep-alive\n\n:\n\ndata: a\n: more\ndata: b\n\n", [b"a\nb"]),
    "other fields": (b"event: x\nid: 7\nretry: 10\ndata: a\n\nevent: y\n\n", [b"a"]),
    "several data lines": (b"data: a\ndata:\ndata\ndata: b\n\n", [b"a\n\n\nb"]),
    "no space": (b"data:a\n\ndata:  b\n\n", [b"a", b" b"]),
    "an error field": (b"data: a\n\nerror: {}\n\nerrors: b\n\n", [b"a", b" {}"]),
    "not a data field": (b"database: a\n\ndata: b\n\n", [b"b"]),
    "colons inside": (b"data: a: b:c\n\n", [b"a: b:c"]),
    "byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    "mark later is text": (b"data: \xef\xbb\xbfa\n\n", [b"\xef\xbb\xbfa"]),
    "blank lines": (b"\n\n\r\n\ndata: a\n\n\n\n", [b"a"]),
    "unicode": ("data: é漢😀\n\n".encode(), ["é漢😀".encode()]),
    "no blank line at the end": (b"data: a\n\ndata: [DONE]\n", [b"a", b"[DONE]"]),
    "no line end at the end": (b"data: a\n\ndata: [DONE]", [b"a", b"[DONE]"]),
}


def decoded(pieces: list[bytes]) -> list[bytes]:
    decoder = SseDecoder()
    found: list[bytes] = []
    for piece in pieces:
        found += decoder.push(piece)
    return found + decoder.finish()


@pytest.mark.parametrize("name", STREAMS)
def test_same_events_however_the_stream_is_cut(name: str) -> None:
    stream, expected = STREAMS[name]
    assert decoded([stream]) == expected
    assert decoded([bytes([b]) for b in stream]) == expected
    for cut in range(len(stream) + 1):
        assert decoded([stream[:cut], stream[cut:]]) == expected, f"cut at byte {cut}"


def test_same_events_for_random_cuts() -> None:
    stream = b"".join(s for name, (s, _) in STREAMS.items() if "at the end" not in name)
    expected = decoded([stream])
    rng = random.Random(7)
    for _ in range(300):
        cuts = sorted(rng.sample(range(1, len(stream)), rng.randrange(1, 20)))
        pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        assert decoded(pieces) == expected, cuts


def test_an_event_is_out_as_soon_as_its_blank_line_is() -> None:
    decoder = SseDecoder()
    assert decoder.push(b"data: a\n") == []
    assert decoder.push(b"\n") == [b"a"]


@pytest.mark.parametrize(
    "pieces",
    [
        [b"data: " + b"x" * 200],
        [b"data: "] + [b"x" * 10] * 20,
        [b"data: xxxxxxxxxx\n"] * 20,
        [b": " + b"x" * 200],
    ],
    ids=["one read", "many reads", "many lines", "comment"],
)
def test_an_event_may_not_grow_without_limit(pieces: list[bytes]) -> None:
    decoder = SseDecoder(limit_bytes=100)
    with pytest.raises(EventTooLong, match="more than 100 bytes"):
        for piece in pieces:
            decoder.push(piece)


def test_many_short_events_are_no_long_one() -> None:
    assert len(SseDecoder(limit_bytes=100).push(b"data: x\n\n" * 500)) == 500
