"""A scheduled game and the record of a played game, as data."""

import functools
import hashlib
import random
from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

from arena.base.protocol import FaultKind, Limits, SeatFault
from engine import Variant

GUEST_MARK = " (guest)"
"""The end of a guest's name. No other bot can have such a name."""
OLD_MARK, NEW_MARK = " (old)", " (new)"
"""The ends of the names of two versions of a bot that are compared."""
MAX_NUMBER = 2**53
"""The largest number in a record: a float has each whole number up to it, and sums stay finite."""
MAX_NAME_CHARS = 200

Number = Annotated[int, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARS)]
"""Numbers and names in records and settings, which may come from strangers."""


def unmarked(name: str) -> str:
    """Return the name of an entrant without a mark of the arena."""
    for mark in (GUEST_MARK, OLD_MARK, NEW_MARK):
        name = name.removesuffix(mark)
    return name


class Entrant(msgspec.Struct, frozen=True):
    """A bot that is entered in a run."""

    name: Name
    command: tuple[str, ...]
    folder: str
    """The working directory of the command."""
    fingerprint: str
    """A digest that changes when the bot's code does."""
    author: str = ""
    games: tuple[str, ...] = ()
    """The games or variants that the bot plays. Empty means all."""
    files: tuple[str, ...] = ()
    """The files and folders in `folder` that are the bot. Empty means all."""
    waits: bool = False
    """Whether the bot waits for another machine or a GPU instead of computing here."""
    source: str = ""
    """The folder that `folder` is a copy of. Empty if it is none."""
    description: str | msgspec.UnsetType = msgspec.UNSET
    """One line on how it plays, from its `bot.toml`."""

    @property
    def origin(self) -> str:
        """The folder in which the bot's author works on it."""
        return self.source or self.folder

    def plays(self, variant: str) -> bool:
        """Return whether the bot plays this variant, or this game."""
        return not self.games or not {variant, variant.partition("/")[0]}.isdisjoint(self.games)

    @property
    def guest(self) -> bool:
        """Whether the bot is a guest, which only fills empty seats."""
        return self.name.endswith(GUEST_MARK)


class Game(msgspec.Struct, frozen=True):
    """A game of the schedule, with everything that is needed to play it."""

    key: str
    variant: str
    board: int
    """The number of the board in its variant, from 1."""
    rotation: int
    """From 0. In rotation t the board's entrant at place b sits at seat b + t."""
    deal: msgspec.Raw
    entrants: tuple[str, ...]
    """By seat."""
    seeds: tuple[int, ...]
    """By seat, for the random generators of the bots."""
    worlds: int = 0
    """What the generators of worlds are derived from. No bot is told it."""

    @property
    def title(self) -> str:
        """The title of the game, such as `pot-de-vin/3 board 12 rotation 0`."""
        return f"{self.variant} board {self.board} rotation {self.rotation}"


def new_game(  # noqa: PLR0913
    key: str,
    variant: Variant,
    place: tuple[int, int],
    deal: msgspec.Raw,
    names: Sequence[str],
    dice: random.Random,
) -> Game:
    """Return a game of the entrants `names`, by seat, whose bots get their seeds from `dice`.

    `place` is the number of its board and its rotation.
    """
    seeds = tuple([dice.getrandbits(32) for _ in names])
    worlds = dice.getrandbits(64)
    return Game(key, variant.id, *place, deal, tuple(names), seeds, worlds)


class Note(msgspec.Struct, frozen=True):
    """A bot's remark on the action with number `action`, from 0."""

    action: int
    text: str


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Observations of a fault, which may differ when the game is played again."""

    seat: int
    asked: str = ""
    """The line that the bot had to answer, without its end. Empty if there was none."""
    came: str = ""
    """The answer, escaped and shortened."""
    stderr: str = ""
    """The end of the bot's log, escaped except for line ends."""
    wall_ms: int | None = None
    """Time since the bot could begin to work on the line."""
    cpu_ms: int | None = None
    """Processor time of the bot since its answer before."""
    memory_kib: int | None = None
    """Peak memory of the bot's processes, if the system knows it."""


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """Processor times of the answers of a seat in a game, in microseconds."""

    answers: int = 0
    total_us: int = 0
    worst_us: int = 0
    each_ms: tuple[int, ...] = ()
    """By answer, in milliseconds. Empty if all took less than `QUICK_MS`, or in older records."""


QUICK_MS = 10
"""Answers in less time are not worth their room in a run's database."""


class Restart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A process that broke without a fault. The bot got a new one."""

    seat: int
    text: str
    """The reason of the restart."""
    stderr: str = ""
    """The end of its log, escaped except for line ends."""


class Observations(msgspec.Struct, frozen=True, omit_defaults=True):
    """Observations of a played game, which may differ when it is played again."""

    evidence: tuple[Evidence, ...] = ()
    """One for each fault."""
    timings: tuple[Timing, ...] = ()
    """By seat, or empty if they were not measured."""
    restarts: tuple[Restart, ...] = ()
    """One for each process that broke without a fault since the game before."""
    worker: str = ""
    """The worker of a cluster that played the game. Empty on one machine."""

    def evidence_of(self, seat: int) -> Evidence:
        """Return what was seen of the fault of a seat; nothing of one without a fault."""
        return next((seen for seen in self.evidence if seen.seat == seat), Evidence(seat))


NO_OBSERVATIONS = Observations()


class GameRecord(msgspec.Struct, frozen=True):
    """A played game."""

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
    """By seat, with those of a stand-in."""
    ranks: tuple[Count, ...]
    """By seat. Sides with a fault are last."""
    detail: msgspec.Raw
    """The game's own result."""
    win_weight: Count = 1
    """The number of games that this game counts as, by the rules of the game."""
    faults: tuple[SeatFault, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def title(self) -> str:
        """The title of the game, such as `pot-de-vin/3 board 12 rotation 0`."""
        return f"{self.variant} board {self.board} rotation {self.rotation}"

    def faults_of(self, seat: int) -> tuple[SeatFault, ...]:
        """Return the faults of a seat: none or one."""
        return tuple([fault for fault in self.faults if fault.seat == seat])


class ResultFault(msgspec.Struct, frozen=True):
    """The part of a `SeatFault` that is in a `GameResult`."""

    seat: int
    kind: FaultKind
    text: str


class GameResult(msgspec.Struct, frozen=True):
    """The part of a `GameRecord` that standings, withdrawals and stop rules depend on.

    A run stores it beside the record, and reads it in a small part of the time.
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
        """The reason for each entrant that was withdrawn before this game."""
        return {
            self.entrants[fault.seat]: fault.text
            for fault in self.faults
            if fault.kind == "withdrawn"
        }


class _StoredResult(GameResult, frozen=True, array_like=True, gc=False):
    """A result as a run stores it: a JSON array of the fields."""


AnyResult = GameRecord | GameResult


def as_game(record: GameRecord) -> Game:
    """Return the scheduled game of a record, to play it again."""
    return msgspec.convert(record, Game, from_attributes=True)


def key_of(
    variant: Variant,
    board: int,
    deal: msgspec.Raw,
    limits: Limits,
    bots: tuple[tuple[str, str], ...],
) -> str:
    """Return the content key of a game. `bots` are name and fingerprint by seat.

    A run never plays two games with the same key. The board number distinguishes boards of a small
    game that have the same deal.
    """
    used = _limits_in_keys(limits)
    content = msgspec.json.encode((variant.id, variant.rules_version, board, deal, used, bots))
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@functools.lru_cache(maxsize=16)
def _limits_in_keys(limits: Limits) -> msgspec.Raw:
    """Return limits as JSON, without those that versions before them do not have."""
    used = msgspec.to_builtins(limits)
    if limits.idle_ms is None:
        del used["idle_ms"]
    return msgspec.Raw(msgspec.json.encode(used))


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(GameRecord)
_result_in_decoder = msgspec.json.Decoder(GameResult)
_result_decoder = msgspec.json.Decoder(_StoredResult)


def write_record(record: GameRecord) -> bytes:
    """Return a record as JSON, without a line end."""
    return _encoder.encode(record)


def read_record(data: bytes) -> GameRecord:
    """Return the record in `data`, JSON. Raises `msgspec.DecodeError` or `UnicodeError`."""
    return _decoder.decode(data)


def result_of(record: GameRecord) -> GameResult:
    """Return the result of a game."""
    return msgspec.convert(record, GameResult, from_attributes=True)


def result_in(record: bytes) -> GameResult:
    """Return the result in a record that is JSON. Raises the errors of `read_record`."""
    return _result_in_decoder.decode(record)


def write_result(result: GameResult) -> bytes:
    """Return a result as a run stores it: a JSON array."""
    return _encoder.encode(msgspec.structs.astuple(result))


read_result: Callable[[bytes], GameResult] = _result_decoder.decode
"""Returns the result that `write_result` has written. Raises the errors of `read_record`."""
