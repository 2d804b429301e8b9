"""`arena play`: a game of a person in the terminal against bots."""

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
from arena.commands.common import interpreters_option, sandbox_option
from arena.commands.completers import complete_bot_lists, complete_variants
from arena.contest.entrants import find_entrants, introduce, seat_together
from arena.contracts import Bounds
from arena.match.decision import Ask, Reply
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
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
MAX_EVENT_CHARS = 200
"""Characters after which an event is cut. The table shows what long events, as the deal, say."""


class _Leave(Exception):
    """The person leaves the game."""


@click.command("play")
@click.option(
    "--variant",
    "variant_id",
    default="pot-de-vin/3",
    show_default=True,
    metavar="ID",
    shell_complete=complete_variants,
)
@click.option(
    "--against",
    default="random",
    show_default=True,
    metavar="BOT,...",
    shell_complete=complete_bot_lists,
    help="The opponents, separated by commas. They are repeated until all seats are taken.",
)
@click.option("--seat", type=click.IntRange(min=0), help="Your seat. Default: random.")
@click.option("--seed", type=int, help="Seed of the deal. Default: random.")
@sandbox_option
@interpreters_option
def play_command(
    variant_id: str,
    against: str,
    seat: int | None,
    seed: int | None,
    level: str,
    interpreters: tuple[str, ...],
) -> None:
    """Play a game against bots in the terminal."""
    variant = get_variant(variant_id)
    rng = random.Random(seed)
    if seat is None:
        seat = rng.randrange(variant.seats)
    elif seat >= variant.seats:
        raise click.BadParameter(f"got {seat}, expected 0 to {variant.seats - 1}")
    limits = Limits()
    sandbox = choose(level, Bounds(), (), notice)
    bots = introduce(find_entrants(against.split(","), interpreters), limits, sandbox)
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
            ((record, _),) = driver.play_all([game])
    except _Leave:
        console.print("you left the game")
        return
    _print_ending(record, console)


class Player:
    """The person at the terminal, asked for each decision of one seat."""

    def __init__(
        self,
        variant: Variant,
        names: list[str],
        console: Console,
        read: Callable[[], str | None],
    ) -> None:
        """Take the names by seat. `read` returns a typed line, or None at the end of the input."""
        self._variant = variant
        self._names = names
        self._console = console
        self._read = read

    def ask(self, asked: Ask) -> Reply:
        """Show the new events and the table, and return the action that the person chooses.

        Raises:
            _Leave: the person leaves the game.
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
                console.print(Text(f"got {typed!r}, expected 1 to {len(asked.legal)}; {KEYS}"))
        raise _Leave

    def _print_actions(self, legal: list[str]) -> None:
        numbered = [Text(f"{number} {action}") for number, action in enumerate(legal, 1)]
        self._console.print(Columns(numbered, padding=(0, 3), column_first=True))


def event_in_words(event: msgspec.Struct, names: list[str]) -> str:
    """Return an event as one line: its seat, its kind and its fields."""
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
    return text if len(text) <= MAX_EVENT_CHARS else f"{text[:MAX_EVENT_CHARS]}..."


def rules_of(game: str) -> Markdown:
    """Return the page with the rules of a game."""
    page = files("arena.terminal.drawing").joinpath("help", f"{game}.md")
    if not page.is_file():
        return Markdown(f"There is no page about {game}; see its own documentation.")
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
