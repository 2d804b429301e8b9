"""Constants of Brides & Bribes, such as the tiles and the number of rounds."""
# compiled: see setup.py

import functools
from typing import Final, Literal, NamedTuple

Place = Literal["first", "second"]
PLACES: Final[tuple[Place, ...]] = ("first", "second")


class Tile(NamedTuple):
    kind: str
    prestige: int
    charm: int = 0


def _numbers(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in [each.split() for each in text.split(", ")]}


_LOYALS: Final = (
    "luciano extra-worker 3 5, matteo guard 3 4, mario two-ducati 3 5, raineo raineo 3 4, "
    "niccolo extra-worker 3 5, enrico guard 4 5, giorgio two-ducati 2 4, giovanni giovanni 3 4, "
    "taddeo extra-worker 4 4, oberto guard 3 5, franco two-ducati 2 5, ansaldo ansaldo 3 4, "
    "mileto extra-worker 3 5, filippo guard 4 5, lucchino two-ducati 2 4, antonio antonio 3 4, "
    "raffaele extra-worker 3 6, isandro guard 5 4, tommaso two-ducati 2 4, gabriele gabriele 2 4"
)
LOYALS: Final = {
    name: Tile(kind, int(prestige), int(charm))
    for name, kind, prestige, charm in [loyal.split() for loyal in _LOYALS.split(", ")]
}
PRESTIGE: Final = _numbers(
    "double 3, hag 1, plague-spreader 2, damsel 3, lover 3, falconer 4, guard 3, mediator 4, "
    "charmer 2, archivist 4, magistrate 6, beguiler 4, tutor 5, groomsman 5, merchant 4, "
    "bard 3, crook 2, jester 2, barker 2, assassin 1, rat 1, thief 2, defamer 3"
)
CHARM: Final = _numbers(
    "bianca 8, caterina 8, eleonora 9, ginevra 9, isabella 9, lucrezia 10, vittoria 10, "
    "agnese 5, chiara 5, fiammetta 6, livia 6, margherita 6, paola 7, teresa 7"
)
KILLERS: Final = ("assassin", "poison")
GUARDS: Final = ("guard", "antidote")
LAST_ROUND: Final = 6
END_INFLUENCE: Final = {3: 25, 4: 20, 5: 20}
"""Maps the number of seats to the influence that a player needs to end the game."""


@functools.cache
def tile_data(name: str) -> Tile:
    if name in LOYALS:
        return LOYALS[name]
    kind, _, number = name.rpartition("-")
    kind = kind if number.isdigit() else name
    return Tile(kind, PRESTIGE.get(kind, 0))


def kind_of(name: str) -> str:
    return tile_data(name).kind


@functools.cache
def is_character(name: str) -> bool:
    """Return whether a tile is a character. All other tiles are objects."""
    return tile_data(name).prestige > 0


def as_place(word: str) -> Place:
    return "second" if word == "second" else "first"
