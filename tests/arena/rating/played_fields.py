"""Fields of bots that have played, for the tests of the audit.

A kept field has only the decisions of its games: a line a game, a character for the place of each
action among the legal ones. Schedule and deals follow from the seed. To keep a field, play it and
write `"\\n".join(map(choices_of, records))`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.base.record import Entrant, Game, GameRecord
from arena.bot import Bot
from arena.match.in_process import class_of, play_in_process
from arena.match.referee import Ending, record_of, start_game
from arena.tournament.games import scheduled_games
from arena.tournament.settings import Settings
from tests.arena.playing import PATIENT
from tests.bots_for_tests.colluders.boss import BossBot
from tests.bots_for_tests.colluders.feeder import FeederBot

FOLDER = Path(__file__).parent / "cases" / "audit"
FIRST_CHARACTER = 33
COLLUDERS: dict[str, type[Bot]] = {"boss": BossBot, "feeder": FeederBot}


class PlayedField(NamedTuple):
    """The bots of a run, whose names begin with those of bundled bots or colluders."""

    variant: str
    rounds: int
    seed: int
    bots: str

    @property
    def settings(self) -> Settings:
        """The settings of the run. Bots of the same class have the same fingerprint."""
        entrants = [
            Entrant(name, ("none",), ".", kind_of(name)) for name in sorted(self.bots.split())
        ]
        return Settings(self.rounds, self.seed, (self.variant,), tuple(entrants), PATIENT)

    def play(self) -> Iterator[GameRecord]:
        """Play the games in this process."""
        for game in scheduled_games(self.settings):
            yield play_in_process(game, [_class_of(name) for name in game.entrants])

    def kept(self, name: str) -> Iterator[GameRecord]:
        """Yield the kept games."""
        lines = (FOLDER / f"{name}.txt").read_text(encoding="ascii").splitlines()
        for game, choices in zip(scheduled_games(self.settings), lines, strict=True):
            yield _replayed(game, choices)


def kind_of(name: str) -> str:
    """Return the name of the class of a bot: `fixer` for `fixer-2`."""
    return name.partition("-")[0]


def choices_of(record: GameRecord) -> str:
    """Return the decisions of a game in the form of a kept one."""
    state = start_game(record.variant, record.deal)
    found = []
    for action in record.actions:
        found.append(chr(FIRST_CHARACTER + state.legal_actions().index(action)))
        state.apply(action)
    return "".join(found)


def _replayed(game: Game, choices: str) -> GameRecord:
    state = start_game(game.variant, game.deal)
    actions = []
    for choice in choices:
        actions.append(state.legal_actions()[ord(choice) - FIRST_CHARACTER])
        state.apply(actions[-1])
    return record_of(game, state, Ending(tuple(actions), (), ()))


def _class_of(name: str) -> type[Bot]:
    kind = kind_of(name)
    return COLLUDERS.get(kind) or class_of(kind)
