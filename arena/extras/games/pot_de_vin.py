"""Explain Pot de Vin actions in words, and draw positions of the game in the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.extras.games.tables import card_lines, legend_of, words_of
from arena.narration.telling import Item, Measures, SidePoints, Telling, counted
from arena.terminal.drawing import table_of
from engine import State
from engine.pot_de_vin.cards import CARDS, GUILD_OF, GUILDS
from engine.pot_de_vin.scoring import COLUMN_POINTS, POT_DE_VIN_POINTS
from engine.pot_de_vin.view import RoundView, Turn, View

COLOUR_OF = {"aldo": "red", "pietra": "green", "enzo": "cyan", "ugo": "yellow"}
KINDS: Final = {"1": "joker", "2": "bonus", "3": "penalty", "13": "pot-de-vin"}


class PotDeVin(Telling):
    cards = CARDS
    legend = legend_of("pot-de-vin")
    words = words_of("pot-de-vin")

    def about(self, slug: str) -> str:
        if slug not in CARDS:
            return ""
        kind = KINDS.get(slug.rpartition("-")[2], "guild")
        return card_lines("pot-de-vin")[kind].format(guild=GUILD_OF.get(slug))

    def about_action(self, action: str) -> str:
        if action == "pass":
            return card_lines("pot-de-vin")["gem"]
        return super().about_action(action)

    def card_tables(self) -> Mapping[str, Any]:
        return {"guilds": GUILDS, "guild": GUILD_OF}

    def worth(self, view: Any, action: str) -> str:
        """Describe how many points a card would add to the current player's score.

        Return an empty string for cards that are worth the same to all players.
        """
        if not action.startswith("play "):
            return ""
        card, seat = action.removeprefix("play "), view.seat
        points: Sequence[int]
        if guild := GUILD_OF.get(card):
            name, have, points = guild, len(view.columns[seat][guild]), COLUMN_POINTS
        elif card.endswith("-13"):
            name, points = "Pot de Vin", POT_DE_VIN_POINTS
            have = sum([card.endswith("-13") for card in view.neutral[seat]])
        else:
            return ""
        gain = points[have + 1] - points[have] if have + 1 < len(points) else 0
        return f"{name}: you have {have}, one more: {gain:+}"

    def facts(self, view: Any) -> Mapping[str, str]:
        left = view.gems[view.seat] - 1
        return {"gems_left": f"{counted(left, 'gem')} left"}

    def points_now(self, view: Any) -> Sequence[int]:
        return [standing.points for standing in view.score_now]

    def points(self, state: State) -> list[SidePoints]:
        view: Any = state.view(None)
        sides = []
        for side in view.result.teams:
            items = [
                Item(column.points, f"{guild} ({_in_column(column.symbols, column.joker)})")
                for guild, column in side.guilds.items()
                if column.symbols
            ]
            neutral = [
                (side.bonus, "bonus cards"),
                (side.penalty, "penalty cards"),
                (side.pot_de_vin, "Pot de Vin cards"),
                (side.gems, "gems"),
            ]
            items += [Item(points, text) for points, text in neutral if points]
            both = f"{counted(side.cards, 'card')} and {counted(side.gems, 'gem')}"
            note = f"{both} in all, which break ties"
            sides.append(SidePoints(side.seats, side.points, tuple(items), note))
        return sides

    def measures(self, state: State) -> list[Measures]:
        view: Any = state.view(None)
        teams = view.result.teams
        return [(("points", t.points), ("cards", t.cards), ("gems", t.gems)) for t in teams]


def _in_column(symbols: int, joker: bool) -> str:
    return f"{counted(symbols - joker, 'card')}{' and a joker' if joker else ''}"


WORDS: Final = PotDeVin()


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
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
    text = Text(f"trick {last.round} (trump ", "dim").append_text(_card(last.trump)).append("): ")
    turns = [Text(f"{names[turn.seat]} ").append_text(_turn(turn)) for turn in last.trick]
    text.append_text(Text(", ").join(turns)).append(f"; won by {names[last.winner]}")
    return text.append(f" with {counted(last.gems, 'gem')}" if last.gems else "")


def _turn(turn: Turn) -> Text:
    verb, _, card = turn.action.partition(" ")
    return _card(card) if card else Text(verb)


def _players(view: View, names: Sequence[str]) -> Table:
    numbers = ("cards", "gems", "treasure", "points")
    table = table_of("seat", "player", "this round", *numbers, right=numbers)
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


def _won(view: View) -> Table:
    table = table_of("won by", *GUILDS, "others")
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
