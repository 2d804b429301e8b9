"""Compute the rewards of a game for reinforcement learning."""

from collections.abc import Sequence
from typing import Any, Literal

from arena.base.errors import SettingsError
from engine import Outcome

Rewards = Literal["points", "ranks", "win"]


def check_choice(name: str, value: Any, choices: Sequence[str | None]) -> None:
    """Raise `SettingsError` if an option has an invalid value."""
    if value not in choices:
        expected = ", ".join(map(str, choices))
        raise SettingsError(f"got {name}={value!r}, expected one of {expected}")


def rewards_of(
    outcome: Outcome, sides: Sequence[Sequence[int]], rewards: Rewards
) -> tuple[float, ...]:
    """Return the reward of each seat. All seats of a team get the same reward.

    "points": the number of points that the player scored.

    "ranks": the fraction of opponents that the player beats, minus the fraction that beat the
    player.

    "win": the winners share a reward of 1 equally, and all other players get 0.
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
