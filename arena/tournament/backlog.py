"""The backlog of a run: its games that are not played yet, in batches."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from arena.contracts import Batch, Played
from arena.record import Game
from arena.schedule.plan import Board
from arena.tournament.games import boards, games_of
from arena.tournament.rotations import Rotations
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from arena.tournament.withdrawal import Conduct, Withdrawals, conduct_in, portions_that_count

INITIAL_PORTION_BOARDS, MAX_PORTION_BOARDS = 25, 1_600
"""Boards of the first portion, and of the largest one.

A portion is played before later ones begin. The first one is small, so that results show soon. Each
one is twice as large as the one before, to spread the cost of starting bots over more games.
"""


class Backlog:
    """Yields the missing games of a run in batches, and withdraws bots between portions."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._withdrawals = Withdrawals()
        self._under_way: dict[str, tuple[int, _Portion]] = {}
        """By key: the position of the game in the schedule, and its portion."""
        self._uncounted: deque[_Portion] = deque()
        self._begun = self._games_begun = 0  # portions, and their games

    def batches(self, workers: int) -> Iterator[Batch | None]:
        """Yield batches of missing games. The games of a batch have the same rotation.

        Batches that are under way together have no board in common. A portion gives a batch to each
        of the `workers` if it has enough boards. None means that the next batch depends on games
        under way: another rotation of its boards is played, or withdrawals are not known yet.
        """
        upcoming = _portions(boards(self._settings))
        following = next(upcoming, None)
        giving: list[_Portion] = []
        while giving or following:
            for portion in giving:
                if games := portion.rotations.next():
                    yield self._batch(games, portion.withdrawn)
                    break
            else:
                if following and self._may_begin():
                    giving.append(self._begin(following, workers))
                    following = next(upcoming, None)
                else:
                    yield None
            giving = [portion for portion in giving if portion.rotations.has_more]

    def finish(self, played: Played) -> int:
        """Note that a game is over, and return its position in the schedule."""
        position, portion = self._under_way.pop(played.key)
        portion.conducts[played.key] = conduct_in(bytes(played.record))
        portion.rotations.finish(played.key)
        return position

    def _may_begin(self) -> bool:
        """Count the portions that decide the withdrawals of the next one; False if one lacks."""
        while self._begun - len(self._uncounted) < portions_that_count(self._begun):
            if not self._uncounted[0].is_over:
                return False
            self._count(self._uncounted.popleft())
        return True

    def _begin(self, some: Sequence[Board], workers: int) -> "_Portion":
        games = [game for board in some for game in games_of(board, self._settings)]
        portion = _Portion([game.key for game in games], dict(self._withdrawals.reasons))
        portion.rotations = Rotations(self._missing(portion, games), workers)
        self._uncounted.append(portion)
        self._begun += 1
        self._games_begun += len(games)
        return portion

    def _missing(self, portion: "_Portion", games: Sequence[Game]) -> Sequence[Game]:
        """Return the games of a portion that the store does not have; they are under way now."""
        for key, record in self._store.raw_records_of(portion.keys):
            portion.conducts[key] = conduct_in(record)
        missing = []
        for position, game in enumerate(games, self._games_begun):
            if game.key not in portion.conducts:
                self._under_way[game.key] = (position, portion)
                missing.append(game)
        return missing

    def _count(self, portion: "_Portion") -> None:
        if self._settings.withdrawal:
            for key in portion.keys:
                self._withdrawals.count(portion.conducts[key])

    def _batch(self, games: Sequence[Game], reasons: Mapping[str, str]) -> Batch:
        settings = self._settings
        names = {name for game in games for name in game.entrants}
        entrants = [entrant for entrant in settings.entrants if entrant.name in names]
        withdrawn = {name: reasons[name] for name in sorted(names) if name in reasons}
        return Batch(tuple(games), tuple(entrants), settings.limits, settings.sandbox, withdrawn)


class _Portion:
    """The games of consecutive boards of the schedule, and what is known of the played ones."""

    def __init__(self, keys: Sequence[str], withdrawn: Mapping[str, str]) -> None:
        self.keys = keys
        self.withdrawn = withdrawn
        """The reasons of the bots that are withdrawn from it."""
        self.rotations = Rotations((), 0)
        """Its missing games."""
        self.conducts: dict[str, Conduct] = {}

    @property
    def is_over(self) -> bool:
        return len(self.conducts) == len(self.keys)


def _portions(schedule: Iterator[Board]) -> Iterator[list[Board]]:
    """Yield the boards of a schedule in portions."""
    size = INITIAL_PORTION_BOARDS
    while some := list(islice(schedule, size)):
        yield some
        size = min(2 * size, MAX_PORTION_BOARDS)
