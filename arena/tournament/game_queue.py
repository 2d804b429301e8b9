"""The queue of a run: its missing games, in batches for the workers.

The bots of a board play its deal once in each rotation. This restricts batches:

- **The rotations of a board are played one after the other.** Bots on one machine can signal to
  each other slowly, so a bot that plays a deal in two rotations at once could learn the cards of
  two seats.
- **A bot process plays a deal in one rotation only.** Processes are reused for the next batch of
  their *lane*: the same worker and rotation.

So each worker has its own boards and plays several at a time, one batch per rotation. After the
last rotation, the processes of all lanes can continue with its next boards:

    worker 0    lane of rotation 0   [ 1 ]             [ 3 5 ]                [ 7 9 11 13 ] ...
                lane of rotation 1         [ 1 ]               [ 3 5 ]
                lane of rotation 2               [ 1 ]                [ 3 5 ]
    worker 1    lane of rotation 0   [ 2 ]             [ 4 6 ]                [ 8 10 12 14 ] ...
                lane of rotation 1 ...

Games count once their board is over. If games are slow, boards are finished one by one. If games
are fast, larger batches are more efficient, because bots answer more requests each time they are
scheduled. So a worker doubles its boards as long as a batch takes less than `MAX_BATCH_S`.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.base.contracts import Batch, Lane, Played
from arena.base.record import Game
from arena.plugins import get_schedule
from arena.schedule.randomness import Randomness
from arena.tournament.database import StoredResult
from arena.tournament.schedule_portions import Portion, scheduled_portions
from arena.tournament.settings import Settings
from arena.tournament.store import NewPosition, Row, Store, row_of

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.tournament.comparison import ComparisonLooks

MAX_BATCH_S = 2.0
"""A worker plays more boards at a time as long as a batch takes less than this."""


class GameQueue:
    """The missing games of a run. Forms batches and withdraws bots."""

    def __init__(
        self, store: Store, settings: Settings, workers: int = 1, games_at_once: int = 1
    ) -> None:
        """Start with the games in `store` that belong to the schedule.

        `workers` is the number of concurrent batches. `games_at_once` is the number of
        concurrent games per worker for bots that wait for another machine.
        """
        self.on_recount: Callable[[int], object] = lambda games: None
        """Called with the number of stored games that count again. Negative if games are set aside.
        """
        self.on_look: Callable[[str, Certificate], object] = lambda variant, certificate: None
        """Called after each look with a variant and what is certain about its order."""
        self.clock: Callable[[], float] = time.monotonic
        self.looks: ComparisonLooks | None = None
        """In a comparison, receives the games as they end."""
        if settings.is_comparison:
            from arena.tournament import comparison  # not above: other runs start faster

            self.looks = comparison.ComparisonLooks(settings, store.results())
        self._store = store
        self._settings = settings
        chance = settings.chance(store.secret(settings.secret))
        self._portions = scheduled_portions(settings, chance)
        self._coming: Portion | None = None
        self._told: dict[str, Certificate] = {}
        waits = any(entrant.waits for entrant in settings.entrants)
        self._workers = [_Worker(games_at_once if waits else 1) for _ in range(workers)]
        self._under_way: dict[str, _UnderWay] = {}

    def take(self) -> Batch | None:
        """Return the next batch and mark its games as under way.

        None means that there is no batch now: all games are played, or the next batch depends on
        games under way. No batch begins after the verdict of a comparison.
        """
        if self.looks and self.looks.is_decided:
            return None
        while not (batch := self._take()) and self._extend():
            pass
        self._tell_looks()
        return batch

    def finish(self, played: Played) -> Row:
        """Record that a game is over, and return it as it is stored."""
        ended = self._under_way.pop(played.key)
        row = row_of(played.key, ended.position, bytes(played.record), played.seen)
        ended.portion.results[played.key] = row.result
        ended.worker.finish(self.clock())
        if self.looks:
            self.looks.add(row.result)
        return row

    def plan_ahead(self, boards: int) -> None:
        """Plan the next `boards` now, before a worker has to wait for them."""
        self._portions.plan_ahead(boards)

    def _take(self) -> Batch | None:
        """Return a batch for an idle worker, if none of its deals is in use; else None.

        Different boards may have the same deal.
        """
        busy = {game.deal for game in self._under_way.values()}
        for number, worker in enumerate(self._workers):
            coming = worker.coming()
            if coming and busy.isdisjoint([_deal(game) for _, game in coming.games]):
                worker.begin(self.clock())
                for position, game in coming.games:
                    told = _UnderWay(position, coming.portion, worker, _deal(game))
                    self._under_way[game.key] = told
                return self._batch(coming, number)
        return None

    def _batch(self, coming: "_Coming", worker: int) -> Batch:
        settings = self._settings
        games = tuple([game for _, game in coming.games])
        names = {name for game in games for name in game.entrants}
        shares_deals = get_schedule(settings.schedule).boards_per_deal > 1  # also between portions
        return Batch(
            games,
            tuple([entrant for entrant in settings.entrants if entrant.name in names]),
            settings.limits,
            settings.sandbox,
            coming.portion.withdrawn_among(sorted(names)),
            None if shares_deals else Lane(coming.turn, games[0].rotation, worker),
        )

    def _extend(self) -> bool:
        portion = self._coming = self._coming or self._portions.extend()
        if portion is None or not self._portions.decide(portion):
            return False
        self._coming = None
        self._take_stored(portion)
        share_out(portion, self._workers)
        return True

    def _take_stored(self, portion: Portion) -> None:
        """Read a portion's results from the store.

        If the run has grown, a stored game may have other withdrawn bots. It is set aside and
        played again.
        """
        stored = list(self._store.results_with(portion.keys))
        kept = dict(_matching(portion, stored))
        if moves := list(_corrections(stored, kept)):
            before = self._store.count()
            self._store.move(moves)
            if more := self._store.count() - before:
                self.on_recount(more)

    def _tell_looks(self) -> None:
        """Report the latest look at each variant once."""
        for variant, course in self._portions.courses.items():
            certificate = course.certificate
            if certificate and certificate != self._told.get(variant):
                self._told[variant] = certificate
                self.on_look(variant, certificate)


def kept_games(store: Store, settings: Settings, chance: Randomness) -> Iterator[NewPosition]:
    """Yield the stored games that count with these settings, with their positions.

    After a missing game, withdrawals aren't known, nor the next games with a stop rule. Those known
    so far are used, and the queue corrects the result when it gets there.
    """
    portions = scheduled_portions(settings, chance)
    while portion := portions.extend():
        portions.decide(portion)
        for number, position in _matching(portion, store.results_with(portion.keys)):
            yield NewPosition(number, position)


def _matching(portion: Portion, stored: Iterable[StoredResult]) -> Iterator[tuple[int, int]]:
    """Yield number and position of the stored games with the same withdrawn bots as the portion.

    Their results are added to the portion.
    """
    scheduled = {game.key: (at, game) for at, game in enumerate(portion.games, portion.first)}
    for kept in stored:
        position, game = scheduled[kept.key]
        is_noted = kept.key in portion.results
        if not is_noted and kept.result.withdrawn == portion.withdrawn_among(game.entrants):
            portion.results[kept.key] = kept.result
            yield kept.number, position


def _corrections(stored: Iterable[StoredResult], kept: dict[int, int]) -> Iterator[NewPosition]:
    for game in stored:
        if game.position != (position := kept.get(game.number)):
            yield NewPosition(game.number, position)


# -- the boards of a worker ----------------------------------------------------------------------

DealId = tuple[str, bytes]


def _deal(game: Game) -> DealId:
    return (game.variant, bytes(game.deal))


class _Coming(NamedTuple):
    """The next missing games: those of a board, or of several boards in one rotation."""

    portion: Portion
    turn: int
    games: Sequence[tuple[int, Game]]


class _Worker:
    """The missing games of a worker. It plays several boards at a time, rotation by rotation."""

    def __init__(self, least: int) -> None:
        self.boards: deque[_Coming] = deque()
        self._batches: deque[_Coming] = deque()
        self._least = self._boards_at_once = least
        self._began = 0.0
        self._left = self._games = 0
        self._game_s: float | None = None

    def coming(self) -> _Coming | None:
        if self._left:
            return None
        if not self._batches and self.boards:
            self._batches.extend(self._next_batches())
        return self._batches[0] if self._batches else None

    def _next_batches(self) -> Iterator[_Coming]:
        if self._game_s is not None:
            in_time = int(MAX_BATCH_S / max(self._game_s, 1e-6))
            self._boards_at_once = max(self._least, min(2 * self._boards_at_once, in_time))
        portion = self.boards[0].portion
        found: dict[tuple[int, int], list[tuple[int, Game]]] = {}
        for _ in range(self._boards_at_once):
            if not self.boards or self.boards[0].portion is not portion:
                break
            board = self.boards.popleft()
            for position, game in board.games:
                found.setdefault((board.turn, game.rotation), []).append((position, game))
        for turn, rotation in sorted(found):
            yield _Coming(portion, turn, found[turn, rotation])

    def begin(self, now: float) -> None:
        self._left = self._games = len(self._batches.popleft().games)
        self._began = now

    def finish(self, now: float) -> None:
        self._left -= 1
        if not self._left:
            self._game_s = (now - self._began) / self._games


class _UnderWay(NamedTuple):
    position: int
    portion: Portion
    worker: _Worker
    deal: DealId


def share_out(portion: Portion, workers: Sequence[_Worker]) -> None:
    """Distribute the boards of a portion that have missing games among the workers.

    Boards that share a deal go to the same worker. If possible, all workers get the same number of
    boards of each variant, because the duration of a game depends on the variant.
    """
    worker_of: dict[DealId, int] = {}
    turns = Counter[DealId]()
    deals: dict[str, list[int]] = {}
    sizes = [0] * len(workers)
    position = portion.first
    for board in portion.boards:
        numbered = enumerate(board, position)
        position += len(board)
        missing = [(at, game) for at, game in numbered if game.key not in portion.results]
        if not missing:
            continue
        deal = _deal(board[0])
        if deal not in worker_of:
            own = deals.setdefault(board[0].variant, [0] * len(workers))
            _, _, worker_of[deal] = min(zip(own, sizes, range(len(workers)), strict=True))
            own[worker_of[deal]] += 1
        sizes[worker_of[deal]] += len(missing)
        workers[worker_of[deal]].boards.append(_Coming(portion, turns[deal], missing))
        turns[deal] += 1
