"""Step through a bot's game, with a debugger in its process."""

import os
import random
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click
import msgspec
from rich.rule import Rule
from rich.text import Text

from arena.base.contracts import SandboxSettings
from arena.base.protocol import End, Limits, printable
from arena.base.record import Entrant, Game, GameRecord
from arena.check.trial import one_game
from arena.extras.shared.process_agent import ProcessAgent
from arena.extras.shared.watched_game import WatchedGame
from arena.match.referee import start_message
from arena.match.seats import Ask, Player, Reply, Script
from arena.narration.words import Words
from arena.sdk.debugger import MARK, TERMINAL
from arena.terminal.console import notice, read_key, say, say_data, terminal
from arena.terminal.drawing import draw_view
from engine import Variant

DEBUG_LIMITS = Limits(start_ms=86_400_000, move_ms=86_400_000, stderr_bytes=0)
"""Allow a day per answer, since people take time to debug. The bot's output is shown immediately.
"""
KEYS = "Enter next · d next in pdb · t table · v view and events · e to the end · q quit"
MAX_SHORT = 16
"""Maximum length in characters of values shown side by side."""
MAX_FIELD_LINES = 1
"""Longer values are cut to this number of lines."""


class Chance(NamedTuple):
    """What a game depends on besides its bots."""

    seed: int
    sandbox: SandboxSettings


class _Quit(Exception):
    """The user quits."""


def step_through(bot: Entrant, seated: Sequence[Entrant], variant: Variant, choice: Chance) -> None:
    """Play a game that shows each decision of `bot` before it answers.

    Args:
        bot: the bot, which has no time limit and no sandbox.
        seated: all bots by seat.
        variant: the variant.
        choice: seed of the game and sandbox of the opponents.
    """
    game = one_game(variant, seated, random.Random(choice.seed))
    seat = seated.index(bot)
    only = "" if choice.sandbox.level == "none" else "; only its opponents run in one"
    notice(f"{bot.name} runs without a sandbox, so that its debugger can use the terminal{only}")
    typed = os.dup(sys.__stdin__.fileno() if sys.__stdin__ else 0)  # 0 is the bot's own input
    try:
        with ProcessAgent(bot, DEBUG_LIMITS) as agent:
            agent.files, agent.on_stderr = {TERMINAL: typed}, _show
            stepper = _Stepper(agent, variant, game, seat)
            players: dict[str, Player] = {each.name: each for each in seated}
            players[bot.name] = Script(stepper.ask)
            stepper.console.print(Text(f"{variant.id}: {bot.name} is seat {seat}"))
            try:
                stepper.sit()
                record = stepper.watched.play(game, players, choice.sandbox)
                agent.tell(End(1, record.points, record.ranks, record.faults_of(seat)))
            except _Quit:
                return
    finally:
        os.close(typed)
    stepper.end(record)


class _Stepper:
    """Asks the bot for each decision when the user continues."""

    def __init__(self, agent: ProcessAgent, variant: Variant, game: Game, seat: int) -> None:
        self.console = terminal()
        self.watched = WatchedGame()
        """Its `referee` must be used for the game, so that failed actions can be explained."""
        self._agent = agent
        self._variant = variant
        self._game = game
        self._seat = seat
        self._words = Words(variant.game, game.entrants)
        self._plays_on = False
        self._seen: dict[str, str] = {}  # fields of the last view that was shown

    def sit(self) -> None:
        """Greet and seat the bot. Raise `BotError`."""
        seed = self._game.seeds[self._seat]
        self._seated = self._agent.sit(start_message(self._variant, self._seat, seed))

    def ask(self, asked: Ask) -> Reply:
        names = self._game.entrants
        name = names[self._seat]
        self.console.print(Rule(f"move {asked.move + 1}, seat {self._seat} ({name})", style="dim"))
        self.watched.tell(asked.events, self._words, self.console)
        self._print_view(asked.view)
        say(f"legal actions: {', '.join(asked.legal)}")
        self.console.print(Text(KEYS, "dim"))
        act = self._seated.answer(asked, MARK if self._stops(asked) else b"}")
        say(f"answer: {act.action}" + (f"  (note: {act.note})" if act.note else ""))
        if act.action not in asked.legal:
            say("this is not legal: in a run it is a fault, and a stand-in plays on from here")
        return Reply(act.action, act.note)

    def _stops(self, asked: Ask) -> bool:
        """Wait for a key. Return whether pdb has to stop in the bot."""
        while not self._plays_on:
            typed = read_key()
            if typed in (None, "q"):
                raise _Quit
            if typed == "v":
                for field, value in msgspec.to_builtins(asked.view).items():
                    say_data(printable(f"{field}: {msgspec.json.encode(value).decode()}\n"))
                for event in asked.events:
                    say_data(printable(f"event: {msgspec.json.encode(event).decode()}\n"))
            elif typed == "t":
                names = list(self._game.entrants)
                drawn = draw_view(asked.view, self._variant.game, names, asked.seat)
                self.console.print(drawn)
            elif typed == "e":
                self._plays_on = True
            elif typed in ("", "n", "d"):
                return typed == "d"
            else:
                say(KEYS)
        return False

    def end(self, record: GameRecord) -> None:
        self.watched.end(record, self._seat, self._words, self.console)
        for fault in record.faults_of(self._seat):
            say(f"fault ({fault.kind}) at move {fault.action + 1}: {fault.text}")

    def _print_view(self, view: msgspec.Struct) -> None:
        """Print the fields of the bot's view that have changed since the last one.

        The hand, and anything that fits in a few lines, is printed in full. Short fields are
        printed side by side.
        """
        now = _fields(view)
        new = {field: text for field, text in now.items() if self._seen.get(field) != text}
        self._seen = now
        width = self.console.width
        room = width * MAX_FIELD_LINES
        short = [f"{field}: {text}" for field, text in new.items() if len(text) <= MAX_SHORT]
        long = [f"{field}: {text}" for field, text in new.items() if len(text) > MAX_SHORT]
        if short:
            self.console.print(Text("; ".join(short)))
        for line in long:
            cut = line if len(line) <= room else f"{line[: room - 1]}…"
            for at in range(0, len(cut), width):  # words are no places to break JSON
                self.console.print(Text(cut[at : at + width]), no_wrap=True)


def _fields(view: msgspec.Struct) -> dict[str, str]:
    fields = msgspec.to_builtins(view).items()
    texts = {field: msgspec.json.encode(value).decode() for field, value in fields}
    return {field: printable(text) for field, text in texts.items() if field != "legal"}


def _show(data: bytes) -> None:
    click.echo(printable(data.decode("utf-8", "backslashreplace")), nl=False)
