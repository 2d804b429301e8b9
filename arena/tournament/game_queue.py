"""Divide the remaining games of a run into batches for its workers.

A bot plays each deal from several seats and must not recognize a deal from an earlier game. The
games of a board are played one after another, because bots could exchange information between
concurrent games. No bot process plays the same deal twice.

Each worker receives a few boards at a time. The worker plays the first game of every board, then
the second game of every board, and so on. An example with two workers and a three-seat game:

    worker 0    boards 1 2: rotation 0, 1, 2    boards 5 6 7 8: rotation 0, 1, 2    ...
    worker 1    boards 3 4: rotation 0, 1, 2    boards 9 10 11 12: rotation 0, ...
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from arena.base.contracts import Batch, Played
from arena.base.record import Game
from arena.schedule.randomness import Randomness
from arena.tournament.blocks import Block, Blocks
from arena.tournament.database import StoredResult
from arena.tournament.settings import Settings
from arena.tournament.store import NewPosition, Row, Store, row_of

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.tournament.comparison import SequentialComparison

MAX_BATCH_S = 2.0
"""Maximum duration of a batch of games, in seconds."""


class GameQueue:
    def __init__(
        self, store: Store, settings: Settings, workers: int = 1, games_at_once: int = 1
    ) -> None:
        # Called with the change in the number of completed games.
        self.on_recount: Callable[[int], object] = lambda games: None
        # In runs with a stop rule, called after each check.
        self.on_ranking: Callable[[str, Certificate], object] = lambda variant, certificate: None
        self.clock: Callable[[], float] = time.monotonic
        self.comparison: SequentialComparison | None = None
        if settings.is_comparison:
            from arena.tournament import comparison  # imported here so that other runs start faster

            self.comparison = comparison.SequentialComparison(settings, store.results())
        self._store = store
        self._settings = settings
        self._blocks = Blocks(settings, settings.chance(store.secret(settings.secret)))
        self._blocks.on_pairing = self._note_pairing
        self._rows: list[Row] = []
        self._reported: dict[str, Certificate] = {}
        self._workers = workers
        waits = any(entrant.waits for entrant in settings.entrants)
        self._fewest = self._boards_at_once = games_at_once if waits else 1
        self._game_s: float | None = None
        self._boards: list[_OpenBoard] = []
        self._groups: dict[int, _Group] = {}
        self._under_way: dict[str, _RunningGame] = {}
        self._met: set[int] = set()

    def take(self) -> Batch | None:
        """Return the next batch of games, or None if the run is over or if the next batch depends
        on unfinished games.
        """
        if self.comparison and self.comparison.is_decided:
            return None
        while not (batch := self._take()) and self._begin_block():
            pass
        self._report_looks()
        return batch

    def finish(self, played: Played) -> Row:
        """Return a finished game as a row of the run's database."""
        ended = self._under_way.pop(played.key)
        row = row_of(played.key, ended.position, bytes(played.record), played.seen)
        group = ended.group
        group.block.results[played.key] = row.result
        group.under_way -= 1
        if not group.under_way:
            batch = group.batches.popleft()
            self._game_s = (self.clock() - group.began) / len(batch)
            if not group.batches:
                del self._groups[group.worker]
        if self.comparison:
            self.comparison.add(row.result)
        self._rows.append(row)
        return row

    def store_finished(self) -> None:
        self._store.add_rows(self._rows)
        self._rows.clear()

    def _note_pairing(self, settings: Settings) -> None:
        self.store_finished()  # the pairing follows from these results
        self._store.note_settings(settings)

    def plan_ahead(self, boards: int) -> None:
        self._blocks.plan_ahead(boards)

    def _take(self) -> Batch | None:
        idle = (group for group in self._groups.values() if not group.under_way)
        group = next(idle, None) or self._new_group()
        if group is None:
            return None
        games = [game for _, game in group.batches[0]]
        group.began, group.under_way = self.clock(), len(games)
        for position, game in group.batches[0]:
            self._under_way[game.key] = _RunningGame(position, group)
        names = {name for game in games for name in game.entrants}
        return Batch(
            tuple(games),
            tuple([entrant for entrant in self._settings.entrants if entrant.name in names]),
            self._settings.limits,
            self._settings.sandbox,
            group.block.withdrawn_among(sorted(names)),
            games[0].rotation if group.keeps_processes else None,
            group.worker,
        )

    def _new_group(self) -> "_Group | None":
        free = [worker for worker in range(self._workers) if worker not in self._groups]
        if not free or not self._boards:
            return None
        if self._game_s is not None:
            in_time = int(MAX_BATCH_S / max(self._game_s, 1e-6))
            self._boards_at_once = max(self._fewest, min(2 * self._boards_at_once, in_time))
        most = min(self._boards_at_once, -(-len(self._boards) // self._workers))
        most = max(most, min(self._fewest, len(self._boards)))
        busy = {deal for group in self._groups.values() for deal in group.deals}
        chosen: list[_OpenBoard] = []
        others: list[_OpenBoard] = []
        for board in self._boards:
            is_next = not chosen or board.block is chosen[0].block
            if is_next and len(chosen) < most and board.deal not in busy:
                busy.add(board.deal)
                chosen.append(board)
            else:
                others.append(board)
        if not chosen:
            return None
        self._boards = others
        deals = {board.deal for board in chosen}
        batches: dict[int, list[tuple[int, Game]]] = {}
        for board in chosen:
            for position, game in board.games:
                batches.setdefault(game.rotation, []).append((position, game))
        is_new = self._met.isdisjoint(map(hash, deals))
        self._met.update(map(hash, deals))
        in_order = deque([batches[rotation] for rotation in sorted(batches)])
        keeps_processes = is_new and not self._settings.is_comparison  # new processes are fairer
        group = _Group(chosen[0].block, free[0], deals, in_order, keeps_processes)
        self._groups[group.worker] = group
        return group

    def _begin_block(self) -> bool:
        if (block := self._blocks.next()) is None:
            return False
        self._take_stored(block)
        position = block.first
        for board in block.boards:
            missing = [
                (at, game)
                for at, game in enumerate(board, position)
                if game.key not in block.results
            ]
            position += len(board)
            if missing:
                deal = board[0].variant, bytes(board[0].deal)
                self._boards.append(_OpenBoard(block, deal, missing))
        return True

    def _take_stored(self, block: Block) -> None:
        stored = list(self._store.results_with(block.keys))
        kept = dict(_matching(block, stored))
        if moves := [
            NewPosition(game.number, kept.get(game.number))
            for game in stored
            if game.position != kept.get(game.number)
        ]:
            before = self._store.count()
            self._store.move(moves)
            if more := self._store.count() - before:
                self.on_recount(more)

    def _report_looks(self) -> None:
        for variant, course in self._blocks.courses.items():
            certificate = course.certificate
            if certificate and certificate != self._reported.get(variant):
                self._reported[variant] = certificate
                self.on_ranking(variant, certificate)


def kept_games(store: Store, settings: Settings, chance: Randomness) -> Iterator[NewPosition]:
    """Yield each stored game that is still valid under new settings, with its position in the new
    schedule.
    """
    blocks = Blocks(settings, chance)
    while block := blocks.next(wait=False):
        for number, position in _matching(block, store.results_with(block.keys)):
            yield NewPosition(number, position)


def _matching(block: Block, stored: Iterable[StoredResult]) -> Iterator[tuple[int, int]]:
    scheduled = {game.key: (at, game) for at, game in enumerate(block.games, block.first)}
    for kept in stored:
        position, game = scheduled[kept.key]
        is_noted = kept.key in block.results
        if not is_noted and kept.result.withdrawn == block.withdrawn_among(game.entrants):
            block.results[kept.key] = kept.result
            yield kept.number, position


# -- boards under way --------------------------------------------------------------------------

DealId = tuple[str, bytes]


class _OpenBoard(NamedTuple):
    block: Block
    deal: DealId
    games: Sequence[tuple[int, Game]]


class _Group:
    def __init__(
        self,
        block: Block,
        worker: int,
        deals: Set[DealId],
        batches: deque[list[tuple[int, Game]]],
        keeps_processes: bool,
    ) -> None:
        self.block = block
        self.worker = worker
        self.deals = deals
        self.batches = batches
        self.keeps_processes = keeps_processes
        self.under_way = 0
        self.began = 0.0


class _RunningGame(NamedTuple):
    position: int
    group: _Group
