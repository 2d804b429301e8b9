"""Duplicate play for tests: the same deal in every rotation, so that luck cancels out."""

import math
import random
import statistics
from collections.abc import Sequence

from arena.base.protocol import Limits, raw
from arena.base.record import Game, GameRecord
from arena.bot import Bot
from arena.plugins import bots
from arena.tournament.in_process import class_of, play_in_process
from bots.any_game.monte_carlo import MonteCarloBot
from bots.champion.champion import ChampionBot
from engine import Variant, get_variant, variants


class HastyMonteCarloBot(MonteCarloBot):
    """A searching bot with minimal effort, for tests in which its strength does not matter."""

    iterations = 1


class HastyChampionBot(ChampionBot):
    """A searching bot with minimal effort."""

    iterations = 1


SEARCHING = (HastyMonteCarloBot, HastyChampionBot)


def classes() -> dict[str, type[Bot]]:
    """Return the class of each bundled bot by name. Searching bots make minimal effort."""
    found = {name: class_of(name) for name, bot in bots().items() if "bots" in bot.folder}
    return found | {bot.name: bot for bot in SEARCHING}


def variants_of(bot_class: type[Bot]) -> list[str]:
    return [
        variant.id
        for variant in variants().values()
        if not bot_class.games or variant.game in bot_class.games
    ]


PATIENT = Limits(move_ms=600_000)
"""Limits that no bot exceeds, however busy the machine is."""


def make_game(variant_id: str, number: int, rotation: int = 0) -> Game:
    """Return the game with a number. Its rotations differ only in the rotation."""
    variant = get_variant(variant_id)
    rng = random.Random(number)
    deal = raw(variant.deal(rng))
    names = tuple(f"bot-{seat}" for seat in range(variant.seats))
    seeds = tuple(rng.getrandbits(32) for _ in names)
    return Game("", variant_id, number, rotation, deal, names, seeds)


def place(record: GameRecord, variant: Variant, side: int) -> float:
    """Return the place of a side, from 1 for the first to 0 for the last."""
    ranks = [record.ranks[seats[0]] for seats in variant.sides]
    own = ranks.pop(side)
    better = [(rank > own) - (rank < own) for rank in ranks]
    return 0.5 + sum(better) / len(ranks) / 2


def places(variant_id: str, one: type[Bot], others: type[Bot], boards: int) -> list[float]:
    variant = get_variant(variant_id)
    found = []
    for number in range(boards):
        board = []
        for side, seats in enumerate(variant.sides):
            seated = [one if seat in seats else others for seat in range(variant.seats)]
            record = play_in_process(make_game(variant_id, number, side), seated, PATIENT)
            assert record.faults == ()
            board.append(place(record, variant, side))
        found.append(statistics.fmean(board))
    return found


def errors_above_chance(places: Sequence[float]) -> float:
    """Return by how many standard errors the mean place exceeds that of an equal bot.

    One lost and one won board are added, so that results from few boards are not significant.
    """
    scores = [*places, 0.0, 1.0]
    return (statistics.fmean(scores) - 0.5) / (statistics.stdev(scores) / math.sqrt(len(scores)))
