"""One played game as data, and the scheduled game that it is the record of."""

import hashlib

import msgspec

from arena.protocol import Limits, SeatFault

GUEST_MARK = " (guest)"
"""Ends the name of a guest, which no other bot's name can."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot that is entered in a run."""

    name: str
    command: tuple[str, ...]
    folder: str
    """Where the command is run."""
    fingerprint: str
    """Changes when the bot's code does."""
    author: str = ""
    games: tuple[str, ...] = ()
    """The games that it plays; none stands for all."""
    files: tuple[str, ...] = ()
    """The files and folders in its folder that are the bot; none stands for all."""

    def plays(self, game: str) -> bool:
        """Return whether the bot plays this game."""
        return not self.games or game in self.games

    @property
    def guest(self) -> bool:
        """Whether it only fills tables that would lack a player."""
        return self.name.endswith(GUEST_MARK)


class Game(msgspec.Struct, frozen=True):
    """A game of the schedule: all that is needed to play it."""

    key: str
    variant: str
    board: int
    """Boards are numbered by variant, from 1."""
    rotation: int
    """From 0; in rotation t the b-th of the board's entrants sits at seat b + t."""
    deal: msgspec.Raw
    entrants: tuple[str, ...]
    """By seat."""
    seeds: tuple[int, ...]
    """By seat, for the bots' own dice."""


class Note(msgspec.Struct, frozen=True):
    """A bot's remark on an action, which is numbered from 0."""

    action: int
    text: str


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the referee saw of a fault; it may be otherwise when the game is played again."""

    seat: int
    asked: str = ""
    """The line that the bot was to answer, without its end; empty when it was not asked."""
    came: str = ""
    """What came for an answer, escaped and shortened."""
    stderr: str = ""
    """The end of what the bot logged; lines stay lines, all else is escaped."""
    wall_ms: int | None = None
    """From the moment that it could begin to think on what it was asked."""
    cpu_ms: int | None = None
    """Of its processes in that time, as far as the system tells; its first 50 ms are left out."""
    memory_kib: int | None = None
    """The most that its processes ever had, as far as the system tells."""


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """What the answers of a seat took in a game, in microseconds."""

    answers: int = 0
    total_us: int = 0
    worst_us: int = 0


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What belongs to a played game and is not the same whenever it is played again."""

    evidence: tuple[Evidence, ...] = ()
    """Of its faults."""
    stalls: int = 0
    """How often the game was void because the host stalled, before it was played to its end."""
    timings: tuple[Timing, ...] = ()
    """By seat; none if they were not taken."""


NOTHING_SEEN = Seen()


class GameRecord(msgspec.Struct, frozen=True):
    """A played game."""

    key: str
    variant: str
    rules_version: int
    board: int
    rotation: int
    entrants: tuple[str, ...]
    """By seat."""
    seeds: tuple[int, ...]
    """By seat."""
    deal: msgspec.Raw
    actions: tuple[str, ...]
    points: tuple[int, ...]
    """By seat, as the game counts them, whoever made them: the bot or its stand-in."""
    ranks: tuple[int, ...]
    """By seat; sides with a fault are last."""
    detail: msgspec.Raw
    """The game's own result."""
    win_weight: int = 1
    """How many games the game counts as; more than one only by the rules of the game."""
    faults: tuple[SeatFault, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def title(self) -> str:
        """What people call the game: `pot-de-vin/3 board 12 rotation 0`."""
        return f"{self.variant} board {self.board} rotation {self.rotation}"

    def faults_of(self, seat: int) -> tuple[SeatFault, ...]:
        """Return the faults of the bot at this seat: none or one."""
        return tuple([fault for fault in self.faults if fault.seat == seat])


def as_game(record: GameRecord) -> Game:
    """Return the scheduled game that this is the record of, to be played once more."""
    return Game(
        key=record.key,
        variant=record.variant,
        board=record.board,
        rotation=record.rotation,
        deal=record.deal,
        entrants=record.entrants,
        seeds=record.seeds,
    )


def key_of(
    variant: str,
    rules_version: int,
    board: int,
    deal: msgspec.Raw,
    limits: Limits,
    bots: tuple[tuple[str, str], ...],
) -> str:
    """Return the content key of a game; `bots` are name and fingerprint by seat.

    Games with the same key are the same game, so it is never played twice. The number of the board
    tells boards apart where a small game deals the same twice.
    """
    content = msgspec.json.encode((variant, rules_version, board, deal, limits, bots))
    return hashlib.blake2b(content, digest_size=16).hexdigest()


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(GameRecord)


def write_record(record: GameRecord) -> bytes:
    """Return a record as JSON, without a line end."""
    return _encoder.encode(record)


def read_record(data: bytes) -> GameRecord:
    """Return the record that JSON describes; raises `msgspec.DecodeError` or `UnicodeError`."""
    return _decoder.decode(data)
