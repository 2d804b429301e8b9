"""How much the Brides & Bribes bots value marriages, workers, coins and other gains."""

from typing import Final

import msgspec


class Weights(msgspec.Struct, frozen=True):
    """A bot's weights, in points of influence unless stated otherwise."""

    # Factors for the things that gain influence.
    marriages: float = 1.0
    workers: float = 1.0
    commons: float = 1.0
    tokens: float = 1.0
    coins: float = 1.0
    favor: float = 1.0
    harm: float = 1.0

    # Marriages.
    first_marriage: float = 4.0  # bonus for a seat's first marriage
    patience: float = 0.0  # how much smaller that bonus is for each remaining round
    urgency: float = 0.0  # bonus for a first marriage in the last two rounds
    early_marriages: float = 0.0
    second_brides: float = 0.0
    declared_marriages: float = 0.0  # bonus for a marriage that can be declared immediately

    # Other goods.
    early_tokens: float = 0.0  # bonus for an influence token, per remaining round
    declared_hires: float = 0.0  # bonus for a common that could be hired now
    # Share of the remaining rounds in which a worker earns coins before it builds a workshop.
    earning: float = 0.7

    # Placement.
    delegations: float = 0.0  # bonus for sending a new delegation to a borough
    asking: float = 0.0
    guides: float = 0.0

    # The end of the game.
    leader_gain: float = 3.5  # expected influence that the leader gains per round


# The champion bot's weights, tuned in games between bots with random weights (docs/bots.md).
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
