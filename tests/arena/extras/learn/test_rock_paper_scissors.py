"""Rock, paper, scissors as a game of the arena: its ratings and best responses are known."""

import random
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

import arena
from arena.bot import Bot
from arena.extras.learn.best_response import best_response
from arena.extras.learn.meta_ratings import meta_ratings
from engine import GameNotOver, IllegalAction, Outcome, State, Variant
from tests.arena.playing import Games, plug_in

SIGNS = ["rock", "paper", "scissors"]
"""Each beats the one before it."""


class Shown(msgspec.Struct, frozen=True):
    """A deal, which is a number only, or a view."""

    number: int = 0
    chosen: tuple[str, ...] = ()
    """The signs, with `?` for one that the seat may not know."""
    to_act: int | None = 0


class Signs(State):
    """A position; `RockPaperScissors.start` makes one."""

    def __init__(self, variant: Variant, chosen: tuple[str, ...]) -> None:
        self.variant, self.chosen = variant, chosen

    @property
    def seat_to_act(self) -> int | None:  # type: ignore[override]
        return len(self.chosen) if len(self.chosen) < 2 else None

    def legal_actions(self) -> list[str]:
        return [] if self.seat_to_act is None else SIGNS

    def apply(self, action: str) -> None:
        if action not in self.legal_actions():
            raise IllegalAction(action, self.seat_to_act, self.legal_actions())
        self.chosen = (*self.chosen, action)

    def view(self, seat: int | None) -> Shown:
        is_open = self.seat_to_act is None or seat is None
        known = [sign if is_open or seat == at else "?" for at, sign in enumerate(self.chosen)]
        return Shown(0, tuple(known), self.seat_to_act)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        return []

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver("a sign is missing")
        first, second = map(SIGNS.index, self.chosen)
        points = [(0, 0), (1, 0), (0, 1)][(first - second) % 3]
        ranks = (1, 1) if points == (0, 0) else (2 - points[0], 2 - points[1])
        return Outcome(points, ranks, Shown)

    def clone(self) -> "Signs":
        return Signs(self.variant, self.chosen)


class RockPaperScissors(Variant):
    """Two seats choose a sign each; the second one does not know the first."""

    id, game, seats, teams = "rps/2", "rps", 2, None
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = Shown

    def deal(self, rng: random.Random) -> Shown:
        return Shown(rng.randrange(2**32))

    def read_deal(self, raw: object) -> Shown:
        return msgspec.convert(raw, Shown)

    def start(self, deal: msgspec.Struct) -> Signs:
        return Signs(self, ())

    def imagine(self, view: msgspec.Struct, rng: random.Random, events: object = ()) -> Signs:
        assert isinstance(view, Shown)
        return Signs(self, tuple([rng.choice(SIGNS) if s == "?" else s for s in view.chosen]))


class Always(Bot):
    """Chooses one sign."""

    def __init__(self, sign: str, name: str = "") -> None:
        self.sign, self.name = sign, name or sign

    def act(self, view: Any, legal: list[str]) -> str:
        return self.sign


class Anything(Bot):
    """Chooses each sign equally often, so nothing can be won against it."""

    def act(self, view: Any, legal: list[str]) -> str:
        return self.rng.choice(legal)


@pytest.mark.parametrize("clones", [0, 1])
def test_three_bots_in_a_circle_are_equal_by_nash_and_a_clone_moves_the_mean_only(
    clones: int, tmp_path: Path
) -> None:
    bots = [*map(Always, SIGNS), *[Always("rock", "clone")] * clones]
    with plug_in(Games(RockPaperScissors())):
        run = arena.run(
            "rps/2", bots, rounds=60, seed=1, in_process=True, workers=1, results=tmp_path
        )
        nash, mean = [meta_ratings(run, by, resamples=20) for by in ("nash", "mean")]
    assert {rating.bot: rating.value for rating in nash} == pytest.approx(
        {bot.name: 0.0 for bot in bots}, abs=2e-3
    )
    known = {"rock": 1 / 2, "paper": 1 / 2 + clones / 6, "scissors": 1 / 2 - clones / 6}
    values = {rating.bot: rating.value for rating in mean}
    assert {sign: values[sign] for sign in SIGNS} == pytest.approx(known)


def test_much_can_be_won_against_one_sign_and_nothing_against_any() -> None:
    with plug_in(Games(RockPaperScissors())):
        rock = best_response(lambda: Always("rock"), "rps/2", 100, rollouts=4)
        anything = best_response(Anything, "rps/2", 100, rollouts=4)
    # It is a lower bound: at the second seat the responder draws the sign, and wins nothing.
    assert rock.low > 0.2
    assert rock.value == pytest.approx(1 / 2, abs=0.2)
    assert anything.low <= 0 <= anything.high
