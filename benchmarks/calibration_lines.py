"""Rows of the tables that `benchmarks.calibration` prints."""

import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice
from typing import NamedTuple

from arena.rating.certificate import Certificate, StopRule
from arena.rating.intervals import ALPHA, quantile
from arena.rating.scores import BoardModel, fit_boards
from arena.rating.sequential_test import DELTA, Comparison, compare
from arena.rating.stop_rule import CertaintyCourse
from benchmarks.simulated import (
    DICE,
    LUCK,
    NORMAL,
    SimulatedField,
    Tournament,
    true_scores,
)

MIN_COVERED, MAX_COVERED = 0.93, 0.97
FEW_BOARDS = 50
"""Number of boards per bot below which more than 95% of intervals may contain the true value."""
ENOUGH = 1_000
"""Number of trials from which the upper bound of the error rate must be below the target."""
MAX_BOARDS = 40_000
COMPARED_BOARDS = 3_000
RULE = StopRule()
SAME = 1e-9
"""Difference below which two true scores count as equal."""


class Line(NamedTuple):
    cells: tuple[str, ...]
    missed: tuple[str, ...] = ()


def percent(good: int, number: int) -> str:
    """Format a share in percent, or as a dash if `number` is 0."""
    return f"{100 * good / number:.1f}" if number else "-"


def names_of(field: SimulatedField) -> tuple[str, str]:
    teams = f", teams of {field.team_size}" if field.team_size > 1 else ""
    return field.name, f"{field.bots} bots, {field.seats} seats{teams}"


# -- coverage ----------------------------------------------------------------------------------


class Coverage:
    """Counts how often statements about simulated bots are true after a fixed number of boards."""

    def __init__(self, field: SimulatedField, truth: Sequence[float]) -> None:
        """`truth` is the list of true scores in the order of the field's bots."""
        self.field = field
        self.truth = dict(zip(field.names, truth, strict=True))
        self.tournaments = 0
        self.scores = dict.fromkeys(field.names, 0)
        """Number of intervals that contain the bot's true score, by bot."""
        self.intervals = dict.fromkeys(field.names, 0)
        self.gaps = self.gaps_held = 0
        self.ranks_right = self.width = 0

    def add(self, model: BoardModel) -> None:
        self.tournaments += 1
        for row in model.scores:
            if row.low is not None and row.high is not None:
                self.intervals[row.bot] += 1
                self.scores[row.bot] += row.low <= self.truth[row.bot] <= row.high
        for one, other in combinations(self.field.names, 2):
            gap = model.gaps.get(one, other)
            if gap and gap.is_known:
                half = quantile(1 - ALPHA / 2, gap.degrees) * gap.error
                true = self.truth[one] - self.truth[other]
                self.gaps += 1
                self.gaps_held += abs(gap.mean - true) <= half
        self.ranks_right += all(
            self._holds_rank(row.bot, row.best_rank, row.worst_rank) for row in model.scores
        )
        self.width += sum([row.worst_rank - row.best_rank + 1 for row in model.scores])

    def missed(self, boards_each: int) -> tuple[str, ...]:
        """Return the targets missed by more than three standard errors."""
        missed = []
        error = 3 * math.sqrt(ALPHA * (1 - ALPHA) / self.tournaments)
        may_be_wide = boards_each < FEW_BOARDS or self.field.cycle > 0
        held, intervals = sum(self.scores.values()), sum(self.intervals.values())
        shares = {"score": (held, intervals), "gap": (self.gaps_held, self.gaps)}
        for what, (good, number) in shares.items():
            if number and good / number < MIN_COVERED - error:
                missed.append(f"{what} below 93 %")
            if number and good / number > MAX_COVERED + error and not may_be_wide:
                missed.append(f"{what} above 97 %")
        if upper_bound(self.ranks_right, self.tournaments) < 1 - ALPHA:
            missed.append("ranks below 95 %")
        return tuple(missed)

    def _holds_rank(self, bot: str, best: int, worst: int) -> bool:
        """Return whether a range contains all ranks that the bot shares with equal bots."""
        own = self.truth[bot]
        above = sum([score > own + SAME for score in self.truth.values()])
        below = sum([score < own - SAME for score in self.truth.values()])
        return best <= 1 + above and worst >= len(self.truth) - below


def coverage_line(field: SimulatedField, boards_each: int, tournaments: int) -> Line:
    """Return how often the intervals of scores and the ranges of ranks are right."""
    found = Coverage(field, true_scores(field))
    rng = random.Random(f"coverage {field.name} {field.bots} {field.seats} {boards_each}")
    boards = boards_each * field.bots // field.seats
    for _ in range(tournaments):
        found.add(fit_boards(field.names, Tournament(field, rng).boards(boards)))
    held, intervals = sum(found.scores.values()), sum(found.intervals.values())
    worst = min(
        [found.scores[bot] / number for bot, number in found.intervals.items() if number],
        default=math.nan,
    )
    return Line(
        (
            *names_of(field),
            f"{boards_each}",
            f"{tournaments:,}",
            f"{percent(held, intervals)} ({100 * worst:.1f})" if intervals else "-",
            percent(found.gaps_held, found.gaps),
            percent(found.ranks_right, tournaments),
            f"{found.width / tournaments / field.bots:.1f}",
        ),
        found.missed(boards_each),
    )


# -- certificates ------------------------------------------------------------------------------


class TournamentEnd(NamedTuple):
    certificate: Certificate
    is_false: bool


def play_until_certain(
    tournament: Tournament,
    truth: Sequence[float],
    rule: StopRule = RULE,
) -> TournamentEnd:
    names = tournament.field.names
    course = CertaintyCourse(names, MAX_BOARDS, rule)
    while size := course.block_boards:
        for board in tournament.boards(size):
            course.add(board)
    assert course.certificate, "a course has a block"
    true = dict(zip(names, truth, strict=True))
    return TournamentEnd(course.certificate, says_what_is_false(course.certificate, true))


def says_what_is_false(certificate: Certificate, truth: dict[str, float]) -> bool:
    """Return whether a certificate has a wrong line or a wrong close pair."""
    neighbours = certificate.neighbours
    order = [neighbour.better for neighbour in neighbours] + [neighbours[-1].worse]
    for place, one in enumerate(neighbours, 1):
        if one.border == "line":
            above = min([truth[bot] for bot in order[:place]])
            if above <= max([truth[bot] for bot in order[place:]]) + SAME:
                return True
        gap = abs(truth[one.better] - truth[one.worse])
        if one.border == "close" and gap >= certificate.epsilon:
            return True
    return False


def certificate_line(field: SimulatedField, tournaments: int) -> Line:
    """Return the number of boards until a certificate, and how often certificates are wrong."""
    rng = random.Random(f"certificates {field.name} {field.bots} {field.seats}")
    truth = true_scores(field)
    ended = [play_until_certain(Tournament(field, rng), truth) for _ in range(tournaments)]
    boards = sum([end.certificate.boards for end in ended]) / tournaments
    certain = sum([end.certificate.is_certain for end in ended])
    false = sum([end.is_false for end in ended])
    bound = upper_bound(false, tournaments)
    return Line(
        (
            *names_of(field),
            f"{tournaments:,}",
            f"{boards:,.0f}",
            percent(certain, tournaments),
            f"{false}",
            f"{100 * bound:.2f}",
        ),
        ("false above 5 %",) if is_too_often(false, tournaments) else (),
    )


def is_too_often(events: int, trials: int) -> bool:
    """Return whether more statements are wrong than the target error rate allows."""
    if trials >= ENOUGH:
        return upper_bound(events, trials) > ALPHA
    # With few trials, a target is missed if so many errors had a probability of at most 1%.
    return events > 0 and _at_most(events - 1, trials, ALPHA) > 0.99


def upper_bound(events: int, trials: int) -> float:
    """Return the upper 95% bound of a probability (Clopper and Pearson)."""
    if events == trials:
        return 1.0
    low, high = events / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(events, trials, middle) > ALPHA:
            low = middle
        else:
            high = middle
    return high


def _at_most(events: int, trials: int, chance: float) -> float:
    """Return the binomial probability of at most `events` in `trials`, each with `chance`."""
    logs = [
        math.lgamma(trials + 1)
        - math.lgamma(k + 1)
        - math.lgamma(trials - k + 1)
        + k * math.log(chance)
        + (trials - k) * math.log1p(-chance)
        for k in range(events + 1)
    ]
    return math.fsum(map(math.exp, logs))


# -- comparisons -------------------------------------------------------------------------------


def differences(seats: int, effect: float, crash: float, rng: random.Random) -> Iterator[Fraction]:
    """Yield the new version's score minus the old version's on each board.

    Both versions play the same deals from the same seats against equal opponents.

    Args:
        seats: number of seats; each bot plays alone.
        effect: the true difference.
        crash: probability that the new version loses a whole board.
        rng: source of all chance.
    """
    share = (0.5 + effect) / (1 - crash)
    strength = math.hypot(DICE, LUCK) * math.sqrt(2) * NORMAL.inv_cdf(share)
    while True:
        luck = [rng.gauss(0, LUCK) for _ in range(seats)]
        old = _twice_placed_before(0.0, luck, rng)
        new = 0 if rng.random() < crash else _twice_placed_before(strength, luck, rng)
        yield Fraction(new - old, seats * (seats - 1))


def _twice_placed_before(strength: float, luck: Sequence[float], rng: random.Random) -> int:
    """Return twice the number of opponents that a bot beats over a board's rotations."""
    seats = len(luck)
    won = 0
    for own_seat in range(seats):
        bids = [rng.gauss(hand, DICE) for hand in luck]
        own = bids[own_seat] + strength
        won += sum([own > bid for seat, bid in enumerate(bids) if seat != own_seat])
    return won


def compare_line(seats: int, effect: float, crash: float, comparisons: int) -> Line:
    """Return how often comparisons of two bot versions reach each verdict."""
    rng = random.Random(f"compare {seats} {effect} {crash}")
    found: list[Comparison] = []
    for _ in range(comparisons):
        boards = islice(differences(seats, effect, crash, rng), COMPARED_BOARDS)
        found.append(compare(boards))
    verdicts = [comparison.verdict for comparison in found]
    better, not_better = verdicts.count("better"), verdicts.count("not better")
    wrong = better * (effect <= 0) + not_better * (effect >= DELTA)
    bound = upper_bound(wrong, comparisons)
    return Line(
        (
            f"{seats}",
            f"{effect:+.3f}" + (f", {crash:.1%} lost whole" if crash else ""),
            f"{comparisons:,}",
            f"{sum([comparison.boards for comparison in found]) / comparisons:,.0f}",
            percent(better, comparisons),
            percent(not_better, comparisons),
            f"{wrong}" if effect <= 0 or effect >= DELTA else "-",
            f"{100 * bound:.2f}" if effect <= 0 or effect >= DELTA else "-",
        ),
        ("wrong above 5 %",) if is_too_often(wrong, comparisons) else (),
    )
