"""A bot is a class with a method `act`; the SDK does the talking."""

import random
from typing import Any

import msgspec
import pytest

from arena.base.protocol import Act, Bye, End, Ready, Start
from arena.bot import Bot
from tests.arena.playing import First
from tests.arena.sdk_talks import HELLO, Draws, actions, end, start, talk, turn

# -- in memory ---------------------------------------------------------------------------------


def test_bot_introduces_itself() -> None:
    class Named(First):
        name = "anna-bot"
        author = "Anna"
        games = ("pot-de-vin", "bribery")

    assert talk(Named, HELLO) == [Ready(1, "anna-bot", "Anna", ("pot-de-vin", "bribery"))]
    plain = type("Plain", (Bot,), {})
    assert talk(plain, HELLO) == [Ready(1)]
    with pytest.raises(NotImplementedError, match="Plain has no method `act"):
        talk(plain, start(1), turn(1, 1))
    with pytest.raises(TypeError, match=r"write games = \('bribery',\) with a comma"):
        type("Typo", (Bot,), {"games": "bribery"})


def test_calls_methods_in_order() -> None:
    calls: list[Any] = []

    class Listens(Bot):
        def start(self, table: Start) -> None:
            calls.append(("start", table, self.table == table, self.rng.random()))

        def events(self, events: list[Any]) -> None:
            calls.append(("events", events))

        def act(self, view: Any, legal: list[str]) -> str:
            calls.append(("act", view, legal))
            return "b"

        def end(self, result: End) -> None:
            calls.append(("end", result))

    table = start(4, seat=2, seed=99)
    replies = talk(Listens, HELLO, table, turn(4, 1), turn(4, 2, ["b"], {"x": None}), end(4))
    assert actions(replies) == ["b", "b"]
    assert calls == [
        ("start", table, True, random.Random(99).random()),
        ("events", [{"event": "asked", "turn": 1}]),
        ("act", {"hand": [1, 2]}, ["a", "b", "c"]),
        ("events", [{"event": "asked", "turn": 2}]),
        ("act", {"x": None}, ["b"]),
        ("end", end(4)),
    ]


def test_each_table_has_its_own_bot() -> None:
    class Counts(Bot):
        def start(self, table: Start) -> None:
            self.count = 10 * table.table

        def act(self, view: Any, legal: list[str]) -> str:
            self.count += 1
            return f"{self.count} of {self.table.seat}"

    replies = talk(
        Counts,
        *(start(1, seat=0), start(2, seat=1), turn(1, 1), turn(2, 1), turn(2, 2), end(2)),
        *(start(3, seat=2), turn(3, 1), turn(1, 2), end(1), end(3)),
        *(start(1, seat=0), turn(1, 1)),  # its number comes again
    )
    expected = ["11 of 0", "21 of 1", "22 of 1", "31 of 2", "12 of 0", "11 of 0"]
    assert actions(replies) == expected


def test_seed_determines_the_generator() -> None:
    legal = [str(number) for number in range(1000)]
    turns = [turn(1, number, legal) for number in range(1, 6)]
    same = actions(talk(Draws, start(1, seed=7), *turns))
    others = [turn(2, number, legal) for number in range(1, 6)]
    beside = [message for pair in zip(turns, others, strict=True) for message in pair]
    both = actions(talk(Draws, start(1, seed=7), start(2, seed=8), *beside))
    assert both[0::2] == same
    assert both[1::2] == actions(talk(Draws, start(2, seed=8), *others)) != same


def test_decodes_events_only_if_used() -> None:
    # Not UTF-8, which shows when it is decoded and not before.
    odd = msgspec.structs.replace(turn(1, 1), events=msgspec.Raw(b'["\xff"]'))

    class Listens(First):
        def events(self, events: list[Any]) -> None:
            raise AssertionError("there is nothing to hear")

    assert actions(talk(First, start(1), odd)) == ["a"]
    with pytest.raises(UnicodeDecodeError):
        talk(Listens, start(1), odd)


def test_converts_views_to_the_view_type() -> None:
    class View(msgspec.Struct):
        hand: tuple[int, ...]

    class Typed(Bot):
        view_type = View

        def act(self, view: View, legal: list[str]) -> str:
            return f"play {max(view.hand)}"

    assert actions(talk(Typed, start(1), turn(1, 1, view={"hand": [3, 9], "more": 1}))) == [
        "play 9"
    ]


def test_exits_on_bye_and_end_of_input() -> None:
    assert talk(First, start(1), turn(1, 1), Bye(), turn(1, 2)) == [Act(1, 1, "a")]
    assert talk(First) == []


class Text(str):
    """A subclass of str, such as `numpy.str_`, whose own text is another."""

    def __str__(self) -> str:
        return "another"


def test_sends_note_once() -> None:
    class Remarks(Bot):
        def act(self, view: Any, legal: list[str]) -> str:
            if not hasattr(self, "said"):
                self.said = True
                self.note = Text("my first")
            return Text(legal[1])

    replies = talk(Remarks, start(1), turn(1, 1), turn(1, 2))
    assert replies == [Act(1, 1, "b", "my first"), Act(1, 2, "b", "")]
