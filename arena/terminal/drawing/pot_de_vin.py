"""Drawing of the table of Pot de Vin: the trick, the cards won by guild, and hands."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from arena.narration.words import Words, counted
from arena.terminal.drawing.fitting import FittingTable
from engine.pot_de_vin.cards import GUILD_OF, GUILDS
from engine.pot_de_vin.view import RoundView, Turn, View

COLOUR_OF = {"aldo": "red", "pietra": "green", "enzo": "cyan", "ugo": "yellow"}
WORDS: Final = Words("pot-de-vin", ())


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
    """Return the table of a view."""
    parts: list[RenderableType] = [headline(view)]
    if view.history:
        parts.append(_last_trick(view.history[-1], names))
    parts += [_players(view, names), _won(view)]
    with_guilds = len(shown) == 1  # a player wants to see them
    for seat, own in shown.items():
        if own.hand:
            cards = Text(", ").join([_card(card, guild=with_guilds) for card in own.hand])
            parts.append(Text.assemble((f"hand of {seat} ", "bold"), cards))
    return Group(*parts)


def headline(view: View) -> Text:
    """Return the line with the round, the trump and the character that was led."""
    if view.phase == "discard":
        return Text(f"set-up: each seat discards a card; {view.rounds} rounds follow")
    text = Text(f"round {view.round} of {view.rounds}")
    if view.phase == "play":
        text.append(", trump ").append_text(_card(str(view.trump)))
        text.append(f", led {WORDS.name(view.led)}" if view.led else "")
        text.append(f"; {view.trump_pile} trump cards face down")
    else:
        text.append(", the last: the game is over")
    return text


def _last_trick(last: RoundView, names: Sequence[str]) -> Text:
    """Return the finished trick before this one in a line."""
    text = Text(f"trick {last.round} (trump ", "dim").append_text(_card(last.trump)).append("): ")
    turns = [Text(f"{names[turn.seat]} ").append_text(_turn(turn)) for turn in last.trick]
    text.append_text(Text(", ").join(turns)).append(f"; won by {names[last.winner]}")
    return text.append(f" with {counted(last.gems, 'gem')}" if last.gems else "")


def _turn(turn: Turn) -> Text:
    verb, _, card = turn.action.partition(" ")
    return _card(card) if card else Text(verb)


def _players(view: View, names: Sequence[str]) -> FittingTable:
    numbers = ("cards", "gems", "treasure", "points")
    table = FittingTable("seat", "player", "this round", *numbers, right=numbers)
    done = {turn.seat: _turn(turn) for turn in view.trick}
    side_of = {seat: number for number, side in enumerate(view.teams) for seat in side}
    for seat in range(view.n):
        acts = Text("to act", "bold") if seat == view.to_act else Text("")
        table.add_row(
            str(seat),
            Text(names[seat]),
            done.get(seat, acts),
            str(view.hand_sizes[seat]),
            str(view.gems[seat]),
            str(view.treasure[seat]),
            str(view.score_now[side_of[seat]].points),
        )
    return table


def _won(view: View) -> FittingTable:
    """Return the cards won, each as the letter of its character and its number."""
    table = FittingTable("won by", *GUILDS, "others")
    for seat in range(view.n):
        piles = [view.columns[seat][guild] for guild in GUILDS]
        table.add_row(str(seat), *[_short(pile) for pile in (*piles, view.neutral[seat])])
    return table


def _short(cards: Sequence[str]) -> Text:
    texts = []
    for card in cards:
        character, _, number = card.partition("-")
        texts.append(Text(f"{character[0]}{number}", COLOUR_OF[character]))
    return Text(" ").join(texts)


def _card(card: str, *, guild: bool = False) -> Text:
    text = Text(WORDS.name(card), COLOUR_OF.get(card.partition("-")[0], ""))
    if guild and card in GUILD_OF:
        text.append(f" ({GUILD_OF[card]})", "dim")
    return text
