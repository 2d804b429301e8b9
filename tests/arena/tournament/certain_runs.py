"""Runs that end when the order of their bots is certain, for the tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from arena.base.contracts import Batch, Played
from arena.base.record import Game
from arena.rating.certificate import Certificate, StopRule
from arena.rating.leaderboard import Leaderboard
from arena.schedule.randomness import Secret
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from arena.tournament.verification import verify
from tests.arena.runs import (
    SECRET,
    Crew,
    FaultyCrew,
    ignore,
    in_blocks,
    made_up_settings,
    played,
    silent,
)

TWO, THREE = "bribery/2", "pot-de-vin/3"


def until_certain(*variants: str, epsilon: float = 0.4, rounds: int = 120) -> Settings:
    """Return the settings of a run that soon ends, in small blocks."""
    settings = in_blocks(made_up_settings(4, *variants, rounds=rounds, seed=7), 6, 12)
    return replace(settings, stop_rule=StopRule(epsilon), withdrawal=False)


SETTINGS = until_certain(TWO, THREE)
"""A run whose variants end soon, after a different number of boards each."""


def crashes(name: str, game: Game) -> bool:
    """Return whether a bot crashes: e3 always does, e2 at times, the others never."""
    return name == "e3" or (name == "e2" and game.board % 2 == 1 and game.rotation == 0)


class StoppedCrew(FaultyCrew):
    """A crew that is stopped after some games."""

    def __init__(
        self, games: int, width: int = 1, crashes: Callable[[str, Game], bool] = crashes
    ) -> None:
        super().__init__(crashes, width)
        self.left = games

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        for some in super().play_batches(take):
            yield some[: self.left]
            self.left -= len(some)
            if self.left <= 0:
                raise KeyboardInterrupt


def play(
    folder: Path,
    settings: Settings = SETTINGS,
    crew: Crew | None = None,
    on_ranking: Callable[[str, Certificate], object] | None = None,
) -> Leaderboard:
    """Play a run to its end, and return its leaderboard."""
    secret: Secret | None = SECRET if settings.secret else None
    with open_or_create(folder, settings, silent, secret) as store:
        play_missing(store, settings, crew or FaultyCrew(crashes), ignore, on_ranking)
        return finish(store)


def result_of(folder: Path) -> tuple[list[bytes], str, str, str]:
    """Return all that must be the same in any two runs: records, leaderboard, digest."""
    with Store.open(folder) as store:
        return (
            played(store),
            (folder / "leaderboard.json").read_text(),
            (folder / "leaderboard.csv").read_text(),
            verify(store).digest,
        )


def certificates_of(board: Leaderboard) -> dict[str, Certificate]:
    """Return the certificates of a run with a stop rule."""
    assert isinstance(board.certificate, dict)
    return board.certificate
