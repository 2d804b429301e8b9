"""A slow and plain program for the portions of `schedule = "adaptive"`, written from
`docs/scores.md` (sections 5 and 6) for the tests.

At the end of each portion it estimates everything from all boards so far, in fractions.
"""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.arena.rating.plain_model import PlainBoard, PlainModel, plain_borders, plain_model

Table = tuple[str, ...]
"""The bots by place, turned so that the first name of the alphabet comes first: rotations of places
are one board."""


class PlainPortion(NamedTuple):
    """A portion, as it must be."""

    tables: Sequence[Table]
    challengers: Sequence[str]
    """The bots for which it is played; none if its boards are balanced."""


class PlainRun(NamedTuple):
    """What the portions of a variant depend on."""

    variant: str
    names: Sequence[str]
    seats: int
    seed: int
    epsilon: float
    smallest: int
    largest: int
    balanced: Sequence[Table]
    """All boards of the balanced schedule, which are also the most boards of the run."""


def turned(table: Sequence[str]) -> Table:
    """Return a table as `Table` has it."""
    first = list(table).index(min(table))
    return tuple(table[first:]) + tuple(table[:first])


def plain_portions(
    run: PlainRun, play: Callable[[int, Table], PlainBoard]
) -> tuple[list[PlainPortion], list[str]]:
    """Return all portions, and what is certain between neighbours at the end.

    `play` returns the board with a number, counted from 1.
    """
    portions: list[PlainPortion] = []
    boards: list[PlainBoard] = []
    looks: list[PlainModel] = []
    borders, undecided = ["undecided"], list(run.names)
    budget = len(run.balanced)
    taken = 0
    while "undecided" in borders and len(boards) < budget:
        size = max(run.smallest, len(boards) // 4 if boards else len(run.names))
        size = min(size, run.largest, budget - len(boards))
        if boards and 1.5 * len(undecided) * run.seats <= len(run.names):
            rng = random.Random(f"extra {run.seed} {run.variant} {len(portions)}")
            portion = PlainPortion(extra_tables(run, undecided, size, rng), undecided)
        else:
            portion = PlainPortion(run.balanced[taken : taken + size], [])
            taken += size
        portions.append(portion)
        for table in portion.tables:
            counting = tuple([name for name in portion.challengers if name in table])
            board = play(len(boards) + 1, table)
            boards.append(board._replace(challengers=counting))
        looks.append(plain_model(run.names, boards))
        order = sorted(run.names, key=lambda name: rank_key(name, looks[-1]))
        borders = plain_borders(looks, order, run.epsilon)
        pairs = zip(order, order[1:], borders, strict=False)
        undecided = sorted({n for *both, border in pairs if border == "undecided" for n in both})
    return portions, borders


def rank_key(name: str, look: PlainModel) -> tuple[float, str]:
    """Return what orders bots: the best score first, equals by name."""
    score = look.scores[name]
    return (1.0 if score is None else -round(score, 12), name)


def extra_tables(
    run: PlainRun, challengers: Sequence[str], size: int, rng: random.Random
) -> list[Table]:
    """Return extra boards for `challengers`, who are sorted."""
    turn = rng.randrange(len(challengers))
    decks: dict[str, list[str]] = {}
    tables = []
    for _ in range(size):
        own = challengers[turn]
        turn = (turn + 1) % len(challengers)
        seated = [own]
        for _ in range(run.seats - 1):
            deck = decks.setdefault(own, [])
            if all(name in seated for name in deck):
                others = [name for name in sorted(run.names) if name != own]
                deck.extend(rng.sample(others, len(others)))
            place = 0
            while deck[place] in seated:
                place += 1
            seated.append(deck.pop(place))
        rng.shuffle(seated)
        tables.append(turned(seated))
    return tables
