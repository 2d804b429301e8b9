"""The messages between the referee and a bot, version 1: one JSON object a line.

The field `type` tells the messages apart. Unknown fields are ignored in both directions, so a
message can grow by a field. `docs/protocol.md` is this page for those who write bots.
"""

import re
from typing import Annotated, Literal

import msgspec

from arena.errors import ProtocolError

PROTOCOL = 1
LINE_BYTES = 64 * 1024
"""The longest line that a bot may ever be allowed: what a pipe holds, far more than any answer."""
NOTE_CHARS = 200
"""How much of a note is kept; the rest is cut off."""
SHOWN_BYTES = 256
"""How much of what a bot sent is shown."""

_AtLeast0 = Annotated[int, msgspec.Meta(ge=0)]
_AtLeast1 = Annotated[int, msgspec.Meta(ge=1)]


class Limits(msgspec.Struct, frozen=True):
    """What a bot may use."""

    start_ms: _AtLeast1 = 10_000
    """From the start of the process to its `ready`."""
    move_ms: _AtLeast1 = 2_000
    """For one answer."""
    bank_ms: _AtLeast0 = 0
    """For all answers of a game together; 0 stands for no such limit."""
    increment_ms: _AtLeast0 = 0
    """What each answer adds to the bank."""
    line_bytes: Annotated[int, msgspec.Meta(ge=256, le=LINE_BYTES)] = LINE_BYTES
    """One line of its output, without the end."""
    output_kib: _AtLeast1 = 1024
    """All its answers in one game."""
    nesting: Annotated[int, msgspec.Meta(ge=1, le=500)] = 64
    """Lists and objects inside one another, in one line."""
    stderr_bytes: Annotated[int, msgspec.Meta(ge=0, le=1 << 20)] = 4096
    """What is kept of the end of its stderr."""


DEFAULT_LIMITS = Limits()

Detail = Literal["full", "brief", "none"]
"""How much of its views a bot wants: all, what has changed since its last turn, or nothing."""

FaultKind = Literal[
    "crash", "flood", "illegal", "malformed", "start", "stays", "timeout", "withdrawn"
]
"""What a bot did wrong. `withdrawn` is none of its doing in this game:
see `arena.tournament.withdrawal`.
`stays` is found by `arena check` only: that a bot does not leave after the last game."""


class Fault(msgspec.Struct, frozen=True):
    """What a bot did wrong: the kind for programs, the text for the bot's author.

    The text goes into the record of the game, so it is the same whenever the bot does the same.
    What is not, as times and the bytes that came, is `Evidence`.
    """

    kind: FaultKind
    text: str


class SeatFault(msgspec.Struct, frozen=True):
    """A fault with its place in the game: who, and at which action, numbered from 0."""

    seat: int
    action: int
    kind: FaultKind
    text: str
    """A sentence for the bot's author, the same whenever the bot does the same."""
    legal: tuple[str, ...] = ()
    """What it could have answered."""


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
    """All that the seat may know now, as the rules of the game define it.

    A bot that wants brief views gets the fields that have changed; one that wants none, null.
    """
    events: msgspec.Raw
    """What happened since the bot's last turn, as a list."""
    legal: list[str]
    clock_ms: int
    """How long the bot may take."""
    added: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """In a brief view: by field, what was added at the end of a list."""


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
    detail: Detail = "full"


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


def write_into(buffer: bytearray, message: Message) -> None:
    """Add the line of a message at the end of a buffer."""
    _encoder.encode_into(message, buffer, -1)
    buffer += b"\n"


def raw(data: object) -> msgspec.Raw:
    """Return plain data or Structs as JSON, to be put into a message."""
    return msgspec.Raw(_encoder.encode(data))


_WHERE = re.compile(r" \(byte \d+\)")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.S)  # or its beginning
_BRACKET = re.compile(rb"[\[\]{}]")


def read_from_bot(line: bytes, nesting: int = DEFAULT_LIMITS.nesting) -> FromBot:
    """Return the message on a line of a bot: strict UTF-8, strict JSON, a message by its fields.

    Raises:
        ProtocolError: and nothing else, whatever the line holds. Its text is the same for the
            same mistake, wherever in the line that stands.
    """
    try:
        if not line.isascii():
            line.decode()  # the decoder below does not look at fields that it does not know
        if len(line) > 2 * nesting and _depth(line) > nesting:
            raise ProtocolError(f"lists or objects more than {nesting} deep")
        return _from_bot.decode(line)
    except UnicodeDecodeError:
        raise ProtocolError("not UTF-8") from None
    except RecursionError:
        raise ProtocolError("lists or objects too deep") from None
    except ValueError as error:
        raise ProtocolError(printable(_WHERE.sub("", str(error)))) from None


def _depth(line: bytes) -> int:
    """Return how deep the lists and objects of a line of JSON are inside one another."""
    deepest = depth = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def read_from_referee(line: bytes) -> FromReferee:
    """Return the message on a line of the referee; raises `ProtocolError`."""
    try:
        return _from_referee.decode(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(str(error)) from None


def printable(text: str) -> str:
    """Return a text in which what would steer a terminal is escaped; lines stay lines."""
    return "".join([c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text])


def show(line: bytes, most: int = SHOWN_BYTES) -> str:
    """Return what a bot sent, for people: escaped, and shortened to `most` bytes."""
    text = ascii(line[:most].decode("utf-8", "backslashreplace"))
    return text if len(line) <= most else f"{text}... ({len(line)} bytes)"
