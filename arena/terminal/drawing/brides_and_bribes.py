"""Drawing of the table of Brides & Bribes: boroughs, families, the resolution, own tiles."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from arena.narration.words import Words, counted
from arena.terminal.drawing.fitting import FittingTable, lines_of
from engine.brides_and_bribes.view import (
    BoroughView,
    BrideView,
    DelegationView,
    PlayerView,
    ResolutionView,
    View,
)

COLOUR_OF = {"yellow": "yellow", "red": "red", "blue": "cyan", "green": "green", "black": "bold"}
WORDS: Final = Words("brides-and-bribes", ())


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


def _boroughs(view: View) -> FittingTable:
    table = FittingTable(
        "borough", "lord", "workers", "tokens", "common (deck)", "brides", "tiles laid"
    )
    for borough in view.boroughs:
        brides = [_bride(bride) for bride in (borough.brides.first, borough.brides.second)]
        table.add_row(
            _name(borough),
            f"{WORDS.name(borough.lord)} {borough.lord_prestige}",
            _workers(borough.workers, "\n") or "-",
            str(borough.influence_tokens),
            f"{WORDS.name(borough.common) if borough.common else '-'} ({borough.deck})",
            Text("\n").join(brides),
            " ".join([f"{group.seat}:{group.tiles}" for group in borough.delegations]),
        )
    return table


def _name(borough: BoroughView) -> Text:
    done = " (done)" if borough.resolved else ""
    return Text(f"{borough.borough.capitalize()}{done}", COLOUR_OF[borough.colour])


def _bride(bride: BrideView | None) -> Text:
    if bride is None:
        return Text("-")
    text = Text(f"{WORDS.name(bride.tile)} {bride.charm}")
    if bride.married_seat is not None:
        tile = WORDS.name(str(bride.married_tile))
        return text.append(f" wed to {bride.married_seat} ({tile})", "bold")
    coins = bride.dowry_coins
    dowry = [counted(coins, "coin")] if coins else []
    dowry += [WORDS.name(bride.dowry_object)] if bride.dowry_object else []
    return text.append(f" + {', '.join(dowry)}" if dowry else "")


def _rest(view: View) -> Text:
    ships = [
        f"ship {ship.ship}: seat {ship.seat} ({ship.tiles})" for ship in view.ships if ship.tiles
    ]
    stacks = [
        f"{shop.kind} {shop.influence} ({_workers(shop.workers) or 'no workers'})"
        for shop in view.workshops
        if shop.influence is not None
    ]
    text = Text(f"supply {view.supply.coins} coins, {_workers(view.supply.workers)}; workshops ")
    return text.append(", ".join(stacks)).append(f"; {', '.join(ships)}" if ships else "")


def _players(view: View, names: Sequence[str]) -> FittingTable:
    table = FittingTable(
        "seat", "player", "influence", "coins", "workers", "workshops", "wed", "tiles"
    )
    for player in view.players:
        table.add_row(
            f"{player.seat}{' passed' if player.passed and view.phase == 'placement' else ''}",
            Text(f"{names[player.seat]}\n{player.family.capitalize()}"),
            str(player.influence),
            str(player.coins),
            _workers(player.workers, "\n") or "-",
            lines_of(list(map(WORDS.name, player.workshops))),
            lines_of([f"{bride.borough} {bride.place}" for bride in player.marriages]),
            _tiles_of(player),
        )
    return table


def _tiles_of(player: PlayerView) -> Text:
    text = Text(_tiles(player.tiles))
    if player.used_objects:
        text.append(f" used: {_tiles(player.used_objects)}", "dim")
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
        text.append(f"; seat {pending.seat} plays {WORDS.name(pending.tile)}{target}")
    return text


def _delegations(resolution: ResolutionView) -> FittingTable:
    table = FittingTable("seat", "guide", "prestige", "charm", "tiles", "known", "can't any more")
    for delegation in resolution.delegations:
        table.add_row(
            str(delegation.seat),
            _guide(delegation),
            "-" if delegation.prestige is None else str(delegation.prestige),
            "-" if delegation.charm is None else str(delegation.charm),
            str(delegation.hand),
            _tiles(delegation.known),
            ", ".join(delegation.closed),
        )
    return table


def _guide(delegation: DelegationView) -> str:
    marks = [("used", delegation.guide_used), ("wed", delegation.guide_married)]
    marks += [("edict", delegation.edict), ("open", delegation.open)]
    told = ", ".join([mark for mark, holds in marks if holds])
    return f"{WORDS.name(delegation.guide or '-')}{f' ({told})' if told else ''}"


def _own(seat: int, view: View) -> Text:
    text = Text.assemble((f"hand of {seat} ", "bold"), _tiles(view.own.hand))
    for place, tiles in view.own.delegations.items():
        text.append(f"; {place}: {_tiles(tiles)}")
    return text.append(f"; alley: {_tiles(view.own.alley)}" if view.own.alley else "")


def _workers(workers: Mapping[str, int], between: str = ", ") -> str:
    """Return the workers by colour."""
    return between.join([f"{number} {colour}" for colour, number in workers.items() if number])


def _tiles(slugs: Iterable[str]) -> str:
    return ", ".join(map(WORDS.name, slugs)) or "-"
