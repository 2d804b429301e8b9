"""The messages that the referee and a bot exchange, as described in `docs/protocol.md`.

Each message is one line of JSON. This is version 1 of the protocol.
"""

import re
from typing import Annotated, Literal

import msgspec

from arena.base.errors import ProtocolError

PROTOCOL = 1
MAX_LINE_BYTES = 64 * 1024
MAX_NOTE_CHARS = 200
MAX_SHOWN_TEXT = 600
MAX_SHOWN_BYTES = 256

_AtLeast0 = Annotated[int, msgspec.Meta(ge=0)]
_AtLeast1 = Annotated[int, msgspec.Meta(ge=1)]
_Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Limits(msgspec.Struct, frozen=True):
    """A bot's limits. Times are in milliseconds."""

    start_ms: _AtLeast1 = 10_000
    """Maximum processor time before the bot sends its `ready` message. Idle time during startup
    has the same limit."""
    move_ms: _AtLeast1 = 2_000
    """Maximum processor time from one answer to the next, summed over all of the bot's
    processes."""
    idle_ms: _AtLeast1 | None = None
    """Maximum idle time per answer. Default: the same as `move_ms`."""
    bank_ms: _AtLeast0 = 0
    """Time bank: the maximum processor time for a whole game. 0 means no limit."""
    increment_ms: _AtLeast0 = 0
    """Processor time added to the time bank after each answer."""
    line_bytes: Annotated[int, msgspec.Meta(ge=256, le=MAX_LINE_BYTES)] = MAX_LINE_BYTES
    """Maximum length of a line sent by the bot, not counting the newline."""
    output_kib: _AtLeast1 = 1024
    """Maximum total size of all messages that a bot sends in a game, in KiB."""
    nesting: Annotated[int, msgspec.Meta(ge=1, le=500)] = 64
    """Maximum nesting depth of lists and objects in a message."""
    stderr_bytes: Annotated[int, msgspec.Meta(ge=0, le=1 << 20)] = 4096
    """Number of bytes to keep from the end of a bot's stderr."""

    @property
    def max_idle_ms(self) -> int:
        return self.idle_ms or self.move_ms


DEFAULT_LIMITS = Limits()

Detail = Literal["full", "none"]
"""Whether a bot receives views."""

FaultKind = Literal["crash", "flood", "illegal", "malformed", "start", "timeout", "withdrawn"]
"""`withdrawn` means that the bot had too many faults in earlier games and no longer plays."""


class Fault(msgspec.Struct, frozen=True):
    """A bot's fault, with an explanation for the bot's author.

    Replaying a game must reproduce the same fault, so `text` must not contain measured times or
    raw bytes from the bot.
    """

    kind: FaultKind
    text: str


class SeatFault(msgspec.Struct, frozen=True):
    seat: int
    action: int
    kind: FaultKind
    text: str
    legal: tuple[str, ...] = ()


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """A message of the protocol."""


class Hello(Message, frozen=True, tag="hello"):
    protocol: int
    arena: str
    bot: str
    limits: Limits


class Start(Message, frozen=True, tag="start"):
    """The start of a game. `table` identifies the game in all later messages."""

    table: int
    game: str
    variant: str
    seat: int
    seats: int
    teams: tuple[tuple[int, ...], ...] | None
    """The seats in each team, or None if the game has no teams."""
    seed: int
    """Seed for the bot's random number generator."""


class Turn(Message, frozen=True, gc=False, tag="turn"):
    table: int
    turn: int
    """Sequence number of the bot's decision within the game, starting at 1."""
    view: msgspec.Raw
    """Everything that the bot is allowed to know about the game, or null if the bot doesn't request
    views."""
    events: msgspec.Raw
    """The events since the bot's last turn."""
    legal: list[str]
    clock_ms: int
    world: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """A complete game state with randomly generated hidden information. Only sent on request."""
    tensor: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET
    """The bot's view encoded as an array of numbers by `Variant.tensor`. Only sent on request."""


class End(Message, frozen=True, tag="end"):
    """The result of a game, with the points and ranks of all seats."""

    table: int
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[SeatFault, ...]


class Bye(Message, frozen=True, tag="bye"):
    """The referee's last message, after which the bot should exit."""


class Ready(Message, frozen=True, tag="ready"):
    protocol: _Int64
    name: str = ""
    author: str = ""
    games: tuple[str, ...] = ()
    detail: Detail = "full"
    worlds: bool = False
    tensor: bool = False


class Act(Message, frozen=True, gc=False, tag="act"):
    table: _Int64
    turn: _Int64
    action: str
    note: str = ""
    """A short comment by the bot, stored in the game record."""


FromReferee = Hello | Start | Turn | End | Bye
FromBot = Ready | Act

_encoder = msgspec.json.Encoder()
_from_referee: msgspec.json.Decoder[FromReferee] = msgspec.json.Decoder(FromReferee)
_turn = msgspec.json.Decoder(Turn)
_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)


encode = _encoder.encode
decode_act = msgspec.json.Decoder(Act).decode


def write(message: Message) -> bytes:
    return encode(message) + b"\n"


def indented(data: object) -> str:
    """Encode plain data or structs as indented JSON that ends with a newline."""
    return msgspec.json.format(_encoder.encode(data), indent=2).decode() + "\n"


def read_turn(line: bytes) -> Turn:
    return _turn.decode(line)


def raw(data: object) -> msgspec.Raw:
    return msgspec.Raw(_encoder.encode(data))


_WHERE = re.compile(r" \(byte \d+\)")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.S)  # or the start of one
_BRACKET = re.compile(rb"[\[\]{}]")


def read_from_bot(line: bytes, nesting: int = DEFAULT_LIMITS.nesting) -> FromBot:
    """Decode a line from a bot. Raise `ProtocolError` if the line is not a valid message."""
    try:
        if not line.isascii():
            line.decode()  # the decoder below does not check unknown fields
        if len(line) > 2 * nesting and _depth(line) > nesting:
            raise ProtocolError(f"lists or objects more than {nesting} deep")
        return _from_bot.decode(line)
    except UnicodeDecodeError:
        raise ProtocolError("not UTF-8") from None
    except RecursionError:
        raise ProtocolError("lists or objects too deep") from None
    except ValueError as error:
        reason = _WHERE.sub("", str(error))
        if _SURROGATE.search(line) and re.search("truncated|surrogate", reason):
            reason = "JSON is malformed: lone surrogate"  # "truncated" near the end of a line
        raise ProtocolError(printable(reason)) from None


def _depth(line: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def read_from_referee(line: bytes) -> FromReferee:
    try:
        return _from_referee.decode(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(str(error)) from None


def printable(text: str) -> str:
    """Escape control characters, except for newlines and tabs."""
    return "".join([c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text])


def show(line: bytes, most: int = MAX_SHOWN_BYTES) -> str:
    """Return a printable form of a bot's line."""
    text = ascii(line[:most].decode("utf-8", "backslashreplace"))
    return text if len(line) <= most else f"{text}... ({len(line)} bytes)"


def shorten(text: str, most: int = MAX_SHOWN_TEXT) -> str:
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
