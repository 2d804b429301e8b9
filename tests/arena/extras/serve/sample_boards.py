"""Runs of a contest played without processes, and their boards."""

from pathlib import Path

from arena.base.protocol import indented
from arena.base.record import Entrant, Game
from arena.contest.run_roster import ROSTER, RunRoster, StudentRecord
from arena.extras.serve.ladder.ladder_standings import StandingsWriter
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.extras.serve.visiting import Clock
from tests.arena.playing import PATIENT
from tests.arena.runs import FaultyCrewWithEvidence, ignore, silent

VARIANT = "pot-de-vin/3"
BOTS = ("ann", "bob", "greedy", "random")


def crashes(name: str, game: Game) -> bool:
    """Return whether a bot crashes, as Ann's bot sometimes does."""
    return name == "ann" and game.board % 3 == 1 and game.rotation == 0


def settings_of_ladder(rounds: int = 24, version: str = "1") -> Settings:
    """Return the settings of a run of `BOTS`, with this version of Ann's bot."""
    entrants = [
        Entrant(name, ("none",), ".", f"{name}, version {version if name == 'ann' else '1'}")
        for name in BOTS
    ]
    return Settings(rounds, 5, (VARIANT,), tuple(entrants), PATIENT, withdrawal=False)


def play_run(folder: Path, settings: Settings | None = None, *, is_over: bool = True) -> None:
    """Play a run in this process, with Ann and Bob on its roster."""
    settings = settings or settings_of_ladder()
    with open_or_create(folder, settings, silent) as store:
        play_missing(store, settings, FaultyCrewWithEvidence(crashes), ignore)
        students = (StudentRecord("ann", "Ann Lee"), StudentRecord("bob", "Bob <b>Ray</b>"))
        store.write(ROSTER, indented(RunRoster(students)))
        if is_over:
            finish(store)


def make_boards(contest_file: Path, clock: Clock) -> StandingsWriter:
    """Return a writer of a contest's boards."""
    return StandingsWriter(contest_file, clock)


def keys_of(folder: Path) -> list[str]:
    with Store.open(folder) as store:
        return [game.key for game in store.counting_games()]
