"""Calibration of ratings: how often mu +- 1.96 sigma holds the truth, and whether tables agree.

The ratings of all boards at once are measured beside those of TrueSkill fed board by board. The
scale of ratings has no origin, so a truth is moved until its mean, weighted by the precisions, is
that of mu. Where the model of TrueSkill does not hold, the truth is mu after 100 times as many
boards.
"""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import trueskill

from arena.rating.complete_boards import BoardShares, placed_before
from arena.rating.scores import ALPHA, fit_boards
from arena.rating.trueskill import BETA, INTERVAL_SIGMAS, MU, SIGMA, Rating, conservative, rate
from benchmarks.calibration_lines import MAX_COVERED, MIN_COVERED, Line, names_of, percent
from benchmarks.simulated import Sides, SimulatedField, Tournament

MODEL = "model"
"""The field in which TrueSkill's model holds: strengths are drawn from its prior, and sides whose
performances differ by less than a tenth of beta are tied."""
TIED = 0.1 * BETA
MAX_OPPOSITE = 0.005
LONG = 100
WAYS = ("at once", "board by board")

Rated = Mapping[str, Rating]


class _ModelTournament(Tournament):
    """A tournament of TrueSkill's model, with strengths in the scale of mu."""

    def _board(self, sides: Sides) -> BoardShares:
        drawn = [
            (-sum([self.rng.gauss(self.field.strengths[bot], BETA) for bot in own]), place)
            for place, own in enumerate(sides)
        ]
        ranks, last, rank = [0] * len(sides), -math.inf, 0
        for number, (value, place) in enumerate(sorted(drawn), 1):
            rank = number if value - last > TIED else rank
            ranks[place], last = rank, value
        return super()._board(sides)._replace(before=placed_before(tuple(ranks), 1), whole=2)


def rating_line(field: SimulatedField, boards_each: int, tournaments: int) -> Line:
    """Return how well ratings say the truth after `boards_each` boards a bot."""
    rng = random.Random(f"ratings {field.name} {field.bots} {field.seats} {boards_each}")
    boards = boards_each * field.bots // field.seats
    is_model = field.name == MODEL
    if not is_model:
        truth = _mus(_at_once([*Tournament(field, rng).boards(LONG * boards)], field.names))
    found: Counter[str] = Counter()
    for _ in range(tournaments):
        if is_model:
            field = field._replace(strengths=tuple([rng.gauss(MU, SIGMA) for _ in field.names]))
            truth = dict(zip(field.names, field.strengths, strict=True))
        played = [*(_ModelTournament if is_model else Tournament)(field, rng).boards(boards)]
        scores = fit_boards(field.names, played)
        by_score = {score.bot: score.score or 0.0 for score in scores.scores}
        found += _in_order("score", by_score, truth)
        for way, rated in zip(WAYS, (_at_once, _board_by_board), strict=True):
            ratings = rated(played, field.names)
            order = {name: conservative(rating) for name, rating in ratings.items()}
            found += _in_order(way, order, truth) + _held(way, ratings, truth)
            found[f"opposite {way}"] += sum([order[a] < order[b] for a, b in scores.sure])
        found["sure"] += len(scores.sure)
    held, gaps, opposite = ([found[f"{what} {way}"] for way in WAYS] for what in _MEASURED)
    bots, pairs = tournaments * field.bots, tournaments * math.comb(field.bots, 2)
    tau = [f"{2 * found[f'order {way}'] / found['pairs'] - 1:.3f}" for way in (*WAYS, "score")]
    missed = []
    error = 3 * math.sqrt(ALPHA * (1 - ALPHA) / tournaments)  # of chance
    for what, share in (("mu", held[0] / bots), ("gap", gaps[0] / pairs)):
        if is_model and not MIN_COVERED - error <= share <= MAX_COVERED + error:
            missed.append(f"{what} not in 93 to 97 %")
    if opposite[0] > MAX_OPPOSITE * found["sure"]:
        missed.append("certain pairs in the opposite order")
    return Line(
        (
            *names_of(field),
            f"{boards_each}",
            f"{tournaments:,}",
            ", ".join([percent(number, bots) for number in held]),
            ", ".join([percent(number, pairs) for number in gaps]),
            ", ".join(tau),
            ", ".join([f"{100 * number / max(1, found['sure']):.2f}" for number in opposite]),
        ),
        tuple(missed),
    )


_MEASURED = ("held", "gap", "opposite")


def _mus(ratings: Rated) -> dict[str, float]:
    return {name: rating.mu for name, rating in ratings.items()}


def _at_once(played: Sequence[BoardShares], names: Sequence[str]) -> Rated:
    return rate(Counter([board.ranked for board in played]), names).by_bot


def _board_by_board(played: Sequence[BoardShares], names: Sequence[str]) -> Rated:
    ties = sum([len(board.ranks) - len({*board.ranks}) for board in played])
    places = sum([len(board.ranks) - 1 for board in played])
    library = trueskill.TrueSkill(
        MU, SIGMA, BETA, tau=0.0, draw_probability=(1 + ties) / (2 + places)
    )
    ratings = {name: library.create_rating() for name in names}
    for board in played:
        sides = [{name: ratings[name] for name in side} for side in board.sides]
        for side in library.rate(sides, ranks=board.ranks):
            ratings.update(side)
    return {name: Rating(rating.mu, rating.sigma) for name, rating in ratings.items()}


def _held(way: str, ratings: Rated, truth: Mapping[str, float]) -> Counter[str]:
    """Count the bots and the pairs whose interval holds the truth."""
    weights = {name: rating.sigma**-2 for name, rating in ratings.items()}
    off = {name: rating.mu - truth[name] for name, rating in ratings.items()}
    mean = math.fsum([weights[name] * off[name] for name in off]) / math.fsum(weights.values())
    found: Counter[str] = Counter()
    for name, rating in ratings.items():
        found[f"held {way}"] += abs(off[name] - mean) <= INTERVAL_SIGMAS * rating.sigma
    for one, other in combinations(ratings, 2):
        half = INTERVAL_SIGMAS * math.hypot(ratings[one].sigma, ratings[other].sigma)
        found[f"gap {way}"] += abs(off[one] - off[other]) <= half
    return found


def _in_order(way: str, order: Mapping[str, float], truth: Mapping[str, float]) -> Counter[str]:
    """Count the pairs, and those that stand in the true order."""
    pairs = [*combinations(order, 2)]
    right = sum([(order[a] - order[b]) * (truth[a] - truth[b]) > 0 for a, b in pairs])
    return Counter({f"order {way}": right, "pairs": len(pairs) if way == "score" else 0})
