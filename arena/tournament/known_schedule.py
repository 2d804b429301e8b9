"""The schedule of a run as far as the games that have been read determine it."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.record import Game, GameResult
from arena.schedule.chance import Chance
from arena.tournament.portions import ScheduledPortion, certainty_courses, portions
from arena.tournament.settings import Settings
from arena.tournament.withdrawal import Portion


class ScheduledGame(NamedTuple):
    """A game of a schedule."""

    position: int
    """In the schedule, from 0."""
    game: Game
    portion: Portion


class KnownSchedule:
    """The schedule of a run, which grows as games are noted.

    With a stop rule, a portion is known once all games of the one before have been noted. Without
    one, the whole schedule is known.
    """

    def __init__(self, settings: Settings, chance: Chance) -> None:
        self.portions: list[ScheduledPortion] = []
        self.is_whole = False
        """Whether no other portion can follow."""
        self._coming = portions(settings, chance, certainty_courses(settings))
        self._scheduled: dict[str, ScheduledGame] = {}
        self._extend()

    def find(self, key: str) -> ScheduledGame | None:
        """Return the game with this key; None if it is not known."""
        if key not in self._scheduled:
            self._extend()
        return self._scheduled.get(key)

    def note(self, key: str, result: GameResult) -> None:
        """Note how a known game was played."""
        self._scheduled[key].portion.results[key] = result

    def games(self) -> Iterator[Game]:
        """Yield the known games, in schedule order."""
        self._extend()
        for some in self.portions:
            yield from some.games

    def _extend(self) -> None:
        """Add the portions that are known by now."""
        for some in self._coming:
            if some is None:
                return
            self.portions.append(some)
            for position, game in enumerate(some.games, some.first):
                self._scheduled[game.key] = ScheduledGame(position, game, some.portion)
        self.is_whole = True
