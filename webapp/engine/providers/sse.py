"""Server-sent events, sans-I/O: bytes in, the data of complete events out.

Rules: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream.
Lines end with LF, CRLF or CR; comments and fields other than `data` are skipped; several `data`
lines of one event are joined with LF. Only whole lines leave this module, so a character cut
between two reads is whole again. Two departures: `finish` also gives back an event that lacks its
blank line (servers that end right after `data: [DONE]`), and an event may not grow without limit.
"""

DEFAULT_LIMIT_BYTES = 1 << 20

_BOM = b"\xef\xbb\xbf"


class EventTooLong(ValueError):
    """An event grew past the limit; nothing after it can be trusted."""


class SseDecoder:
    """Splits one response body into the data of its events."""

    __slots__ = ("_data", "_data_bytes", "_limit", "_open", "_open_bytes", "_skip_lf", "_start")

    def __init__(self, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self._limit = limit_bytes
        self._open: list[bytes] = []  # pieces of the line that has no end yet
        self._open_bytes = 0
        self._data: list[bytes] = []  # data lines of the event that has no end yet
        self._data_bytes = 0
        self._skip_lf = False  # the last read ended with CR; an LF now belongs to it
        self._start = True

    def push(self, chunk: bytes) -> list[bytes]:
        """Return the data of each event that `chunk` completes, in order.

        Raises EventTooLong when a line or an event is longer than the limit.
        """
        if self._skip_lf and chunk:
            self._skip_lf = False
            if chunk[0] == 0x0A:
                chunk = chunk[1:]
        if b"\r" in chunk:
            self._skip_lf = chunk[-1] == 0x0D
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in chunk:
            self._hold(chunk)
            return []
        if self._open:
            self._open.append(chunk)
            chunk = b"".join(self._open)
            self._open.clear()
            self._open_bytes = 0
        lines = chunk.split(b"\n")
        rest = lines.pop()
        if self._start:
            self._start = False
            lines[0] = lines[0].removeprefix(_BOM)
        done = self._take(lines)
        if rest:
            self._hold(rest)
        return done

    def finish(self) -> list[bytes]:
        """Return the data of an event that the end of the body left without its blank line."""
        line = b"".join(self._open)
        if self._start:
            line = line.removeprefix(_BOM)
        self._open.clear()
        self._open_bytes = 0
        return self._take([line, b""])

    def _hold(self, piece: bytes) -> None:
        self._open.append(piece)
        self._open_bytes += len(piece)
        if self._open_bytes > self._limit:
            raise EventTooLong(f"a line of more than {self._limit} bytes")

    def _take(self, lines: list[bytes]) -> list[bytes]:
        done: list[bytes] = []
        data = self._data
        for line in lines:
            if not line:
                if data:
                    done.append(data[0] if len(data) == 1 else b"\n".join(data))
                    data.clear()
                    self._data_bytes = 0
            elif line.startswith(b"data:"):
                self._data_bytes += len(line)
                if self._data_bytes > self._limit:
                    raise EventTooLong(f"an event of more than {self._limit} bytes")
                data.append(line[6:] if line[5:6] == b" " else line[5:])
            elif line == b"data":
                data.append(b"")
            elif line.startswith(b"error:"):
                data.append(line[6:])
        return done
