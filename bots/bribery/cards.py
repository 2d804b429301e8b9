"""The cards of Bribery: officials, jokers and bribes, with their printed numbers."""

COUNTRIES = {"s": 5, "h": 4, "d": 3, "c": 2}
"""The points of each country, by suit."""
JOKERS = {"joker-1": 1, "joker-2": 1, "joker-3": 2, "joker-4": 1}
"""The points of each joker. The order matters: #1 and #2 change what the others count."""
VOTES = {"a": 5, "k": 4, "q": 3, "j": 2}
"""The votes of each rank of officials."""
OFFICIALS = {suit: [rank + suit for rank in VOTES] for suit in COUNTRIES}
"""The officials of each country."""
SUITS = frozenset(COUNTRIES)
BRIBES = {f"{value}{suit}": value for suit in COUNTRIES for value in range(2, 11)}
"""The printed value of each bribe."""
