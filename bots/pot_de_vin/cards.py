"""The cards of Pot de Vin and their points."""

CHARACTERS = ("aldo", "pietra", "enzo", "ugo")
VALUES = range(1, 14)
CHARACTER = {f"{name}-{value}": name for name in CHARACTERS for value in VALUES}
VALUE = {f"{name}-{value}": value for name in CHARACTERS for value in VALUES}

POT_DE_VIN = "pot-de-vin"
NEUTRAL = {1: "joker", 2: "bonus", 3: "penalty", 13: POT_DE_VIN}

COLUMN_POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 15)
POT_DE_VIN_POINTS = (0, -1, -3, -6, 10)


def column_points(own: int, partner: int) -> int:
    """Return a side's points for a guild, given how many of the guild's cards each partner has."""
    return COLUMN_POINTS[min(own, partner) or max(own, partner)]
