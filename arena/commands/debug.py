"""`arena debug`: one game of a bot, step by step, with a debugger in its process."""

import random
import sys
from collections.abc import Sequence

import click
import msgspec
from rich.console import Console
from rich.rule import Rule

from arena.check.debug_process import DebugProcess
from arena.check.sandbox_probe import choose
from arena.commands.common import (
    against_option,
    interpreters_option,
    sandbox_option,
    variant_option,
)
from arena.commands.completers import complete_bots
from arena.contest.entrants import find_entrant, find_entrants, introduce, seat_together
from arena.contracts import Bounds
from arena.errors import BotError
from arena.match.decision import Ask, Reply
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Person, Player
from arena.match.settings import MatchSettings
from arena.protocol import PROTOCOL, Act, End, Hello, Limits, Ready, Start, raw, read_from_bot
from arena.record import Entrant, Game
from arena.terminal.console import notice, read_key, say, terminal
from arena.terminal.drawing import draw_view
from engine import Variant, get_variant

DEBUG_LIMITS = Limits(start_ms=86_400_000, move_ms=86_400_000)
"""A day: who debugs is not hurried."""
KEYS = (
    "Enter asks the bot, d asks it and stops in pdb (Python only), v shows the whole view, "
    "e the events since its last turn, g plays on to the end, q quits"
)
MAX_FIELD_CHARS = 300
"""Characters of a field of the view that are shown, unless the whole view is."""


class _Quit(Exception):
    """The person has seen enough."""


@click.command()
@click.argument("bot", metavar="NAME|PATH", shell_complete=complete_bots)
@against_option
@variant_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the deal.")
@sandbox_option
@interpreters_option
def debug(
    bot: str,
    against: str,
    variant_id: str,
    seed: int,
    level: str,
    interpreters: tuple[str, ...],
) -> None:
    """Step through one game of a bot, with its view, what it prints and its answer.

    The bot has no time limit and no sandbox, so that `breakpoint()` and pdb work in it and read
    what you type: debug only bots that you trust. The sandbox is that of its opponents.
    """
    variant = get_variant(variant_id)
    sandbox = choose(level, Bounds(), (), notice)
    others = introduce(find_entrants(against.split(","), interpreters), Limits(), sandbox)
    own, *others = seat_together(find_entrant(bot, interpreters), others, variant)
    game = _game(variant, [own, *others], seed)
    notice(f"{own.name} runs without a sandbox, so that a debugger in it can use the terminal")
    with DebugProcess(own, sys.__stdin__.fileno() if sys.__stdin__ else 0, _show) as process:
        stepper = _Stepper(process, variant, game, terminal())
        players: dict[str, Player] = {one.name: one for one in others}
        players[own.name] = Person(stepper.ask)
        settings = MatchSettings(Limits(), sandbox, tables=1, always_charge=True)
        say(f"{variant.id}: {own.name} is seat 0; {KEYS}")
        try:
            stepper.greet()
            with Driver(Dispatcher(players, settings)) as driver:
                ((record, _),) = driver.play_all([game])
            process.tell(End(1, record.points, record.ranks, record.faults_of(0)))
        except _Quit:
            return
    for seat, name in enumerate(record.entrants):
        say(f"seat {seat} ({name}): {record.points[seat]} points, place {record.ranks[seat]}")
    for fault in record.faults_of(0):
        say(f"fault ({fault.kind}) at move {fault.action + 1}: {fault.text}")


class _Stepper:
    """Asks the bot for each of its decisions when the person wants it."""

    def __init__(
        self, process: DebugProcess, variant: Variant, game: Game, console: Console
    ) -> None:
        self._process = process
        self._variant = variant
        self._game = game
        self._console = console
        self._messages = SeatMessages(1, "full", DEBUG_LIMITS)
        self._plays_on = False

    def greet(self) -> None:
        """Greet the bot, and have it sit down.

        Raises:
            BotError: it has ended, or does not say that it is ready.
        """
        name = self._game.entrants[0]
        self._process.tell(Hello(PROTOCOL, "debug", name, DEBUG_LIMITS))
        ready = read_from_bot(self._process.answer())
        if not isinstance(ready, Ready):
            raise BotError(f"{name} answered `hello` with {ready}, expected `ready`")
        if ready.games and self._variant.game not in ready.games:
            raise BotError(
                f"{name} does not play {self._variant.game}, only {', '.join(ready.games)}; name "
                "another --variant"
            )
        self._messages = SeatMessages(1, ready.detail, DEBUG_LIMITS)
        variant, seed = self._variant, self._game.seeds[0]
        seats, teams = variant.seats, variant.teams
        self._process.tell(Start(1, variant.game, variant.id, 0, seats, teams, seed))

    def ask(self, asked: Ask) -> Reply:
        """Show a decision, wait for a key, and return the answer of the bot."""
        names = self._game.entrants
        self._console.print(Rule(f"move {asked.move + 1}, seat 0 ({names[0]})", style="dim"))
        view = asked.view
        self._console.print(draw_view(view, self._variant.game, list(names), asked.seat))
        self._print_view(view, MAX_FIELD_CHARS)
        say(f"legal actions: {', '.join(asked.legal)}")
        self._process.send(self._messages.line(asked), stops=self._stops(asked))
        act = read_from_bot(self._process.answer())
        if not isinstance(act, Act):
            raise BotError(f"{names[0]} sent {act}, expected `act`")
        say(f"answer: {act.action}" + (f"  (note: {act.note})" if act.note else ""))
        if act.action not in asked.legal:
            say("this is not legal: in a run it is a fault, and a stand-in plays on from here")
        return Reply(act.action, act.note)

    def _stops(self, asked: Ask) -> bool:
        """Wait for a key; return whether pdb has to stop in the bot."""
        while not self._plays_on:
            typed = read_key()
            if typed in (None, "q"):
                raise _Quit
            if typed == "v":
                self._print_view(asked.view, None)
            elif typed == "e":
                for event in asked.events:
                    say(msgspec.json.encode(event).decode())
            elif typed == "g":
                self._plays_on = True
            elif typed in ("", "d"):
                return typed == "d"
            else:
                say(KEYS)
        return False

    def _print_view(self, view: msgspec.Struct, most: int | None) -> None:
        """Print the fields of a view as the bot gets them, each cut after `most` characters."""
        for field, value in msgspec.to_builtins(view).items():
            text = msgspec.json.encode(value).decode()
            more = most is not None and len(text) > most
            say(f"{field}: {text[:most]}{' ...' if more else ''}")  # not wrapped in the middle


def _show(text: str) -> None:
    click.echo(text, nl=False)


def _game(variant: Variant, seated: Sequence[Entrant], seed: int) -> Game:
    rng = random.Random(seed)
    return Game(
        key="",
        variant=variant.id,
        board=1,
        rotation=0,
        deal=raw(variant.deal(rng)),
        entrants=tuple([one.name for one in seated]),
        seeds=tuple([rng.getrandbits(32) for _ in seated]),
    )
