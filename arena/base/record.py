"""Data types for scheduled games and records of played games."""

import functools
import hashlib
import random
from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

from arena.base.protocol import FaultKind, Limits, SeatFault
from engine import Variant

GUEST_MARK = " (guest)"
"""Suffix of the names of guests."""
OLD_MARK, NEW_MARK = " (old)", " (new)"  # in comparisons of two versions of a bot
# Floats can't represent every integer above 2**53.
MAX_NUMBER = 2**53
MAX_NAME_CHARS = 200

Number = Annotated[int, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARS)]
"""A name with a limited length."""


def unmarked(name: str) -> str:
    for mark in (GUEST_MARK, OLD_MARK, NEW_MARK):
        name = name.removesuffix(mark)
    return name


class Entrant(msgspec.Struct, frozen=True):
    name: Name
    command: tuple[str, ...]
    folder: str
    fingerprint: str
    author: str = ""
    games: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """The bot's files and subfolders, or an empty tuple if everything in the folder belongs to the
    bot."""
    waits: bool = False
    source: str = ""
    """The folder that the bot was copied from, or an empty string if the bot isn't a copy."""
    description: str | msgspec.UnsetType = msgspec.UNSET
    """One-line description of how the bot plays, from its `bot.toml`."""

    @property
    def origin(self) -> str:
        """The bot's original folder, even if the bot is a copy."""
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
    """Board number, from 1 in each variant."""
    rotation: int
    """Number of the seat rotation, from 0. In rotation t of a game with n seats, the entrant with
    index b sits in seat (b + t) mod n."""
    deal: msgspec.Raw
    entrants: tuple[str, ...]
    """Names of the entrants, by seat."""
    seeds: tuple[int, ...]
    """Seeds of the bots' random number generators, by seat."""
    worlds: int = 0
    """Secret seed for generating random worlds."""

    @property
    def title(self) -> str:
        """The game's variant, board and rotation, such as `pot-de-vin/3 board 12 rotation 0`."""
        return f"{self.variant} board {self.board} rotation {self.rotation}"


def new_game(  # noqa: PLR0913
    key: str,
    variant: Variant,
    place: tuple[int, int],
    deal: msgspec.Raw,
    names: Sequence[str],
    dice: random.Random,
) -> Game:
    seeds = tuple([dice.getrandbits(32) for _ in names])
    worlds = dice.getrandbits(64)
    return Game(key, variant.id, *place, deal, tuple(names), seeds, worlds)


class Note(msgspec.Struct, frozen=True):
    action: int
    text: str


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Diagnostic data about a fault. The values can differ when the game is replayed."""

    seat: int
    asked: str = ""
    """The last request to the bot, without the line ending."""
    came: str = ""
    stderr: str = ""
    wall_ms: int | None = None
    """Wall-clock time between the last request and the fault, in milliseconds."""
    cpu_ms: int | None = None
    memory_kib: int | None = None
    """Peak memory of the bot's processes in KiB, if the system reports it."""


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """The processor time of a bot's answers in a game."""

    answers: int = 0
    total_us: int = 0
    worst_us: int = 0
    each_ms: tuple[int, ...] = ()


QUICK_MS = 10


class Observations(msgspec.Struct, frozen=True, omit_defaults=True):
    """Measurements and diagnostics of a game, which may differ when the game is replayed."""

    evidence: tuple[Evidence, ...] = ()
    timings: tuple[Timing, ...] = ()

    def evidence_of(self, seat: int) -> Evidence:
        return next((seen for seen in self.evidence if seen.seat == seat), Evidence(seat))


NO_OBSERVATIONS = Observations()


class GameRecord(msgspec.Struct, frozen=True):
    key: Name
    variant: Name
    rules_version: Count
    board: Count
    rotation: Count
    entrants: tuple[Name, ...]
    """Names of the entrants, by seat."""
    seeds: tuple[Count, ...]
    deal: msgspec.Raw
    actions: tuple[str, ...]
    points: tuple[Number, ...]
    """Points of each seat, including points that a replacement bot scored after a fault."""
    ranks: tuple[Count, ...]
    """Ranks by seat. Players and teams with a fault rank last."""
    detail: msgspec.Raw
    win_weight: Count = 1
    """Weight of the game in ratings. An ordinary game has weight 1."""
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
    """The part of a `GameRecord` that determines standings, withdrawals and stop rules."""

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
        """The reason for each withdrawal, by entrant."""
        return {
            self.entrants[fault.seat]: fault.text
            for fault in self.faults
            if fault.kind == "withdrawn"
        }


class _StoredResult(GameResult, frozen=True, array_like=True, gc=False):
    """A `GameResult` encoded as a JSON array."""


AnyResult = GameRecord | GameResult


def as_game(record: GameRecord) -> Game:
    return msgspec.convert(record, Game, from_attributes=True)


def key_of(
    variant: Variant,
    board: int,
    deal: msgspec.Raw,
    limits: Limits,
    bots: tuple[tuple[str, str], ...],
) -> str:
    """Return the key that identifies a game within a run.

    `bots` contains each bot's name and fingerprint, in seat order.
    """
    used = _limits_in_keys(limits)
    # The board number is included because two boards of a small game may have the same deal.
    content = msgspec.json.encode((variant.id, variant.rules_version, board, deal, used, bots))
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@functools.lru_cache(maxsize=16)
def _limits_in_keys(limits: Limits) -> msgspec.Raw:
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
    return _result_in_decoder.decode(record)


def write_result(result: GameResult) -> bytes:
    return _encoder.encode(msgspec.structs.astuple(result))


read_result: Callable[[bytes], GameResult] = _result_decoder.decode
