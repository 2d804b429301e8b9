"""The ladders of the bundled bots, their page, and the command that measures them."""

import re
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import BotError
from arena.bot import Bot
from arena.plugins import bots
from arena.tournament.in_process import class_of
from benchmarks.ladder import (
    ITERATIONS,
    LADDERS,
    SEARCHING,
    Step,
    class_at,
    even_splits,
    measure,
    measure_step,
    play_board,
    steps_of,
)
from bots.champion.champion import ChampionBot
from engine import get_variant, variants

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
STEPS = [step for game in LADDERS for step in steps_of(game) if step.better != SEARCHING]


def test_each_ladder_has_four_bots() -> None:
    assert set(LADDERS) == {variant.game for variant in variants().values()}
    for game, names in LADDERS.items():
        assert len(set(names)) == len(names) >= 4
        assert all(not bots()[name].games or game in bots()[name].games for name in names)
        first = [step for step in steps_of(game) if step.variant == steps_of(game)[0].variant]
        assert [step.better for step in first] == ["champion", *names[:0:-1]]
        assert first[-1].worse == names[0]


def test_page_describes_all_registered_bots() -> None:
    described = re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE)
    bundled = [name for name, bot in bots().items() if "bots." in " ".join(bot.command)]
    assert sorted(described) == sorted(bundled)


def test_page_lists_the_ladders() -> None:
    for names in LADDERS.values():
        assert ", ".join(f"`{name}`" for name in names) in PAGE


@pytest.mark.long
@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_ladder_steps_are_certain_on_new_deals(step: Step) -> None:
    assert measure(step, seed=1).is_certain


@pytest.mark.parametrize(
    ("better", "worse", "boards", "verdict"),
    [
        ("planner", "random", 20, "certainly better"),
        ("random", "planner", 20, "certainly weaker"),
        ("random", "random", 40, "open"),
    ],
)
def test_plays_step_until_certain(better: str, worse: str, boards: int, verdict: str) -> None:
    measured = measure(Step("pot-de-vin/3", better, worse), seed=0, looks=[20, 40])
    assert (measured.boards, measured.row()[-1]) == (boards, verdict)


@pytest.mark.slow
def test_searching_bot_has_fixed_budget() -> None:
    variant = get_variant("bribery/2")
    champion = class_at("champion", variant)
    assert issubclass(champion, ChampionBot)
    assert champion.iterations == ITERATIONS["bribery"]
    measured = measure_step(Step("bribery/2", "champion", "random"), seed=0, boards=2)
    assert (measured.boards, measured.confidence) == (2, 0.95)


# -- two bots on shared seats ----------------------------------------------------------------------


class Low(Bot):
    name = "low"

    def act(self, view: Any, legal: list[str]) -> str:
        return legal[0]


class Faulty(Bot):
    name = "faulty"

    def act(self, view: Any, legal: list[str]) -> str:
        raise RuntimeError("broken")


@pytest.mark.parametrize(("sides", "ways"), [(2, 2), (3, 6), (4, 6), (5, 20)])
def test_sides_are_balanced(sides: int, ways: int) -> None:
    found = even_splits(sides)
    assert len(set(found)) == len(found) == ways
    for side in range(sides):
        assert sum(way[side] for way in found) * 2 == ways


@pytest.mark.parametrize("variant_id", ["pot-de-vin/6-teams", "bribery/2", "brides-and-bribes/3"])
def test_equal_bots_share_evenly(variant_id: str) -> None:
    score = play_board(get_variant(variant_id), Low, Low, 1)
    assert score.ahead == score.meetings / 2 > 0


@pytest.mark.parametrize("variant_id", ["pot-de-vin/5", "pot-de-vin/6-teams", "bribery/2"])
def test_leads_are_symmetric(variant_id: str) -> None:
    variant, chance = (
        get_variant(variant_id),
        class_of("greedy" if "pot" in variant_id else "fixer"),
    )
    one, other = play_board(variant, Low, chance, 3), play_board(variant, chance, Low, 3)
    assert one.meetings == other.meetings
    assert one.ahead + other.ahead == pytest.approx(one.meetings)
    assert one.ahead < other.ahead


def test_reports_faults() -> None:
    with pytest.raises(BotError, match="faulty had a fault in pot-de-vin/3 board 1 rotation 0"):
        play_board(get_variant("pot-de-vin/3"), Low, Faulty, 1)
