"""Compute TrueSkill ratings from the results of boards.

Bots don't change during a run, so TrueSkill's parameter `tau` is 0 and ratings don't depend on
the order of the games. Expectation propagation over all boards is repeated until the ratings
converge.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, permutations, product

import msgspec
import numpy as np
from numpy.typing import NDArray
from trueskill import TrueSkill, calc_draw_margin

from arena.rating.complete_boards import RankedBoard
from arena.rating.factor_graph import BACKEND, BoardGraphs, Floats, Normal

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
PRIOR_PI = SIGMA**-2
RATING_SIGMAS = 3
"""A bot's rating is mu minus this many sigmas."""
# Further digits may depend on the machine.
DECIMALS = 6
"""Decimals of mu and sigma."""
# Ratings have converged when no mean changes by more than this value and no precision by more than
# this fraction.
SETTLED = 1e-9
MAX_SWEEPS = 1_000
# The step size is reduced if the cosine of the angle between successive steps is smaller.
SWING = -0.3
# If there are more orders of the tied sides, only some of them are rated.
MAX_ORDERS = 24

Integers = NDArray[np.int64]


class Rating(msgspec.Struct, frozen=True, gc=False):
    mu: float
    sigma: float


PRIOR = Rating(MU, SIGMA)


class Ratings(msgspec.Struct, frozen=True):
    by_bot: Mapping[str, Rating]
    are_settled: bool = True


def conservative(rating: Rating) -> float:
    return rating.mu - RATING_SIGMAS * rating.sigma


def rate(
    boards: Mapping[RankedBoard, int], names: Collection[str], max_sweeps: int = MAX_SWEEPS
) -> Ratings:
    if not boards:
        return Ratings(dict.fromkeys(names, PRIOR))
    messages = BoardMessages(boards, names)
    are_settled = messages.settle(max_sweeps)
    found = messages.ratings()
    return Ratings({name: found[name] for name in names}, are_settled)


def orders_of_ties(ties: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield rankings of a board's sides with all ties broken, best side first.

    Each tied side gets each of the tied ranks equally often.
    """
    # TrueSkill compares each side only with the next side, so the order of tied sides matters.
    if math.prod([math.factorial(len(tie)) for tie in ties]) <= MAX_ORDERS:
        for orders in product(*map(permutations, ties)):
            yield [*chain(*orders)]
        return
    for shift in range(math.lcm(*map(len, ties))):
        yield [tie[(place + shift) % len(tie)] for tie in ties for place in range(len(tie))]


# -- the messages of all boards --------------------------------------------------------------------


class _Graphs(msgspec.Struct):
    graphs: BoardGraphs
    seats: Integers
    shares: Floats
    variants: Integers
    pairs: Sequence[int]


class BoardMessages:
    """Computes TrueSkill ratings by expectation propagation."""

    def __init__(self, boards: Mapping[RankedBoard, int], names: Iterable[str] = ()) -> None:
        """Start with the initial ratings. Identical boards are counted in `boards`."""
        self._boards = sorted(boards)  # so that sums don't depend on the order
        self._by_board = np.array([float(boards[board]) for board in self._boards])
        lineups = [[side for _, side in sides] for _, sides in self._boards]
        members = chain.from_iterable(chain.from_iterable(lineups))
        self.names = sorted({*members, *names})
        number = {name: at for at, name in enumerate(self.names)}
        sides = list(chain.from_iterable(lineups))
        self._sizes = np.array(list(map(len, sides)))
        self._bot = np.array([number[name] for side in sides for name in side])
        self._side = np.repeat(np.arange(len(sides)), self._sizes)
        self._board = np.repeat(np.arange(len(lineups)), list(map(len, lineups)))
        self._variants = sorted({variant for variant, _ in self._boards})
        places = {variant: at for at, variant in enumerate(self._variants)}
        self._variant = np.array([places[variant] for variant, _ in self._boards])
        # By board, the number of sides that are tied with the previous side.
        self._ties = np.array([len(own) - len(dict(own)) for _, own in self._boards])
        self._graphs = list(self._graphs_of_sizes())
        one, other = self._seats_together()
        self._sides_together = self._side[one], self._side[other]
        self._cells = self._bot[one] * len(self.names) + self._bot[other]
        self._mu = np.full(len(self.names), MU)
        self._pi = np.full(len(self.names), PRIOR_PI)
        self._message_pi, self._pull = np.zeros((2, len(self._bot)))

    def _graphs_of_sizes(self) -> Iterator[_Graphs]:
        rows = defaultdict(list)
        first = 0
        for (_, sides), variant in zip(self._boards, self._variant.tolist(), strict=True):
            seats, ties = [], defaultdict(list)
            for at, (rank, side) in enumerate(sides):
                seats.append(range(first, first := first + len(side)))
                ties[rank].append(at)
            tied = [place < len(tie) for tie in ties.values() for place in range(1, len(tie) + 1)]
            orders = list(orders_of_ties([*ties.values()]))
            for order in orders:
                sizes = tuple([len(seats[at]) for at in order])
                row = [seat for at in order for seat in seats[at]]
                rows[sizes].append((row, tied[:-1], 1 / len(orders), variant))
        for sizes, same in rows.items():
            seated, tied_sides, shares, variants = zip(*same, strict=True)
            yield _Graphs(
                BoardGraphs(sizes, np.array(tied_sides).T, BETA),
                np.array(seated).T,
                np.array(shares),
                np.array(variants),
                [one + other for one, other in pairwise(sizes)],
            )

    def _seats_together(self) -> tuple[Integers, Integers]:
        numbers = np.bincount(self._board[self._side])
        seats = [range(end - own, end) for own, end in zip(numbers, numbers.cumsum(), strict=True)]
        pairs = [pair for own in seats for pair in product(own, own)]
        one, other = np.array(pairs).T
        return one, other

    def settle(self, max_sweeps: int = MAX_SWEEPS) -> bool:
        """Iterate expectation propagation. Return whether the ratings have converged."""
        margins = self._margins()
        damping, last = 1.0, np.zeros(2 * len(self.names))
        for _ in range(max_sweeps):
            change = self._sweep(margins, damping)
            if np.max(np.abs(change)) < SETTLED:
                return True
            both = math.sqrt((change @ change) * (last @ last))
            if change @ last < SWING * both:
                damping *= 0.6
            elif change @ last > 0:
                damping = min(1.0, 1.3 * damping)
            last = change
        return False

    def ratings(self) -> dict[str, Rating]:
        rated = set(np.flatnonzero(self._pi != PRIOR_PI))
        numbers = zip(self._mu.tolist(), (self._pi**-0.5).tolist(), strict=True)
        return {
            name: Rating(round(mu, DECIMALS), round(sigma, DECIMALS)) if at in rated else PRIOR
            for at, (name, (mu, sigma)) in enumerate(zip(self.names, numbers, strict=True))
        }

    def draw_probabilities(self) -> list[float]:
        """Return the estimated probability of a draw for each variant."""
        neighbours = np.bincount(self._board) - 1
        # TrueSkill doesn't support draw probabilities of 0 and 1.
        ties = 1 + np.bincount(self._variant, self._by_board * self._ties)
        found = ties / (2 + np.bincount(self._variant, self._by_board * neighbours))
        return [float(probability) for probability in found]

    def _margins(self) -> list[list[Floats]]:
        known = [
            TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=probability, backend=BACKEND)
            for probability in self.draw_probabilities()
        ]

        def margins(size: int) -> Floats:
            return np.array([calc_draw_margin(own.draw_probability, size, own) for own in known])

        return [[margins(size)[own.variants] for size in own.pairs] for own in self._graphs]

    def _sweep(self, margins: list[list[Floats]], damping: float) -> Floats:
        bot, mu, counts = self._bot, self._mu, self._by_board[self._board[self._side]]
        pi = np.maximum(self._pi[bot] - self._message_pi, PRIOR_PI)  # from other boards
        messages = self._messages_to_skills(Normal(pi, pi * mu[bot] - self._pull), margins)
        pull = messages.tau - messages.pi * mu[bot]
        settled_pi = PRIOR_PI + self._by_bot(counts * messages.pi)
        moved = np.log(settled_pi / self._pi)
        self._message_pi += damping * (messages.pi - self._message_pi)
        self._pull += damping * (pull - self._pull)
        self._pi = PRIOR_PI + self._by_bot(counts * self._message_pi)
        missing = PRIOR_PI * (MU - mu) + self._by_bot(counts * pull)
        # With this matrix, ratings also converge quickly if groups of bots rarely meet.
        step = np.linalg.solve(self._stiffness(), missing)
        self._mu = mu + damping * np.clip(step, -SIGMA, SIGMA)
        return np.concatenate([step, moved])

    def _by_bot(self, values: Floats) -> Floats:
        return np.bincount(self._bot, values, len(self.names)).astype(np.float64)

    def _messages_to_skills(self, others: Normal, margins: list[list[Floats]]) -> Normal:
        found = Normal(np.zeros(len(self._bot)), np.zeros(len(self._bot)))
        with np.errstate(all="ignore"):  # a precision of 0 has an infinite variance
            for own, margin in zip(self._graphs, margins, strict=True):
                own.graphs.set_skills(Normal(others.pi[own.seats], others.tau[own.seats]), margin)
                own.graphs.pass_messages()
                for part, message in zip(found, own.graphs.messages(), strict=True):
                    values = (message * own.shares).ravel()
                    part += np.bincount(own.seats.ravel(), values, len(part))
        return found

    def _stiffness(self) -> Floats:
        side, board = self._side, self._board
        own = np.bincount(side, self._message_pi) / self._sizes
        rest = np.bincount(board, own)[board] - own
        ratio = np.divide(own, rest, out=np.zeros_like(own), where=rest > 0)
        whole = own * (1 + np.bincount(board, ratio)[board] - ratio) / 2
        one, other = self._sides_together
        between = (own[one] * ratio[other] + own[other] * ratio[one]) / 2
        values = np.where(one == other, whole[one], -between) * self._by_board[board[one]]
        size = len(self.names)
        found = np.bincount(self._cells, values, size * size).reshape(size, size)
        return found + PRIOR_PI * np.eye(size)
