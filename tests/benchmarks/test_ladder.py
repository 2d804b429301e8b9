"""The ladders of the bundled bots, their page, and the command that measures them."""

import re
from pathlib import Path

import pytest

from arena.plugins import bots
from benchmarks.ladder import (
    ITERATIONS,
    LADDERS,
    SEARCHING,
    Step,
    class_at,
    measure,
    measure_step,
    steps_of,
)
from bots.champion.champion import ChampionBot
from engine import get_variant, variants

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
STEPS = [step for game in LADDERS for step in steps_of(game) if step.better != SEARCHING]


def test_each_game_has_a_ladder_of_at_least_four_bots_that_play_it() -> None:
    assert set(LADDERS) == {variant.game for variant in variants().values()}
    for game, names in LADDERS.items():
        assert len(set(names)) == len(names) >= 4
        assert all(not bots()[name].games or game in bots()[name].games for name in names)
        first = [step for step in steps_of(game) if step.variant == steps_of(game)[0].variant]
        assert [step.better for step in first] == ["champion", *names[:0:-1]]
        assert first[-1].worse == names[0]


def test_the_page_describes_exactly_the_registered_bots() -> None:
    described = re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE)
    bundled = [name for name, bot in bots().items() if "bots." in " ".join(bot.command)]
    assert sorted(described) == sorted(bundled)


def test_the_page_names_the_ladders_as_they_are() -> None:
    for names in LADDERS.values():
        assert ", ".join(f"`{name}`" for name in names) in PAGE


@pytest.mark.long
@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_each_step_is_certain_on_other_deals(step: Step) -> None:
    assert measure(step, seed=1).is_certain


@pytest.mark.parametrize(
    ("better", "worse", "boards", "verdict"),
    [
        ("planner", "random", 20, "certainly better"),
        ("random", "planner", 20, "certainly weaker"),
        ("random", "random", 40, "open"),
    ],
)
def test_a_step_is_played_until_it_is_certain(
    better: str, worse: str, boards: int, verdict: str
) -> None:
    measured = measure(Step("pot-de-vin/3", better, worse), seed=0, looks=[20, 40])
    assert (measured.boards, measured.row()[-1]) == (boards, verdict)


@pytest.mark.slow
def test_a_bot_that_searches_has_a_fixed_number_of_games_and_boards() -> None:
    variant = get_variant("bribery/2")
    champion = class_at("champion", variant)
    assert issubclass(champion, ChampionBot)
    assert champion.iterations == ITERATIONS["bribery"]
    measured = measure_step(Step("bribery/2", "champion", "random"), seed=0, boards=2)
    assert (measured.boards, measured.confidence) == (2, 0.95)
    assert measured.move_ms > 0
