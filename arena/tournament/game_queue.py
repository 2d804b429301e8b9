"""The queue of a run: its missing games, in batches for the workers.

The bots of a board meet its deal once in each rotation, which says what a batch may be:

- **Rotations of a board come one after the other.** Bots on one machine can signal to each other,
  if slowly, and a bot that plays a deal in two rotations at once could tell itself the cards of two
  seats.
- **A bot process meets a deal in one rotation only.** Processes are kept for the next batch of
  their *lane*: the same worker, the same rotation.

So each worker gets boards of its own and plays some of them at a time, in one batch for each
rotation. When their last rotation is over, the processes of all lanes may go on with its next
boards:

    worker 0    lane of rotation 0   [ 1 ]             [ 3 5 ]                [ 7 9 11 13 ] ...
                lane of rotation 1         [ 1 ]               [ 3 5 ]
                lane of rotation 2               [ 1 ]                [ 3 5 ]
    worker 1    lane of rotation 0   [ 2 ]             [ 4 6 ]                [ 8 10 12 14 ] ...
                lane of rotation 1 ...

Games count once their board is over. So where games are dear, boards are finished one after the
other. Where they are cheap, batches are larger, since bots answer more requests each time that they
have the core: the boards of a worker double each time, while a batch takes less than
`MAX_BATCH_S`.
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
"""The time of a batch up to which a worker plays more boards at a time."""


class GameQueue:
    """The missing games of a run, of which batches are taken, and bots withdrawn from portions."""

    def __init__(
        self, store: Store, settings: Settings, workers: int = 1, games_at_once: int = 1
    ) -> None:
        """Begin with the games of `store` that the schedule of `settings` has.

        Args:
            store: the run.
            settings: its settings.
            workers: the number of batches that are played at the same time.
            games_at_once: the number of games of bots that wait for another machine which a worker
                plays at the same time.
        """
        self.on_recount: Callable[[int], object] = lambda games: None
        """Called with the number of stored games that count again; it is negative for games that
        are set aside."""
        self.on_look: Callable[[str, Certificate], object] = lambda variant, certificate: None
        """Called with a variant and what is certain about its order, after each look."""
        self.clock: Callable[[], float] = time.monotonic
        self.looks: ComparisonLooks | None = None
        """Those of a comparison, which takes the games as they end."""
        if settings.is_comparison:
            from arena.tournament import comparison  # not above: other runs start faster

            self.looks = comparison.ComparisonLooks(settings, store.results())
        self._store = store
        self._settings = settings
        chance = settings.chance(store.secret(settings.secret))
        self._portions = scheduled_portions(settings, chance)
        self._coming: Portion | None = None
        """The next portion, if its withdrawals are not known yet."""
        self._told: dict[str, Certificate] = {}
        waits = any(entrant.waits for entrant in settings.entrants)
        self._workers = [_Worker(games_at_once if waits else 1) for _ in range(workers)]
        self._under_way: dict[str, _UnderWay] = {}
        """By key."""

    def take(self) -> Batch | None:
        """Return the next batch, whose games are under way then.

        None means that there is none now: it depends on games under way, or all are played. None
        begins after the verdict of a comparison.
        """
        if self.looks and self.looks.is_decided:
            return None
        while not (batch := self._take()) and self._extend():
            pass
        self._tell_looks()
        return batch

    def finish(self, played: Played) -> Row:
        """Note that a game is over, and return it as it is stored."""
        ended = self._under_way.pop(played.key)
        row = row_of(played.key, ended.position, bytes(played.record), played.seen)
        ended.portion.results[played.key] = row.result
        ended.worker.finish(self.clock())
        if self.looks:
            self.looks.add(row.result)
        return row

    def plan_ahead(self, boards: int) -> None:
        """Plan the next `boards` now, while no worker waits for them."""
        self._portions.plan_ahead(boards)

    def _take(self) -> Batch | None:
        """Return a batch of a worker that has none under way, if all its deals are free; or None.

        Deals of different boards may be the same.
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
        """Give the workers the missing games of the next portion, if they are known by now."""
        portion = self._coming = self._coming or self._portions.extend()
        if portion is None or not self._portions.decide(portion):
            return False
        self._coming = None
        self._take_stored(portion)
        share_out(portion, self._workers)
        return True

    def _take_stored(self, portion: Portion) -> None:
        """Note the results of a portion that the store has.

        In a run that has grown, it may have a game with other withdrawn bots. Such a game is set
        aside and played again.
        """
        stored = list(self._store.results_with(portion.keys))
        kept = dict(_matching(portion, stored))
        if moves := list(_corrections(stored, kept)):
            before = self._store.count()
            self._store.move(moves)
            if more := self._store.count() - before:
                self.on_recount(more)

    def _tell_looks(self) -> None:
        """Tell the last look at each variant, unless it has been told before."""
        for variant, course in self._portions.courses.items():
            certificate = course.certificate
            if certificate and certificate != self._told.get(variant):
                self._told[variant] = certificate
                self.on_look(variant, certificate)


def kept_games(store: Store, settings: Settings, chance: Randomness) -> Iterator[NewPosition]:
    """Yield the stored games that count in a run with these settings, with their positions.

    Where games are missing, the withdrawals after them are not known. Then those known so far
    decide, and the queue corrects what they have decided when it gets there. With a stop rule, it
    is not known either which games come after them.
    """
    portions = scheduled_portions(settings, chance)
    while portion := portions.extend():
        portions.decide(portion)
        for number, position in _matching(portion, store.results_with(portion.keys)):
            yield NewPosition(number, position)


def _matching(portion: Portion, stored: Iterable[StoredResult]) -> Iterator[tuple[int, int]]:
    """Yield number and position of the stored games with the withdrawn bots of the portion.

    Their results are noted in the portion.
    """
    scheduled = {game.key: (at, game) for at, game in enumerate(portion.games, portion.first)}
    for kept in stored:
        position, game = scheduled[kept.key]
        is_noted = kept.key in portion.results
        if not is_noted and kept.result.withdrawn == portion.withdrawn_among(game.entrants):
            portion.results[kept.key] = kept.result
            yield kept.number, position


def _corrections(stored: Iterable[StoredResult], kept: dict[int, int]) -> Iterator[NewPosition]:
    """Yield a move for each stored game that is not at the position that `kept` gives it."""
    for game in stored:
        if game.position != (position := kept.get(game.number)):
            yield NewPosition(game.number, position)


# -- the boards of a worker ----------------------------------------------------------------------

DealId = tuple[str, bytes]
"""A variant and a deal."""


def _deal(game: Game) -> DealId:
    return (game.variant, bytes(game.deal))


class _Coming(NamedTuple):
    """Missing games that come next: those of a board, or of some boards in one rotation."""

    portion: Portion
    turn: int
    """As in `Lane`."""
    games: Sequence[tuple[int, Game]]
    """Each with its position in the schedule."""


class _Worker:
    """The missing games of a worker. It plays some boards at a time, rotation by rotation."""

    def __init__(self, least: int) -> None:
        """Begin without boards; it plays at least `least` at a time."""
        self.boards: deque[_Coming] = deque()
        self._batches: deque[_Coming] = deque()
        """Those of the boards that it plays."""
        self._least = self._boards_at_once = least
        self._began = 0.0
        self._left = self._games = 0
        """The games of its batch under way, those that are not over and all."""
        self._game_s: float | None = None
        """The time of a game in its last batch."""

    def coming(self) -> _Coming | None:
        """Return the next batch, or None if one is under way or there is none."""
        if self._left:
            return None
        if not self._batches and self.boards:
            self._batches.extend(self._next_batches())
        return self._batches[0] if self._batches else None

    def _next_batches(self) -> Iterator[_Coming]:
        """Yield the batches of the next boards of a portion, one for each rotation and turn."""
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
        """Begin the batch that `coming` has returned."""
        self._left = self._games = len(self._batches.popleft().games)
        self._began = now

    def finish(self, now: float) -> None:
        """Note that a game of the batch under way is over."""
        self._left -= 1
        if not self._left:
            self._game_s = (now - self._began) / self._games


class _UnderWay(NamedTuple):
    """A game under way."""

    position: int
    """In the schedule."""
    portion: Portion
    worker: _Worker
    deal: DealId


def share_out(portion: Portion, workers: Sequence[_Worker]) -> None:
    """Give each of `workers` boards of a portion, as far as games of them are missing.

    Boards that share a deal go to the same worker. Workers get as many boards of each variant, if
    that is possible, since games of different variants take different times.
    """
    worker_of: dict[DealId, int] = {}
    turns = Counter[DealId]()
    deals: dict[str, list[int]] = {}
    """By variant and worker, the number of deals."""
    sizes = [0] * len(workers)
    """By worker, the number of games."""
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
