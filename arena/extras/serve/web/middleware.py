"""Middleware that limits request bodies and sets response headers."""

import asyncio
import contextlib
import time
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.extras.serve.web.sessions import PEER

MAX_BODY_BYTES = 64 * 1024 * 1024
BODY_S = 120.0
DRAIN_S = 10.0  # to read the rest of a rejected request
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class RealPeer:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[PEER] = scope.get("client")
        await self._app(scope, receive, send)


class SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class Body:
    def __init__(self, receive: Receive, headers: Headers, body_s: float) -> None:
        self._receive = receive
        self._body_s = body_s
        self._max_bytes = MAX_BODY_BYTES
        self._read = 0
        self._ends_at: float | None = None
        declared = headers.get("content-length", "0")
        self._declared = int(declared[:20]) if declared.isdecimal() else 0
        self.is_read = self._declared == 0 and "transfer-encoding" not in headers

    def lower_to(self, max_bytes: int) -> None:
        """Lower the size limit of a request body.

        Raise `HTTPException` with status 413 if the request body is larger than the limit.
        """
        self._max_bytes = min(self._max_bytes, max_bytes)
        self._check(self._declared)

    async def receive(self) -> Message:
        if self.is_read:
            return await self._receive()
        self._check(self._declared)
        now = time.monotonic()
        if self._ends_at is None:
            self._ends_at = now + self._body_s
        try:
            async with asyncio.timeout(self._ends_at - now):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(
                408,
                f"The upload took longer than {self._body_s:g} seconds.",
                {"Connection": "close"},
            ) from None
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self.is_read = not message.get("more_body", False)
        self._check(self._read)
        return message

    async def drain(self) -> None:
        """Read and discard the rest of a request body, unless it is too large or arrives too
        slowly.
        """
        # A client that is still sending would not see the response if the connection were closed.
        left = MAX_BODY_BYTES
        if self._declared > left:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(DRAIN_S, self._body_s)):
                while left > 0:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    if not message.get("more_body", False):
                        return

    def _check(self, size: int) -> None:
        if size > self._max_bytes:
            raise HTTPException(
                413,
                f"The upload is larger than {_size(self._max_bytes)}.",
                {"Connection": "close"},
            )


class BodyLimit:
    """ASGI middleware that limits the size of request bodies."""

    def __init__(self, app: ASGIApp, body_s: float = BODY_S) -> None:
        self._app = app
        self._body_s = body_s

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = Body(receive, Headers(scope=scope), self._body_s)
        scope["arena.body"] = body

        async def send_and_close(message: Message) -> None:
            if message["type"] == "http.response.start" and not body.is_read:
                MutableHeaders(scope=message)["Connection"] = "close"
            elif not message.get("more_body", False) and not body.is_read:
                await send({**message, "more_body": True})
                await body.drain()
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        await self._app(scope, body.receive, send_and_close)


def _size(size: int) -> str:
    return f"{size // 1024**2} MiB" if size >= 1024**2 else f"{size // 1024} KiB"
