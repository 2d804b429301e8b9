"""The variants that a contest or a command chooses."""

from collections.abc import Sequence

from arena.contest.settings import check_game
from engine import get_variant, variants
from engine.plugins import variants_of


def chosen_variants(variant_ids: Sequence[str], games: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the variants, and of all variants of the games; without either, all ids."""
    for game in games:
        check_game(game)
    chosen = [get_variant(one).id for one in variant_ids]
    if len(games) == 1:  # a run starts faster without the other games
        chosen += variants_of(games[0])
    elif games or not chosen:
        chosen += [one.id for one in variants().values() if one.game in games or not games]
    return tuple(dict.fromkeys(chosen))
