"""Drawing of the table of Pot de Vin: the trick, the cards won by guild, and hands."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.pot_de_vin.cards import GUILD_OF, GUILDS
from engine.pot_de_vin.view import View

COLOUR_OF = {"aldo": "red", "pietra": "green", "enzo": "cyan", "ugo": "yellow"}


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
    """Return the table of a view."""
    parts: list[RenderableType] = [_round(view), _players(view, names), _won(view, names)]
    with_guilds = len(shown) == 1  # a player wants to see them
    for seat, own in shown.items():
        cards = Text(" ").join([_card(card, guild=with_guilds) for card in own.hand or ()])
        parts.append(Text.assemble((f"hand of {seat} ", "bold"), cards or "-"))
    return Group(*parts)


def _round(view: View) -> Text:
    if view.phase == "discard":
        return Text(f"set-up: each seat discards a card; {view.rounds} rounds follow")
    text = Text(f"round {view.round} of {view.rounds}")
    if view.phase == "play":
        text.append(", trump ").append_text(_card(str(view.trump)))
        text.append(f", led {view.led}" if view.led else "")
        text.append(f"; {view.trump_pile} trumps face down")
    else:
        text.append(", the last: the game is over")
    return text


def _players(view: View, names: Sequence[str]) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("seat", "player", "this round"):
        table.add_column(heading)
    for heading in ("cards", "gems", "treasure", "points"):
        table.add_column(heading, justify="right")
    done = {turn.seat: turn.action for turn in view.trick}
    side_of = {seat: number for number, side in enumerate(view.teams) for seat in side}
    for seat in range(view.n):
        acts = "to act" if seat == view.to_act else ""
        table.add_row(
            str(seat),
            Text(names[seat]),
            Text(done.get(seat, acts), "bold" if acts else ""),
            str(view.hand_sizes[seat]),
            str(view.gems[seat]),
            str(view.treasure[seat]),
            str(view.score_now[side_of[seat]].points),
        )
    return table


def _won(view: View, names: Sequence[str]) -> Table:
    """Return the cards won, each as the letter of its character and its number."""
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0), title_justify="left")
    table.add_column("won by")
    for guild in GUILDS:
        table.add_column(guild)
    table.add_column("others")
    for seat in range(view.n):
        piles = [view.columns[seat][guild] for guild in GUILDS]
        cells = [_cards(pile, short=True) for pile in (*piles, view.neutral[seat])]
        table.add_row(str(seat), *cells)
    return table


def _cards(cards: Sequence[str], *, short: bool = False) -> Text:
    return Text(" ").join([_card(card, short=short) for card in cards])


def _card(card: str, *, short: bool = False, guild: bool = False) -> Text:
    character, _, number = card.partition("-")
    text = Text(f"{character[0]}{number}" if short else card, COLOUR_OF.get(character, ""))
    if guild and card in GUILD_OF:
        text.append(f"({GUILD_OF[card]})", "dim")
    return text
