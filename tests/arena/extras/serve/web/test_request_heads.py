"""Connections whose requests do not come, or come too slowly, are closed."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn import Config, Server

from arena.extras.serve.web.middleware import HEAD_S, RequestHeads

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
PatientFor = Callable[[float], None]
"""Sets how many seconds the server waits from now on."""
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter, PatientFor], Awaitable[bytes]]


async def answer(_: Request) -> Response:
    return PlainTextResponse("hello")


def talk_to_server(talk: Talk, head_s: float = HEAD_S) -> bytes:
    """Return what `talk` returns with a server that waits `head_s` seconds for a head at first."""

    heads = RequestHeads(Starlette(routes=[Route("/", answer)]), head_s)

    def be_patient_for(seconds: float) -> None:
        heads.head_s = seconds

    async def serve() -> bytes:
        listening = socket.create_server(("127.0.0.1", 0))
        server = Server(Config(heads, log_level="error", lifespan="off", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        try:
            return await talk(reader, writer, be_patient_for)
        finally:
            writer.close()
            server.should_exit = True
            await serving

    with asyncio.Runner(loop_factory=heads.new_loop) as runner:
        return runner.run(serve())


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


@pytest.mark.parametrize("sent", [b"", b"GET / HTT", REQUEST[:-2]])
def test_a_head_that_does_not_come_is_not_waited_for(sent: bytes) -> None:
    async def talk(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, be_patient_for: PatientFor
    ) -> bytes:
        writer.write(sent)
        return await until_closed(reader)

    assert talk_to_server(talk, head_s=0) == b""


def test_neither_is_that_of_a_second_request() -> None:
    async def talk(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, be_patient_for: PatientFor
    ) -> bytes:
        writer.write(REQUEST)
        first = await reader.readuntil(b"hello")
        be_patient_for(0)
        writer.write(REQUEST[:9])
        return first + await until_closed(reader)

    assert talk_to_server(talk).count(b"200 OK") == 1


def test_requests_that_come_are_answered() -> None:
    async def talk(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, be_patient_for: PatientFor
    ) -> bytes:
        writer.write(REQUEST)
        first = await reader.readuntil(b"hello")
        writer.write(REQUEST[:9])
        writer.write(REQUEST[9:])
        return first + await reader.readuntil(b"hello")

    assert talk_to_server(talk).count(b"200 OK") == 2
