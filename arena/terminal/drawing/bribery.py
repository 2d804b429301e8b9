"""Drawing of the table of Bribery: officials and their bribes, countries, points, hands."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.bribery.view import OfficialControl, OfficialView, View

COLOUR_OF = {"s": "blue", "h": "red", "d": "yellow", "c": "green"}
COUNTRY_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
    """Return the table of a view."""
    parts: list[RenderableType] = [_turn(view, names), _officials(view), _countries(view)]
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
        text.append(f"; seat {pending.seat} wants to {pending.kind} {pending.target}")
        text.append(f" by {pending.source}, and paid {pending.spent}")
    return text


def _officials(view: View) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("official", "votes", "controlled by", "bribes (whose)"):
        table.add_column(heading, justify="right" if heading == "votes" else "left")
    for official, control in zip(view.board, view.control.officials, strict=True):
        table.add_row(*_official(official, control))
    return table


def _official(official: OfficialView, control: OfficialControl) -> tuple[RenderableType, ...]:
    if official.face_down:
        return Text(f"{official.card} face down", "dim"), "", "", ""
    bribes = [_card(bribe.card).append(f"({bribe.seat})") for bribe in official.bribes]
    return (
        _card(official.card),
        str(control.votes),
        _whose(control.controller, dominated=control.dominated),
        Text(" ").join(bribes),
    )


def _whose(side: int | None, *, dominated: bool) -> str:
    if side is None:
        return "-"
    return f"side {side}, dominated" if dominated else f"side {side}"


def _countries(view: View) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("country", "votes by side", "controlled by", "points"):
        table.add_column(heading, justify="right" if heading == "points" else "left")
    for country in view.control.countries:
        name = COUNTRY_NAMES.get(country.country, country.country)
        votes = " : ".join(map(str, country.votes)) if country.votes else "-"
        whose = _whose(country.controller, dominated=country.dominated)
        coloured = Text(name, COLOUR_OF.get(country.country, ""))
        table.add_row(coloured, votes, whose, str(country.points))
    return table


def _players(view: View, names: Sequence[str]) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("seat", "player", "side", "hand", "deck", "points"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
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
    return Text(card, "magenta" if card.startswith("joker") else COLOUR_OF[card[-1]])
