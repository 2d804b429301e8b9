"""The cards of Bribery: officials, jokers and bribes, with their values."""

COUNTRIES = {"s": 5, "h": 4, "d": 3, "c": 2}
JOKERS = {"joker-1": 1, "joker-2": 1, "joker-3": 2, "joker-4": 1}
"""Points for controlling each joker."""
VOTES = {"a": 5, "k": 4, "q": 3, "j": 2}
OFFICIALS = {suit: [rank + suit for rank in VOTES] for suit in COUNTRIES}
SUITS = frozenset(COUNTRIES)
BRIBES = {f"{value}{suit}": value for suit in COUNTRIES for value in range(2, 11)}
