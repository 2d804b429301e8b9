"""A limit of time for the head of a request; uvicorn has none.

Without it, a person in the network who opens as many connections as the server takes, and sends
half a head on each, keeps all others out for as long as the connections stay. With it, 2,000
connections have to be opened again every 20 seconds, and requests get their turn between them.
"""

import asyncio
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_S = 20.0
"""The time from a connection, or from the first byte of another request, to the end of its head."""


class RequestHeads:
    """Watches connections for an application, and closes those whose heads do not come.

    The head of a request is complete when the application is called. `connect` makes the protocol
    of a connection, for uvicorn.
    """

    def __init__(self, app: ASGIApp, head_s: float = HEAD_S) -> None:
        self.head_s = head_s
        self._app = app
        self._timers: dict[object, asyncio.TimerHandle] = {}
        self._answering: set[object] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        client = scope.get("client")
        self.stop(client)
        self._answering.add(client)
        try:
            await self._app(scope, receive, send)
        finally:
            self._answering.discard(client)

    def connect(self, *args: Any, **kwargs: Any) -> asyncio.Protocol:
        """Return the protocol of a connection. Takes what uvicorn gives to its own."""
        return _Connection(AutoHTTPProtocol(*args, **kwargs), self)

    def expect(self, client: object, transport: asyncio.Transport) -> None:
        """Close the connection of a client unless the head of a request is complete in time."""
        if client not in self._answering and client not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[client] = loop.call_later(self.head_s, transport.abort)

    def stop(self, client: object) -> None:
        """Stop to wait for the head of a client's request."""
        if timer := self._timers.pop(client, None):
            timer.cancel()


class _Connection(asyncio.Protocol):
    """Passes all that happens on a connection on to the protocol of uvicorn."""

    def __init__(self, inner: asyncio.Protocol, heads: RequestHeads) -> None:
        self._inner = inner
        self._heads = heads
        self._client: object = None
        self.eof_received = inner.eof_received  # type: ignore[method-assign]
        self.pause_writing = inner.pause_writing  # type: ignore[method-assign]
        self.resume_writing = inner.resume_writing  # type: ignore[method-assign]

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._client = tuple(transport.get_extra_info("peername")[:2])
        self._inner.connection_made(transport)
        self._heads.expect(self._client, transport)

    def data_received(self, data: bytes) -> None:
        self._inner.data_received(data)
        self._heads.expect(self._client, self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._heads.stop(self._client)
        self._inner.connection_lost(exc)
