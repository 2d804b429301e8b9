"""The vocabulary of Brides & Bribes: every action of a variant, in a stable order.

Actions are listed by window, in the order of the rules page [5].
"""

from collections.abc import Iterable

from engine.brides_and_bribes.actions import (
    ACTIVATE,
    ARGUMENTS,
    BOROUGH_ARGUMENT,
    BRIDE_ARGUMENT,
    BUILD,
    BUY,
    BUY_BACK,
    COLOUR_ARGUMENT,
    COUNTER,
    DECLARE,
    DECLINE,
    DISMISS,
    GUIDE,
    INFLUENCE_ARGUMENT,
    KEEP,
    LEAVE,
    NO_ARGUMENT,
    PASS,
    PLACE,
    PLACE_ARGUMENT,
    PLAY,
    REINFORCE,
    SEAT_ARGUMENT,
    SEND,
    SPOT_ARGUMENT,
    SWAP,
    SWITCH,
    WORKER,
)
from engine.brides_and_bribes.rules.abilities import ABILITIES
from engine.brides_and_bribes.tiles import FIRST_COMMON, FIRST_OBJECT, KIND

_COUNTERS = ("guard", "antidote")
"""Kinds that can't be played on their own, only in response to a play [7.6]."""


def list_actions(seats: int) -> list[str]:
    """Return every action of a variant with this number of seats."""
    actions = [*WORKER, *PLACE, PASS]
    for row in SEND:
        actions += row
    for row in REINFORCE:
        actions += row
    for gives, texts in enumerate(SWAP):
        actions += [text for takes, text in enumerate(texts) if takes != gives]
    actions += [*BUY, DECLINE, *ACTIVATE, *GUIDE, *DECLARE]
    for tile, kind in enumerate(KIND):
        if kind not in _COUNTERS:
            actions += [PLAY[tile][argument] for argument in _arguments(kind, seats)]
    stops = ("assassin", "poison", *_COUNTERS)
    actions += [text for text, kind in zip(COUNTER, KIND, strict=True) if kind in stops]
    actions += [SWITCH, LEAVE, KEEP, *DISMISS[FIRST_COMMON:]]
    return [*actions, *dict.fromkeys(BUY_BACK[FIRST_OBJECT:]), *BUILD]


def _arguments(kind: str, seats: int) -> Iterable[int]:
    """Return the arguments that tiles of this kind can be played with."""
    ranges: dict[str, Iterable[int]] = {
        "": (NO_ARGUMENT,),
        "seat": range(SEAT_ARGUMENT, SEAT_ARGUMENT + seats),
        "place": range(PLACE_ARGUMENT, COLOUR_ARGUMENT),
        "colour": range(COLOUR_ARGUMENT, INFLUENCE_ARGUMENT),
        "influence": (INFLUENCE_ARGUMENT,),
        "borough": range(BOROUGH_ARGUMENT, BRIDE_ARGUMENT),
        "bride": range(BRIDE_ARGUMENT, SPOT_ARGUMENT),
        "spot": range(SPOT_ARGUMENT, len(ARGUMENTS)),
    }
    named = ABILITIES.get(kind, {}).get("argument", "").split(" or ")
    return [argument for name in named for argument in ranges[name]]
