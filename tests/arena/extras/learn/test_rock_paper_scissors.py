"""Rock, paper, scissors as a game of the arena: its ratings and best responses are known."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

import arena
from arena.bot import Bot
from arena.extras.learn.best_response import best_response
from arena.extras.learn.meta_ratings import meta_ratings
from engine import Game, Position
from tests.arena.playing import plug_in

SIGNS = ["rock", "paper", "scissors"]
"""Each beats the one before it."""


class Shown(msgspec.Struct, frozen=True):
    """What a seat sees: whose turn it is, and its own sign."""

    seat: int | None
    to_act: int | None
    own: tuple[str, ...]


@dataclass
class Signs(Position):
    """The signs of the seats that have chosen."""

    chosen: list[str] = field(default_factory=list)


def choose(position: Signs, sign: str) -> None:
    position.chosen.append(sign)
    position.seat_to_act = 1 if len(position.chosen) < 2 else None


def points_of(position: Signs) -> tuple[int, int]:
    first, second = map(SIGNS.index, position.chosen)
    return ((0, 0), (1, 0), (0, 1))[(first - second) % 3]


ROCK_PAPER_SCISSORS = Game(
    "rps",
    {"2": 2},
    Shown,
    start=lambda _, deal: Signs(),
    actions=SIGNS,
    apply=choose,
    score=points_of,
    view=lambda signs, seat: Shown(
        seat, signs.seat_to_act, tuple(signs.chosen[seat : seat + 1] if seat is not None else ())
    ),
)
"""Two seats choose a sign each; the second one does not know the first."""


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
    with plug_in(ROCK_PAPER_SCISSORS):
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
    with plug_in(ROCK_PAPER_SCISSORS):
        rock = best_response(lambda: Always("rock"), "rps/2", 100, rollouts=4)
        anything = best_response(Anything, "rps/2", 100, rollouts=4)
    # It is a lower bound: at the second seat the responder draws the sign, and wins nothing.
    assert rock.low > 0.2
    assert rock.value == pytest.approx(1 / 2, abs=0.2)
    assert anything.low <= 0 <= anything.high
