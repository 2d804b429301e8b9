"""Drawing of the table of Brides & Bribes: boroughs, families, the resolution, own tiles."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.brides_and_bribes.view import (
    BoroughView,
    BrideView,
    DelegationView,
    PlayerView,
    ResolutionView,
    View,
)

COLOUR_OF = {"yellow": "yellow", "red": "red", "blue": "cyan", "green": "green", "black": "bold"}


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
    """Return the table of a view."""
    parts: list[RenderableType] = [_round(view), _boroughs(view), _rest(view)]
    parts.append(_players(view, names))
    if view.resolution:
        parts += [_state_of(view.resolution), _delegations(view.resolution)]
    parts += [_own(seat, own) for seat, own in shown.items()]
    return Group(*parts)


def _round(view: View) -> Text:
    favor = " ".join(map(str, view.favor_order))
    asked = f" (asked for in this round: {' '.join(map(str, view.favor_asked))})"
    return Text(
        f"round {view.round} of 6, {view.phase}; first seat {view.first_seat}; favor order {favor}"
        f"{asked if view.favor_asked else ''}"
    )


def _boroughs(view: View) -> Table:
    table = _table("borough", "lord", "workers", "tokens", "common (deck)", "brides", "tiles laid")
    for borough in view.boroughs:
        brides = [_bride(bride) for bride in (borough.brides.first, borough.brides.second)]
        table.add_row(
            _name(borough),
            f"{borough.lord} {borough.lord_prestige}",
            _workers(borough.workers),
            str(borough.influence_tokens),
            f"{borough.common or '-'} ({borough.deck})",
            Text("\n").join(brides),
            " ".join([f"{one.seat}:{one.tiles}" for one in borough.delegations]),
        )
    return table


def _name(borough: BoroughView) -> Text:
    done = " (done)" if borough.resolved else ""
    return Text(f"{borough.borough}{done}", COLOUR_OF[borough.colour])


def _bride(bride: BrideView | None) -> Text:
    if bride is None:
        return Text("-")
    text = Text(f"{bride.tile} {bride.charm}")
    if bride.married_seat is not None:
        return text.append(f" wed to {bride.married_seat} ({bride.married_tile})", "bold")
    dowry = [f"{bride.dowry_coins}c"] if bride.dowry_coins else []
    dowry += [bride.dowry_object] if bride.dowry_object else []
    return text.append(f" + {' '.join(dowry)}" if dowry else "")


def _rest(view: View) -> Text:
    ships = [f"ship {one.ship}: seat {one.seat} ({one.tiles})" for one in view.ships if one.tiles]
    stacks = [
        f"{one.kind} {one.influence} ({_workers(one.workers)})"
        for one in view.workshops
        if one.influence is not None
    ]
    text = Text(f"supply {view.supply.coins} coins, {_workers(view.supply.workers)}; workshops ")
    return text.append(", ".join(stacks)).append(f"; {', '.join(ships)}" if ships else "")


def _players(view: View, names: Sequence[str]) -> Table:
    table = _table("seat", "player", "influence", "coins", "workers", "workshops", "wed", "tiles")
    table.columns[1].no_wrap = True
    for player in view.players:
        table.add_row(
            f"{player.seat}{' passed' if player.passed and view.phase == 'placement' else ''}",
            Text(f"{names[player.seat]}\n({player.family})"),
            str(player.influence),
            str(player.coins),
            _workers(player.workers),
            "\n".join(player.workshops) or "-",
            "\n".join([f"{one.borough} {one.place}" for one in player.marriages]) or "-",
            _tiles_of(player),
        )
    return table


def _tiles_of(player: PlayerView) -> Text:
    text = Text(" ".join(player.tiles))
    if player.used_objects:
        text.append(f" used: {' '.join(player.used_objects)}", "dim")
    return text.append(f" ({player.hand} in hand)", "dim")


def _state_of(resolution: ResolutionView) -> Text:
    text = Text(f"{resolution.borough}: ")
    if resolution.active_seat is not None:
        text.append(f"seat {resolution.active_seat} acts, ")
        text.append(f"declared {resolution.declared}, " if resolution.declared else "")
    text.append(f"then {' '.join(map(str, resolution.queue))}; " if resolution.queue else "")
    text.append(f"lord {resolution.lord_prestige}, brides {resolution.bride_charm_change:+}")
    text.append("; no marriages" if resolution.marriage_banned else "")
    text.append("; no workers" if resolution.workers_banned else "")
    if pending := resolution.pending:
        target = f" at {pending.target}" if pending.target else ""
        text.append(f"; seat {pending.seat} plays {pending.tile}{target}")
    return text


def _delegations(resolution: ResolutionView) -> Table:
    table = _table("seat", "guide", "prestige", "charm", "tiles", "known", "can't any more")
    for one in resolution.delegations:
        table.add_row(
            str(one.seat),
            _guide(one),
            "-" if one.prestige is None else str(one.prestige),
            "-" if one.charm is None else str(one.charm),
            str(one.hand),
            " ".join(one.known),
            ", ".join(one.closed),
        )
    return table


def _guide(delegation: DelegationView) -> str:
    marks = [("used", delegation.guide_used), ("wed", delegation.guide_married)]
    marks += [("edict", delegation.edict), ("open", delegation.open)]
    told = ", ".join([mark for mark, holds in marks if holds])
    return f"{delegation.guide or '-'}{f' ({told})' if told else ''}"


def _own(seat: int, view: View) -> Text:
    text = Text.assemble((f"hand of {seat} ", "bold"), " ".join(view.own.hand) or "-")
    for place, tiles in view.own.delegations.items():
        text.append(f"; {place}: {' '.join(tiles)}")
    return text.append(f"; alley: {' '.join(view.own.alley)}" if view.own.alley else "")


def _workers(workers: Mapping[str, int]) -> str:
    """Return the workers by the first two letters of their colours; one letter is ambiguous."""
    return (
        " ".join([f"{number}{colour[:2]}" for colour, number in workers.items() if number]) or "-"
    )


def _table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading)
    return table
