"""Tests of the strength of bundled bots, with statistical significance."""

import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from arena.bot import Bot
from arena.tournament.in_process import class_of
from bots.any_game import monte_carlo
from bots.brides_and_bribes.styles import DogeBot
from bots.brides_and_bribes.weights import TUNED
from bots.champion import champion
from engine.plugins import variants_of
from tests.bots.boards import errors_above_chance, places

BY_LUCK = 3.5
"""Chance exceeds this number of standard errors once in 4,000 times."""
POT_DE_VIN, BRIBERY, BRIDES = map(variants_of, ("pot-de-vin", "bribery", "brides-and-bribes"))


class TunedBot(DogeBot):
    """Plays with the weights of `champion`, without search."""

    name = "tuned"
    weights = TUNED


def monte_carlo_of(iterations: int) -> type[Bot]:
    return monte_carlo.from_command_line(["--iterations", str(iterations)])


def champion_of(iterations: int) -> type[Bot]:
    return champion.from_command_line(["--iterations", str(iterations)])


def case(
    bot: str | type[Bot],
    variant_ids: str,
    boards: int,
    mark: str = "",
    *,
    other: str = "random",
    place: float | None = None,
) -> Any:
    """Return a test case: `bot` plays `boards` boards of each variant, on every side against
    `other`.

    Its mean place must be above `place`, or by default above chance.
    """
    name = bot if isinstance(bot, str) else bot.name
    marks = [getattr(pytest.mark, mark)] if mark else []
    case_id = f"{name}-{other}-{variant_ids.replace(' ', '-')}"
    return pytest.param(bot, variant_ids.split(), boards, other, place, marks=marks, id=case_id)


USUAL = ("bribery/3", "brides-and-bribes/3")
"""The variants of slow games whose tests are not marked as long."""


@pytest.mark.parametrize(
    ("bot", "variant_ids", "boards", "other", "place"),
    [
        *[
            case("planner", name, 40, "" if name == "pot-de-vin/3" else "slow")
            for name in POT_DE_VIN
        ],
        *[case("fixer", name, 10, "" if name in USUAL else "long") for name in BRIBERY],
        *[case("doge", name, 8, "" if name in USUAL else "long") for name in BRIDES],
        *[
            case(style, " ".join(BRIDES), 3, "long")
            for style in ("suitor", "poisoner", "courtier", "builder")
        ],
        case(TunedBot, "brides-and-bribes/3", 8, "slow", other="doge", place=0.5),
        case(monte_carlo_of(40), "pot-de-vin/3 pot-de-vin/4-teams", 8, "slow"),
        case(monte_carlo_of(30), "bribery/2", 10, "slow"),
        case(monte_carlo_of(1), "brides-and-bribes/3", 2, "slow", place=0.9),
        case(champion_of(5), "pot-de-vin/4-teams", 4, "slow", place=0.7),
        case(champion_of(5), "bribery/2", 4, place=0.7),
        case(champion_of(60), "pot-de-vin/3", 12, "long", other="planner", place=0.5),
        case(champion_of(60), "bribery/2", 12, "long", other="fixer", place=0.5),
    ],
)
def test_bot_is_better_than_another(
    bot: str | type[Bot], variant_ids: Sequence[str], boards: int, other: str, place: float | None
) -> None:
    bot_class = class_of(bot) if isinstance(bot, str) else bot
    found = [
        board_place
        for variant_id in variant_ids
        for board_place in places(variant_id, bot_class, class_of(other), boards)
    ]
    if place is None:
        assert errors_above_chance(found) > BY_LUCK
    else:
        assert statistics.fmean(found) > place
