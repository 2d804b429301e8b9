"""Scoring of Brides & Bribes: scores and ranks of seats [9]."""
# compiled: see setup.py

from collections.abc import Sequence

Score = tuple[int, int, int, int, int]
"""Whether a seat is married, its influence, first brides, second brides, workshops."""


def score_seats(
    influence: Sequence[int], spouse_seat: Sequence[int], workshops: Sequence[int]
) -> list[Score]:
    """Return the score of each seat; the greater one is better [R57].

    `influence` and `workshops` are numbers by seat; `spouse_seat` is the married seat by spot.
    """
    scores = []
    for seat, own in enumerate(influence):
        first = list(spouse_seat[0::2]).count(seat)
        second = list(spouse_seat[1::2]).count(seat)
        scores.append((int(first + second > 0), own, first, second, workshops[seat]))
    return scores


def rank(scores: Sequence[Score]) -> list[int]:
    """Return the rank of each seat: 1 and the number of seats with a better score [R58]."""
    return [1 + sum([other > own for other in scores]) for own in scores]
