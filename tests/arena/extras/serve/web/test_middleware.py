"""Limits of the bodies of requests; headers of answers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.extras.serve.web.middleware import HEADERS, MAX_BODY_BYTES, BodyLimit, SecurityHeaders

CHUNK = bytes(64 * 1024)
LIMIT = 256 * 1024


async def read(request: Request) -> Response:
    """Answer the size of a body, which may have `LIMIT` bytes."""
    request.scope["arena.body"].lower_to(LIMIT)
    return PlainTextResponse(str(len(await request.body())))


async def read_all(request: Request) -> Response:
    """Answer the size of a body that is limited by the middleware only."""
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
    return PlainTextResponse(str(size))


async def read_nothing(_: Request) -> Response:
    raise HTTPException(403)


def make_app(body_s: float = 60) -> Starlette:
    return Starlette(
        routes=[
            Route("/", read, methods=["POST"]),
            Route("/all", read_all, methods=["POST"]),
            Route("/nothing", read_nothing, methods=["POST"]),
        ],
        middleware=[Middleware(SecurityHeaders), Middleware(BodyLimit, body_s=body_s)],
    )


class Upload:
    """A request whose body comes in chunks, and what was answered."""

    def __init__(self, chunks: Iterator[bytes], path: str = "/", **headers: str) -> None:
        self.taken = 0
        """Chunks that were read."""
        self.taken_before = 0
        """Those that were read before the answer."""
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self._chunks = chunks
        self._scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": path,
            "headers": [
                (name.replace("_", "-").lower().encode(), value.encode())
                for name, value in headers.items()
            ],
            "query_string": b"",
        }

    async def _receive(self) -> dict[str, Any]:
        chunk = next(self._chunks, None)
        if chunk is None:
            return {"type": "http.request", "body": b"", "more_body": False}
        self.taken += 1
        return {"type": "http.request", "body": chunk, "more_body": True}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.taken_before = self.taken
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]

    def to(
        self, app: Starlette, receive: Callable[[], Awaitable[dict[str, Any]]] | None = None
    ) -> "Upload":
        asyncio.run(app(self._scope, receive or self._receive, self._send))
        return self


def endless() -> Iterator[bytes]:
    while True:
        yield CHUNK


def test_reads_body_within_the_limit() -> None:
    upload = Upload(iter([CHUNK] * 4), Content_Length=str(LIMIT)).to(make_app())
    assert (upload.status, upload.body) == (200, str(LIMIT).encode())
    assert "connection" not in upload.headers


CHUNKED = {"Transfer_Encoding": "chunked"}
OVER_LIMIT, OVER_ALL = LIMIT // len(CHUNK) + 1, MAX_BODY_BYTES // len(CHUNK) + 1


@pytest.mark.parametrize(
    ("path", "headers", "taken"),
    [
        ("/", {"Content_Length": str(10 * 1024**3)}, 0),
        ("/all", {"Content_Length": str(10 * 1024**3)}, 0),
        ("/", {"Content_Length": "9" * 500, **CHUNKED}, 0),
        ("/", CHUNKED, OVER_LIMIT),
        ("/all", CHUNKED, OVER_ALL),
        ("/", {"Content_Length": "5"}, OVER_LIMIT),
        *[
            ("/", {"Content_Length": wrong, **CHUNKED}, OVER_LIMIT)
            for wrong in ("-5", "1e3", "\xd9\xa3", "", "5, 5")
        ],
    ],
)
def test_stops_reading_large_body_at_the_limit(
    path: str, headers: dict[str, str], taken: int
) -> None:
    upload = Upload(endless(), path, **headers).to(make_app())
    assert (upload.status, upload.taken_before) == (413, taken)
    assert upload.headers["connection"] == "close"


def test_times_out_slow_body() -> None:
    async def never() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    upload = Upload(endless(), Content_Length="5").to(make_app(body_s=0), never)
    assert upload.status == 408
    assert upload.headers["connection"] == "close"


def test_drains_rejected_body_after_responding() -> None:
    upload = Upload(iter([CHUNK] * 5), "/nothing", Content_Length=str(5 * len(CHUNK)))
    upload.to(make_app())
    assert (upload.status, upload.taken_before, upload.taken) == (403, 0, 5)
    assert upload.headers["connection"] == "close"
    upload = Upload(endless(), "/nothing", Transfer_Encoding="chunked").to(make_app())
    assert (upload.status, upload.taken) == (403, MAX_BODY_BYTES // len(CHUNK))


def test_sets_headers_of_each_response() -> None:
    for path, status in (("/", 200), ("/nothing", 403), ("/elsewhere", 404)):
        upload = Upload(iter([]), path).to(make_app())
        assert upload.status == status
        assert {name.lower(): value for name, value in HEADERS.items()}.items() <= set(
            upload.headers.items()
        )
