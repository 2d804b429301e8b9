"""Faults of the same cause are one group, with a count, the first and the last game."""

from collections.abc import Iterable

from arena.base.protocol import FaultKind, SeatFault
from arena.base.record import Evidence
from arena.check.fault_groups import FaultGroup, FaultGroups, FaultInGame, raised_in

TRACEBACK = """Traceback (most recent call last):
  File "/home/ann/bots/bot.py", line 9, in <module>
    run(MyBot)
  File "/home/ann/bots/bot.py", line {line}, in act
    return self.hand[{index!r}]
{raised}: {index!r}
"""


def fault(
    game: int, text: str, kind: FaultKind = "illegal", bot: str = "ann", stderr: str = ""
) -> FaultInGame:
    """Return a fault in the game of this number."""
    seen = Evidence(0, stderr=stderr)
    return FaultInGame(bot, f"game {game}", f"k{game}", SeatFault(0, 4, kind, text), seen)


def group_faults(faults: Iterable[FaultInGame]) -> list[FaultGroup]:
    """Return the groups of some faults."""
    groups = FaultGroups()
    for each in faults:
        groups.add(each)
    return groups.groups()


def crash(game: int, index: str, line: int = 6, raised: str = "KeyError") -> FaultInGame:
    """Return a crash with a traceback."""
    stderr = TRACEBACK.format(index=index, line=line, raised=raised)
    return fault(game, "ended with exit code 1", "crash", stderr=stderr)


def test_grouping_ignores_quoted_words_and_numbers() -> None:
    texts = ["answered 'play a-1', which is not legal", "answered 'x', which is not legal"]
    first, last = (fault(number, text) for number, text in enumerate(texts))
    (group,) = group_faults([first, last])
    assert (group.bot, group.kind, group.size) == ("ann", "illegal", 2)
    assert (group.first, group.last) == (first, last)
    assert group.cause == texts[0]
    late = [fault(n, f"no answer in {n} ms", "timeout") for n in (1000, 1017)]
    assert [one.size for one in group_faults(late)] == [2]


def test_groups_crashes_by_exception_and_place() -> None:
    faults = [
        crash(1, "a"),
        crash(2, "b"),
        crash(3, "a", line=7),
        crash(4, "a", raised="IndexError"),
    ]
    groups = group_faults(faults)
    assert [(one.size, one.first.title) for one in groups] == [
        (2, "game 1"),
        (1, "game 3"),
        (1, "game 4"),
    ]
    assert groups[0].cause == "ended with exit code 1: KeyError: 'a' (bot.py, line 6)"


def test_finds_exception_above_its_notes() -> None:
    log = "Traceback:\n  File 'bot.py', line 4, in act\nKeyError: 'x'\nhint: the view; its fields"
    assert raised_in(log) == "KeyError: 'x'"
    assert raised_in("KeyError: 'x'\nand a log") == ""


def test_sorts_causes_of_each_bot_by_frequency() -> None:
    faults = [
        fault(1, "x", bot="zoe"),
        fault(2, "x"),
        fault(3, "y", bot="zoe"),
        fault(4, "y", bot="zoe"),
    ]
    groups = group_faults(faults)
    assert [(one.bot, one.cause, one.size) for one in groups] == [
        ("zoe", "y", 2),
        ("zoe", "x", 1),
        ("ann", "x", 1),
    ]
    assert (groups[0].first.title, groups[0].last.title) == ("game 3", "game 4")
