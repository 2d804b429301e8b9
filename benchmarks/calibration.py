"""Calibration of scores, certificates and comparisons, by simulated fields of known strength.

    python benchmarks/calibration.py [--parts coverage certificates compare] [--tournaments 2000]
        [--sizes 4/3 10/3] [--fields equal gaps] [--short]

`README.md` says what is measured. The command ends with exit code 1 when an aim is missed.
"""

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice
from typing import NamedTuple

from arena.bench.simulated import (
    DICE,
    LUCK,
    NORMAL,
    SimulatedField,
    Tournament,
    simulated_fields,
    true_scores,
)
from arena.rating.board_model import ALPHA, BoardModel, fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.certainty import Certificate, Looks
from arena.rating.compare import DELTA, Comparison, compare
from arena.rating.student_t import quantile

LEAST_COVERED, MOST_COVERED = 0.93, 0.97
FEW_BOARDS = 50
"""With fewer boards a bot, intervals may hold the truth more often than they say."""
ENOUGH = 1_000
"""From so many trials on, the bound of wrong statements must keep the aim. With fewer trials the
aim is missed when chance alone gives so many wrong ones in at most 1 % of cases."""
SMALLEST, LARGEST = 25, 1_600
"""Boards of a portion (`docs/scores.md`, section 6)."""
MOST_BOARDS = 40_000
"""Boards after which a tournament without a certificate ends."""
COMPARED_BOARDS = 3_000
"""Boards of a comparison at most."""
SAME = 1e-9
"""True scores that differ by less are equal."""


class Line(NamedTuple):
    """A line of a printed table."""

    cells: tuple[str, ...]
    missed: tuple[str, ...] = ()
    """The aims that are missed."""


# -- coverage ----------------------------------------------------------------------------------


class Coverage:
    """How often what is said of a field after a number of boards is true."""

    def __init__(self, field: SimulatedField, truth: Sequence[float]) -> None:
        """Begin without tournaments. `truth` are the true scores."""
        self.field = field
        self.truth = dict(zip(field.names, truth, strict=True))
        self.tournaments = 0
        self.scores = dict.fromkeys(field.names, 0)
        """By bot, the intervals that hold its score."""
        self.intervals = dict.fromkeys(field.names, 0)
        self.gaps = self.gaps_held = 0
        self.ranks_right = self.width = 0

    def add(self, model: BoardModel) -> None:
        """Add a tournament."""
        self.tournaments += 1
        for row in model.scores:
            if row.low is not None and row.high is not None:
                self.intervals[row.bot] += 1
                self.scores[row.bot] += row.low <= self.truth[row.bot] <= row.high
        for one, other in combinations(self.field.names, 2):
            gap = model.gaps.get((one, other))
            if gap and gap.is_known:
                half = quantile(1 - ALPHA / 2, gap.degrees) * gap.error
                true = self.truth[one] - self.truth[other]
                self.gaps += 1
                self.gaps_held += abs(gap.gap - true) <= half
        self.ranks_right += all(
            self._holds_rank(row.bot, row.best_rank, row.worst_rank) for row in model.scores
        )
        self.width += sum([row.worst_rank - row.best_rank + 1 for row in model.scores])

    def missed(self, boards_each: int) -> tuple[str, ...]:
        """Return the aims that are missed by more than three standard errors of chance."""
        missed = []
        error = 3 * math.sqrt(ALPHA * (1 - ALPHA) / self.tournaments)
        may_be_wide = boards_each < FEW_BOARDS or self.field.cycle > 0
        held, intervals = sum(self.scores.values()), sum(self.intervals.values())
        shares = {"score": (held, intervals), "gap": (self.gaps_held, self.gaps)}
        for what, (good, number) in shares.items():
            if number and good / number < LEAST_COVERED - error:
                missed.append(f"{what} below 93 %")
            if number and good / number > MOST_COVERED + error and not may_be_wide:
                missed.append(f"{what} above 97 %")
        if upper_bound(self.ranks_right, self.tournaments) < 1 - ALPHA:
            missed.append("ranks below 95 %")
        return tuple(missed)

    def _holds_rank(self, bot: str, best: int, worst: int) -> bool:
        """Return whether a range holds all ranks that a bot has when equals come in any order."""
        own = self.truth[bot]
        above = sum([score > own + SAME for score in self.truth.values()])
        below = sum([score < own - SAME for score in self.truth.values()])
        return best <= 1 + above and worst >= len(self.truth) - below


def coverage_line(field: SimulatedField, boards_each: int, tournaments: int) -> Line:
    """Return how often intervals and rank ranges hold the truth after so many boards a bot."""
    found = Coverage(field, true_scores(field))
    rng = random.Random(f"coverage {field.name} {field.bots} {field.seats} {boards_each}")
    boards = boards_each * field.bots // field.seats
    for _ in range(tournaments):
        found.add(fit_boards(BoardSums(field.names, Tournament(field, rng).boards(boards))))
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


class Ended(NamedTuple):
    """How a tournament with the stop rule ended."""

    certificate: Certificate
    is_false: bool


def play_until_certain(field: SimulatedField, truth: Sequence[float], rng: random.Random) -> Ended:
    """Play portions of boards until everything is certain."""
    true = dict(zip(field.names, truth, strict=True))
    tournament = Tournament(field, rng)
    sums, looks = BoardSums(field.names), Looks()
    portion = max(SMALLEST, field.bots)
    while True:
        for board in tournament.boards(portion):
            sums.add(board)
        certificate = looks.look(fit_boards(sums))
        if certificate.is_certain or tournament.played >= MOST_BOARDS:
            return Ended(certificate, says_what_is_false(certificate, true))
        portion = min(max(SMALLEST, tournament.played // 4), LARGEST)
        portion = min(portion, MOST_BOARDS - tournament.played)


def says_what_is_false(certificate: Certificate, truth: dict[str, float]) -> bool:
    """Return whether a line or a close pair of a certificate is wrong."""
    neighbours = certificate.neighbours
    order = [one.better for one in neighbours] + [neighbours[-1].worse]
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
    """Return the boards until a field is certain, and how often that is false."""
    rng = random.Random(f"certificates {field.name} {field.bots} {field.seats}")
    truth = true_scores(field)
    ended = [play_until_certain(field, truth, rng) for _ in range(tournaments)]
    boards = sum([one.certificate.boards for one in ended]) / tournaments
    certain = sum([one.certificate.is_certain for one in ended])
    false = sum([one.is_false for one in ended])
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
    """Return whether wrong statements are more frequent than the aim allows."""
    if trials >= ENOUGH:
        return upper_bound(events, trials) > ALPHA
    return events > 0 and _at_most(events - 1, trials, ALPHA) > 0.99


def upper_bound(events: int, trials: int) -> float:
    """Return the one-sided 95 % bound of the probability of an event (Clopper and Pearson)."""
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
    """Return the probability of at most so many events."""
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
    """Yield the differences of boards: what the new version scores above the old one.

    Both sit in the same seats of the same deals, with equal others.

    Args:
        seats: the seats of the table; each bot plays alone.
        effect: the true difference.
        crash: the probability that the new version loses a whole board. It is better on the others.
        rng: gives luck and dice.
    """
    share = (0.5 + effect) / (1 - crash)
    strength = math.hypot(DICE, LUCK) * math.sqrt(2) * NORMAL.inv_cdf(share)
    while True:
        luck = [rng.gauss(0, LUCK) for _ in range(seats)]
        old = _twice_placed_before(0.0, luck, rng)
        new = 0 if rng.random() < crash else _twice_placed_before(strength, luck, rng)
        yield Fraction(new - old, seats * (seats - 1))


def _twice_placed_before(strength: float, luck: Sequence[float], rng: random.Random) -> int:
    """Return how many games of others a bot is placed before, over all rotations of a board."""
    seats = len(luck)
    won = 0
    for own_seat in range(seats):
        bids = [rng.gauss(hand, DICE) for hand in luck]
        own = bids[own_seat] + strength
        won += sum([own > bid for seat, bid in enumerate(bids) if seat != own_seat])
    return won


def compare_line(seats: int, effect: float, crash: float, comparisons: int) -> Line:
    """Return how often each verdict is given at a true difference."""
    rng = random.Random(f"compare {seats} {effect} {crash}")
    found: list[Comparison] = []
    for _ in range(comparisons):
        boards = islice(differences(seats, effect, crash, rng), COMPARED_BOARDS)
        found.append(compare(boards))
    said = [one.verdict for one in found]
    better, not_better = said.count("better"), said.count("not better")
    wrong = better * (effect <= 0) + not_better * (effect >= DELTA)
    bound = upper_bound(wrong, comparisons)
    return Line(
        (
            f"{seats}",
            f"{effect:+.3f}" + (f", {crash:.1%} lost whole" if crash else ""),
            f"{comparisons:,}",
            f"{sum([one.boards for one in found]) / comparisons:,.0f}",
            percent(better, comparisons),
            percent(not_better, comparisons),
            f"{wrong}" if effect <= 0 or effect >= DELTA else "-",
            f"{100 * bound:.2f}" if effect <= 0 or effect >= DELTA else "-",
        ),
        ("wrong above 5 %",) if is_too_often(wrong, comparisons) else (),
    )


# -- tables ------------------------------------------------------------------------------------


def percent(good: int, number: int) -> str:
    """Return a share as a percentage, or a dash without a number."""
    return f"{100 * good / number:.1f}" if number else "-"


def names_of(field: SimulatedField) -> tuple[str, str]:
    """Return the name and the size of a field."""
    teams = f", teams of {field.team_size}" if field.team_size > 1 else ""
    return field.name, f"{field.bots} bots, {field.seats} seats{teams}"


class Size(NamedTuple):
    """The size of a field."""

    bots: int
    seats: int
    team_size: int = 1
    part: int = 1
    """So many times fewer tournaments are played, as they take long."""


SIZES = {
    "2/2": Size(2, 2),
    "4/3": Size(4, 3),
    "10/2": Size(10, 2),
    "10/3": Size(10, 3),
    "10/4-teams": Size(10, 4, 2),
    "30/3": Size(30, 3, part=10),
}
COVERAGE: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "4/3": ("equal gaps cyclic faults", (15, 75)),
    "10/3": ("equal gaps uneven cyclic top3cyc faults faulty deal-crash", (20, 100)),
    "10/2": ("gaps cyclic", (20, 100)),
    "10/4-teams": ("gaps", (20, 100)),
    "30/3": ("equal uneven faults", (20, 100)),
}
"""By size: the fields, and the numbers of boards of each bot."""
CERTIFICATES: Mapping[str, str] = {
    "2/2": "equal rare-crash",
    "4/3": "equal gaps pairs cyclic faults",
    "10/3": "equal gaps uneven cyclic top3cyc pairs clusters faulty deal-crash",
    "30/3": "equal",
}
COMPARISONS = [
    *[(3, float(effect), 0.0) for effect in (0, DELTA / 2, DELTA, 2 * DELTA)],
    (3, 0.0, 0.077),
    (2, 0.0, 0.0),
    (2, float(DELTA), 0.0),
    (4, 0.0, 0.0),
    (4, float(DELTA), 0.0),
]
"""Seats, true difference, and the share of boards that the new version loses whole."""

COVERAGE_HEAD = (
    "field|size|boards a bot|tournaments|score 93-97 (worst bot)|gap 93-97|all ranks >= 95|"
    "mean width"
)
CERTIFICATES_HEAD = "field|size|tournaments|boards|certain|false|bound <= 5"
COMPARE_HEAD = "seats|true difference|comparisons|boards|% better|% not better|wrong|bound <= 5"
PARTS = ("coverage", "certificates", "compare")


def lines_of(
    part: str, tournaments: int, sizes: Sequence[str], fields: Sequence[str]
) -> Iterator[Line]:
    """Yield the lines of a table, its head first. Without `sizes` or `fields` all are taken."""
    if part == "compare":
        yield Line(tuple(COMPARE_HEAD.split("|")))
        for seats, effect, crash in COMPARISONS:
            yield compare_line(seats, effect, crash, tournaments)
        return
    yield Line(tuple((COVERAGE_HEAD if part == "coverage" else CERTIFICATES_HEAD).split("|")))
    for name, size in SIZES.items():
        if sizes and name not in sizes:
            continue
        known = simulated_fields(size.bots, size.seats, size.team_size)
        number = max(1, tournaments // size.part)
        in_coverage, boards = COVERAGE.get(name, ("", ()))
        chosen = in_coverage if part == "coverage" else CERTIFICATES.get(name, "")
        for field in [known[one] for one in chosen.split() if not fields or one in fields]:
            if part == "certificates":
                yield certificate_line(field, number)
            else:
                for boards_each in boards:
                    yield coverage_line(field, boards_each, number)


SHORT = {"sizes": ("4/3",), "fields": ("pairs", "cyclic", "faults")}
SHORT_TOURNAMENTS = 12


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--tournaments", type=int, default=2_000, help="tournaments of each line")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=(), help="bots/seats")
    parser.add_argument("--fields", nargs="+", default=(), metavar="FIELD")
    parser.add_argument("--short", action="store_true", help="a few fields and tournaments")
    options = parser.parse_args()
    if options.short:
        options.tournaments, options.sizes, options.fields = SHORT_TOURNAMENTS, *SHORT.values()
    missed = 0
    for part in options.parts:
        began = time.monotonic()
        print(f"\n{part}\n")
        lines = lines_of(part, options.tournaments, options.sizes, options.fields)
        for number, line in enumerate(lines):
            print(
                f"| {' | '.join(line.cells)} |", *map("MISSED: {}".format, line.missed), flush=True
            )
            if not number:
                print("|---" * len(line.cells) + "|")
            missed += len(line.missed)
        print(f"\n{time.monotonic() - began:,.0f} s", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
