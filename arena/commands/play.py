"""`arena play`: a person plays in the terminal against bots."""

import random
from collections.abc import Callable
from importlib.resources import files

import click
import msgspec
from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule
from rich.text import Text

from arena.check.sandbox_probe import choose
from arena.commands.common import sandbox_option
from arena.contest.entrants import find_entrants, introduce, seat_together
from arena.contracts import Bounds
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.referee import Ask, Reply
from arena.match.seats import Person
from arena.match.seats import Player as MatchPlayer
from arena.match.settings import MatchSettings
from arena.protocol import Limits, printable, raw
from arena.record import Entrant, Game, GameRecord
from arena.terminal.console import notice, read_key, terminal
from arena.terminal.drawing import draw_view
from engine import Variant, get_variant

YOU = "you"
KEYS = "type the number of an action, h for the rules, q to leave the game"
MOST_EVENT_CHARS = 200
"""Longer events, as that of the deal, are cut: the table shows what they tell."""


class _Leave(Exception):
    """The person does not want to play on."""


@click.command("play")
@click.option("--variant", "variant_id", default="pot-de-vin/3", show_default=True, metavar="ID")
@click.option(
    "--against",
    default="random",
    show_default=True,
    metavar="BOT,...",
    help="The bots, separated by commas; they take turns until all seats are taken.",
)
@click.option("--seat", type=click.IntRange(min=0), help="Yours. Default: any.")
@click.option("--seed", type=int, help="Fixes the deal. Default: another one every time.")
@sandbox_option
def play(variant_id: str, against: str, seat: int | None, seed: int | None, level: str) -> None:
    """Play a game yourself, in the terminal, against bots."""
    variant = get_variant(variant_id)
    rng = random.Random(seed)
    if seat is None:
        seat = rng.randrange(variant.seats)
    elif seat >= variant.seats:
        raise click.BadParameter(f"{seat}; the seats are 0 to {variant.seats - 1}")
    limits = Limits()
    sandbox = choose(level, Bounds(), (), notice)
    bots = introduce(find_entrants(against.split(",")), limits, sandbox)
    _, *others = seat_together(Entrant(YOU, (), "", ""), bots, variant)
    names = [other.name for other in others]
    names.insert(seat, YOU)
    console = terminal()
    game = _game(variant, names, rng)
    player = Player(variant, names, console, read_key)
    players: dict[str, MatchPlayer] = {other.name: other for other in others}
    players[YOU] = Person(player.ask)
    settings = MatchSettings(limits, sandbox, tables=1, always_charge=True)
    console.print(Text(f"{variant.id}: you are seat {seat}; {KEYS}"))
    try:
        with Driver(Dispatcher(players, settings)) as driver:
            ((record, _),) = driver.play([game])
    except _Leave:
        console.print("you left the game")
        return
    _print_ending(record, console)


class Player:
    """The person at the terminal, who is asked for every decision of a seat."""

    def __init__(
        self,
        variant: Variant,
        names: list[str],
        console: Console,
        read: Callable[[], str | None],
    ) -> None:
        """Sit down; `read` returns what the person typed, or None when there is nothing more."""
        self._variant = variant
        self._names = names
        self._console = console
        self._read = read

    def ask(self, asked: Ask) -> Reply:
        """Show what happened and the table, and return what the person chooses.

        Raises:
            _Leave: the person does not want to play on.
        """
        console = self._console
        console.print(Rule(style="dim"))
        for event in asked.events:
            console.print(Text(event_in_words(event, self._names), "dim"))
        console.print(draw_view(asked.view, self._variant.game, self._names, asked.seat))
        self._print_actions(asked.legal)
        while (typed := self._read()) not in (None, "q"):
            assert typed is not None
            if typed.isdecimal() and 1 <= int(typed) <= len(asked.legal):
                return Reply(asked.legal[int(typed) - 1])
            if typed in asked.legal:
                return Reply(typed)
            if typed == "h":
                console.print(rules_of(self._variant.game))
                self._print_actions(asked.legal)
            else:
                console.print(Text(f"{typed!r} is none of 1 to {len(asked.legal)}; {KEYS}"))
        raise _Leave

    def _print_actions(self, legal: list[str]) -> None:
        numbered = [Text(f"{number} {action}") for number, action in enumerate(legal, 1)]
        self._console.print(Columns(numbered, padding=(0, 3), column_first=True))


def event_in_words(event: msgspec.Struct, names: list[str]) -> str:
    """Return an event in a line: its kind, who, and all that it tells."""
    told = msgspec.to_builtins(event)
    words = [str(told.pop("event", type(event).__name__))]
    seat = told.pop("seat", None)
    if seat is not None:
        words.insert(0, f"seat {seat} ({names[seat]})")
    for field, value in told.items():
        if value is not None:
            shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            words.append(f"{field} {shown}")
    text = printable(" ".join(words))
    return text if len(text) <= MOST_EVENT_CHARS else f"{text[:MOST_EVENT_CHARS]}..."


def rules_of(game: str) -> Markdown:
    """Return the rules of a game on a page."""
    page = files("arena.terminal.drawing").joinpath("help", f"{game}.md")
    if not page.is_file():
        return Markdown(f"There is no page about {game} here; see its own documentation.")
    return Markdown(page.read_text(encoding="utf-8"))


def _game(variant: Variant, names: list[str], rng: random.Random) -> Game:
    return Game(
        key="",
        variant=variant.id,
        board=1,
        rotation=0,
        deal=raw(variant.deal(rng)),
        entrants=tuple(names),
        seeds=tuple([rng.getrandbits(32) for _ in names]),
    )


def _print_ending(record: GameRecord, console: Console) -> None:
    console.print(Rule(style="dim"))
    for seat, name in enumerate(record.entrants):
        ending = f"seat {seat} ({name}): {record.points[seat]} points, place {record.ranks[seat]}"
        for fault in record.faults_of(seat):
            ending += f", after a fault ({fault.kind}): {printable(fault.text)}"
        console.print(Text(ending))
