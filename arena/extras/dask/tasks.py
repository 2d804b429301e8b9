"""The functions that Dask workers run. They take and return messages as bytes."""

import platform
import sys
import threading
from pathlib import Path

import arena
from arena.extras.dask.inspection import Inspection, obstacle_of
from arena.extras.dask.messages import (
    VERSION,
    Arrival,
    Farewell,
    Greeting,
    PackedBot,
    SessionHello,
    Versions,
    Work,
    WorkResult,
    pack,
    unpack,
)
from arena.extras.dask.worker_session import WorkerSession
from arena.process.host import usable
from arena.protocol import PROTOCOL
from engine import UnknownVariant, get_variant

FOLDER = "bribe-arena"
"""In the folder of a Dask worker, which Dask removes, also after the worker was killed."""
LOOK_S = 30.0
"""The time between two looks whether a session is abandoned."""

_sessions: dict[str, WorkerSession] = {}
_lock = threading.Lock()


def versions_here(variants: tuple[str, ...]) -> Versions:
    """Return the versions in this process."""
    rules: dict[str, int | None] = {}
    for variant in variants:
        try:
            rules[variant] = get_variant(variant).rules_version
        except UnknownVariant:
            rules[variant] = None
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Versions(VERSION, arena.__version__, python, PROTOCOL, rules)


def greet(data: bytes) -> bytes:
    """Begin or go on with a session: answer a `SessionHello` with a `Greeting`."""
    from distributed import get_worker  # not above: it takes long, and the main process reads this

    hello = unpack(data, SessionHello)
    worker = get_worker()
    with _lock:
        session = _sessions.get(hello.session)
    is_open = hello.sandbox.level == "none" and not hello.sandbox.readable
    obstacle = "" if session or is_open else obstacle_of(Inspection(hello.sandbox))
    if not session and not obstacle:
        folder = Path(worker.local_directory, FOLDER, hello.session)
        folder.mkdir(parents=True, exist_ok=True)
        session = WorkerSession(hello, folder)
        with _lock:
            _sessions[hello.session] = session
        _watch(hello.session)
    return pack(
        Greeting(
            f"{platform.node()}/{worker.name}",
            f"{platform.node()} {usable()}",
            versions_here(hello.variants),
            obstacle,
            session.fingerprints if session else (),
        )
    )


def receive(data: bytes) -> bytes:
    """Receive a bot: answer a `PackedBot` with an `Arrival`."""
    packed = unpack(data, PackedBot)
    session = _sessions.get(packed.session)
    return pack(session.receive(packed) if session else Arrival(is_forgotten=True))


def play(data: bytes) -> bytes:
    """Play games: answer a `Work` with a `WorkResult`."""
    work = unpack(data, Work)
    session = _sessions.get(work.session)
    return pack(session.play(work) if session else WorkResult(is_forgotten=True))


def leave(name: str) -> bytes:
    """End a session on this worker, with a `Farewell`."""
    with _lock:
        session = _sessions.pop(name, None)
    return pack(Farewell(session.close() if session else {}))


def _watch(name: str) -> None:
    """End a session when it is abandoned. Looks at it at intervals as long as it lasts."""
    session = _sessions.get(name)
    if session and session.is_abandoned:
        leave(name)
    elif session:
        timer = threading.Timer(LOOK_S, _watch, (name,))
        timer.daemon = True
        timer.start()
