"""Scheduled games and records of played games, as data."""

import functools
import hashlib
import random
from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

from arena.base.protocol import FaultKind, Limits, SeatFault
from engine import Variant

GUEST_MARK = " (guest)"
"""Suffix of a guest's name. No other bot can have such a name."""
OLD_MARK, NEW_MARK = " (old)", " (new)"
"""Suffixes for the two versions of a bot in a comparison."""
MAX_NUMBER = 2**53
"""Maximum number in a record. Floats represent smaller integers exactly, and sums stay finite."""
MAX_NAME_CHARS = 200

Number = Annotated[int, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARS)]
"""Limited types for names and numbers in records and settings, which may come from strangers."""


def unmarked(name: str) -> str:
    for mark in (GUEST_MARK, OLD_MARK, NEW_MARK):
        name = name.removesuffix(mark)
    return name


class Entrant(msgspec.Struct, frozen=True):
    name: Name
    command: tuple[str, ...]
    folder: str
    fingerprint: str
    """A digest that changes when the bot's code does."""
    author: str = ""
    games: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Files and folders in `folder` that belong to the bot. Empty means all."""
    waits: bool = False
    source: str = ""
    """The folder from which `folder` was copied, or empty if it is not a copy."""
    description: str | msgspec.UnsetType = msgspec.UNSET
    """One line about how the bot plays, from its `bot.toml`."""

    @property
    def origin(self) -> str:
        """The folder where the bot's author works on it."""
        return self.source or self.folder

    def plays(self, variant: str) -> bool:
        return not self.games or not {variant, variant.partition("/")[0]}.isdisjoint(self.games)

    @property
    def guest(self) -> bool:
        return self.name.endswith(GUEST_MARK)


class Game(msgspec.Struct, frozen=True):
    key: str
    variant: str
    board: int
    """Number of the board in its variant, from 1."""
    rotation: int
    """In rotation t, from 0, the entrant at place b of the board sits at seat b + t."""
    deal: msgspec.Raw
    entrants: tuple[str, ...]
    """By seat."""
    seeds: tuple[int, ...]
    """Seeds of the bots' random generators, by seat."""
    worlds: int = 0
    """Seed for drawing worlds, which is never sent to a bot."""

    @property
    def title(self) -> str:
        """A title such as `pot-de-vin/3 board 12 rotation 0`."""
        return f"{self.variant} board {self.board} rotation {self.rotation}"


def new_game(  # noqa: PLR0913
    key: str,
    variant: Variant,
    place: tuple[int, int],
    deal: msgspec.Raw,
    names: Sequence[str],
    dice: random.Random,
) -> Game:
    """Return a game of the entrants `names`, by seat, with seeds drawn from `dice`.

    `place` contains the number of its board and its rotation.
    """
    seeds = tuple([dice.getrandbits(32) for _ in names])
    worlds = dice.getrandbits(64)
    return Game(key, variant.id, *place, deal, tuple(names), seeds, worlds)


class Note(msgspec.Struct, frozen=True):
    action: int
    text: str


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Observations about a fault, which may differ when the game is replayed."""

    seat: int
    asked: str = ""
    """The line that the bot had to answer, without its line end. May be empty."""
    came: str = ""
    stderr: str = ""
    wall_ms: int | None = None
    """Time in milliseconds since the bot could start working on the line."""
    cpu_ms: int | None = None
    """The bot's processor time in milliseconds since its previous answer."""
    memory_kib: int | None = None
    """Peak memory of the bot's processes, if the system reports it."""


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """Processor times of a seat's answers in a game, in microseconds."""

    answers: int = 0
    total_us: int = 0
    worst_us: int = 0
    each_ms: tuple[int, ...] = ()
    """Milliseconds of each answer. Empty if all took less than `QUICK_MS`, and in older records."""


QUICK_MS = 10
"""Answers that take less time, in milliseconds, are not worth storing in a run's database."""


class Restart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A process that broke without a fault and was replaced."""

    seat: int
    text: str
    stderr: str = ""


class Observations(msgspec.Struct, frozen=True, omit_defaults=True):
    """Observations about a played game, which may differ when the game is replayed."""

    evidence: tuple[Evidence, ...] = ()
    timings: tuple[Timing, ...] = ()
    restarts: tuple[Restart, ...] = ()
    """Processes that broke without a fault since the previous game."""
    worker: str = ""
    """The cluster worker that played the game. Empty on a single machine."""

    def evidence_of(self, seat: int) -> Evidence:
        """Return the evidence of a seat's fault, which is empty if the seat had none."""
        return next((seen for seen in self.evidence if seen.seat == seat), Evidence(seat))


NO_OBSERVATIONS = Observations()


class GameRecord(msgspec.Struct, frozen=True):
    key: Name
    variant: Name
    rules_version: Count
    board: Count
    rotation: Count
    entrants: tuple[Name, ...]
    """By seat."""
    seeds: tuple[Count, ...]
    """By seat."""
    deal: msgspec.Raw
    actions: tuple[str, ...]
    points: tuple[Number, ...]
    """By seat. After a fault, these are the stand-in's points."""
    ranks: tuple[Count, ...]
    """By seat. Sides with a fault rank last."""
    detail: msgspec.Raw
    win_weight: Count = 1
    """How many games this game counts as under its rules."""
    faults: tuple[SeatFault, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.variant} board {self.board} rotation {self.rotation}"

    def faults_of(self, seat: int) -> tuple[SeatFault, ...]:
        return tuple([fault for fault in self.faults if fault.seat == seat])


class ResultFault(msgspec.Struct, frozen=True):
    seat: int
    kind: FaultKind
    text: str


class GameResult(msgspec.Struct, frozen=True):
    """The part of a `GameRecord` that standings, withdrawals and stop rules depend on.

    Runs store results beside records, because results are much faster to read.
    """

    variant: Name
    board: Count
    rotation: Count
    entrants: tuple[Name, ...]
    points: tuple[Number, ...]
    ranks: tuple[Count, ...]
    win_weight: Count = 1
    faults: tuple[ResultFault, ...] = ()

    @property
    def withdrawn(self) -> dict[str, str]:
        """Entrants that were withdrawn before this game, with the reason for each."""
        return {
            self.entrants[fault.seat]: fault.text
            for fault in self.faults
            if fault.kind == "withdrawn"
        }


class _StoredResult(GameResult, frozen=True, array_like=True, gc=False):
    """A result as stored in a run: a JSON array of the fields."""


AnyResult = GameRecord | GameResult


def as_game(record: GameRecord) -> Game:
    """Return a record's scheduled game, to play it again."""
    return msgspec.convert(record, Game, from_attributes=True)


def key_of(
    variant: Variant,
    board: int,
    deal: msgspec.Raw,
    limits: Limits,
    bots: tuple[tuple[str, str], ...],
) -> str:
    """Return a game's content key. `bots` contains name and fingerprint by seat.

    A run never plays two games with the same key. The key includes the board number because
    boards of a small game may have the same deal.
    """
    used = _limits_in_keys(limits)
    content = msgspec.json.encode((variant.id, variant.rules_version, board, deal, used, bots))
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@functools.lru_cache(maxsize=16)
def _limits_in_keys(limits: Limits) -> msgspec.Raw:
    """Encode limits without newer ones that are unset, so that older keys stay valid."""
    used = msgspec.to_builtins(limits)
    if limits.idle_ms is None:
        del used["idle_ms"]
    return msgspec.Raw(msgspec.json.encode(used))


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(GameRecord)
_result_in_decoder = msgspec.json.Decoder(GameResult)
_result_decoder = msgspec.json.Decoder(_StoredResult)


def write_record(record: GameRecord) -> bytes:
    return _encoder.encode(record)


def read_record(data: bytes) -> GameRecord:
    return _decoder.decode(data)


def result_of(record: GameRecord) -> GameResult:
    return msgspec.convert(record, GameResult, from_attributes=True)


def result_in(record: bytes) -> GameResult:
    """Return the result in a JSON record. Raise the errors of `msgspec.json.decode`."""
    return _result_in_decoder.decode(record)


def write_result(result: GameResult) -> bytes:
    return _encoder.encode(msgspec.structs.astuple(result))


read_result: Callable[[bytes], GameResult] = _result_decoder.decode
"""Decode a result written by `write_result`."""
