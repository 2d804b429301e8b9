"""The log of a bot's process: each line with its game and its move."""

from arena.base.protocol import Limits
from arena.match.bot_log import CUT, MAX_GAME_BYTES, MAX_LINE_BYTES, BotLog, LogLine
from arena.match.match_state import BotSeat, RunningBot, Session, Table
from arena.match.referee import ANSWERS
from tests.arena.playing import first, make_game

GAME, LATER = [make_game("bribery/2", number, ("other", "first")) for number in (1, 2)]


class Process:
    """A process of a bot that is asked, and the lines of its log."""

    def __init__(self) -> None:
        self.session = Session(1, RunningBot(first(), may_wait=False), Limits(), 0.0)
        self.session.requests.clear()
        self.lines: list[LogLine] = []
        self.session.log = BotLog(self.lines.append)
        self.feed = self.session.read_stderr

    def has_request(self) -> None:
        """Have it asked for the first decision of `GAME`."""
        table = Table(1, GAME, ANSWERS)
        seat = BotSeat(self.session.requests.append, self.session, table)
        seat.ask(table.next_decision(None))

    def answers(self) -> None:
        """Have it answer."""
        self.session.requests.popleft()


def test_line_belongs_to_the_pending_decision() -> None:
    process = Process()
    process.feed(b"")
    assert not process.session.has_printed
    process.feed(b"I start\n")
    assert process.session.has_printed, "so it is asked one question at a time from now on"
    process.session.latest = GAME
    process.feed(b"I sit down\n")
    process.has_request()
    process.feed(b"my hand\nmy idea\n")
    process.answers()
    process.feed(b"I wait\n")
    assert process.lines == [
        LogLine("first", None, None, None, "I start"),
        LogLine("first", GAME, 1, None, "I sit down"),
        LogLine("first", GAME, 1, 0, "my hand"),
        LogLine("first", GAME, 1, 0, "my idea"),
        LogLine("first", GAME, 1, None, "I wait"),
    ]


def test_joins_partial_lines() -> None:
    process = Process()
    process.has_request()
    for piece in (b"my ", b"ha", b"nd\nmy id"):
        process.feed(piece)
    assert [line.text for line in process.lines] == ["my hand"]
    process.answers()
    process.feed(b"later")
    assert [(line.text, line.move) for line in process.lines] == [("my hand", 0), ("my id", 0)]
    process.feed(b"")
    assert process.lines[-1].text == "later"


def test_escapes_invalid_utf_8() -> None:
    process = Process()
    process.feed(b"\xff\x1b[31m\n")
    assert process.lines[0].text == "\\xff\x1b[31m", "the escape is escaped where it is shown"


def test_truncates_output_in_each_game() -> None:
    process = Process()
    for game in (GAME, LATER):
        process.lines.clear()
        process.session.latest = game
        for _ in range(100):
            process.feed(b"x" * 1000)
        assert sum([len(line.text) for line in process.lines]) <= MAX_GAME_BYTES + len(CUT)
        assert max([len(line.text) for line in process.lines]) == MAX_LINE_BYTES
        assert [line.text for line in process.lines].count(CUT) == 1
        assert process.lines[-1] == LogLine("first", game, 1, None, CUT)


def test_keeps_output_up_to_the_limit() -> None:
    process = Process()
    process.feed(b"x" * (MAX_GAME_BYTES - 1) + b"\n")
    assert CUT not in [line.text for line in process.lines]
    process.feed(b"x")
    assert process.lines[-1].text == CUT
