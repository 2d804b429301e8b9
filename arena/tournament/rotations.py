"""Batches of a run in which no deal is under way twice at the same time.

Bots on one machine can signal to each other, if slowly. A bot that plays a deal in two rotations
at once could so tell itself the cards of two seats.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.contracts import Batch
from arena.record import Game

DealId = tuple[str, bytes]
"""A variant and a deal. Boards may share it."""


class WaitingBatches:
    """Batches that are still to be played, and the deals that are under way."""

    def __init__(self) -> None:
        self._waiting: list[Batch] = []
        self._under_way: dict[str, DealId] = {}
        """The deals of the games under way, by the key of the game."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self._waiting.append(batch)

    def take(self) -> Batch | None:
        """Return the first batch of whose deals none is under way, or None. It is then."""
        busy = set(self._under_way.values())
        for place, batch in enumerate(self._waiting):
            if busy.isdisjoint(map(_deal, batch.games)):
                self._under_way |= {game.key: _deal(game) for game in batch.games}
                return self._waiting.pop(place)
        return None

    def finish(self, key: str) -> None:
        """Note that a game of a batch that was taken is over."""
        del self._under_way[key]


def parts(games: Iterable[Game], workers: int) -> list[Sequence[Game]]:
    """Return games in parts of one rotation each, which `workers` can play side by side.

    The boards of a part are the same in every rotation, and have different deals. Where boards
    share a deal, all rotations of the first one come before those of the next.
    """
    found: dict[tuple[int, int, int], list[Game]] = {}
    places: dict[DealId, int] = {}
    turns: Counter[tuple[DealId, int]] = Counter()
    for game in games:
        deal = _deal(game)
        place = places.setdefault(deal, len(places))
        turn = turns[deal, game.rotation]
        turns[deal, game.rotation] += 1
        found.setdefault((turn, game.rotation, place % workers), []).append(game)
    return [found[part] for part in sorted(found)]


def _deal(game: Game) -> DealId:
    return (game.variant, bytes(game.deal))
