"""Runs for the tests: bots in folders, settings, records, and `arena` as a process."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from arena.base.contracts import Batch, Played
from arena.base.protocol import Fault
from arena.base.record import (
    NEW_MARK,
    NO_OBSERVATIONS,
    OLD_MARK,
    Entrant,
    Evidence,
    Game,
    GameRecord,
    Observations,
    Timing,
    write_record,
)
from arena.bot import Bot
from arena.contest.entrants import find_entrants
from arena.match.referee import record_of, referee, start_game
from arena.match.seats import Reply
from arena.schedule.plan import BlockSizes
from arena.schedule.randomness import Randomness, Secret, SecretSettings
from arena.tournament.comparison import with_boards
from arena.tournament.comparison_run import BLOCKS
from arena.tournament.executors.local import Workers
from arena.tournament.games import boards, games_of
from arena.tournament.in_process import play_in_process
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.playing import PATIENT

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main(prog_name='arena')")
PATIENT_OPTIONS = (
    *("--set", f"limits.move_ms={PATIENT.move_ms}"),
    *("--set", f"limits.start_ms={PATIENT.start_ms}"),
)
PATIENT_OPTIONS += ("--sandbox", "none")  # sandboxes have tests of their own, and hide the mark
RUN_OPTIONS = (*PATIENT_OPTIONS, "--workers", "1")
"""Where the number of workers is not the point: each costs as much as some games."""
MARK = "ARENA_TEST_MARK"
"""The environment variable by which a test finds the processes that its run started."""

CRASHING_BOT = """\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        sys.exit("no idea")
"""
"""Crashes when it is asked for the first time."""
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


def in_blocks(settings: Settings, smallest: int = 2, largest: int = 2) -> Settings:
    """Return the settings of a run that is played in small blocks, in boards."""
    return msgspec.structs.replace(settings, block_sizes=BlockSizes(smallest, largest))


OLD, NEW = f"bot{OLD_MARK}", f"bot{NEW_MARK}"


def versions_settings(boards: int, variant: str = "pot-de-vin/3") -> Settings:
    """Return the settings of a comparison of `OLD` and `NEW`, which are never started."""
    versions = [Entrant(name, ("none",), ".", f"code of {name}") for name in (OLD, NEW)]
    settings = Settings(
        rounds=0,
        seed=0,
        variants=(variant,),
        entrants=(*versions, *made_up(4)),
        limits=PATIENT,
        schedule="versions",
        challengers=(OLD, NEW),
        withdrawal=False,
        block_sizes=BLOCKS,
    )
    return with_boards(settings, boards)


SECRET = Secret("5ec2e7" * 8)
"""A secret for runs that can be compared."""


def secret_settings(settings: Settings, with_fingerprints: bool = True) -> Settings:
    """Return the settings of a run whose deals follow from `SECRET`."""
    public = SecretSettings(SECRET.hash, with_fingerprints)
    return msgspec.structs.replace(settings, seed=None, secret=public)


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
    """Return the games of a run in schedule order. If it has a secret, it is `SECRET`."""
    chance = chance_of(settings)
    return [
        game for board in boards(settings, chance) for game in games_of(board, settings, chance)
    ]


def chance_of(settings: Settings) -> Randomness:
    """Return the chance of a run. If it has a secret, it is `SECRET`."""
    return settings.chance(SECRET if settings.secret else None)


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
    return [game.record for game in store.counting_games()]


def in_processes(number: int) -> Workers:
    """Return `number` workers."""
    return Workers(number, silent)


def from_these(batches: Iterable[Batch]) -> Callable[[], Batch | None]:
    """Return the function by which an executor takes these batches."""
    return partial(next, iter(batches), None)


class Crew:
    """An executor that plays in this process, and keeps what it was given the last time."""

    games_at_once = 1

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

    def wake(self, games: Sequence[str]) -> None:
        pass

    def expect(self, variants: Sequence[str]) -> None:
        pass

    def hand_out(self) -> None:
        pass

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        for batch in iter(take, None):
            self.batches.append(batch)
            records = [self.play_game(game, batch) for game in batch.games]
            yield [
                Played(one.key, msgspec.Raw(write_record(one)), self.observe(one))
                for one in reversed(records)
            ]

    def play_game(self, game: Game, batch: Batch) -> GameRecord:
        """Return the record of a game of a batch."""
        return play_out(game)

    def observe(self, record: GameRecord) -> Observations:
        """Return what was seen of a game."""
        return NO_OBSERVATIONS

    def given(self) -> list[str]:
        """Return the keys of the games of all batches."""
        return [game.key for batch in self.batches for game in batch.games]


class FaultyCrew(Crew):
    """A crew whose bots crash in some games, always in the same ones."""

    def __init__(self, crashes: Callable[[str, Game], bool], width: int = 1) -> None:
        """Make a crew in which `crashes` says whether the bot of a name crashes in a game."""
        super().__init__(width)
        self.crashes = crashes

    def play_game(self, game: Game, batch: Batch) -> GameRecord:
        faults = {name: Fault("withdrawn", reason) for name, reason in batch.withdrawn.items()}
        for name in game.entrants:
            if self.crashes(name, game):
                faults.setdefault(name, Fault("crash", "crashed"))
        return play_with_faults(game, faults)


class FaultyCrewWithEvidence(FaultyCrew):
    """A crew that has seen something of each game."""

    def observe(self, record: GameRecord) -> Observations:
        log = "Traceback (most recent call last):\nValueError: here"
        evidence = [Evidence(one.seat, "{}", stderr=log, wall_ms=7) for one in record.faults]
        return Observations(tuple(evidence), timings=(Timing(3, 900, 400),) * len(record.entrants))


def play_with_faults(game: Game, faults: Mapping[str, Fault]) -> GameRecord:
    """Play a game between bots with dice, of which some have a fault at their first turn.

    Each bot explains its first action in a note.
    """
    state = start_game(game.variant, game.deal)
    dice = [random.Random(seed) for seed in game.seeds]
    has_moved: set[str] = set()
    refereeing = referee(state)
    answer: Reply | Fault | None = None
    while True:
        try:
            decision = refereeing.send(answer)  # type: ignore[arg-type]
        except StopIteration as stop:
            return record_of(game, state, stop.value)
        name = game.entrants[decision.seat]
        note = "" if name in has_moved else f"a guess of {name}"
        has_moved.add(name)
        answer = faults.get(name) or Reply(dice[decision.seat].choice(decision.legal), note)


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
