"""Weights of the gains for the bots of Brides & Bribes."""

from typing import Final

import msgspec


class Weights(msgspec.Struct, frozen=True):
    """The weights of a bot. What is not said otherwise is added in points of influence.

    With the defaults, everything has its estimated true value: that is how `doge` plays.
    """

    # Factors for the things that gain influence.
    marriages: float = 1.0
    workers: float = 1.0
    commons: float = 1.0
    tokens: float = 1.0
    coins: float = 1.0
    favor: float = 1.0
    harm: float = 1.0

    # Marriages.
    first_marriage: float = 4.0
    """For a first marriage: a seat without one ranks behind all seats that have one."""
    patience: float = 0.0
    """Taken from it for each remaining round."""
    urgency: float = 0.0
    """For a first marriage in the last two rounds."""
    early_marriages: float = 0.0
    """For a marriage, for each remaining round."""
    second_brides: float = 0.0
    """For a marriage with a second bride."""
    declared_marriages: float = 0.0
    """For a marriage when it could be declared now."""

    # Other goods.
    early_tokens: float = 0.0
    """For a token of influence, for each remaining round."""
    declared_hires: float = 0.0
    """For a common when it could be hired now."""
    earning: float = 0.7
    """The part of the remaining rounds in which a worker earns coins, before it builds."""

    # Placement.
    delegations: float = 0.0
    """For sending a new delegation to a borough."""
    asking: float = 0.0
    """For asking for the Doge's favor."""
    guides: float = 0.0
    """For a guide, for each point of its prestige."""

    # The end of the game.
    leader_gain: float = 3.5
    """The influence that the leader is expected to gain in a round, which predicts the end."""


TUNED: Final = Weights(
    marriages=0.75,
    workers=1.3,
    commons=0.93,
    tokens=1.15,
    favor=1.6,
    harm=0.9,
    first_marriage=3.4,
    patience=0.27,
    urgency=0.2,
    early_marriages=-0.27,
    second_brides=-0.42,
    declared_marriages=-0.35,
    early_tokens=0.056,
    declared_hires=-0.13,
    earning=0.83,
    delegations=0.2,
    asking=0.42,
    guides=0.05,
    leader_gain=3.2,
)
"""The weights of `champion`, found by playing many games: each effect was measured in games whose
seats had all weights changed by chance (`docs/bots.md`)."""
