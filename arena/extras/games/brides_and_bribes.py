"""Explain Brides & Bribes actions in words, and draw positions of the game in the terminal."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.extras.games.tables import card_lines, legend_of, words_of
from arena.narration.telling import Item, Measures, SidePoints, Telling, counted, kind_of
from arena.terminal.drawing import table_of
from engine import State
from engine.brides_and_bribes import tiles
from engine.brides_and_bribes.view import (
    BoroughView,
    BrideView,
    DelegationView,
    PlayerView,
    ResolutionView,
    View,
)

COLOUR_OF = {"yellow": "yellow", "red": "red", "blue": "cyan", "green": "green", "black": "bold"}
GAME: Final = "brides-and-bribes"
MEASURES: Final = ("marriage", "influence", "first brides", "second brides", "workshops")


PARTS: Final = ("colonies", "end", "placement")
LAST_TILE: Final = {
    "is about to place a tile": "places its last tile",
    "is about to ask for favor": "asks for favor with its last character",
}


class BridesAndBribes(Telling):
    cards = (*tiles.TILES, *tiles.BRIDES)
    legend = legend_of(GAME)
    words = words_of(GAME)
    can_fail = True
    shortcoming = "not married"

    def about(self, slug: str) -> str:
        table = card_lines(GAME)
        if slug in tiles.BRIDES:
            return _bride_line(tiles.BRIDES.index(slug))
        if (number := tiles.NUMBER.get(slug)) is None:
            return table[slug] if slug in tiles.KIND else ""
        line = table[tiles.KIND[number]]
        if number >= tiles.FIRST_OBJECT:
            return table["object"].format(line=line)
        prestige = tiles.PRESTIGE[number]
        if number >= tiles.FIRST_COMMON:
            return table["common"].format(prestige=prestige, line=line)
        return table["loyal"].format(prestige=prestige, charm=tiles.CHARM[number], line=line)

    def about_action(self, action: str) -> str:
        verb, _, rest = action.partition(" ")
        return _workshop(rest) if verb == "build" else super().about_action(action)

    def card_tables(self) -> Mapping[str, Any]:
        values = {"kind": tiles.KIND, "prestige": tiles.PRESTIGE, "charm": tiles.CHARM}
        return {name: dict(zip(tiles.TILES, value, strict=False)) for name, value in values.items()}

    def points_now(self, view: Any) -> Sequence[int]:
        """Return each seat's influence. Coins are left out, because they count only at the end."""
        return [player.influence for player in view.players]

    def points(self, state: State) -> list[SidePoints]:
        view: Any = state.view(None)
        ledgers: list[dict[str, int]] = [defaultdict(int) for _ in view.players]
        for event in state.events(None):
            for seat, reason, amount in _influence(event):
                ledgers[seat][reason] += amount
        sides = []
        for seat, ledger in enumerate(ledgers):
            married, influence, first, second, workshops = view.result.keys[seat]
            wed = (
                f"{first} first and {counted(second, 'second bride')}" if married else "no marriage"
            )
            note = f"{wed}, {counted(workshops, 'workshop')}"
            items = tuple([Item(points, reason) for reason, points in ledger.items() if points])
            sides.append(SidePoints((seat,), influence, items, note))
        return sides

    def measures(self, state: State) -> list[Measures]:
        view: Any = state.view(None)
        return [tuple(zip(MEASURES, own, strict=True)) for own in view.result.keys]

    def is_announced(self, action: str, view: Any) -> bool:
        return action.startswith("place ") and view.window == "tile"

    def settled(self, text: str) -> str:
        for announced, done in LAST_TILE.items():
            text = text.replace(announced, done)
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        title = super().chapter(view)
        if not view["round"] or view["phase"] == "over":
            return title
        if resolution := view["resolution"]:
            return f"{title}, {resolution.borough}"
        if view["phase"] in PARTS:
            return f"{title}, {view['phase']}"
        return None if view["phase"] == "resolution" else title

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield the reason for each declared action that failed."""
        for at, event in enumerate(events):
            if kind_of(event) == "failed":
                goes_on = after.resolution and after.resolution.borough == before.resolution.borough
                view = after if goes_on else before
                later = events[at + 1 :] if goes_on else ()
                yield reason(event, view, later)


def _bride_line(bride: int) -> str:
    item = tiles.DOWRY_OBJECT[bride]
    coins = tiles.DOWRY_COINS[bride]
    dowry = [counted(coins, "coin")] if coins else []
    dowry += [tiles.TILES[item].replace("-", " ")] if item != tiles.NONE else []
    place = tiles.BRIDE_TYPE[bride]
    return card_lines(GAME)["bride"].format(
        place=tiles.PLACES[place],
        charm=tiles.BRIDE_CHARM[bride],
        influence=tiles.BRIDE_INFLUENCE[bride] + tiles.ADDITIONAL[place],
        dowry=" and ".join(dowry) or "none",
    )


def _workshop(shop: str) -> str:
    if shop not in tiles.SHOPS:
        return ""
    card = tiles.STACKS[tiles.SHOPS.index(shop)][0]
    kind = tiles.KIND[tiles.CARD_OBJECT[card]]
    lines = card_lines(GAME)
    return lines["workshop"].format(object=kind.capitalize(), line=lines[kind])


def _influence(event: Any) -> list[tuple[int, str, int]]:
    kind = kind_of(event)
    if kind == "married":
        gained = _worth(event.bride, event.place)
        return [(event.seat, "marriages", gained), (event.seat, "paid to lords", -event.forfeit)]
    if kind == "murdered" and event.seat is not None:
        return [(event.seat, "murdered brides", -event.influence_lost)]
    if kind == "moved_up":
        return [(event.seat, "brides that moved up", tiles.ADDITIONAL[0] - tiles.ADDITIONAL[1])]
    if kind == "built":
        return [(event.seat, "workshops", tiles.CARD_INFLUENCE[tiles.CARDS.index(event.card)])]
    if kind == "done" and event.action == "influence":
        return _changes(event.gains, "taken in boroughs")
    if kind == "effect":
        return _changes(event.changes, "sold")
    if kind == "over":
        both = zip(event.influence_before, event.influence, strict=True)
        return [(seat, "coins", after - before) for seat, (before, after) in enumerate(both)]
    return []


def _worth(bride: str, place: str) -> int:
    number = tiles.BRIDES.index(bride)
    return tiles.BRIDE_INFLUENCE[number] + tiles.ADDITIONAL[tiles.PLACES.index(place)]


def _changes(changes: Sequence[Any], reason: str) -> list[tuple[int, str, int]]:
    return [
        (int(change.where.removeprefix("seat-")), reason, change.amount)
        for change in changes
        if change.what == "influence" and change.where.startswith("seat-")
    ]


def reason(failed: Any, view: Any, later: Sequence[Any] = ()) -> str:
    """Explain why an action failed, or return an empty string if the reason isn't known."""
    resolution = view.resolution
    borough = next(borough for borough in view.boroughs if borough.borough == resolution.borough)
    if failed.action == "employ":
        banned = resolution.workers_banned
        return "a barker is at work" if banned else "no worker is left"
    if failed.action == "hire":
        return "there is no common character any more"
    if failed.action == "influence":
        return "no influence is left"
    if resolution.marriage_banned:
        return "a hag is at work"
    place = failed.action.removeprefix("marry ")
    return _no_marriage(failed.seat, getattr(borough.brides, place), view, later)


def _no_marriage(seat: int, bride: Any, view: Any, later: Sequence[Any]) -> str:
    resolution = view.resolution
    own = next(delegation for delegation in resolution.delegations if delegation.seat == seat)
    if bride is None:
        return "there is no bride any more"
    if own.charm is None:
        return "its guide is no loyal"
    if bride.married_seat is not None:
        return "she is still wed"
    forfeit = resolution.lord_prestige - own.prestige
    bribe = bride.charm + resolution.bride_charm_change - own.charm
    influence = view.players[seat].influence
    coins = view.players[seat].coins - _coins_since(seat, later)
    if forfeit > influence:
        return f"the lord asks for {forfeit} influence, and it has {influence}"
    if bribe > coins:
        return f"the bribe is {counted(bribe, 'coin')}, and it has {coins}"
    return ""


def _coins_since(seat: int, later: Sequence[Any]) -> int:
    gains = [change for event in later if kind_of(event) == "done" for change in event.gains]
    return sum(
        [gain.amount for gain in gains if gain.what == "coins" and gain.where == f"seat-{seat}"]
    )


WORDS: Final = BridesAndBribes()


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> RenderableType:
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
    table = table_of(
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


def _players(view: View, names: Sequence[str]) -> Table:
    table = table_of("seat", "player", "influence", "coins", "workers", "workshops", "wed", "tiles")
    for player in view.players:
        table.add_row(
            f"{player.seat}{' passed' if player.passed and view.phase == 'placement' else ''}",
            Text(f"{names[player.seat]}\n{player.family.capitalize()}"),
            str(player.influence),
            str(player.coins),
            _workers(player.workers, "\n") or "-",
            "\n".join(map(WORDS.name, player.workshops)) or "-",
            "\n".join([f"{bride.borough} {bride.place}" for bride in player.marriages]) or "-",
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


def _delegations(resolution: ResolutionView) -> Table:
    table = table_of("seat", "guide", "prestige", "charm", "tiles", "known", "can't now")
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
    signs = ", ".join([mark for mark, holds in marks if holds])
    return f"{WORDS.name(delegation.guide or '-')}{f' ({signs})' if signs else ''}"


def _own(seat: int, view: View) -> Text:
    text = Text.assemble((f"hand of {seat} ", "bold"), _tiles(view.own.hand))
    for place, laid in view.own.delegations.items():
        text.append(f"; {place}: {_tiles(laid)}")
    return text.append(f"; alley: {_tiles(view.own.alley)}" if view.own.alley else "")


def _workers(workers: Mapping[str, int], between: str = ", ") -> str:
    return between.join([f"{number} {colour}" for colour, number in workers.items() if number])


def _tiles(slugs: Iterable[str]) -> str:
    return ", ".join(map(WORDS.name, slugs)) or "-"
