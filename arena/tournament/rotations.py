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
        self._waiting: list[tuple[Batch, dict[str, DealId]]] = []
        """Each batch with the deals of its games, by key."""
        self._deals: dict[str, DealId] = {}
        """The deals of the games under way, by key."""
        self._under_way: set[DealId] = set()
        """The same deals. No batch has a deal twice, so each belongs to one game."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self._waiting.append((batch, {game.key: _deal(game) for game in batch.games}))

    def take(self) -> Batch | None:
        """Return the first batch of whose deals none is under way, or None. It is then."""
        for place, (batch, deals) in enumerate(self._waiting):
            if self._under_way.isdisjoint(deals.values()):
                del self._waiting[place]
                self._deals |= deals
                self._under_way.update(deals.values())
                return batch
        return None

    def finish(self, key: str) -> None:
        """Note that a game of a batch that was taken is over."""
        self._under_way.remove(self._deals.pop(key))


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
