"""Describe the course of a game: its result, comebacks, and sparklines of points."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.base.record import AnyResult, GameRecord
from arena.match.referee import start_game
from arena.narration.telling import telling_of
from engine import Variant

SPARKS: Final = 40


class Finish(NamedTuple):
    """The result of a game that a single side won."""

    winner: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    margin: int
    """The winner's points minus the runner-up's. Negative if points don't decide the game."""


def finish_of(game: AnyResult, variant: Variant) -> Finish | None:
    first, *others = sorted(variant.sides, key=lambda side: game.ranks[side[0]])
    if game.ranks[others[0][0]] == game.ranks[first[0]]:
        return None
    margin = game.points[first[0]] - game.points[others[0][0]]
    return Finish(first, tuple(others), margin)


def points_course(record: GameRecord) -> list[tuple[int, ...]]:
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
    """Return the last step at which the winning side was furthest behind, and by how many points.

    The number of points is 0 if the side was never behind. `winner` is the index of the winning
    side.
    """
    behind = [(max(points) - points[winner], step) for step, points in enumerate(course)]
    most, step = max(behind, default=(0, 0))
    return step, most


def sparks(course: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    if len(course) < 2:
        return ()
    steps = min(SPARKS, len(course))
    places = [round(step * (len(course) - 1) / (steps - 1)) for step in range(steps)]
    return tuple([tuple(course[place]) for place in places])


def spark_lines(
    course: Sequence[Sequence[int]], width: float = 100, height: float = 28
) -> list[str]:
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
