"""The portions of a run: consecutive boards, which are begun before later ones.

Without a stop rule, all portions follow from the settings. With one, each variant has portions of
its own: a portion of the run has the next one of each variant whose order is not certain yet, and
it is known once the portion before is over.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

from arena.base.record import Game
from arena.plugins import get_schedule
from arena.rating.complete_boards import board_shares
from arena.schedule.chance import Chance
from arena.schedule.plan import Board, extra_groups, plan
from arena.tournament.games import boards, games_by_variant, games_of
from arena.tournament.settings import Settings
from arena.tournament.withdrawal import Portion
from engine import get_variant

if TYPE_CHECKING:
    from arena.rating.stop_rule import CertaintyCourse

BoardGames = Sequence[Game]
"""The games of a board, one for each rotation."""


class PlannedBoards:
    """The games of boards in schedule order, some of them planned before they are asked for.

    A portion is asked for when a worker is idle, so it should be planned by then.
    """

    def __init__(self, boards_games: Iterable[BoardGames], most: int) -> None:
        """Plan nothing yet, and later at most the next `most` boards."""
        self._coming = iter(boards_games)
        self._planned: deque[BoardGames] = deque()
        self._most = most

    def __iter__(self) -> Iterator[BoardGames]:
        return self

    def __next__(self) -> BoardGames:
        return self._planned.popleft() if self._planned else next(self._coming)

    def plan(self, number: int) -> None:
        """Plan the next `number` boards."""
        self._planned.extend(islice(self._coming, min(number, self._most - len(self._planned))))


def planned_boards(settings: Settings, chance: Chance) -> PlannedBoards:
    """Return the boards of a run without a stop rule, which can be planned ahead."""
    by_board = (games_of(board, settings, chance) for board in boards(settings, chance))
    return PlannedBoards(by_board, settings.sizes.largest)


def portions(
    settings: Settings,
    chance: Chance,
    courses: Mapping[str, "CertaintyCourse"],
    planned: PlannedBoards | None = None,
) -> Iterator[Portion | None]:
    """Yield the games of a run in portions.

    None means that the next portion depends on games that are not over yet. What is known of games
    is in the portions that were yielded.

    Args:
        settings: the settings of the run.
        chance: the chance of the run.
        courses: those of `certainty_courses`, which are followed to their ends.
        planned: the boards of a run without courses, if some are planned ahead.
    """
    if not courses:
        return portions_of(planned or planned_boards(settings, chance), settings.sizes.after)
    sources = {variant: _ScheduledBoards(variant, settings, chance) for variant in courses}
    return portions_until_certain(
        {variant: source.take for variant, source in sources.items()}, courses
    )


def portions_of(
    games_by_board: Iterable[BoardGames], size_after: Callable[[int], int]
) -> Iterator[Portion]:
    """Yield games in portions.

    Args:
        games_by_board: the games of each board, in schedule order.
        size_after: returns the size of a portion, given the number of boards before it.
    """
    waiting = iter(games_by_board)
    boards_before, first = 0, 0
    while some := list(islice(waiting, size_after(boards_before))):
        games = list(chain.from_iterable(some))
        yield Portion(games, first)
        first += len(games)
        boards_before += len(some)


def portions_until_certain(
    take: Mapping[str, Callable[["CertaintyCourse"], list[BoardGames]]],
    courses: Mapping[str, "CertaintyCourse"],
) -> Iterator[Portion | None]:
    """Yield the portions of a run that ends when all its `courses` are over. See `portions`.

    `take` returns by variant the boards of the current portion of its course.
    """
    first = 0
    while True:
        chosen = {variant: take[variant](course) for variant, course in courses.items()}
        games = [game for some in chosen.values() for board in some for game in board]
        if not games:
            return
        yield (portion := Portion(games, first))
        while not portion.is_over:
            yield None
        for variant, some in chosen.items():
            for board in some:
                results = [portion.results[game.key] for game in board]
                courses[variant].add(board_shares(results, get_variant(variant)))
        first += len(games)


def certainty_courses(settings: Settings) -> dict[str, "CertaintyCourse"]:
    """Return by variant its course, before the first board. A run without a stop rule has none."""
    rule = settings.stop_rule
    if rule is msgspec.UNSET:
        return {}
    from arena.rating.stop_rule import CertaintyCourse  # not above: runs start faster

    extra = get_schedule(settings.schedule).extra
    courses = {}
    for variant, (_, games) in games_by_variant(settings).items():
        field = settings.field(variant)
        courses[variant] = CertaintyCourse(
            field.entrants,
            games // field.variant.seats,
            rule,
            (settings.sizes.initial, settings.sizes.largest),
            partial(extra.challengers, field) if extra else None,
        )
    return courses


class _ScheduledBoards:
    """The boards of a variant, as its schedule and the complete portions give them."""

    def __init__(self, variant: str, settings: Settings, chance: Chance) -> None:
        self._settings, self._chance = settings, chance
        self._schedule, self._field = get_schedule(settings.schedule), settings.field(variant)
        self._balanced = plan(self._schedule, [self._field], settings.rounds, chance.schedule)
        self._last = 0
        """The number of the last board. Extra boards are numbered with the others."""

    def take(self, course: "CertaintyCourse") -> list[BoardGames]:
        """Return the games of the boards of the current portion of `course`."""
        coming = self._extra(course) if course.challengers else self._balanced
        found: list[BoardGames] = []
        for board in islice(coming, course.portion_boards):
            self._last += 1
            numbered = msgspec.structs.replace(board, number=self._last)
            found.append(games_of(numbered, self._settings, self._chance))
        return found

    def _extra(self, course: "CertaintyCourse") -> Iterator[Board]:
        variant = self._field.variant
        rng = self._chance.extra(variant.id, course.portions)
        for group in extra_groups(self._schedule, self._field, course.challengers, rng):
            yield Board(variant.id, self._last + 1, self._last * variant.seats, group)
