"""Files on their way from a browser: bounded while they come, and gone when the request is.

All files of a request go one behind the other into one nameless temporary file, which is in memory
while it is small. So thousands of files cost no descriptors, and nothing has to be cleaned up,
however a request ends. A folder's paths come as the names of its files; Django would cut them.

Turned down: Django's own handlers, which keep one open temporary file for each upload.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import wraps
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Concatenate, Final, ParamSpec, cast

from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParser
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from webapp.document.bounds import MAX_TOTAL_BYTES

if TYPE_CHECKING:
    _UploadedFile = UploadedFile[bytes]
else:
    _UploadedFile = UploadedFile  # generic for the type checker only

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

MAX_UPLOAD_BYTES: Final = MAX_TOTAL_BYTES + 4 * 1024 * 1024
"""Of all files of a request: a zip may be a little larger than what is in it."""
MAX_BODY_BYTES: Final = MAX_UPLOAD_BYTES + 8 * 1024 * 1024
"""Of any request: each file has a head, and a page may send text besides."""
_IN_MEMORY_BYTES: Final = 1024 * 1024


class TooMuch(Exception):
    """What a browser sends is more than a project may hold."""


class Upload(_UploadedFile):
    """One file of a request, inside the file of all; `path` is as the browser sent it."""

    def __init__(self, spool: IO[bytes], path: str, offset: int, size: int) -> None:
        super().__init__(cast(IO[bytes], _Window(spool, offset, size)), path, size=size)
        self.path = path
        self._spool, self._offset = spool, offset

    @property
    def data(self) -> bytes:
        """Return all of it."""
        self._spool.seek(self._offset)
        return self._spool.read(self.size or 0)

    @property
    def window(self) -> BinaryIO:
        """Return it as a file that can seek."""
        return cast(BinaryIO, _Window(self._spool, self._offset, self.size or 0))


class _Window(io.RawIOBase):
    """A stretch of a file, to read."""

    def __init__(self, file: IO[bytes], offset: int, size: int) -> None:
        self._file, self._offset, self._size = file, offset, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        left = max(0, self._size - self._at)
        self._file.seek(self._offset + self._at)
        data = self._file.read(left if size < 0 else min(size, left))
        self._at += len(data)
        return data


class Spool(FileUploadHandler):
    """Takes all files of a request; the only upload handler (settings.FILE_UPLOAD_HANDLERS)."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY_BYTES)  # noqa: SIM115 - Django closes it
        self._start = self._end = 0

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, Any],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> tuple[Any, Any] | None:
        """Refuse what says itself that it is too long."""
        if content_length > MAX_BODY_BYTES:
            raise TooMuch
        return None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file where the last one ended."""
        super().new_file(*args, **kwargs)
        self._start = self._end

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Write some of a file; what becomes too much is not written."""
        self._end += len(raw_data)
        if self._end > MAX_UPLOAD_BYTES:
            raise TooMuch
        self.file.write(raw_data)
        return None

    def file_complete(self, file_size: int) -> Upload:
        """Return what has come."""
        return Upload(self.file, self.file_name or "", self._start, self._end - self._start)


class _PathParser(MultiPartParser):
    """Leaves a file's name as the browser sent it; whoever takes it in looks at it."""

    def sanitize_file_name(self, file_name: str) -> str | None:
        return file_name or None


def takes_files(refuse: Callable[[HttpRequest], HttpResponse]) -> Callable[[View[P]], View[P]]:
    """Let a view read uploads whose names are paths; `refuse` answers when it is too much.

    The CSRF check reads the form, so it comes after this, not before.
    """

    def decorate(view: View[P]) -> View[P]:
        checked = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        def receive(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            def parse(meta: dict[str, Any], data: Any) -> Any:
                handlers = request.upload_handlers
                return _PathParser(meta, data, handlers, request.encoding).parse()

            cast(Any, request).parse_file_upload = parse
            try:
                return checked(request, *args, **kwargs)
            except (TooMuch, TooManyFilesSent, RequestDataTooBig):
                return refuse(request)

        return receive

    return decorate


def uploads(request: HttpRequest, *fields: str) -> list[Upload]:
    """Return the files of these fields, in the order they were sent."""
    found = [upload for name in fields for upload in request.FILES.getlist(name)]
    return [upload for upload in found if isinstance(upload, Upload)]
