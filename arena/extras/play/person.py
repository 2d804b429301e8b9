"""Let a person play in the terminal."""

import re
from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from arena.extras.shared.watched_game import WatchedGame
from arena.match.seats import Decision, Reply
from arena.narration.moves import sentences
from arena.narration.telling import telling_of
from arena.narration.words import YOU, MenuChoice, Words, menu
from arena.plugins import presentation_of
from arena.terminal.drawing import draw_view, headline
from engine import Variant
from engine.errors import guess

HELP = (
    ("3", "take action 3; its words do as well"),
    ("? 3", "what the card or tile of action 3 does"),
    ("? {card}", "what a card or tile does"),
    ("m", "the last moves"),
    ("t", "the table and the actions again"),
    ("h", "the rules in a minute"),
    ("q", "leave the game, which is not saved then"),
    ("?", "these keys"),
)  # {card} marks commands for card games
KEYS = "type the number of an action, ? for all keys, h for the rules, q to leave"
LAST_MOVES = 30
MAX_EXPLAINED = 14

MIN_LINE = 20


class GameLeft(Exception):
    """Raised when the person leaves the game."""


class TerminalPerson:
    """A person at the terminal who plays one seat."""

    def __init__(
        self,
        variant: Variant,
        names: Sequence[str],
        seat: int,
        console: Console,
        read: Callable[[], str | None],
    ) -> None:
        """`read` returns a typed line, or None at the end of the input."""
        self.names = [YOU if at == seat else name for at, name in enumerate(names)]
        self.words = Words(variant.game, names, seat)
        self._game = variant.game
        self._console = console
        self._read = read
        self.game = WatchedGame()

    def ask(self, decision: Decision) -> Reply:
        """Show what has happened, and let the person choose an action.

        Raise `GameLeft` if the player leaves the game.
        """
        choices = menu(decision.view, decision.legal, self.words)
        self._console.print(Rule(style="dim"))
        self.game.print_events(decision.events, self.words, self._console)
        self._show(decision, choices)
        # OpenSpiel's games have no events, but some views contain the history.
        self._history = getattr(decision.view, "history", ())
        while (typed := self._read()) not in (None, "q"):
            assert typed is not None
            if (action := _chosen(typed, choices)) is not None:
                return Reply(action)
            if typed == "t":
                self._show(decision, choices)
            else:
                self._answer(typed, choices)
        raise GameLeft

    def _show(self, decision: Decision, choices: Sequence[MenuChoice]) -> None:
        console = self._console
        table = draw_view(decision.view, self._game, self.names, decision.seat)
        listed = _listed(choices, console.width)
        console.print(table)
        rows = len(console.render_lines(table)) + len(console.render_lines(listed))
        line = headline(decision.view, self._game)
        if line is not None and rows >= console.height:  # the table scrolls away
            console.print(line)
        console.print(listed)

    def _answer(self, typed: str, choices: Sequence[MenuChoice]) -> None:
        key, _, rest = typed.partition(" ")
        if typed in ("?", "help"):
            self._console.print(Text(_help(self._game)))
        elif key == "?":
            self._console.print(Text(self._explained(rest.strip(), choices)))
        elif typed == "h":
            self._console.print(rules_of(self._game))
        elif typed == "m":
            lines = sentences(self.game.events, self.words, self.game.failures()) or self._history
            for text in lines[-LAST_MOVES:] or ["there are no moves to show"]:
                self._console.print(Text(text))
        else:
            known = [word for choice in choices for word in (choice.text, choice.action)]
            wanted = f"a number from 1 to {len(choices)}, or the words of an action"
            text = f"got {typed!r}{guess(typed, known)} type {wanted}; ? lists all keys"
            self._console.print(Text(text))

    def _explained(self, what: str, choices: Sequence[MenuChoice]) -> str:
        if what.isdecimal() and 1 <= int(what) <= len(choices):
            choice = choices[int(what) - 1]
            return f"{choice.text}: {choice.about or 'no card or tile to explain'}"
        wanted = what.lower().replace(" ", "-")
        telling = telling_of(self._game)
        for card in telling.cards:
            if wanted in (card, self.words.name(card).lower().replace(" ", "-")):
                return f"{self.words.name(card)}: {telling.about(card)}"
        if line := telling.about(wanted):  # a kind of tiles
            return f"{what}: {line}"
        return (
            f"got {what!r}, expected the number of an action or the name of a card or tile, "
            "as on the table"
        )


def _help(game: str) -> str:
    card = next(reversed(telling_of(game).cards), "").replace("-", " ")
    lines = [(keys.format(card=card), what) for keys, what in HELP if card or "{card}" not in keys]
    width = max(len(keys) for keys, _ in lines)
    return "\n".join([f"{keys:{width}}  {what}" for keys, what in lines])


def rules_of(game: str) -> Markdown:
    """Return the rules section "The game in a minute", or all rules if the section is missing."""
    rules = presentation_of(game).rules
    if not rules:
        return Markdown(f"There is no page about {game}; see its own documentation.")
    minute = re.search(
        r"^## The game in a minute\n\n(.*?)\n(?=^## )", rules, re.DOTALL | re.MULTILINE
    )
    return Markdown(minute[1] if minute else rules)


def _chosen(typed: str, choices: Sequence[MenuChoice]) -> str | None:
    if typed.isdecimal():
        return choices[int(typed) - 1].action if 1 <= int(typed) <= len(choices) else None
    meant = [choice for choice in choices if typed.lower() in (choice.action, choice.text.lower())]
    return meant[0].action if meant else None


def _listed(choices: Sequence[MenuChoice], width: int) -> RenderableType:
    numbered = [f"{number:2} {offered.text}" for number, offered in enumerate(choices, 1)]
    longest = max(map(cell_len, numbered))
    explained = len(choices) <= MAX_EXPLAINED and longest + MIN_LINE < width
    if not (explained and any(choice.about for choice in choices)):
        return Columns(list(map(Text, numbered)), padding=(0, 3), column_first=True)
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    before = ""
    for text, choice in zip(numbered, choices, strict=True):
        about_it = "" if choice.about == before else choice.about  # once for a series of equal ones
        before = choice.about
        table.add_row(Text(text), Text(about_it, "dim"))
    return table
