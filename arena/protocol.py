"""The messages between the referee and a bot, version 1: one JSON object a line.

The field `type` tells the messages apart. Unknown fields are ignored in both directions, so a
message can grow by a field. `docs/protocol.md` is this page for those who write bots.
"""

from typing import Annotated, Literal

import msgspec

from arena.errors import ProtocolError

PROTOCOL = 1
LINE_BYTES = 64 * 1024
"""The longest line that a bot may send: what a pipe holds, and far more than an answer needs."""
NOTE_CHARS = 200
"""How much of a note is kept; the rest is cut off."""


class Limits(msgspec.Struct, frozen=True):
    """What a bot may use."""

    start_ms: Annotated[int, msgspec.Meta(ge=1)] = 10_000
    """From the start of the process to its `ready`."""
    move_ms: Annotated[int, msgspec.Meta(ge=1)] = 2_000
    """For one answer."""


FaultKind = Literal["crash", "illegal", "malformed", "start", "timeout"]


class Fault(msgspec.Struct, frozen=True):
    """What a bot did wrong: the kind for programs, the text for the bot's author."""

    kind: FaultKind
    text: str


class SeatFault(msgspec.Struct, frozen=True):
    """A fault with its place in the game: who, and at which action, numbered from 0."""

    seat: int
    action: int
    kind: FaultKind
    text: str


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """A line of the protocol."""


class Hello(Message, frozen=True, tag="hello"):
    """The referee's first line."""

    protocol: int
    arena: str
    """The version of the referee."""
    bot: str
    """The name under which the bot is entered."""
    limits: Limits


class Start(Message, frozen=True, tag="start"):
    """A game begins; the number `table` stands for it from now on."""

    table: int
    game: str
    variant: str
    seat: int
    seats: int
    teams: tuple[tuple[int, ...], ...] | None
    """The seats of each team; None when every seat plays for itself."""
    seed: int
    """For the bot's own dice: the same game gives the same seed."""


class Turn(Message, frozen=True, tag="turn"):
    """The bot is asked for a decision."""

    table: int
    turn: int
    """Counts the bot's own decisions in this game, from 1."""
    view: msgspec.Raw
    """All that the seat may know now, as the rules of the game define it."""
    events: msgspec.Raw
    """What happened since the bot's last turn, as a list."""
    legal: list[str]
    clock_ms: int
    """How long the bot may take."""


class End(Message, frozen=True, tag="end"):
    """A game is over; `points` and `ranks` are by seat, and empty when the game was void."""

    table: int
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[SeatFault, ...]
    """Those of the bot itself."""


class Bye(Message, frozen=True, tag="bye"):
    """The referee's last line: the bot should leave."""


class Ready(Message, frozen=True, tag="ready"):
    """The bot's first line, its answer to `hello`."""

    protocol: int
    name: str = ""
    author: str = ""
    games: tuple[str, ...] = ()
    """The games that it plays; none stands for all."""


class Act(Message, frozen=True, tag="act"):
    """The bot's answer to `turn`."""

    table: int
    turn: int
    action: str
    note: str = ""
    """A short remark that is kept in the record."""


FromReferee = Hello | Start | Turn | End | Bye
FromBot = Ready | Act

_encoder = msgspec.json.Encoder()
_from_referee: msgspec.json.Decoder[FromReferee] = msgspec.json.Decoder(FromReferee)
_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)


def write(message: Message) -> bytes:
    """Return the line of a message, with its line end."""
    return _encoder.encode(message) + b"\n"


def raw(data: object) -> msgspec.Raw:
    """Return plain data or Structs as JSON, to be put into a message."""
    return msgspec.Raw(_encoder.encode(data))


def read_from_bot(line: bytes) -> FromBot:
    """Return the message on a line of a bot.

    Raises:
        ProtocolError: and nothing else, whatever the line holds.
    """
    try:
        return _from_bot.decode(line)
    except (ValueError, RecursionError) as error:  # malformed, not UTF-8, nested too deeply
        raise ProtocolError(str(error)) from None


def read_from_referee(line: bytes) -> FromReferee:
    """Return the message on a line of the referee; raises `ProtocolError`."""
    try:
        return _from_referee.decode(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(str(error)) from None


def printable(text: str) -> str:
    """Return a text in which what would steer a terminal is escaped; lines stay lines."""
    return "".join([c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text])


def show(line: bytes, most: int = 256) -> str:
    """Return what a bot sent, for people: escaped, and shortened to `most` bytes."""
    text = ascii(line[:most].decode("utf-8", "backslashreplace"))
    return text if len(line) <= most else f"{text}... ({len(line)} bytes)"
