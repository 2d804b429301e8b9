"""Compute each character's prestige and charm as the leader of a Brides & Bribes delegation."""
# compiled: see setup.py

import functools
from typing import NamedTuple

from bots.brides_and_bribes.terms import EASING, SHIFTS
from bots.brides_and_bribes.tiles import LOYALS, is_character, kind_of, tile_data

EDICT = "edict"
MAX_KEPT = 4096


class Strength(NamedTuple):
    prestige: int
    charm: int | None  # None if the character can't marry
    has_edict: bool


class Leader(NamedTuple):
    guide: str
    strength: Strength


@functools.lru_cache(MAX_KEPT)
def leaders(tiles: tuple[str, ...]) -> tuple[Leader, ...]:
    return tuple([leader(tile, tiles) for tile in tiles if is_character(tile)])


@functools.lru_cache(MAX_KEPT)
def leader(guide: str, tiles: tuple[str, ...]) -> Leader:
    kinds = [kind_of(tile) for tile in tiles]
    shifts = [SHIFTS[kind] for kind in kinds if kind in EASING]
    data = tile_data(guide)
    prestige = data.prestige + sum([shift.prestige for shift in shifts])
    charm = data.charm + sum([shift.charm for shift in shifts]) if guide in LOYALS else None
    return Leader(guide, Strength(prestige, charm, EDICT in kinds))
