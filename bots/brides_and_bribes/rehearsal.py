"""Replay a placement phase of Brides & Bribes as if an opponent had a given playing style.

In a placement phase, players see where their opponents place tiles, but not which tiles. During
the replay, a bot with the given style decides for the opponent. If the bot tends to choose the
same places as the opponent, the opponent probably has this style. The bot's tiles are then a
good guess at the opponent's hidden tiles.
"""
# compiled: see setup.py

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bots.any_game.guide_formulas import choice_probability
from bots.brides_and_bribes.model import Model
from engine.brides_and_bribes.actions import PASS, PLACED_TILE
from engine.brides_and_bribes.rules.game import begin_round
from engine.brides_and_bribes.tiles import COACHES, NUMBER, SEATS
from engine.state import GameState, build_state

PLACED: Final = ("sent", "reinforced", "favor", "passed")
ERROR_PROBABILITY: Final = 0.1


def before_placement(state: GameState) -> GameState:
    """Return the state before the current round's placement phase."""
    position = state.position.copy()
    for seat in range(position.parameters.seats):
        tiles = [*position.hands[seat], *position.alley_shown[seat], *position.alley_hidden[seat]]
        tiles += position.ship_tiles[seat]
        for delegation in position.delegations[seat::SEATS]:
            tiles += delegation
        position.hands[seat] = tuple(sorted(tiles))
    for empty in (position.alley_shown, position.alley_hidden, position.ship_tiles):
        empty[:] = [()] * len(empty)
    position.delegations = [()] * len(position.delegations)
    position.coaches = [COACHES] * len(position.coaches)
    position.ship = [0] * len(position.ship)
    position.stack, position.seat_to_act = [], None
    position.round -= 1  # it begins once more
    nothing = [0] * len(position.tokens)
    begin_round(position, nothing, nothing)
    position.advance()
    return build_state(state.variant, position)


class Rehearsal:
    def __init__(self, start: GameState, seat: int, model: Model) -> None:
        self._state = start.clone()
        self._seat = seat
        self._model = model
        self.placed: dict[tuple[int, str], list[int]] = {}

    def follow(self, event: Mapping[str, Any], temperatures: Sequence[float]) -> list[float]:
        """Replay a placement, and return its probability under the model for each softmax
        temperature.
        """
        position, seat, kind = self._state.position, event["seat"], event["event"]
        certain = [1.0] * len(temperatures)
        place = "favor" if kind == "favor" else event.get("place", "")
        action = PASS if kind == "passed" else f"place {place}"
        if self._state.seat_to_act != seat or position.window != "place":
            return certain  # a pass without a choice
        legal = self._state.legal_actions()
        tile_name = event.get("tile")
        if tile_name is not None:
            self._take_in_hand(seat, NUMBER[tile_name])
        if action not in legal:
            return certain
        likely = certain
        if seat != self._seat:
            values = self._model.values(self._state, legal)
            likely = [
                choice_probability(values, legal.index(action), temperature, ERROR_PROBABILITY)
                for temperature in temperatures
            ]
        before = position.hands[seat]
        self._state.apply(action)
        if kind == "passed":
            return likely
        if position.window == "tile" and position.seat_to_act == seat:
            self._state.apply(self._tile(tile_name))
        put = [tile for tile in before if tile not in position.hands[seat]]
        self.placed.setdefault((seat, place), []).extend(put[:1])
        return likely

    def _tile(self, tile_name: str | None) -> str:
        legal = self._state.legal_actions()
        if tile_name is not None:
            return next(action for action in legal if PLACED_TILE[action] == NUMBER[tile_name])
        values = self._model.values(self._state, legal)
        return legal[values.index(max(values))]

    def _take_in_hand(self, seat: int, tile: int) -> None:
        position = self._state.position
        hand = position.hands[seat]
        if tile in hand or not hand:
            return
        rows = (position.delegations, position.ship_tiles)
        for row in rows:
            for number, tiles in enumerate(row):
                if tile in tiles:
                    row[number] = tuple([hand[0] if other == tile else other for other in tiles])
                    position.hands[seat] = (tile, *hand[1:])
        for tiles_there in self.placed.values():
            tiles_there[:] = [hand[0] if other == tile else other for other in tiles_there]
