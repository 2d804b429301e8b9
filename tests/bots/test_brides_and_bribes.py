"""Tests of the Brides & Bribes bots: styles, knowledge of the rules, and strength."""

import pytest

from arena.base.protocol import Turn, raw
from arena.bot import Bot, Start
from arena.sdk.games import ask, new_bot
from bots.brides_and_bribes import tiles as known
from bots.brides_and_bribes.styles import BuilderBot, CourtierBot, DogeBot, PoisonerBot, SuitorBot
from engine import State
from engine.brides_and_bribes import tiles
from engine.brides_and_bribes.variant import VARIANTS
from tests.engine.brides_and_bribes.play import run
from tests.engine.brides_and_bribes.positions import base, lay, resolving

STYLES = (SuitorBot, PoisonerBot, CourtierBot, BuilderBot, DogeBot)
"""Weakest first."""
each_style = pytest.mark.parametrize("bot_class", STYLES)

# -- styles --------------------------------------------------------------------------------------


def choice(bot_class: type[Bot], state: State) -> str:
    seat = state.seat_to_act
    assert seat is not None
    variant = state.variant
    table = Start(0, variant.game, variant.id, seat, variant.seats, variant.teams, seed=1)
    legal = list(state.legal_actions())
    return ask(new_bot(bot_class, table), Turn(0, 1, raw(state.view(seat)), b"[]", legal, 0)).action


def choices(state: State) -> list[str]:
    return [choice(style, state) for style in STYLES]


def all_do(action: str) -> list[str]:
    return [action] * len(STYLES)


def test_styles_differ_in_declarations() -> None:
    layout = base(
        "a",
        coins={0: 5},
        borough_workers={"citadel": "blue blue"},
        tokens={"citadel": 2},
        delegations={"citadel": {0: "luciano"}},
    )
    expected = ["marry first", "marry second", "influence", "employ", "marry first"]
    assert choices(resolving(layout, "citadel")) == expected


@pytest.mark.parametrize(
    "play", ["hag", "damsel-1", "crook", "plague-spreader-1", "assassin-2 seat-1"]
)
def test_harmful_styles_thwart_a_marriage(play: str) -> None:
    tile = play.split()[0]
    layout = base("a", coins={1: 6}, delegations={"citadel": {0: f"luciano {tile}", 1: "enrico"}})
    state = resolving(layout, "citadel")
    run(state, "0:guide luciano, 1:marry first")
    cares = (PoisonerBot, DogeBot)
    expected = [f"play {play}" if style in cares else "decline" for style in STYLES]
    assert choices(state) == expected


@pytest.mark.parametrize(("bride", "expected"), [("first", "play ring-1"), ("second", "decline")])
def test_gives_a_ring_if_it_makes_the_difference(bride: str, expected: str) -> None:
    layout = base("a", coins={0: 1}, delegations={"citadel": {0: "luciano ring-1"}})
    state = resolving(layout, "citadel")
    run(state, f"0:marry {bride}")  # for 4 coins, or for 1
    assert choices(state) == all_do(expected)


@each_style
def test_prepares_affordable_marriages(bot_class: type[Bot]) -> None:
    hands = {0: "luciano matteo", 1: "niccolo", 2: "taddeo"}
    layout = base("a", coins={0: 2}, favor=(2, 1, 0), hands=hands)
    state = lay(layout, "placement")
    assert choice(bot_class, state) == "place citadel"  # of the lord with the prestige of 3


# -- what the bots know of the rules -------------------------------------------------------------


def test_tiles_match_the_engine() -> None:
    for number, tile in enumerate(tiles.TILES):
        found = known.tile_data(tile)
        assert found.kind == tiles.KIND[number]
        assert known.is_character(tile) == (number < tiles.FIRST_OBJECT)
        if number < tiles.FIRST_OBJECT:
            assert found.prestige == tiles.PRESTIGE[number]
        assert found.charm == (tiles.CHARM[number] if number < tiles.FIRST_COMMON else 0)


def test_brides_and_end_of_game_match_the_engine() -> None:
    assert dict(zip(tiles.BRIDES, tiles.BRIDE_CHARM, strict=True)) == known.CHARM
    for variant in VARIANTS:
        row = variant.parameters
        assert (known.END_INFLUENCE[row.seats], known.LAST_ROUND) == (row.end_influence, row.rounds)
