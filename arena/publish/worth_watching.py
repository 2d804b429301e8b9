"""The games of a run that are worth watching: closest finish, biggest upset, biggest comeback."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from arena.base.record import AnyResult, GameRecord
from arena.match.referee import start_game
from arena.narration.telling import telling_of
from arena.publish.notable_games import Scale
from engine import Variant

CLOSEST: Final = "closest finish"
UPSET: Final = "biggest upset"
COMEBACK: Final = "biggest comeback"
SPARKS: Final = 40
"""Points of a sparkline, at most."""


class Finish(NamedTuple):
    """The end of a game with one winning side."""

    winner: tuple[int, ...]
    """The seats of the winning side."""
    others: tuple[tuple[int, ...], ...]
    """The other sides, best first."""
    margin: int
    """The points of the winner less those of the second; below 0 where points do not decide."""


def finish_of(game: AnyResult, variant: Variant) -> Finish | None:
    """Return how a game ended; None if it has more than one winning side."""
    first, *others = sorted(variant.sides, key=lambda side: game.ranks[side[0]])
    if game.ranks[others[0][0]] == game.ranks[first[0]]:
        return None
    margin = game.points[first[0]] - game.points[others[0][0]]
    return Finish(first, tuple(others), margin)


class Highlights:
    """The closest finish and the biggest upset of a run, from its complete boards."""

    def __init__(self, strengths: Mapping[str, float]) -> None:
        """Take the strength of each bot: its mu."""
        self._strengths = strengths
        self._closest: dict[str, tuple[float, float, str]] = {}
        self._upset: tuple[float, str] | None = None

    def add(self, records: Sequence[GameRecord], variant: Variant) -> None:
        """Consider the games of a board that have no fault."""
        for record in records:
            finish = None if record.faults else finish_of(record, variant)
            if finish is None:
                continue
            winner = self._strength(record, finish.winner)
            best = max([self._strength(record, side) for side in finish.others])
            # Of equally close games, that of the strongest two.
            second = self._strength(record, finish.others[0])
            close = (float(finish.margin), -min(winner, second), record.key)
            before = self._closest.get(variant.id, close)
            if finish.margin >= 0:
                self._closest[variant.id] = min(before, close)
            if best > winner and (self._upset is None or best - winner > self._upset[0]):
                self._upset = (best - winner, record.key)

    def _strength(self, record: GameRecord, side: Sequence[int]) -> float:
        return sum([self._strengths.get(record.entrants[seat], 0.0) for seat in side]) / len(side)

    def keys(self, scales: Mapping[str, Scale]) -> dict[str, str]:
        """Return the key of each game by what it is; `scales` are those of points by variant."""
        found = {}
        if self._closest:
            *_, found[CLOSEST] = min(
                (margin / scales[variant].deviation, strength, key)
                for variant, (margin, strength, key) in self._closest.items()
            )
        if self._upset:
            found[UPSET] = self._upset[1]
        return found


def points_course(record: GameRecord) -> list[tuple[int, ...]]:
    """Return the points of each side after each action; empty if the game does not tell them."""
    state = start_game(record.variant, record.deal)
    telling = telling_of(state.variant.game)
    course = []
    for action in ("", *record.actions):
        if action:
            state.apply(action)
        points = telling.points_now(state.view(None))
        if points is None:
            return []
        course.append(tuple(points))
    return course


def turning_point(course: Sequence[Sequence[int]], winner: int) -> tuple[int, int]:
    """Return the last step at which the winning side was most behind, and by how many points.

    `winner` is its place among the sides. Without a course, or if it was never behind, the points
    are 0.
    """
    behind = [(max(points) - points[winner], step) for step, points in enumerate(course)]
    most, step = max(behind, default=(0, 0))
    return step, most


def sparks(course: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the points of a sparkline, from the start to the end, evenly spread."""
    if len(course) < 2:
        return ()
    steps = min(SPARKS, len(course))
    places = [round(step * (len(course) - 1) / (steps - 1)) for step in range(steps)]
    return tuple([tuple(course[place]) for place in places])


def spark_lines(
    course: Sequence[Sequence[int]], width: float = 100, height: float = 28
) -> list[str]:
    """Return the line of each side as the points of an SVG polyline."""
    most = max([point for points in course for point in points], default=0)
    least = min([point for points in course for point in points], default=0)
    span, last = (most - least) or 1, max(1, len(course) - 1)
    return [
        " ".join(
            [
                f"{width * at / last:.1f},{2 + (height - 4) * (most - points[side]) / span:.1f}"
                for at, points in enumerate(course)
            ]
        )
        for side in range(len(course[0]) if course else 0)
    ]


def biggest_comeback(
    games: Iterable[tuple[str, str, int]], scales: Mapping[str, Scale]
) -> str | None:
    """Return the key of the game with the biggest comeback.

    `games` are keys, variants and comebacks. Points are compared in standard deviations.
    """
    found = [(behind / scales[variant].deviation, key) for key, variant, behind in games if behind]
    return max(found)[1] if found else None
