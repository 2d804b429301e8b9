"""Statistics of a run's games beyond its leaderboard, collected game by game."""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from arena.check.fault_report import fault_card
from arena.rating.leaderboard import shares_in_win
from arena.record import GameRecord, Observations, Timing
from engine import Variant

Played = tuple[GameRecord, Observations]

BINS_A_DECADE = 40
"""In how fine steps times are counted: 6% each."""
MOST_CARDS = 30
"""Fault cards of one bot that are shown; all its faults are counted and listed."""


class Timings:
    """How long the answers of a bot took."""

    def __init__(self) -> None:
        self.answers = 0
        self.total_us = 0
        self.worst_us = 0
        self._games: Counter[int] = Counter()  # by bin of their mean

    def add(self, timing: Timing) -> None:
        """Count a game."""
        if not timing.answers:
            return
        self.answers += timing.answers
        self.total_us += timing.total_us
        self.worst_us = max(self.worst_us, timing.worst_us)
        mean = max(1.0, timing.total_us / timing.answers)
        self._games[round(math.log10(mean) * BINS_A_DECADE)] += 1

    @property
    def mean_ms(self) -> float:
        """The mean of an answer, in ms."""
        return self.total_us / max(1, self.answers) / 1000

    @property
    def worst_ms(self) -> float:
        """The longest answer, in ms."""
        return self.worst_us / 1000

    def quantile_ms(self, share: float) -> float:
        """Return what this share of the games stay below, with the mean of their answers, in ms."""
        return 10 ** (quantile(self._games, share) / BINS_A_DECADE) / 1000


def quantile(counts: Mapping[int, int], share: float) -> float:
    """Return the least value up to which there is this share of what was counted.

    Raises:
        ValueError: nothing was counted.
    """
    wanted = share * sum(counts.values())
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("no counts")


class SeatCount:
    """What a bot made of a seat of a variant."""

    def __init__(self) -> None:
        self.games = 0
        self.points = 0
        self.wins = 0.0
        self.chances = 0

    @property
    def points_per_game(self) -> float:
        return self.points / max(1, self.games)

    @property
    def win_share(self) -> float:
        return self.wins / max(1, self.chances)


class FaultFound(NamedTuple):
    """A fault of a bot, and its card if it is shown."""

    key: str
    title: str
    variant: str
    seat: int
    move: int
    """From 1."""
    kind: str
    text: str
    card: str | None


class Ranked(NamedTuple):
    """A game as one of its bots knows it: how far it was ahead of the best of the others."""

    margin: int
    points: int
    key: str
    title: str
    variant: str


class Extremes:
    """The games of a bot in a variant that somebody may want to see."""

    def __init__(self) -> None:
        self.highest: Ranked | None = None
        self.closest: Ranked | None = None
        self.heaviest: Ranked | None = None  # defeat

    def add(self, game: Ranked) -> None:
        """Consider a game; of equal ones the first stays."""
        if self.highest is None or game.points > self.highest.points:
            self.highest = game
        if self.closest is None or abs(game.margin) < abs(self.closest.margin):
            self.closest = game
        if game.margin < 0 and (self.heaviest is None or game.margin < self.heaviest.margin):
            self.heaviest = game


class Findings:
    """What is told of a run; filled by `look_through`."""

    def __init__(self, sample: int) -> None:
        self.seats: dict[tuple[str, str], list[SeatCount]] = {}
        """By bot and variant."""
        self.points: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        """By variant and bot: how many games brought how many points."""
        self.timings: dict[str, Timings] = defaultdict(Timings)
        self.timings_in: dict[tuple[str, str], Timings] = defaultdict(Timings)
        """By bot and variant."""
        self.faults: dict[str, list[FaultFound]] = defaultdict(list)
        self.withdrawn: dict[str, str] = {}
        """By bot: why it was withdrawn."""
        self.extremes: dict[tuple[str, str], Extremes] = defaultdict(Extremes)
        """By bot and variant; of games without a fault."""
        self.games: Counter[str] = Counter()
        """By variant, also those of boards that are not complete."""
        self.rules: dict[str, int] = {}
        """The version of the rules, by variant."""
        self.faulty: list[str] = []
        """Keys of the games in which a bot itself had a fault, in schedule order."""
        self.sample = Sample(sample)
        self.stalled = 0
        """Games that were void at first because the host stalled."""


def look_through(
    played: Iterable[Played], variants: Mapping[str, Variant], sample: int
) -> Findings:
    """Return what the games of a run tell, and a sample of so many of them.

    They come in schedule order, board by board.

    What is shown beside the leaderboard is counted from complete boards only, as that is.
    """
    found = Findings(sample)
    cards: Counter[str] = Counter()
    for (variant_id, _), group in groupby(played, key=lambda one: (one[0].variant, one[0].board)):
        board = list(group)
        variant = variants[variant_id]
        found.rules[variant_id] = board[0][0].rules_version
        is_complete = len(board) == variant.seats
        for record, seen in board:
            found.games[variant_id] += 1
            found.sample.add(variant_id, record.key)
            found.stalled += seen.stalls > 0
            _note_faults(found, record, seen, cards)
            if is_complete:
                _count(found, record, seen, variant)
    return found


def _count(found: Findings, record: GameRecord, seen: Observations, variant: Variant) -> None:
    wins = shares_in_win(record, variant)
    for seat, name in enumerate(record.entrants):
        counts = found.seats.setdefault(
            (name, variant.id), [SeatCount() for _ in range(variant.seats)]
        )
        count = counts[seat]
        count.games += 1
        count.points += record.points[seat]
        count.wins += record.win_weight * wins.get(seat, 0.0)
        count.chances += record.win_weight
        found.points[variant.id, name][record.points[seat]] += 1
        if seat < len(seen.timings):
            found.timings[name].add(seen.timings[seat])
            found.timings_in[name, variant.id].add(seen.timings[seat])
    if not record.faults:
        for name, game in _margins(record, variant):
            found.extremes[name, variant.id].add(game)


def _margins(record: GameRecord, variant: Variant) -> Iterator[tuple[str, Ranked]]:
    for side in variant.sides:
        own = record.points[side[0]]
        best = max([record.points[other[0]] for other in variant.sides if other is not side])
        for seat in side:
            margin = own - best
            game = Ranked(margin, own, record.key, record.title, variant.id)
            yield record.entrants[seat], game


def _note_faults(
    found: Findings, record: GameRecord, seen: Observations, cards: Counter[str]
) -> None:
    is_faulty = False
    for fault in record.faults:
        name = record.entrants[fault.seat]
        if fault.kind == "withdrawn":
            found.withdrawn.setdefault(name, fault.text)
            continue
        is_faulty = True
        cards[name] += 1
        card = fault_card(record, fault, seen) if cards[name] <= MOST_CARDS else None
        found.faults[name].append(
            FaultFound(
                key=record.key,
                title=record.title,
                variant=record.variant,
                seat=fault.seat,
                move=fault.action + 1,
                kind=fault.kind,
                text=fault.text,
                card=card,
            )
        )
    if is_faulty:
        found.faulty.append(record.key)


class Notable(NamedTuple):
    """A game of a bot, and why somebody may want to see it."""

    why: str
    game: Ranked


def notable_games(found: Findings, bot: str, scales: Mapping[str, "Scale"]) -> list[Notable]:
    """Return the games of a bot to look at: its highest score, closest game and heaviest defeat.

    Points of different variants are compared in standard deviations of all points there.
    """

    def height(game: Ranked) -> float:
        return (game.points - scales[game.variant].mean) / scales[game.variant].deviation

    def margin(game: Ranked) -> float:
        return game.margin / scales[game.variant].deviation

    own = [extremes for (name, _), extremes in found.extremes.items() if name == bot]
    notable = []
    if highest := [one.highest for one in own if one.highest]:
        notable.append(Notable("highest score", max(highest, key=height)))
    if closest := [one.closest for one in own if one.closest]:
        notable.append(Notable("closest game", min(closest, key=lambda game: abs(margin(game)))))
    if heaviest := [one.heaviest for one in own if one.heaviest]:
        notable.append(Notable("heaviest defeat", min(heaviest, key=margin)))
    return notable


class Scale(NamedTuple):
    """The mean of all points in a variant, and their standard deviation (1 if that is nought)."""

    mean: float
    deviation: float


def scales(found: Findings) -> dict[str, Scale]:
    """Return the scale of the points of each variant."""
    by_variant: dict[str, Counter[int]] = defaultdict(Counter)
    for (variant, _), counts in found.points.items():
        by_variant[variant].update(counts)
    scale = {}
    for variant, counts in by_variant.items():
        total = counts.total()
        mean = sum([points * times for points, times in counts.items()]) / total
        squares = [times * (points - mean) ** 2 for points, times in counts.items()]
        scale[variant] = Scale(mean, math.sqrt(math.fsum(squares) / total) or 1.0)
    return scale


class Sample:
    """Some games of each variant: those with the least keys, which are digests.

    So it is as good as drawn, and as a run grows most of it stays.
    """

    def __init__(self, number: int) -> None:
        """Take how many games there will be, of all variants together."""
        self._number = number
        self._keys: dict[str, list[str]] = defaultdict(list)

    def add(self, variant: str, key: str) -> None:
        """Consider a game."""
        keys = self._keys[variant]
        keys.append(key)
        if len(keys) > 2 * self._number + 100:
            keys[:] = heapq.nsmallest(self._number, keys)

    def chosen(self) -> list[str]:
        """Return the keys of the sample, as evenly of each variant as there are games."""
        least = [heapq.nsmallest(self._number, keys) for keys in self._keys.values()]
        turns = [own[turn] for turn in range(self._number) for own in least if turn < len(own)]
        return turns[: self._number]
