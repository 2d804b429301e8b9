"""The backlog of a run: its games that are not played yet, in batches."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from arena.contracts import Batch, Played
from arena.record import Game
from arena.schedule.plan import Board
from arena.tournament.games import boards, games_of
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
        self._chance = settings.chance(store.secret(settings.secret))
        self._withdrawals = Withdrawals()
        self._under_way: dict[str, tuple[int, _Portion]] = {}
        """By key: the position of the game in the schedule, and its portion."""

    def batches(self, workers: int) -> Iterator[Batch | None]:
        """Yield batches of missing games. The games of a batch have the same rotation.

        A portion gives at least `workers` batches if it has enough games. None means that the next
        batch depends on games under way: the withdrawals are not known yet.
        """
        games_before = 0
        uncounted: deque[_Portion] = deque()
        for number, some in enumerate(_portions(boards(self._settings, self._chance))):
            while number - len(uncounted) < portions_that_count(number):
                while not uncounted[0].is_over:
                    yield None
                self._count(uncounted.popleft())
            games = [
                game for board in some for game in games_of(board, self._settings, self._chance)
            ]
            portion = _Portion([game.key for game in games])
            uncounted.append(portion)
            for part in _parts(self._missing(portion, games, games_before), workers):
                yield self._batch(part)
            games_before += len(games)

    def finish(self, played: Played) -> int:
        """Note that a game is over, and return its position in the schedule."""
        position, portion = self._under_way.pop(played.key)
        portion.conducts[played.key] = conduct_in(bytes(played.record))
        return position

    def _missing(
        self, portion: "_Portion", games: Sequence[Game], games_before: int
    ) -> Sequence[Game]:
        """Return the games of a portion that the store does not have; they are under way now."""
        for key, record in self._store.raw_records_of(portion.keys):
            portion.conducts[key] = conduct_in(record)
        missing = []
        for position, game in enumerate(games, games_before):
            if game.key not in portion.conducts:
                self._under_way[game.key] = (position, portion)
                missing.append(game)
        return missing

    def _count(self, portion: "_Portion") -> None:
        if self._settings.withdrawal:
            for key in portion.keys:
                self._withdrawals.count(portion.conducts[key])

    def _batch(self, games: Sequence[Game]) -> Batch:
        settings, reasons = self._settings, self._withdrawals.reasons
        names = {name for game in games for name in game.entrants}
        entrants = [entrant for entrant in settings.entrants if entrant.name in names]
        withdrawn = {name: reasons[name] for name in sorted(names) if name in reasons}
        return Batch(tuple(games), tuple(entrants), settings.limits, settings.sandbox, withdrawn)


class _Portion:
    """The games of consecutive boards of the schedule, and what is known of the played ones."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
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


def _parts(games: Iterable[Game], workers: int) -> Iterator[Sequence[Game]]:
    """Yield the games in parts of one rotation each: at least `workers` parts if possible."""
    by_rotation: dict[int, list[Game]] = {}
    for game in games:
        by_rotation.setdefault(game.rotation, []).append(game)
    for alike in by_rotation.values():
        parts = -(-workers // len(by_rotation))
        for first in range(min(parts, len(alike))):
            yield alike[first::parts]
