"""Tests that every line is either a message or a `ProtocolError`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import ProtocolError
from arena.base.protocol import (
    MAX_LINE_BYTES,
    Act,
    Bye,
    End,
    Hello,
    Limits,
    Message,
    Ready,
    SeatFault,
    Start,
    Turn,
    raw,
    read_from_bot,
    read_from_referee,
    show,
    write,
)
from arena.bot import play
from tests.arena.playing import First

DOCUMENT = Path(__file__).parents[3] / "docs" / "protocol.md"

FROM_REFEREE: list[Message] = [
    Hello(1, "0.1.0", "anna", Limits(start_ms=5, move_ms=6)),
    Start(7, "high-card", "high-card/4-teams", 2, 4, ((0, 2), (1, 3)), 2**64 - 1),
    Start(8, "high-card", "high-card/3", 0, 3, None, 0),
    Turn(7, 1, raw({"hand": [1, "é"]}), raw([{"event": "hide"}]), ["hide 1", "hide 2"], 2000),
    End(7, (1, -2), (1, 2), (SeatFault(1, 3, "timeout", "no answer"),)),
    End(8, (), (), ()),
    Bye(),
]
FROM_BOT: list[Message] = [
    Ready(1),
    Ready(1, "anna", "Anna Example", ("high-card",)),
    Act(7, 1, "hide 1"),
    Act(7, 1, "hide 1", "\x00 \u2028 \U0001f0a1"),
]


def name_of(message: Message) -> str:
    return type(message).__name__


# -- written and read --------------------------------------------------------------------------


def test_message_round_trip() -> None:
    for message in (*FROM_REFEREE, *FROM_BOT):
        line = write(message)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        read = read_from_referee if message in FROM_REFEREE else read_from_bot
        again = read(line)
        assert type(again) is type(message)
        assert write(again) == line
        assert json.loads(line)["type"] == name_of(message).lower()


def test_ignores_unknown_fields() -> None:
    for message in (*FROM_REFEREE, *FROM_BOT):
        read = read_from_referee if message in FROM_REFEREE else read_from_bot
        known = json.loads(write(message))
        grown = known | {"color": "red", "more": {"deep": [1, None]}}
        assert json.loads(write(read(json.dumps(grown).encode()))) == known


def test_each_side_reads_only_messages_of_the_other() -> None:
    for message in FROM_REFEREE:
        with pytest.raises(ProtocolError):
            read_from_bot(write(message))
    for message in FROM_BOT:
        with pytest.raises(ProtocolError):
            read_from_referee(write(message))


# -- attacks -----------------------------------------------------------------------------------


def act(action: bytes = b'"pass"', table: bytes = b"1", more: bytes = b"") -> bytes:
    return b'{"type":"act","table":%s,"turn":2,"action":%s%s}' % (table, action, more)


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


DEEP = MAX_LINE_BYTES // 2 - 100

REFUSED = {
    "nothing": b"",
    "a banner": b"Welcome to my bot!",
    "two messages": act() + act(),
    "no object": b'["act",1,2,"pass"]',
    "an unknown type": b'{"type":"resign"}',
    "no action": b'{"type":"act","table":1,"turn":2}',
    "no action but null": act(action=b"null"),
    "a note that is no text": act(more=b',"note":["x"]'),
    "a table that is a fraction": act(table=b"1.0"),
    "a table that is null": act(table=b"null"),
    "games that are no list": b'{"type":"ready","protocol":1,"games":"pot-de-vin"}',
    "nothing but brackets": nested(DEEP),
    "deep nesting": act(more=b',"x":' + nested(DEEP)),
    "NaN": act(table=b"NaN"),
    "minus Infinity in an unknown field": act(more=b',"x":-Infinity'),
    "1e999": act(table=b"1e999"),
    "two types, the first for the fields": act(more=b',"type":"ready"'),
    "a second type that is unknown": act(more=b',"type":"resign"'),
    "a second type in another spelling": act(more=b',"\\u0074ype":"ready"'),
    "a wrong value after the right one": act(more=b',"table":"1"'),
    "2 ** 63": act(table=b"%d" % 2**63),
    "less than -(2 ** 63)": act(table=b"%d" % (-(2**63) - 1)),
    "a version beyond 64 bits": b'{"type":"ready","protocol":%d}' % 2**63,
    "invalid UTF-8": act(action=b'"pass\xff"'),
    "UTF-8 of a surrogate": act(action=b'"\xed\xa0\x80"'),
    "a lone surrogate": act(action=b'"\\ud800"'),
    "two high surrogates": act(action=b'"\\ud83c\\ud83c"'),
    "a lone surrogate in an unknown field": act(more=b',"x":"\\ud800"'),
    "a lone surrogate in an unknown key": act(more=b',"\\ud800":1'),
    "a surrogate in a note": act(more=b',"note":"\\ud800x"'),
    "a byte order mark": b"\xef\xbb\xbf" + act(),
    "NUL before": b"\0" + act(),
    "NUL in a text": act(action=b'"pa\0ss"'),
    "a line end in a text": act(action=b'"pa\nss"'),
    "an unknown escape": act(action=b'"\\x"'),
}

ACCEPTED = {
    "1e999 in an unknown field": (act(more=b',"x":1e999'), Act(1, 2, "pass")),
    "5,000 digits in an unknown field": (act(more=b',"x":' + b"9" * 5000), Act(1, 2, "pass")),
    "duplicate keys, the last counts": (act(more=b',"action":"play"'), Act(1, 2, "play")),
    "an escaped NUL": (act(action=b'"a\\u0000"'), Act(1, 2, "a\0")),
    "a pair of surrogates": (act(action=b'"\\ud83c\\udca1"'), Act(1, 2, "\U0001f0a1")),
    "2 ** 63 - 1": (act(table=b"%d" % (2**63 - 1)), Act(2**63 - 1, 2, "pass")),
    "-(2 ** 63)": (act(table=b"%d" % -(2**63)), Act(-(2**63), 2, "pass")),
    "the same type twice": (act(more=b',"type":"act"'), Act(1, 2, "pass")),
    "the type at the end": (b'{"table":1,"turn":2,"action":"x","type":"act"}', Act(1, 2, "x")),
}


def test_rejects_invalid_messages() -> None:
    for name, line in REFUSED.items():
        is_escaped = rb"\u" in line and "surrogate" in name
        text = r"^JSON is malformed: lone surrogate$" if is_escaped else "."
        with pytest.raises(ProtocolError, match=text):
            read_from_bot(line)


def test_accepts_unusual_messages() -> None:
    for line, message in ACCEPTED.values():
        assert read_from_bot(line) == message
        assert read_from_bot(write(message)) == message


# -- shown -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"\x1b[2J\x00\r\n", r"'\x1b[2J\x00\r\n'"),
        ("Æ \u202e \U0001f0a1".encode(), r"'\xc6 \u202e \U0001f0a1'"),
        (b"x" * 10, "'xxxxxxxxxx'"),
        (b"x" * 11, "'xxxxxxxxxx'... (11 bytes)"),
        (b"x" * 9 + "é".encode(), r"'xxxxxxxxx\\xc3'... (11 bytes)"),
    ],
)
def test_shows_lines_escaped_and_shortened(line: bytes, shown: str) -> None:
    assert show(line, 10 if len(line) > 9 and line[:1] == b"x" else 256) == shown


# -- the transcript in the documentation -------------------------------------------------------


def transcript() -> list[tuple[str, bytes]]:
    """Return the lines of the transcript in the docs: `>` from the referee, `<` from the bot."""
    blocks = re.findall(
        r"^```json-lines transcript\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.M | re.S
    )
    assert len(blocks) == 1, "expected one block `json-lines transcript` in docs/protocol.md"
    messages_seen = [(line[:2], line[2:].encode()) for line in blocks[0].splitlines()]
    assert {sender for sender, _ in messages_seen} == {"> ", "< "}
    return messages_seen


def test_transcript_lines_are_complete_messages() -> None:
    for sender, line in transcript():
        message = read_from_referee(line) if sender == "> " else read_from_bot(line)
        assert json.loads(write(message)) == json.loads(line)


def test_transcript_matches_the_bot() -> None:
    messages_seen: list[tuple[str, Any]] = []

    def of_referee() -> Iterator[bytes]:
        for sender, line in transcript():
            if sender == "> ":
                messages_seen.append((sender, json.loads(line)))
                yield line

    play(First, of_referee(), lambda line: messages_seen.append(("< ", json.loads(line))))
    assert messages_seen == [(sender, json.loads(line)) for sender, line in transcript()]


def test_transcript_contains_every_message() -> None:
    kinds = {json.loads(line)["type"] for _, line in transcript()}
    assert kinds == {name_of(message).lower() for message in FROM_REFEREE + FROM_BOT}
