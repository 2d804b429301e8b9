"""Bytes are split into lines at line feeds, up to the first line that is too long."""

import pytest

from arena.process.line_buffer import LineBuffer


def test_lines_are_whole_and_without_their_ends() -> None:
    buffer = LineBuffer(10)
    assert buffer.feed(b"one\ntw") == [b"one"]
    assert buffer.partial == b"tw"
    assert buffer.feed(b"o\n\nthree\n") == [b"two", b"", b"three"]
    assert (buffer.partial, buffer.too_long) == (b"", None)


@pytest.mark.parametrize("data", [b"one\r two\x85 three\xe2\x80\xa8", b"\r", b""])
def test_only_a_line_feed_ends_a_line(data: bytes) -> None:
    buffer = LineBuffer(100)
    assert buffer.feed(data) == []
    assert buffer.partial == data


def test_a_line_may_have_the_longest_length_without_its_end() -> None:
    buffer = LineBuffer(4)
    assert buffer.feed(b"1234\n1234") == [b"1234"]
    assert buffer.feed(b"\n") == [b"1234"]
    assert buffer.too_long is None


@pytest.mark.parametrize("pieces", [[b"ok\n12345\nlost\n"], [b"ok\n12", b"345", b"\nlost\n"]])
def test_nothing_counts_from_a_line_that_is_too_long(pieces: list[bytes]) -> None:
    buffer = LineBuffer(4)
    lines = [line for piece in pieces for line in buffer.feed(piece)]
    assert lines == [b"ok"]
    assert buffer.too_long is not None
    assert buffer.too_long.startswith(b"12345")
    assert buffer.feed(b"more\n") == []
    assert buffer.partial == b""
