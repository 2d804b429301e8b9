"""Print a game's moves while it is being played, and its result at the end."""

from collections.abc import Mapping, Sequence

import msgspec
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits
from arena.base.record import Game, GameRecord
from arena.match.driver import Driver
from arena.match.match_state import MatchHooks
from arena.match.referee import start_game
from arena.match.seats import ActionSource, Answer, Player
from arena.match.settings import MatchSettings
from arena.narration.moves import Failures, story
from arena.narration.points import in_words
from arena.narration.telling import telling_of
from arena.narration.words import Words
from arena.terminal.drawing import draw
from arena.terminal.recorded_game import endings
from engine import State


class WatchedGame(ActionSource):
    """A game in progress that can print its moves as they are made."""

    def __init__(self) -> None:
        self._failures: Failures | None = None
        self.events: list[msgspec.Struct] = []

    def prepare(self, state: State) -> None:
        self._failures = Failures(state)

    def play(
        self, game: Game, players: Mapping[str, Player], sandbox: SandboxSettings
    ) -> GameRecord:
        """Play a game and return its game record."""
        settings = MatchSettings(Limits(), sandbox, tables=1, always_charge=True)
        with Driver(players, settings, hooks=MatchHooks({game.key: self})) as driver:
            ((record, _),) = driver.play_all([game])
        return record

    def print_events(
        self, events: Sequence[msgspec.Struct], words: Words, console: Console
    ) -> None:
        """Print a sentence for each new event in the game."""
        since = len(self.events)
        self.events += events
        for text, is_new in story(self.events, since, words, self.failures()):
            console.print(Text(text, "" if is_new else "dim"))

    def failures(self) -> Sequence[str]:
        return self._failures.reasons_so_far() if self._failures else ()

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        self.failures()
        return super().action(move, answer, legal)

    def end(self, record: GameRecord, seat: int, words: Words, console: Console) -> None:
        """Print the last moves, the final state of the game, and each player's points and rank."""
        state = start_game(record.variant, record.deal)
        for action in record.actions:
            state.apply(action)
        names = [words.player(at) for at in range(len(record.entrants))]
        console.print(Rule("the end", style="dim", align="left"))
        self.print_events(state.events(seat, len(self.events)), words, console)
        console.print(draw(state, names, None))
        sides = telling_of(words.game).points(state)
        if sides:  # games from plugins have no explanations
            console.print(Rule("how the points came about", style="dim", align="left"))
        for side in sides:
            console.print(Text(in_words(side, words)))
        console.print(Rule("result", style="dim", align="left"))
        for line in endings(record, state, names, words):
            console.print(Text(line))
