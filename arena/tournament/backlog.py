"""The backlog of a run: its games that are not played yet, in batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from arena.contracts import Batch, Lane, Played
from arena.plugins import get_schedule
from arena.record import Game
from arena.schedule.chance import Chance
from arena.tournament.database import StoredResult
from arena.tournament.portions import (
    ScheduledPortion,
    certainty_courses,
    planned_boards,
    portions,
)
from arena.tournament.rotations import WaitingBatches, lanes
from arena.tournament.settings import Settings
from arena.tournament.store import Move, Row, Store, row_of
from arena.tournament.withdrawal import Portion, WithdrawalCourse

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate


class Backlog:
    """Yields the missing games of a run in batches, and withdraws bots between portions."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        progress: Callable[[int], object] | None = None,
        looked: Callable[[str, "Certificate"], object] | None = None,
    ) -> None:
        """Begin with the games of `store` that the schedule of `settings` has.

        Args:
            store: the run.
            settings: its settings.
            progress: called with the number of stored games that count again; it is negative for
                games that are set aside.
            looked: called with a variant and what is certain about its order, after each look.
        """
        self._store = store
        self._settings = settings
        self._chance = settings.chance(store.secret(settings.secret))
        self._progress = progress
        self._looked = looked
        self._courses = certainty_courses(settings)
        self._planned = planned_boards(settings, self._chance)
        self._told: dict[str, Certificate] = {}
        self._course = WithdrawalCourse(settings.withdrawal)
        self._waiting = WaitingBatches()
        self._under_way: dict[str, tuple[int, Portion]] = {}
        """By key: the position of the game in the schedule, and its portion."""

    def batches(self, workers: int) -> Iterator[Batch | None]:
        """Yield batches of missing games. The games of a batch have the same rotation.

        A portion gives `workers` batches at a time if it has enough boards. None means that the
        next batch depends on games under way: earlier games of its lane or other rotations of its
        boards are not over, or the withdrawals or the next portion are not known yet.
        """
        for batch in self._batches(workers):
            if batch:
                self._tell_looks()
            yield batch
        self._tell_looks()

    def _batches(self, workers: int) -> Iterator[Batch | None]:
        for some in portions(self._settings, self._chance, self._courses, self._planned):
            if some is None:
                yield self._waiting.take()
                continue
            while not self._course.advance():
                yield self._waiting.take()
            self._course.begin(some.portion)
            for lane, games in lanes(self._missing(some), workers).items():
                self._waiting.add(self._batch(lane, games))
            while batch := self._waiting.take():
                yield batch
        while self._waiting:
            yield self._waiting.take()

    def _tell_looks(self) -> None:
        """Tell the last look at each variant, unless it has been told before."""
        for variant, course in self._courses.items():
            certificate = course.certificate
            if certificate and certificate != self._told.get(variant):
                self._told[variant] = certificate
                if self._looked:
                    self._looked(variant, certificate)

    def finish(self, played: Played) -> Row:
        """Note that a game is over, and return it as it is stored."""
        position, portion = self._under_way.pop(played.key)
        row = row_of(played.key, position, bytes(played.record), played.seen)
        portion.results[played.key] = row.result
        self._waiting.finish(played.key)
        return row

    def plan_ahead(self, boards: int) -> None:
        """Plan the next `boards` now, while no worker waits for them.

        With a stop rule, the boards that come are not known yet.
        """
        if not self._courses:
            self._planned.plan(boards)

    def _missing(self, some: ScheduledPortion) -> Sequence[Game]:
        """Return the games of a portion that the store does not have; they are under way now.

        In a run that has grown, the store may have a game with other withdrawn bots. Such a game is
        set aside and played again.
        """
        stored = list(self._store.results_with(some.portion.keys))
        kept = dict(_matching(some, stored, self._course))
        if moves := list(_corrections(stored, kept)):
            before = self._store.count()
            self._store.move(moves)
            if self._progress and (more := self._store.count() - before):
                self._progress(more)
        missing = []
        for position, game in enumerate(some.games, some.first):
            if game.key not in some.portion.results:
                self._under_way[game.key] = (position, some.portion)
                missing.append(game)
        return missing

    def _batch(self, lane: Lane, games: Sequence[Game]) -> Batch:
        settings = self._settings
        names = {name for game in games for name in game.entrants}
        entrants = [entrant for entrant in settings.entrants if entrant.name in names]
        withdrawn = self._course.withdrawn(sorted(names))
        return Batch(
            tuple(games),
            tuple(entrants),
            settings.limits,
            settings.sandbox,
            withdrawn,
            # Boards that share a deal may be in different portions.
            lane if get_schedule(settings.schedule).boards_per_deal == 1 else None,
        )


def kept_games(store: Store, settings: Settings, chance: Chance) -> Iterator[Move]:
    """Yield the stored games that count in a run with these settings, with their positions.

    Where games are missing, the withdrawals after them are not known. Then those known so far
    decide, and the backlog corrects what they have decided when it gets there. With a stop rule, it
    is not known either which games come after them.
    """
    course = WithdrawalCourse(settings.withdrawal)
    for some in portions(settings, chance, certainty_courses(settings)):
        if some is None:
            return
        course.advance()
        course.begin(some.portion)
        for number, position in _matching(some, store.results_with(some.portion.keys), course):
            yield Move(number, position)


def _matching(
    some: ScheduledPortion, stored: Iterable[StoredResult], course: WithdrawalCourse
) -> Iterator[tuple[int, int]]:
    """Yield number and position of the stored games with the withdrawn bots of the portion.

    Their results are noted in the portion.
    """
    scheduled = {game.key: (position, game) for position, game in enumerate(some.games, some.first)}
    results = some.portion.results
    for one in stored:
        position, game = scheduled[one.key]
        if one.key not in results and one.result.withdrawn == course.withdrawn(game.entrants):
            results[one.key] = one.result
            yield one.number, position


def _corrections(stored: Iterable[StoredResult], kept: dict[int, int]) -> Iterator[Move]:
    """Yield a move for each stored game that is not at the position that `kept` gives it."""
    for one in stored:
        if one.position != (position := kept.get(one.number)):
            yield Move(one.number, position)
