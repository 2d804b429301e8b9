"""Batches of a run in which no deal is under way twice at the same time.

Bots on one machine can signal to each other, if slowly. A bot that plays a deal in two rotations
at once could so tell itself the cards of two seats.

A bot process that is kept between two batches knows the deals that it has met. It runs only in the
batches of its lane. These wait for all earlier batches of their part, so it runs only when the
boards that it has met are over in all rotations.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena.contracts import Batch, Lane
from arena.record import Game

DealId = tuple[str, bytes]
"""A variant and a deal. Boards may share it."""


class WaitingBatches:
    """Batches that are still to be played, and the deals and parts that are under way."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Batch, dict[str, DealId]]] = []
        """Each batch with the deals of its games, by key."""
        self._games: dict[str, tuple[DealId, int | None]] = {}
        """By key: the deal of a game under way, and its part of the portion if it has a lane."""
        self._deals: set[DealId] = set()
        """The deals under way. No batch has a deal twice, so each belongs to one game."""
        self._parts: Counter[int] = Counter()
        """The number of games under way of each part."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, batch: Batch) -> None:
        """Add a batch behind the others."""
        self._waiting.append((batch, {game.key: _deal(game) for game in batch.games}))

    def take(self) -> Batch | None:
        """Return the first batch that may begin, or None. It is under way then.

        None of its deals is under way, and no earlier batch of its part is waiting or under way.
        """
        busy = {part for part, games in self._parts.items() if games}
        for place, (batch, deals) in enumerate(self._waiting):
            part = batch.lane.part if batch.lane else None
            if part not in busy and self._deals.isdisjoint(deals.values()):
                self._begin(deals, part)
                return self._waiting.pop(place)[0]
            if part is not None:
                busy.add(part)
        return None

    def _begin(self, deals: Mapping[str, DealId], part: int | None) -> None:
        self._games |= {key: (deal, part) for key, deal in deals.items()}
        self._deals.update(deals.values())
        if part is not None:
            self._parts[part] += len(deals)

    def finish(self, key: str) -> None:
        """Note that a game of a batch that was taken is over."""
        deal, part = self._games.pop(key)
        self._deals.remove(deal)
        if part is not None:
            self._parts[part] -= 1


def lanes(games: Iterable[Game], workers: int) -> dict[Lane, Sequence[Game]]:
    """Return the games of a portion by lane, in the order in which they are played.

    They have one part for each of `workers`, which can play side by side. The boards of a part are
    the same in every rotation, and have different deals. Where boards share a deal, all rotations
    of the first one come before those of the next. Parts have as many boards of each variant, if
    that is possible, since games of different variants take different times.
    """
    found: dict[Lane, list[Game]] = {}
    parts: dict[DealId, int] = {}
    turns: Counter[tuple[DealId, int]] = Counter()
    deals: dict[str, list[int]] = {}
    """By variant and part, the number of deals."""
    sizes = [0] * workers
    """By part, the number of games."""
    for game in games:
        deal = _deal(game)
        if deal not in parts:
            own = deals.setdefault(game.variant, [0] * workers)
            _, _, parts[deal] = min(zip(own, sizes, range(workers), strict=True))
            own[parts[deal]] += 1
        part = parts[deal]
        sizes[part] += 1
        turn = turns[deal, game.rotation]
        turns[deal, game.rotation] += 1
        found.setdefault(Lane(turn, game.rotation, part), []).append(game)
    return {lane: found[lane] for lane in sorted(found)}


def _deal(game: Game) -> DealId:
    return (game.variant, bytes(game.deal))
