"""The backlog of a run: its games that are not played yet, in batches.

No deal is under way twice at the same time. Bots on one machine can signal to each other, if
slowly. A bot that plays a deal in two rotations at once could tell itself the cards of two seats.

A bot process that is kept between two batches knows the deals that it has met. It runs only in the
batches of its lane. These wait for all earlier batches of the same worker, so it runs only when the
boards that it has met are over in all rotations.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from arena.base.contracts import Batch, Lane, Played
from arena.base.record import Game
from arena.plugins import get_schedule
from arena.schedule.chance import Chance
from arena.tournament.database import StoredResult
from arena.tournament.portions import certainty_courses, planned_boards, portions
from arena.tournament.settings import Settings
from arena.tournament.store import NewPosition, Row, Store, row_of
from arena.tournament.withdrawal import Portion, WithdrawalCourse

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.tournament.comparison import ComparisonLooks


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
        self.looks: ComparisonLooks | None = None
        """Those of a comparison, which takes the games as they end."""
        if settings.is_comparison:
            from arena.tournament import comparison  # not above: other runs start faster

            self.looks = comparison.ComparisonLooks(settings, store.results())
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
        boards are not over, or the withdrawals or the next portion are not known yet. No batch
        begins after the verdict of a comparison.
        """
        for batch in self._batches(workers):
            if self.looks and self.looks.is_decided:
                return
            if batch:
                self._tell_looks()
            yield batch
        self._tell_looks()

    def _batches(self, workers: int) -> Iterator[Batch | None]:
        for portion in portions(self._settings, self._chance, self._courses, self._planned):
            if portion is None:
                yield self._waiting.take()
                continue
            while not self._course.advance():
                yield self._waiting.take()
            self._course.begin(portion)
            for lane, games in lanes(self._missing(portion), workers).items():
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
        if self.looks:
            self.looks.add(row.result)
        return row

    def plan_ahead(self, boards: int) -> None:
        """Plan the next `boards` now, while no worker waits for them.

        With a stop rule, the boards that come are not known yet.
        """
        if not self._courses:
            self._planned.plan(boards)

    def _missing(self, portion: Portion) -> Sequence[Game]:
        """Return the games of a portion that the store does not have; they are under way now.

        In a run that has grown, the store may have a game with other withdrawn bots. Such a game is
        set aside and played again.
        """
        stored = list(self._store.results_with(portion.keys))
        kept = dict(_matching(portion, stored, self._course))
        if moves := list(_corrections(stored, kept)):
            before = self._store.count()
            self._store.move(moves)
            if self._progress and (more := self._store.count() - before):
                self._progress(more)
        missing = []
        for position, game in enumerate(portion.games, portion.first):
            if game.key not in portion.results:
                self._under_way[game.key] = (position, portion)
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


def kept_games(store: Store, settings: Settings, chance: Chance) -> Iterator[NewPosition]:
    """Yield the stored games that count in a run with these settings, with their positions.

    Where games are missing, the withdrawals after them are not known. Then those known so far
    decide, and the backlog corrects what they have decided when it gets there. With a stop rule, it
    is not known either which games come after them.
    """
    course = WithdrawalCourse(settings.withdrawal)
    for portion in portions(settings, chance, certainty_courses(settings)):
        if portion is None:
            return
        course.advance()
        course.begin(portion)
        for number, position in _matching(portion, store.results_with(portion.keys), course):
            yield NewPosition(number, position)


def _matching(
    portion: Portion, stored: Iterable[StoredResult], course: WithdrawalCourse
) -> Iterator[tuple[int, int]]:
    """Yield number and position of the stored games with the withdrawn bots of the portion.

    Their results are noted in the portion.
    """
    scheduled = {game.key: (at, game) for at, game in enumerate(portion.games, portion.first)}
    for kept in stored:
        position, game = scheduled[kept.key]
        is_noted = kept.key in portion.results
        if not is_noted and kept.result.withdrawn == course.withdrawn(game.entrants):
            portion.results[kept.key] = kept.result
            yield kept.number, position


def _corrections(stored: Iterable[StoredResult], kept: dict[int, int]) -> Iterator[NewPosition]:
    """Yield a move for each stored game that is not at the position that `kept` gives it."""
    for game in stored:
        if game.position != (position := kept.get(game.number)):
            yield NewPosition(game.number, position)


DealId = tuple[str, bytes]
"""A variant and a deal. Boards may share it."""


class WaitingBatches:
    """Batches that are still to be played, and the deals and workers that are busy."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Batch, dict[str, DealId]]] = []
        """Each batch with the deals of its games, by key."""
        self._under_way: dict[str, tuple[DealId, int | None]] = {}
        """By key: the deal of a game under way, and the worker of its lane if it has one."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self._waiting.append((batch, {game.key: _deal(game) for game in batch.games}))

    def take(self) -> Batch | None:
        """Return the first batch that may begin, or None. It is under way then.

        None of its deals is under way, and no earlier batch of its worker is waiting or under way.
        """
        busy_deals = {deal for deal, _ in self._under_way.values()}
        busy_workers = {worker for _, worker in self._under_way.values()} - {None}
        for place, (batch, deals) in enumerate(self._waiting):
            worker = batch.lane.worker if batch.lane else None
            if worker not in busy_workers and busy_deals.isdisjoint(deals.values()):
                self._under_way |= {key: (deal, worker) for key, deal in deals.items()}
                return self._waiting.pop(place)[0]
            if worker is not None:
                busy_workers.add(worker)
        return None

    def finish(self, key: str) -> None:
        """Note that a game of a batch that was taken is over."""
        del self._under_way[key]


def lanes(games: Iterable[Game], workers: int) -> dict[Lane, Sequence[Game]]:
    """Return the games of a portion by lane, in the order in which they are played.

    Each of `workers` gets boards of its own, so that all play side by side. It has the same boards
    in every rotation, and they have different deals. Where boards share a deal, all rotations of
    the first one come before those of the next. Workers get as many boards of each variant, if that
    is possible, since games of different variants take different times.
    """
    found: dict[Lane, list[Game]] = {}
    worker_of: dict[DealId, int] = {}
    turns: Counter[tuple[DealId, int]] = Counter()
    deals: dict[str, list[int]] = {}
    """By variant and worker, the number of deals."""
    sizes = [0] * workers
    """By worker, the number of games."""
    for game in games:
        deal = _deal(game)
        if deal not in worker_of:
            own = deals.setdefault(game.variant, [0] * workers)
            _, _, worker_of[deal] = min(zip(own, sizes, range(workers), strict=True))
            own[worker_of[deal]] += 1
        worker = worker_of[deal]
        sizes[worker] += 1
        turn = turns[deal, game.rotation]
        turns[deal, game.rotation] += 1
        found.setdefault(Lane(turn, game.rotation, worker), []).append(game)
    return {lane: found[lane] for lane in sorted(found)}


def _deal(game: Game) -> DealId:
    return (game.variant, bytes(game.deal))
