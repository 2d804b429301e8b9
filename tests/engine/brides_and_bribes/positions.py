"""Positions of the worked examples, section 12 of the rules.

A `Layout` names the place of everything in the words of the rules page; `lay` turns it into a
state at the beginning of a phase. What a layout does not name is where the base position has it:
the loyals that no example needs are in the alleys, for the placement is over.
"""

import copy
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from engine import State, get_variant
from engine.brides_and_bribes.position.position import Position, empty_position
from engine.brides_and_bribes.rules import boroughs, colonies, end_of_round, game, placement
from engine.brides_and_bribes.tiles import (
    BRIDES,
    CARDS,
    DOWRY_OBJECTS,
    LORDS,
    NONE,
    NUMBER,
    SEATS,
    TILES,
)
from engine.game import GameVariant
from engine.state import GameState, build_state
from tests.engine.brides_and_bribes.play import run
from tests.engine.brides_and_bribes.table import (
    BOROUGHS,
    COLOUR_OF,
    COLOURS,
    COMMONS,
    FAMILIES,
    LOYALS,
    PLACES,
    WORKSHOPS,
)
from tests.engine.games import as_json

Tiles = Mapping[int, str]


@dataclass
class Layout:
    families: Sequence[str]
    lords: Mapping[str, str]
    brides: dict[str, str]
    boxes: Sequence[list[str]]
    favor: Sequence[int]
    commons: dict[str, str] = field(default_factory=dict)
    decks: dict[str, list[str]] = field(default_factory=dict)
    round: int = 3
    coins: Mapping[int, int] = field(default_factory=dict)
    influence: Mapping[int, int] = field(default_factory=dict)
    workers: Mapping[int, str] = field(default_factory=dict)
    borough_workers: Mapping[str, str] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    delegations: Mapping[str, Tiles] = field(default_factory=dict)
    hands: Tiles = field(default_factory=dict)
    alleys: Tiles = field(default_factory=dict)
    workshops: Tiles = field(default_factory=dict)
    used: Tiles = field(default_factory=dict)
    wed: Mapping[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def boroughs(self) -> list[str]:
        return list(self.lords)

    @property
    def seats(self) -> int:
        return len(self.families)

    def tiles(self) -> set[str]:
        rows = [self.hands, self.alleys, self.used, *self.delegations.values()]
        given = [tile for row in rows for tiles in row.values() for tile in tiles.split()]
        given += [loyal for _, loyal in self.wed.values()]
        assert len(given) == len(set(given)), sorted(given)
        return set(given)


_BASES = tomllib.loads(Path(__file__).with_name("positions.toml").read_text("utf-8"))


def base(name: str, **changes: Any) -> Layout:
    table = copy.deepcopy(_BASES[name])
    table["decks"] = {borough: deck.split() for borough, deck in table.get("decks", {}).items()}
    return _changed(Layout(**table), changes)


def read(example: Mapping[str, Any]) -> Layout:
    """Return the position of an example: `position` is its base, other fields change that."""
    names = {field.name for field in fields(Layout)}
    changes = {name: _with_seats(value) for name, value in example.items() if name in names}
    if "wed" in changes:
        changes["wed"] = {slot: tuple(pair) for slot, pair in changes["wed"].items()}
    layout = base(example["position"], **changes)
    layout.brides |= example.get("all_brides", {})
    layout.commons |= example.get("all_commons", {})
    return layout


def _with_seats(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {int(k) if k.isdigit() else k: _with_seats(each) for k, each in value.items()}


def _changed(layout: Layout, changes: dict[str, Any]) -> Layout:
    """Return a base position with some fields changed, and its decks without what seats have.

    A bride that is put somewhere changes places with the one that is there.
    """
    for slot, bride in changes.pop("brides", {}).items():
        _put_bride(layout, slot, bride)
    for name, value in changes.items():
        assert hasattr(layout, name), name
        setattr(layout, name, value)
    given = layout.tiles()
    for borough in layout.boroughs:
        rest = [tile for tile in layout.decks.get(borough, COMMONS[borough]) if tile not in given]
        if layout.commons.get(borough) in {None, *given}:
            layout.commons[borough] = rest.pop(0)
        layout.decks[borough] = [tile for tile in rest if tile != layout.commons[borough]]
    return layout


def _put_bride(layout: Layout, slot: str, bride: str) -> None:
    borough, _, place = slot.partition(" ")
    pair = layout.brides[borough].split()
    at = ("first", "second").index(place)
    old, pair[at] = pair[at], bride
    for other, brides in layout.brides.items():
        layout.brides[other] = brides.replace(bride, old)
    layout.brides[borough] = " ".join(pair)
    for box in layout.boxes:
        if bride in box:
            box[box.index(bride)] = old


# -- in the engine ------------------------------------------------------------------------------


STEPS = {
    "placement": placement.begin,
    "colonies": colonies.begin,
    "resolution": boroughs.begin,
    "end": end_of_round.begin,
    "next round": game.end_round,
}


def lay(layout: Layout, phase: str = "resolution") -> GameState:
    variant = get_variant(f"brides-and-bribes/{layout.seats}")
    assert isinstance(variant, GameVariant)
    position = empty_position(variant.parameters)
    position.families = tuple(FAMILIES.index(family) for family in layout.families)
    position.round = layout.round
    position.favor_order = tuple(layout.favor)
    position.first_seat = layout.favor[-1]
    _lay_boroughs(position, layout)
    _lay_tiles(position, layout)
    for seat in range(layout.seats):
        position.coins[seat] = layout.coins.get(seat, 0)
        position.influence[seat] = layout.influence.get(seat, 0)
        position.workers[seat] = _count(layout.workers.get(seat, ""))
    _lay_supply(position)
    for step in reversed([*STEPS.values()][[*STEPS].index(phase) :]):
        position.push(step)
    position.advance()
    return build_state(variant, position)


def position_of(state: State) -> Position:
    assert isinstance(state, GameState)
    return state.position


def resolving(layout: Layout, borough: str) -> GameState:
    state = lay(layout)
    run(state, f"{state.position.first_seat}:activate {borough}")
    return state


def over_in(state: State, borough: str) -> None:
    view = as_json(state.view(state.seat_to_act))
    assert (view["window"], view["resolution"]) == ("activate", None)
    assert state.seat_to_act == (view["first_seat"] + 1) % len(view["players"])
    assert f"activate {borough}" not in view["legal"]


def box(state: State, place: str) -> list[str]:
    return [BRIDES[bride] for bride in position_of(state).boxes[PLACES.index(place)]]


def _numbers(tiles: str | Sequence[str]) -> tuple[int, ...]:
    return tuple(NUMBER[tile] for tile in (tiles.split() if isinstance(tiles, str) else tiles))


def _count(colours: str) -> list[int]:
    return [colours.split().count(colour) for colour in COLOURS]


def _lay_boroughs(position: Position, layout: Layout) -> None:
    position.in_play = tuple(BOROUGHS.index(name) for name in layout.boroughs)
    for name, lord in layout.lords.items():
        number = BOROUGHS.index(name)
        position.lords[number] = LORDS.index(lord)
        workers = layout.borough_workers.get(name, COLOUR_OF[name])
        position.borough_workers[number] = tuple(_count(workers))
        position.tokens[number] = layout.tokens.get(name, 1)
        position.commons[number] = NUMBER[layout.commons[name]] if layout.commons[name] else NONE
        position.decks[number] = _numbers(layout.decks[name])
        for place, bride in enumerate(layout.brides[name].split()):
            position.brides[2 * number + place] = NONE if bride == "-" else BRIDES.index(bride)
    for slot, (seat, loyal) in layout.wed.items():
        name, _, place = slot.partition(" ")
        spot = 2 * BOROUGHS.index(name) + PLACES.index(place)
        position.spouse_seat[spot], position.spouse[spot] = seat, NUMBER[loyal]
    position.boxes = [tuple(BRIDES.index(bride) for bride in each) for each in layout.boxes]


def _lay_tiles(position: Position, layout: Layout) -> None:
    """Lay the tiles of the seats; a workshop object comes with the card that it was on."""
    given = layout.tiles()
    for seat, family in enumerate(layout.families):
        owned = [row.get(seat, "") for row in (layout.hands, layout.alleys, layout.used)]
        for where, row in layout.delegations.items():
            if seat not in row:
                continue
            owned.append(row[seat])
            position.coaches[seat] -= 1
            if where.startswith("ship"):
                position.ship[seat] = int(where[-1])
                position.ship_tiles[seat] = _numbers(row[seat])
            else:
                at = BOROUGHS.index(where) * SEATS + seat
                position.delegations[at] = _numbers(row[seat])
        resting = [loyal for loyal in LOYALS[family] if loyal not in given]
        position.hands[seat] = _numbers(layout.hands.get(seat, ""))
        position.alley_hidden[seat] = tuple(
            sorted((*_numbers(layout.alleys.get(seat, "")), *_numbers(resting)))
        )
        position.used[seat] = _numbers(layout.used.get(seat, ""))
        cards = layout.workshops.get(seat, "").split()
        cards += [card for card, tile in CARD_OF.items() if tile in " ".join(owned).split()]
        position.shops[seat] = tuple(CARDS.index(card) for card in dict.fromkeys(cards))
    built = [CARDS[card] for cards in position.shops for card in cards]
    for number, shop in enumerate(WORKSHOPS):
        numbers = [int(card[-1]) for card in built if card.startswith(shop)]
        position.shops_taken[number] = max(numbers, default=0)
    position.stock = frozenset(tile for tile in DOWRY_OBJECTS if TILES[tile] not in given)


CARD_OF = {
    f"{shop}-{k}": f"{kind}-{k}" for shop, (kind, *_) in WORKSHOPS.items() for k in range(1, 5)
}


def _lay_supply(position: Position) -> None:
    position.coin_pile -= sum(position.coins)
    position.token_pile -= sum(position.tokens)
    for row in (*position.workers, *position.borough_workers):
        position.worker_pile = [
            left - taken for left, taken in zip(position.worker_pile, row, strict=True)
        ]
    assert min(position.coin_pile, position.token_pile, *position.worker_pile) >= 0
