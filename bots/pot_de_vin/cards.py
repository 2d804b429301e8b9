"""The cards of Pot de Vin and what they score."""

CHARACTERS = ("aldo", "pietra", "enzo", "ugo")
VALUES = range(1, 14)
CHARACTER = {f"{name}-{value}": name for name in CHARACTERS for value in VALUES}
"""The character of each card, in canonical order."""
VALUE = {f"{name}-{value}": value for name in CHARACTERS for value in VALUES}

POT_DE_VIN = "pot-de-vin"
NEUTRAL = {1: "joker", 2: "bonus", 3: "penalty", 13: POT_DE_VIN}
"""The kinds of cards without a guild, by value."""

COLUMN_POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 15)
"""By the number of symbols in a guild column."""
POT_DE_VIN_POINTS = (0, -1, -3, -6, 10)
"""By the number of Pot de Vin cards."""


def column_points(own: int, partner: int) -> int:
    """Return a side's points for a guild. Of two partners' columns, the shorter one counts."""
    return COLUMN_POINTS[min(own, partner) or max(own, partner)]
