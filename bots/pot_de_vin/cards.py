"""The cards of Pot de Vin and the points that they score."""

CHARACTERS = ("aldo", "pietra", "enzo", "ugo")
VALUES = range(1, 14)
CHARACTER = {f"{name}-{value}": name for name in CHARACTERS for value in VALUES}
"""The character of each card. The cards are in canonical order."""
VALUE = {f"{name}-{value}": value for name in CHARACTERS for value in VALUES}
"""The printed value of each card."""

POT_DE_VIN = "pot-de-vin"
NEUTRAL = {1: "joker", 2: "bonus", 3: "penalty", 13: POT_DE_VIN}
"""The kinds of the cards that belong to no guild, by value."""

COLUMN_POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 15)
"""By number of symbols in a guild column."""
POT_DE_VIN_POINTS = (0, -1, -3, -6, 10)
"""By number of Pot de Vin cards."""


def column_points(own: int, partner: int) -> int:
    """Return the points of a side in a guild; of two partners' columns the smaller one counts."""
    return COLUMN_POINTS[min(own, partner) or max(own, partner)]
