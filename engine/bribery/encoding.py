"""Encode Bribery actions and positions for machine learning."""

from array import array

from engine.bribery.actions import (
    ABILITY_OF,
    ALLOW,
    BRIBE,
    DISCARD,
    NO_ABILITY,
    OFFICIAL,
    PROTECT,
    SWINDLE,
)
from engine.bribery.cards import (
    BRIBES,
    CARDS,
    JOKERS,
    OFFICIALS,
)
from engine.bribery.parameters import Parameters
from engine.bribery.position import Position
from engine.bribery.vectors import ABILITIES, COUNTRIES, PHASES, REASONS, write_vector
from engine.encoding import (
    EventTable,
    PositionEncoding,
    distances,
    relative_seats,
    relative_sides,
)
from engine.fields import read_layout

_EVENTS = ("start", "round", "draw", "action", "ability", "over")
_WORDS = (
    *CARDS,
    *("bribe", "official", "discard", "no-ability", "protect", "allow", "swindle"),
    *("assassinate", "bless"),
)


class BriberyEncoding(PositionEncoding):
    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        n, sides = parameters.seats, len(parameters.sides)
        words = {
            "phases": PHASES,
            "seats": relative_seats(n),
            "sides": relative_sides(sides),
            "cards": CARDS,
            "bribes": BRIBES,
            "officials": OFFICIALS,
            "jokers": JOKERS,
            "countries": COUNTRIES,
            "suited": COUNTRIES[:4],
            "reasons": REASONS,
            "abilities": ABILITIES,
        }
        options = ("advanced",) if parameters.advanced else ()
        layout = read_layout(__package__, words, {"turns": parameters.plays + 1}, options)
        actions, events = list_actions(parameters.advanced), EventTable(_EVENTS, _WORDS, n)
        super().__init__(parameters.variant_id, n, actions, layout, events, history)
        self._side_of_seat, self._side_from = parameters.side_of_seat, distances(sides)

    def write(self, position: Position, seat: int) -> "array[int]":
        vector = self._zeros[:]
        side_from = self._side_from[self._side_of_seat[seat]]
        write_vector(vector, self._at, position, self._seat_from[seat], side_from)
        for card in position.hands[seat]:
            vector[self._at["hand"] + card] = 1
        return vector


def list_actions(advanced: bool) -> list[str]:
    actions = [action for row in BRIBE for action in row]
    actions += [*OFFICIAL, *DISCARD]
    if advanced:
        actions += [*ABILITY_OF, NO_ABILITY, *PROTECT, ALLOW]
        actions += [action for row in SWINDLE for action in row]
    return actions
