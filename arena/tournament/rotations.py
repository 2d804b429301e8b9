"""Batches of a run in which no deal is under way twice at the same time.

Bots on one machine can signal to each other, if slowly. A bot that plays a deal in two rotations
at once could so tell itself the cards of two seats.

A bot process that is kept between two batches knows the deals that it has met. It runs only in the
batches of its lane. These wait for all earlier batches of their part, so it runs only when the
boards that it has met are over in all rotations.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.contracts import Batch, Lane
from arena.record import Game

DealId = tuple[str, bytes]
"""A variant and a deal. Boards may share it."""


class WaitingBatches:
    """Batches that are still to be played, and the deals and parts that are under way."""

    def __init__(self) -> None:
        self._waiting: list[Batch] = []
        self._under_way: dict[str, tuple[DealId, int | None]] = {}
        """By key: the deal of a game under way, and its part of the portion if it has a lane."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self._waiting.append(batch)

    def take(self) -> Batch | None:
        """Return the first batch that may begin, or None. It is under way then.

        None of its deals is under way, and no earlier batch of its part is waiting or under way.
        """
        deals = {deal for deal, _ in self._under_way.values()}
        busy_parts = {part for _, part in self._under_way.values()} - {None}
        for place, batch in enumerate(self._waiting):
            part = batch.lane.part if batch.lane else None
            if part not in busy_parts and deals.isdisjoint(map(_deal, batch.games)):
                self._under_way |= {game.key: (_deal(game), part) for game in batch.games}
                return self._waiting.pop(place)
            if part is not None:
                busy_parts.add(part)
        return None

    def finish(self, key: str) -> None:
        """Note that a game of a batch that was taken is over."""
        del self._under_way[key]


def lanes(games: Iterable[Game], workers: int) -> dict[Lane, Sequence[Game]]:
    """Return the games of a portion by lane, in the order in which they are played.

    They have one part for each of `workers`, which can play side by side. The boards of a part are
    the same in every rotation, and have different deals. Where boards share a deal, all rotations
    of the first one come before those of the next.
    """
    found: dict[Lane, list[Game]] = {}
    places: dict[DealId, int] = {}
    turns: Counter[tuple[DealId, int]] = Counter()
    for game in games:
        deal = _deal(game)
        place = places.setdefault(deal, len(places))
        turn = turns[deal, game.rotation]
        turns[deal, game.rotation] += 1
        found.setdefault(Lane(turn, game.rotation, place % workers), []).append(game)
    return {lane: found[lane] for lane in sorted(found)}


def _deal(game: Game) -> DealId:
    return (game.variant, bytes(game.deal))
