"""Games without processes: the same games, for tests, notebooks and training."""

import hashlib
import sys
from typing import Any

import msgspec
import pytest

from arena.base.errors import BotError
from arena.base.protocol import FaultKind
from arena.base.record import GameRecord
from arena.bot import Bot
from arena.match.settings import MatchSettings
from arena.plugins import RegisteredBot
from arena.tournament.in_process import class_of, play_in_process
from bots.any_game.random import RandomBot
from tests.arena.playing import (
    PATIENT,
    Bots,
    First,
    as_json,
    bundled,
    by_name,
    first,
    make_game,
    play_games,
    plug_in,
)
from tests.engine.high_card import Deal

SEATS = ("anna", "ben", "cleo")
CARDS = Deal(tuple(range(1, 13)))


pytestmark = pytest.mark.usefixtures("toys")


def play(*bot_classes: type[Bot]) -> GameRecord:
    """Play a game of High Card in which the last seat has the highest cards."""
    return play_in_process(make_game("high-card/3", 1, SEATS, CARDS), bot_classes)


def test_bot_cannot_change_the_game_through_its_copies() -> None:
    class Scribbles(First):
        def act(self, view: Any, legal: list[str]) -> str:
            choice = legal[0]
            legal[:] = ["hide 12"]
            view.clear()
            return choice

    assert as_json([play(Scribbles, First, First)]) == as_json([play(First, First, First)])


class NotesWorlds(First):
    """Notes what distinguishes a world from others."""

    worlds = True

    def act(self, view: Any, legal: list[str]) -> str:
        assert self.world.view(self.table.seat).hand == tuple(view["hand"])
        self.note = hashlib.sha256(self.world.dump()).hexdigest()
        return super().act(view, legal)


def test_worlds_depend_only_on_the_seed() -> None:
    game = make_game("high-card/3", 1, SEATS, CARDS)
    other = msgspec.structs.replace(game, worlds=game.worlds + 1)
    same = msgspec.structs.replace(game, seeds=(1, 2, 3))
    bots = (NotesWorlds, First, NotesWorlds)
    notes = [play_in_process(each, bots).notes for each in (game, same, other)]
    assert notes[0] == notes[1]
    pairs = list(zip(notes[0], notes[2], strict=True))
    assert sum(one != two for one, two in pairs) > len(pairs) / 2


# -- faults ------------------------------------------------------------------------------------


def raises(*_: object) -> Any:
    """Be a method of a bot that fails."""
    raise ValueError("pardon?")


def exits(*_: object) -> Any:
    """Be a method of a bot that ends its process."""
    sys.exit(3)


def answers(action: object, note: object = "") -> Any:
    """Return a method `act` of a bot."""

    def act(self: Any, view: Any, legal: list[str]) -> object:
        self.note = note
        return action

    return act


NO_ACTION = "raised TypeError: `act` returned "
RAISED = "raised ValueError: pardon?"


@pytest.mark.parametrize(
    ("method", "does", "kind", "text"),
    [
        ("act", raises, "crash", RAISED),
        ("events", raises, "crash", RAISED),
        ("start", raises, "crash", RAISED),
        ("act", exits, "crash", "raised SystemExit: 3"),
        ("start", exits, "crash", "raised SystemExit: 3"),
        ("act", answers("hide 12"), "illegal", "answered 'hide 12', which is not legal"),
        ("act", answers(None), "crash", NO_ACTION),
        ("act", answers(["hide 5"]), "crash", NO_ACTION),
        ("act", answers("hide 5", note=5), "crash", "raised TypeError: `self.note` is 5"),
    ],
)
def test_mistakes_are_faults(method: str, does: Any, kind: FaultKind, text: str) -> None:
    record = play(First, type("Bad", (First,), {method: does}), First)
    legal = ("hide 5", "hide 6", "hide 7", "hide 8")
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind, fault.legal) == (1, 1, kind, legal)
    assert fault.text.startswith(text)
    assert record.actions == play(First, First, First).actions
    assert record.ranks[1] == 3


def test_ignores_exception_after_the_game() -> None:
    sulks = type("Sulks", (First,), {"end": raises})
    assert as_json([play(First, sulks, First)]) == as_json([play(First, First, First)])


# -- the same as processes ---------------------------------------------------------------------


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "high-card/3"])
def test_records_equal_those_of_processes(variant_id: str) -> None:
    games = [make_game(variant_id, number, ("random", "first", "other")) for number in range(3)]
    other = msgspec.structs.replace(bundled("random"), name="other")
    by_processes = play_games(
        games, by_name(bundled("random"), first(), other), MatchSettings(PATIENT)
    )
    here = [play_in_process(game, [RandomBot, First, RandomBot]) for game in games]
    assert as_json(by_processes) == as_json(here)


# -- bots by name ------------------------------------------------------------------------------


def test_finds_registered_python_bot() -> None:
    assert class_of("random") is RandomBot


def test_rejects_unknown_bot() -> None:
    with pytest.raises(BotError, match=r"'nobody'.* random, "):
        class_of("nobody")


@pytest.mark.parametrize(
    "command",
    [("./bot",), ("python", "-m"), ("python", "-m", "bots.any_game.random"), ("python", "-c", "")],
)
def test_rejects_bot_without_class(command: tuple[str, ...]) -> None:
    with (
        plug_in(Bots(RegisteredBot("other", command, ".", ""))),
        pytest.raises(BotError, match="'other'"),
    ):
        class_of("other")
