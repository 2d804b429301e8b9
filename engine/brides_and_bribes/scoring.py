"""Scores and ranks of seats [9]."""
# compiled: see setup.py

from engine.brides_and_bribes.position.position import Position

# Whether the seat is married (1 or 0), influence, first brides, second brides, workshops.
Score = tuple[int, int, int, int, int]


def scores_of(position: Position) -> list[Score]:
    """Return the score of each seat [R57]."""
    scores = []
    for seat, own in enumerate(position.influence):
        first = position.spouse_seat[0::2].count(seat)
        second = position.spouse_seat[1::2].count(seat)
        scores.append((int(first + second > 0), own, first, second, len(position.shops[seat])))
    return scores
