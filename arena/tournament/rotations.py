"""The order in which the rotations of boards are played: never two of one board together.

Bots that play the same deal at the same time could tell each other what they see, through whatever
a sandbox leaves open. One rotation after the other, there is nobody to tell.
"""

from collections.abc import Sequence

from arena.record import Game


class _Part:
    """Boards of which one rotation is under way at most."""

    def __init__(self) -> None:
        self.rotations: dict[int, list[Game]] = {}
        """The games that are not handed out, by rotation."""
        self.under_way = 0
        """Games that are handed out and not over."""


class Rotations:
    """Hands out games so that no two rotations of a board are under way together.

    The boards are dealt into parts. A part is handed out one rotation at a time, to be played by
    the same bot processes, and its next rotation when all these games are over.
    """

    def __init__(self, games: Sequence[Game], parts: int) -> None:
        """Take games of any boards, and the number of parts to be under way together."""
        boards = list(dict.fromkeys([(game.variant, game.board) for game in games]))
        self._parts = [_Part() for _ in range(min(parts, len(boards)))]
        part_of = {board: self._parts[n % parts] for n, board in enumerate(boards)}
        self._part_of = {game.key: part_of[game.variant, game.board] for game in games}
        for game in games:
            part = self._part_of[game.key]
            part.rotations.setdefault(game.rotation, []).append(game)

    @property
    def has_more(self) -> bool:
        """Whether games are left to be handed out."""
        return any(part.rotations for part in self._parts)

    def next(self) -> Sequence[Game]:
        """Hand out games of one rotation, the lowest first. There are none if all have to wait."""
        free = [part for part in self._parts if part.rotations and not part.under_way]
        if not free:
            return ()
        part = min(free, key=lambda part: min(part.rotations))
        games = part.rotations.pop(min(part.rotations))
        part.under_way = len(games)
        return games

    def finish(self, key: str) -> None:
        """Note that a game which was handed out is over."""
        self._part_of[key].under_way -= 1
