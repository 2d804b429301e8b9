"""Explain Bribery actions in words, and draw positions of the game in the terminal."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.extras.games.tables import card_lines, legend_of, words_of
from arena.narration.telling import Item, SidePoints, Telling
from arena.terminal.drawing import table_of
from engine import State
from engine.bribery.cards import BRIBES, CARDS, JOKERS, OFFICIALS, VOTES
from engine.bribery.view import OfficialControl, OfficialView, View

COLOUR_OF = {"s": "blue", "h": "red", "d": "yellow", "c": "green"}
COUNTRY_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class Bribery(Telling):
    cards = (*BRIBES, *OFFICIALS)
    legend = legend_of("bribery")
    words = msgspec.structs.replace(
        words_of("bribery"),
        names=words_of("bribery").names
        | {card: card[:-1].upper() + SIGNS[card[-1]] for card in CARDS if card not in JOKERS},
    )

    def about(self, slug: str) -> str:
        lines = card_lines("bribery")
        if slug.startswith("joker-") and slug in OFFICIALS:
            return lines[slug]
        if slug in OFFICIALS:
            votes = VOTES[OFFICIALS.index(slug)]
            return lines["official"].format(votes=votes, suit=COUNTRY_NAMES[slug[-1]])
        if slug in BRIBES:
            return lines["bribe"].format(value=slug[:-1], suit=COUNTRY_NAMES[slug[-1]])
        return ""

    def about_action(self, action: str) -> str:
        verb, _, rest = action.partition(" ")
        if verb in ("ability", "protect"):
            suit = rest.split()[0][-1] if verb == "ability" else "h"
            return card_lines("bribery")[f"ability-{suit}"]
        return super().about_action(action)

    def card_tables(self) -> Mapping[str, Any]:
        return {"votes": {card: n for card, n in zip(OFFICIALS, VOTES, strict=True) if n}}

    def points_now(self, view: Any) -> Sequence[int]:
        return list(view.control.points)

    def points(self, state: State) -> list[SidePoints]:
        view: Any = state.view(None)
        items: dict[int, list[Item]] = defaultdict(list)
        for country in view.control.countries:
            if country.controller is None:
                continue
            name = COUNTRY_NAMES.get(country.country) or self.name(country.country)
            how = "alone" if country.dominated else "most bribes"
            if country.votes is not None:
                votes = " to ".join(map(str, sorted(country.votes, reverse=True)))
                how = f"votes {votes}" + (", alone" if country.dominated else "")
            items[country.controller].append(Item(country.points, f"{name} ({how})"))
        return [
            SidePoints(tuple(seats), view.result.points[side], tuple(items[side]))
            for side, seats in enumerate(state.variant.sides)
        ]


WORDS: Final = Bribery()


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
    parts: list[RenderableType] = [_turn(view, names), _officials(view), _face_down(view)]
    parts.append(_countries(view))
    parts.append(_players(view, names))
    for seat, own in shown.items():
        parts.append(Text.assemble((f"hand of {seat} ", "bold"), _cards(own.hand) or "-"))
    return Group(*parts)


def _turn(view: View, names: Sequence[str]) -> Text:
    text = Text(f"round {view.round} of {view.rounds}")
    if view.to_act is None:
        return text.append(": the game is over")
    text.append(f", {view.phase}: seat {view.to_act} ({names[view.to_act]}) is to act")
    if pending := view.pending:
        target, source, spent = map(WORDS.name, (pending.target, pending.source, pending.spent))
        text.append(f"; seat {pending.seat} wants to {pending.kind} {target}")
        text.append(f" by {source}, and paid {spent}")
    return text


def _officials(view: View) -> Table:
    table = table_of("official", "votes", "controlled by", "bribes (whose)", right=["votes"])
    for official, control in zip(view.board, view.control.officials, strict=True):
        if not official.face_down:
            table.add_row(*_official(official, control, view))
    return table


def _face_down(view: View) -> Text:
    cards = [WORDS.name(official.card) for official in view.board if official.face_down]
    return Text(f"face down {' '.join(cards) or '-'}", "dim")


def _official(
    official: OfficialView, control: OfficialControl, view: View
) -> tuple[str | Text, ...]:
    bribes = [_card(bribe.card).append(f"({bribe.seat})") for bribe in official.bribes]
    return (
        _card(official.card),
        str(control.votes),
        _whose(view, control.controller, dominated=control.dominated),
        Text(" ").join(bribes),
    )


def _whose(view: View, side: int | None, *, dominated: bool) -> str:
    if side is None:
        return "-"
    seats = "+".join(map(str, view.sides[side]))
    return f"{seats}, dominated" if dominated else seats


def _countries(view: View) -> Table:
    sides = " : ".join(["+".join(map(str, seats)) for seats in view.sides])
    votes_of = f"votes of {sides}"
    table = table_of("country", votes_of, "controlled by", "points", right=["points"])
    for country in view.control.countries:
        name = COUNTRY_NAMES.get(country.country) or WORDS.name(country.country)
        votes = " : ".join(map(str, country.votes)) if country.votes else "-"
        whose = _whose(view, country.controller, dominated=country.dominated)
        coloured = Text(name, COLOUR_OF.get(country.country, ""))
        table.add_row(coloured, votes, whose, str(country.points))
    return table


def _players(view: View, names: Sequence[str]) -> Table:
    numbers = ("hand", "deck", "points")
    table = table_of("seat", "player", "side", *numbers, right=["side", *numbers])
    for side, seats in enumerate(view.sides):
        for seat in seats:
            table.add_row(
                str(seat),
                Text(names[seat]),
                str(side),
                str(view.hand_sizes[seat]),
                str(view.deck_sizes[seat]),
                str(view.control.points[side]),
            )
    return table


def _cards(cards: Sequence[str]) -> Text:
    return Text(" ").join([_card(card) for card in cards])


def _card(card: str) -> Text:
    colour = "magenta" if card.startswith("joker") else COLOUR_OF[card[-1]]
    return Text(WORDS.name(card), colour)
