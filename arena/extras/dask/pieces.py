"""Batches cut into pieces that take a few seconds, so that workers share them evenly."""

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from arena.base.contracts import Batch
from arena.base.errors import ArenaError
from arena.base.record import Game

PIECE_S = 4.0
"""The time that a piece should take.

Longer pieces cost less to send. Shorter ones are shared more evenly, and less is played again when
a worker is lost."""
INITIAL_GAME_S = 0.25
"""The estimated time of a game of a variant that was not played yet."""
MAX_CHANGE = 10.0
"""The factor by which one piece may change the estimated time of a game."""
MAX_LOSSES = 5
"""Workers that may be lost with the same piece before the run gives up."""


class Piece(msgspec.Struct, frozen=True, eq=False):
    """Games of a batch, in its order, for one worker."""

    batch: Batch
    losses: int = 0
    """Workers that were lost with these games."""

    @property
    def part(self) -> int | None:
        """The worker of its lane: batches with the same number prefer the same machine."""
        return self.batch.lane.worker if self.batch.lane else None


class Pieces:
    """The games that are to be given to workers, and the time that they take."""

    def __init__(self, piece_s: float = PIECE_S) -> None:
        self._piece_s = piece_s
        self._waiting: list[Piece] = []
        self._game_s: dict[str, float] = {}
        """By variant, the measured seconds of a game."""

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def batches(self) -> Iterable[Batch]:
        """The batches of which games wait."""
        return [piece.batch for piece in self._waiting]

    def add(self, batch: Batch) -> None:
        """Add the games of a batch behind the others."""
        self._waiting.append(Piece(batch))

    def take(
        self,
        bots_for: Callable[[Batch], Collection[str]],
        own: Collection[int],
        others: Collection[int] | None,
    ) -> Piece | None:
        """Return the next piece for a worker, or None.

        Args:
            bots_for: the bots of a batch that run on the worker. It gets only games of these.
            own: the parts whose bots the worker has kept, which come first.
            others: the parts of all workers. Those of others come last. None takes own parts only.
        """

        def rank(place: int) -> tuple[int, int]:
            part = self._waiting[place].part
            return (0 if part in own else 2 if part in (others or ()) else 1), place

        places: Iterable[int] = range(len(self._waiting))
        if others is None:
            places = [place for place in places if self._waiting[place].part in own]
        for place in sorted(places, key=rank):
            bots = bots_for(self._waiting[place].batch)
            if bots and (cut := self._cut(place, bots)):
                return cut
        return None

    def _cut(self, place: int, bots: Collection[str]) -> Piece | None:
        """Cut off the first games of these bots. Return None if there are none."""
        piece = self._waiting[place]
        games = iter(piece.batch.games)
        chosen: list[Game] = []
        left: list[Game] = []
        seconds = 0.0
        for game in games:
            if not all(name in bots for name in game.entrants):
                left.append(game)
                continue
            chosen.append(game)
            seconds += self._game_s.get(game.variant, INITIAL_GAME_S)
            if seconds >= self._piece_s:
                break
        left += games
        if not left:
            return self._waiting.pop(place)
        if chosen:
            self._waiting[place] = _with_games(piece, left)
        return _with_games(piece, chosen) if chosen else None

    def measured(self, piece: Piece, seconds: float) -> None:
        """Note how long a piece took."""
        variants = [game.variant for game in piece.batch.games]
        estimated = sum([self._game_s.get(variant_id, INITIAL_GAME_S) for variant_id in variants])
        factor = min(MAX_CHANGE, max(1 / MAX_CHANGE, seconds / estimated))
        for variant in set(variants):
            self._game_s[variant] = self._game_s.get(variant, INITIAL_GAME_S) * factor

    def give_back(self, piece: Piece, *, is_lost: bool = True) -> None:
        """Put a piece in front of the others, since its worker does not play it.

        Raises:
            ArenaError: one worker after another `is_lost` with it.
        """
        losses = piece.losses + is_lost
        if losses >= MAX_LOSSES:
            bots = ", ".join([entrant.name for entrant in piece.batch.entrants])
            raise ArenaError(
                f"{losses} Dask workers in a row were lost with the same games, with {bots}: "
                "look into the logs of the workers"
            )
        self._waiting.insert(0, Piece(piece.batch, losses))


def _with_games(piece: Piece, games: Sequence[Game]) -> Piece:
    """Return a piece with some of its games, and only the bots that are in them."""
    names = {name for game in games for name in game.entrants}
    batch = msgspec.structs.replace(
        piece.batch,
        games=tuple(games),
        entrants=tuple([entrant for entrant in piece.batch.entrants if entrant.name in names]),
        withdrawn={name: why for name, why in piece.batch.withdrawn.items() if name in names},
    )
    return Piece(batch, piece.losses)
