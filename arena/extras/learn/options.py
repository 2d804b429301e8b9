"""Rewards for learning, and the check of the options that environments have in common."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from arena.errors import SettingsError
from engine import Outcome, Variant
from engine.errors import unknown

Rewards = Literal["points", "ranks", "win"]


def check_rewards(rewards: str) -> None:
    """Raise `SettingsError` if there are no such rewards."""
    if rewards not in get_args(Rewards):
        expected = ", ".join(get_args(Rewards))
        raise SettingsError(f"got rewards={rewards!r}, expected one of {expected}")


def check_options(variant: Variant, options: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raise `SettingsError` for the first of `options` that is not `known`, or is wrong."""
    for name in options:
        if name not in known:
            raise SettingsError(unknown("option", name, list(known)))
    check_rewards(options.get("rewards", "ranks"))
    for name, least in (("history", 0), ("max_cycles", 1)):
        number = options.get(name)
        if number is not None and (not isinstance(number, int) or number < least):
            raise SettingsError(f"got {name}={number!r}, expected a number of at least {least}")
    opponents = options.get("opponents") or {}
    if wrong := [seat for seat in opponents if seat not in range(variant.seats)]:
        raise SettingsError(
            f"got an opponent at seat {wrong[0]!r}, expected 0 to {variant.seats - 1} in "
            f"{variant.id}"
        )
    if len(opponents) == variant.seats:
        raise SettingsError(f"all seats of {variant.id} have opponents, expected one to learn")


def rewards_of(
    outcome: Outcome, sides: Sequence[Sequence[int]], rewards: Rewards
) -> tuple[float, ...]:
    """Return the reward of each seat; the seats of a team share it, so each gets the same.

    `points` are those of the game. `ranks` is the share of the other sides that a side is ahead of,
    less the share that is ahead of it: from -1 to 1, and 0 in all. `win` is 1 for the winners,
    divided by their sides if several share the victory, and 0 for all others.
    """
    if rewards == "points":
        return tuple(map(float, outcome.points))
    ranks = outcome.ranks
    by_side = [ranks[side[0]] for side in sides]
    if rewards == "win":
        winners = by_side.count(1)
        return tuple([1 / winners if rank == 1 else 0.0 for rank in ranks])
    others = len(sides) - 1
    return tuple([sum([(o > rank) - (o < rank) for o in by_side]) / others for rank in ranks])
