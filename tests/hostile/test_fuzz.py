"""Whatever bytes come, in whatever pieces: lines, messages, or the one error for what is none."""

import itertools
import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.base.errors import ProtocolError
from arena.base.protocol import MAX_LINE_BYTES, Act, FromBot, Ready, read_from_bot, show, write
from arena.process.bot_process import LineBuffer

MOST = 64
"""Bytes of a line here, so that long ones are common."""
PARTS = [
    *[write(message) for message in (Ready(1), Act(1, 2, "pass"), Act(7, 1, "play aldo-7", "é"))],
    *[b"\n", b"\r\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"{", b"}", b"[" * 70, b"]", b'"'],
    *[b"\\", b'"\\', b"\\ud800", b"1e999", b"NaN", b"9" * 50, b'"type":"act",', b"\xc3"],
]
bytes_of_a_bot = st.lists(st.sampled_from(PARTS) | st.binary(max_size=20), max_size=12).map(
    b"".join
)


def read(line: bytes) -> FromBot | str:
    """Return the message on a line, or why it is none; anything else that is raised is a bug."""
    try:
        return read_from_bot(line)
    except ProtocolError as error:
        return str(error)


def lines_of(pieces: list[bytes]) -> tuple[list[bytes], bool]:
    """Return the lines in these pieces, and whether there was one that is too long."""
    lines, found = LineBuffer(MOST), list[bytes]()
    for piece in pieces:
        found += lines.feed(piece)
        assert len(lines.partial) <= MOST
        assert len(lines.too_long or b"") <= MOST + max(map(len, pieces))
    return found, lines.too_long is not None


@given(bytes_of_a_bot, st.lists(st.integers(0, 300), max_size=6))
def test_line_buffer_joins_any_pieces(data: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    in_pieces = lines_of([data[begin:other] for begin, other in itertools.pairwise(places)])
    *whole, rest = data.split(b"\n")
    good = list(itertools.takewhile(lambda line: len(line) <= MOST, whole))
    assert in_pieces == (good, len(good) < len(whole) or len(rest) > MOST)


@settings(max_examples=60)
@given(bytes_of_a_bot)
@example(b'"\\' * 1000)
def test_any_bytes_give_messages_or_errors(data: bytes) -> None:
    for line in data.split(b"\n"):
        message = read(line)
        if not isinstance(message, str):
            assert read(write(message)) == message
        assert message
        assert show(line).isascii()


@given(st.integers(0, 40), st.integers(1, 60), st.booleans())
def test_limits_nesting(depth: int, nesting: int, in_text: bool) -> None:
    inner = "[" * depth + "]" * depth if depth else "1"
    more = json.dumps(inner * 3) if in_text else inner
    line = b'{"type":"act","table":1,"turn":2,"action":"pass","pad":"%s","x":%s}' % (
        b"p" * 150,
        more.encode(),
    )
    message: FromBot | None = None
    try:
        message = read_from_bot(line, nesting)
    except ProtocolError as error:
        assert str(error) == f"lists or objects more than {nesting} deep"  # noqa: PT017
    assert (message is None) == (not in_text and depth + 1 > nesting)


WORST = {
    "brackets": b"[" * MAX_LINE_BYTES,
    "objects": b'{"a":' * (MAX_LINE_BYTES // 5),
    "quotes": b'"' * MAX_LINE_BYTES,
    "escaped quotes": b'"\\' * (MAX_LINE_BYTES // 2),
    "backslashes": b'"' + b"\\" * MAX_LINE_BYTES,
    "digits": b"9" * MAX_LINE_BYTES,
    "digits in a known field": b'{"type":"act","table":' + b"9" * 65_000 + b"}",
    "digits of a fraction": b"0." + b"1" * MAX_LINE_BYTES,
    "an exponent": b"1e" + b"9" * MAX_LINE_BYTES,
    "keys": b"{" + b'"a":1,' * (MAX_LINE_BYTES // 6),
    "escapes": b'{"type":"act","action":"' + b"\\u00e9" * 10_000 + b'"}',
    "spaces": b" " * MAX_LINE_BYTES,
}


def test_rejects_long_lines() -> None:
    """In time that grows with their length only; else this test would take minutes."""
    for line in WORST.values():
        assert isinstance(read(line[:MAX_LINE_BYTES]), str)
