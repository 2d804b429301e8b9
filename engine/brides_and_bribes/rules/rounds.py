"""Rounds from start to end, and the end of the game [6, 8.5-8.7, 9]."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final

from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules import boroughs, colonies, end_of_round, placement
from engine.brides_and_bribes.scoring import scores_of
from engine.brides_and_bribes.tiles import NONE
from engine.state import rank

COINS_PER_INFLUENCE: Final = 5
"""Coins worth 1 influence at the end of the game [9]."""


def begin_round(position: Position, workers: Sequence[int], tokens: Sequence[int]) -> None:
    """Begin a round. `workers` and `tokens` say how many each borough received [6]."""
    position.round += 1
    position.favor_asked = position.passed = ()
    position.proofs = ()
    position.log.end_chapter()
    by_borough = [
        {borough: numbers[borough] for borough in position.in_play}
        for numbers in (position.commons, workers, tokens)
    ]
    position.log.notes.append(
        ("round", position.round, position.first_seat, position.favor_order, *by_borough)
    )
    for step in (end_round, end_of_round.begin, boroughs.begin, colonies.begin, placement.begin):
        position.push(step)


def end_round(position: Position, _: None) -> None:
    """End the game, or refill the boroughs and begin the next round [8.5, R56]."""
    parameters = position.parameters
    if position.round == parameters.rounds or max(position.influence) >= parameters.end_influence:
        end_game(position)
    else:
        _refill(position)


def _refill(position: Position) -> None:
    """Turn up commons, add workers and tokens, and return all alleys [8.6, 8.7]."""
    workers, tokens = [0] * len(position.tokens), [0] * len(position.tokens)
    for borough in position.in_play:
        common, deck = position.commons[borough], position.decks[borough]
        if common != NONE:
            position.out += (common,)
        position.commons[borough] = deck[0] if deck else NONE
        position.decks[borough] = deck[1:]
        position.known_below[borough] = ()
        if position.worker_pile[borough]:
            position.add_worker(borough)
            workers[borough] = 1
        if position.token_pile:
            position.token_pile -= 1
            position.tokens[borough] += 1
            tokens[borough] = 1
    n = position.parameters.seats
    for seat in range(n):
        position.hands[seat] += position.alley_shown[seat] + position.alley_hidden[seat]
        position.alley_shown[seat] = position.alley_hidden[seat] = ()
    position.first_seat = (position.first_seat + 1) % n
    begin_round(position, workers, tokens)


def end_game(position: Position) -> None:
    """Convert coins to influence and end the game [9]."""
    before = tuple(position.influence)
    for seat, coins in enumerate(position.coins):
        position.influence[seat] += coins // COINS_PER_INFLUENCE
    position.phase = "over"
    position.window = None
    position.options = ()
    influence, scores = tuple(position.influence), tuple(scores_of(position))
    position.log.notes.append(("over", before, influence, scores, tuple(rank(scores))))
