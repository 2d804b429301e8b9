"""Runs for the tests: bots in folders, settings, records, and `arena` as a process."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from arena.bot import Bot
from arena.contest.entrants import find_entrants
from arena.contracts import Batch, Played
from arena.match.in_process import play_in_process
from arena.record import Entrant, Game, GameRecord, write_record
from arena.tournament.executors.local import Workers
from arena.tournament.games import boards, games_of
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.playing import PATIENT

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main(prog_name='arena')")
PATIENT_OPTIONS = ("--move-ms", str(PATIENT.move_ms), "--start-ms", str(PATIENT.start_ms))
PATIENT_OPTIONS += ("--sandbox", "none")  # sandboxes have tests of their own, and hide the mark
MARK = "ARENA_TEST_MARK"
"""The environment variable by which a test finds the processes that its run started."""

DICE_BOT = """\
import json, random, sys

dice = {}
for line in sys.stdin:
    message = json.loads(line)
    kind, table = message["type"], message.get("table")
    if kind == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif kind == "start":
        dice[table] = random.Random(message["seed"])
    elif kind == "turn":
        answer = {"type": "act", "table": table, "turn": message["turn"]}
        answer["action"] = dice[table].choice(message["legal"])
        print(json.dumps(answer), flush=True)
"""
"""Plays with the dice of its seed, so always in the same way."""

GATED_BOT = """\
import time
from pathlib import Path
from arena.bot import Bot, run

GATE = Path({gate!r})
ENDED = []

class Gated(Bot):
    def act(self, view, legal):
        while len(ENDED) >= 3 and GATE.exists():
            time.sleep(0.01)
        return self.rng.choice(legal)

    def end(self, result):
        ENDED.append(result)

run(Gated)
"""
"""Plays three games; then, while the gate is shut, it thinks without an end."""


# -- bots and settings -------------------------------------------------------------------------


def make_bot(parent: Path, name: str, code: str = DICE_BOT) -> Path:
    """Make the folder of a bot, and return it."""
    folder = parent / name
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python", "-P", "bot.py"]\n')
    (folder / "bot.py").write_text(code)
    return folder


def make_bots(parent: Path, number: int) -> list[Path]:
    """Make the folders of `number` equal bots, `bot-1` and so on."""
    return [make_bot(parent, f"bot-{each}") for each in range(1, number + 1)]


def make_gated_bots(parent: Path) -> tuple[list[Path], Path]:
    """Make three bots, one of them gated, and return them and the gate, which is shut."""
    gate = parent / "gate"
    gated = make_bot(parent, "gated", GATED_BOT.format(gate=str(gate)))
    gate.touch()
    return [gated, *make_bots(parent, 2)], gate


def bot_options(folders: Sequence[Path]) -> list[str]:
    """Return what enters these bots on the command line."""
    return [word for folder in folders for word in ("--bot", str(folder))]


def settings_of(folders: Sequence[Path], *variants: str, rounds: int = 3) -> Settings:
    """Return the settings of a run with these bots."""
    entrants = find_entrants([str(folder) for folder in folders])
    return Settings(rounds, 0, variants, tuple(entrants), PATIENT)


def made_up(number: int, games: tuple[str, ...] = ()) -> list[Entrant]:
    """Return `number` entrants that are never started, `e1` and so on."""
    names = [f"e{each}" for each in range(1, number + 1)]
    return [Entrant(name, ("none",), ".", f"code of {name}", games=games) for name in names]


def made_up_settings(number: int, *variants: str, rounds: int = 3, seed: int = 0) -> Settings:
    """Return the settings of a run of entrants that are never started."""
    return Settings(rounds, seed, variants, tuple(made_up(number)), PATIENT)


def recoded(settings: Settings, name: str) -> Settings:
    """Return the settings after the code of one bot has changed."""
    changed = [
        msgspec.structs.replace(one, fingerprint="other") if one.name == name else one
        for one in settings.entrants
    ]
    return msgspec.structs.replace(settings, entrants=tuple(changed))


# -- records -----------------------------------------------------------------------------------


class Dice(Bot):
    """Plays with the dice of its seed."""

    def act(self, view: object, legal: list[str]) -> str:
        return self.rng.choice(legal)


def play_out(game: Game) -> GameRecord:
    """Play a game in this process, by bots with dice."""
    return play_in_process(game, [Dice] * len(game.entrants))


def schedule_of(settings: Settings) -> list[Game]:
    """Return the games of a run in schedule order."""
    return [game for board in boards(settings) for game in games_of(board, settings)]


def hand_made(
    ranks: Sequence[int],
    *,
    entrants: Sequence[str] = ("a", "b", "c"),
    variant: str = "pot-de-vin/3",
    board: int = 1,
    rotation: int = 0,
    points: Sequence[int] | None = None,
    win_weight: int = 1,
) -> GameRecord:
    """Return a record that says how a game ended, all by seat, and nothing of how it went.

    `entrants` are by place: in rotation t the b-th sits at seat b + t.
    """
    seats = len(entrants)
    return GameRecord(
        key=f"{variant} {board} {rotation}",
        variant=variant,
        rules_version=1,
        board=board,
        rotation=rotation,
        entrants=tuple(entrants[(seat - rotation) % seats] for seat in range(seats)),
        seeds=(0,) * seats,
        deal=msgspec.Raw(b"{}"),
        actions=(),
        points=tuple(points or [0] * seats),
        ranks=tuple(ranks),
        detail=msgspec.Raw(b"{}"),
        win_weight=win_weight,
    )


# -- playing a run ------------------------------------------------------------------------------


def ignore(_: int) -> None:
    """Show no progress."""


def silent(_: str) -> None:
    """Show no notice."""


def keys_in(store: Store) -> list[str]:
    """Return the keys of a run's games."""
    return [record.key for record in store.records()]


def played(store: Store) -> list[bytes]:
    """Return the records of a run."""
    return list(store.raw_records())


def in_processes(number: int) -> Workers:
    """Return `number` workers."""
    return Workers(number, silent)


class Crew:
    """An executor that plays in this process, and keeps what it was given the last time."""

    def __init__(self, width: int = 1) -> None:
        self.width = width
        self.batches: list[Batch] = []

    def __enter__(self) -> Self:
        self.batches.clear()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def play(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        for batch in batches:
            assert batch is not None, "all games that were given are over"
            self.batches.append(batch)
            records = [(game.key, write_record(play_out(game))) for game in batch.games]
            yield [Played(key, msgspec.Raw(record)) for key, record in reversed(records)]

    def given(self) -> list[str]:
        """Return the keys of the games of all batches."""
        return [game.key for batch in self.batches for game in batch.games]


# -- `arena` as a process ----------------------------------------------------------------------


def start_arena(
    arguments: Sequence[str], mark: str = "", cwd: Path | None = None
) -> subprocess.Popen[str]:
    """Start `arena` in a session of its own; all processes of the run carry the mark."""
    return subprocess.Popen(
        [*ARENA, *arguments],
        cwd=cwd,
        env={**os.environ, MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run_arena(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `arena` as a process to its end."""
    return subprocess.run(
        [*ARENA, *arguments],
        cwd=cwd,
        env={**os.environ},  # not what `readline` adds behind its back, as COLUMNS
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def marked(mark: str) -> list[int]:
    """Return the processes that carry the mark in their environment."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                environment = (process / "environ").read_bytes()
            except OSError:  # it has gone, or is somebody else's
                continue
            if wanted in environment.split(b"\0"):
                found.append(int(process.name))
    return found
