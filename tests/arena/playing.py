"""Games without a schedule for the tests, bots for them, and the processes that they leave."""

import contextlib
import json
import os
import random
import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from arena.base.protocol import Limits, raw
from arena.base.record import Entrant, Game, GameRecord, write_record
from arena.bot import Bot
from arena.contest.entrants import find_entrants
from arena.match.driver import OpenTransport, local_processes, watch_games
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.plugins import RegisteredBot
from engine import Variant, get_variant, hookimpl
from engine.plugins import registered
from tests.engine.high_card import HighCard, HighCardTeams

BOTS = Path(__file__).parent.parent / "bots_for_tests"
PATIENT = Limits(start_ms=120_000, move_ms=120_000)
"""Limits that every bot that answers keeps, however busy the machine is."""
PYTHON = (sys.executable, "-B", "-S")
"""Starts quickly and leaves no bytecode; knows the standard library only."""
WAIT_S = 180.0
"""What a test waits for something that should come at once, before it fails."""

NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="need /proc")


def play_games(
    games: Iterable[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
) -> Iterator[GameRecord]:
    """Yield the record of each game as it finishes."""
    for record, _ in watch_games(games, players, settings, open_transport):
        yield record


class HighCardPair(HighCard):
    """Two seats, each for itself."""

    id = "high-card/2"
    seats = 2


class Games:
    """A plugin with games."""

    def __init__(self, *variants: Variant) -> None:
        self.variants = variants

    @hookimpl
    def register_variants(self) -> Iterable[Variant]:
        return self.variants


class Bots:
    """A plugin with bots."""

    def __init__(self, *bots: RegisteredBot) -> None:
        self.bots = bots

    @hookimpl
    def register_bots(self) -> Iterable[RegisteredBot]:
        return self.bots


TOYS = Games(HighCardPair(), HighCard(), HighCardTeams())


def plug_in(*plugins: object) -> AbstractContextManager[None]:
    """Register plugins, or else the toy games, while the context lasts."""
    return registered(*(plugins or (TOYS,)))


# -- games -------------------------------------------------------------------------------------


def make_game(
    variant_id: str, number: int, entrants: Sequence[str], deal: object | None = None
) -> Game:
    """Return a scheduled game; the number stands for its deal and its seeds."""
    rng = random.Random(number)
    drawn = get_variant(variant_id).deal(rng)
    return Game(
        key=f"{variant_id} {number}",
        variant=variant_id,
        board=number,
        rotation=0,
        deal=raw(deal or drawn),
        entrants=tuple(entrants),
        seeds=tuple(rng.getrandbits(32) for _ in entrants),
    )


def as_json(records: Iterable[GameRecord]) -> list[bytes]:
    """Return the records as they are stored, in an order that does not depend on who was first."""
    return sorted(write_record(record) for record in records)


# -- bots --------------------------------------------------------------------------------------


class First(Bot):
    """Takes the first legal action, as a stand-in does."""

    name = "first"

    def act(self, view: Any, legal: list[str]) -> str:
        return legal[0]


class LastThenFirst(Bot):
    """Takes the last legal action for some turns, then plays like a stand-in."""

    turns = 0

    def act(self, view: Any, legal: list[str]) -> str:
        self.turns -= 1
        return legal[-1 if self.turns >= 0 else 0]


def last_then_first(turns: int) -> type[Bot]:
    """Return a bot that takes the last legal action for some turns, then the first."""
    return type("LastThenFirst", (LastThenFirst,), {"turns": turns})


def program(name: str, file: str | None = None, folder: Path = BOTS) -> Entrant:
    """Return the entrant of a program in `bots_for_tests`, started in `folder`."""
    path = BOTS / f"{file or name}.py"
    return Entrant(name, (*PYTHON, str(path)), str(folder), "")


def code(name: str, text: str) -> Entrant:
    """Return the entrant of a program that is the text itself."""
    return Entrant(name, (*PYTHON, "-c", text), str(BOTS), "")


def first(name: str = "first") -> Entrant:
    """Return the entrant of a program that plays as a stand-in does."""
    return program(name, "ten_lines/ten_lines")


def spy(folder: Path, name: str = "spy") -> Entrant:
    """Return a bot that writes what it hears into `heard.jsonl` in its folder."""
    folder.mkdir(exist_ok=True)
    return program(name, "keeps_a_log", folder)


def received_messages(folder: Path) -> list[list[dict[str, Any]]]:
    """Return what the processes of a spy heard, one after the other."""
    processes: list[list[dict[str, Any]]] = []
    for line in (folder / "heard.jsonl").read_text().splitlines():
        message = json.loads(line)
        if message["type"] == "hello":
            processes.append([])
        processes[-1].append(message)
    return processes


def bundled(name: str) -> Entrant:
    """Return the entrant of a built-in bot."""
    (entrant,) = find_entrants([name])
    return entrant


def by_name(*entrants: Entrant) -> dict[str, Entrant]:
    """Return entrants by name."""
    return {entrant.name: entrant for entrant in entrants}


# -- processes ---------------------------------------------------------------------------------


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Look until the condition holds; fail when it does not for much too long."""
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, f"waited {WAIT_S} s for {what}"
        time.sleep(0.005)


def wait_to_read(fd: int) -> None:
    """Wait until there is something to read, or the other end is closed."""
    assert select.select([fd], [], [], WAIT_S)[0], "nothing came"


def _status(pid: int) -> tuple[str, int] | None:
    """Return the state letter and the parent of a process; None when there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, parent, *_ = stat.rpartition(")")[2].split()
    return state, int(parent)


def is_running(pid: int) -> bool:
    """Return whether a process lives, a zombie does not."""
    status = _status(pid)
    return status is not None and status[0] not in "ZX"


def children() -> set[int]:
    """Return the child processes of this one, zombies too.

    The tracker that `multiprocessing` keeps until this process ends is left out: a test that was
    here before may have started it.
    """
    pids = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal()]
    own = {pid for pid in pids if (status := _status(pid)) and status[1] == os.getpid()}
    return {pid for pid in own if not _is_tracker(pid)}


def _is_tracker(pid: int) -> bool:
    """Return whether a process is the resource tracker of `multiprocessing`."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has gone
        return False
    return b"multiprocessing.resource_tracker" in command


def descriptors() -> set[str]:
    """Return the open file descriptors of this process.

    Neither the one that is used to look counts, nor those of kernel users, which are kept.
    """
    sockets = Path("/proc/net/unix").read_text().splitlines()
    kept = {f"socket:[{line.split()[6]}]" for line in sockets if "@arena-user-" in line}
    found = set()
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            link = os.readlink(f"/proc/self/fd/{name}")
            if not link.startswith("user:") and link not in kept:
                found.add(name)
    return found
