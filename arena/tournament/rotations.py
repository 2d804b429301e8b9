"""Batches of a run in which no two rotations of a board are under way at the same time.

Bots on one machine can signal to each other, if slowly. A bot that plays a board in two rotations
at once could so tell itself the cards of two seats.
"""

from collections.abc import Iterable, Sequence

from arena.contracts import Batch
from arena.record import Game

BoardId = tuple[str, int]
"""The variant and number of a board."""


class WaitingBatches:
    """Batches that are still to be played, and the boards that are under way."""

    def __init__(self) -> None:
        self._waiting: list[Batch] = []
        self._under_way: dict[str, BoardId] = {}
        """The boards of the games under way, by the key of the game."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self._waiting.append(batch)

    def take(self) -> Batch | None:
        """Return the first batch of whose boards none is under way, or None. It is then."""
        busy = set(self._under_way.values())
        for place, batch in enumerate(self._waiting):
            if busy.isdisjoint(map(_board, batch.games)):
                self._under_way |= {game.key: _board(game) for game in batch.games}
                return self._waiting.pop(place)
        return None

    def finish(self, key: str) -> None:
        """Note that a game of a batch that was taken is over."""
        del self._under_way[key]


def parts(games: Iterable[Game], workers: int) -> list[Sequence[Game]]:
    """Return games in parts of one rotation each, which `workers` can play side by side.

    The boards of a part are the same in every rotation.
    """
    found: dict[tuple[int, int], list[Game]] = {}
    places: dict[BoardId, int] = {}
    for game in games:
        place = places.setdefault(_board(game), len(places))
        found.setdefault((game.rotation, place % workers), []).append(game)
    return [found[part] for part in sorted(found)]


def _board(game: Game) -> BoardId:
    return (game.variant, game.board)
