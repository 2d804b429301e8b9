"""Notable games of each bot: its highest score, its closest game and its heaviest defeat."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from arena.record import GameRecord
from engine import Variant


class BotGame(NamedTuple):
    """The result of a game for one of its bots."""

    margin: int
    """Its points less those of the best other side."""
    points: int
    key: str
    title: str
    variant: str


class Extremes:
    """The extreme games of a bot in a variant; of equal ones the first."""

    def __init__(self) -> None:
        self.highest: BotGame | None = None
        self.closest: BotGame | None = None
        self.heaviest_defeat: BotGame | None = None

    def add(self, game: BotGame) -> None:
        """Consider a game."""
        if self.highest is None or game.points > self.highest.points:
            self.highest = game
        if self.closest is None or abs(game.margin) < abs(self.closest.margin):
            self.closest = game
        defeat = self.heaviest_defeat
        if game.margin < 0 and (defeat is None or game.margin < defeat.margin):
            self.heaviest_defeat = game


class Scale(NamedTuple):
    """The mean and the standard deviation of all points in a variant; a deviation of 0 is 1."""

    mean: float
    deviation: float


class Notable(NamedTuple):
    """A notable game of a bot, and why it is notable."""

    why: str
    game: BotGame


def games_of_bots(record: GameRecord, variant: Variant) -> Iterator[tuple[str, BotGame]]:
    """Yield the result of a game for each of its bots, with the bot's name."""
    for side in variant.sides:
        own = record.points[side[0]]
        best = max([record.points[other[0]] for other in variant.sides if other is not side])
        for seat in side:
            game = BotGame(own - best, own, record.key, record.title, variant.id)
            yield record.entrants[seat], game


def point_scales(points: Mapping[tuple[str, str], Counter[int]]) -> dict[str, Scale]:
    """Return the scale of the points of each variant; `points` are counted by variant and bot."""
    by_variant: dict[str, Counter[int]] = defaultdict(Counter)
    for (variant, _), counts in points.items():
        by_variant[variant].update(counts)
    scales = {}
    for variant, counts in by_variant.items():
        total = counts.total()
        mean = sum([points * times for points, times in counts.items()]) / total
        squares = [times * (points - mean) ** 2 for points, times in counts.items()]
        scales[variant] = Scale(mean, math.sqrt(math.fsum(squares) / total) or 1.0)
    return scales


def notable_games(extremes: Iterable[Extremes], scales: Mapping[str, Scale]) -> list[Notable]:
    """Return the notable games of a bot, from its extreme games in each variant.

    Points of different variants are compared in standard deviations of all points there.
    """

    def height(game: BotGame) -> float:
        return (game.points - scales[game.variant].mean) / scales[game.variant].deviation

    def margin(game: BotGame) -> float:
        return game.margin / scales[game.variant].deviation

    own = list(extremes)
    notable = []
    if highest := [one.highest for one in own if one.highest]:
        notable.append(Notable("highest score", max(highest, key=height)))
    if closest := [one.closest for one in own if one.closest]:
        notable.append(Notable("closest game", min(closest, key=lambda game: abs(margin(game)))))
    if defeats := [one.heaviest_defeat for one in own if one.heaviest_defeat]:
        notable.append(Notable("heaviest defeat", min(defeats, key=margin)))
    return notable
