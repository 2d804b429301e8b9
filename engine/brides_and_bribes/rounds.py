"""A round, from its start to its end, and the end of the game [6, 8.5-8.7, 9]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes import colonies, end_of_round, placement, resolution, story
from engine.brides_and_bribes.scoring import describe
from engine.brides_and_bribes.tiles import NONE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

COINS_PER_INFLUENCE = 5
"""At the end of the game [9]."""


def begin_round(
    state: "BridesAndBribesState", workers: Sequence[int], tokens: Sequence[int]
) -> None:
    """Begin a round; `workers` and `tokens` are those added to each borough [6]."""
    n = state.variant.seats
    state.round += 1
    state.favor_asked = ()
    state.passed = [False] * n
    state.proofs = ()
    state.end_chapter()
    state.tell(
        story.round_began,
        state.round,
        state.first_seat,
        state.favor_order,
        state.in_play,
        tuple(state.commons),
        tuple(workers),
        tuple(tokens),
    )
    for step in (end_round, end_of_round.begin, resolution.begin, colonies.begin, placement.begin):
        state.push(step)


def end_round(state: "BridesAndBribesState") -> None:
    """End the game, or refill the boroughs and begin the next round [8.5, R56]."""
    variant = state.variant
    if state.round == variant.rounds or max(state.influence) >= variant.end_influence:
        end_game(state)
    else:
        _refill(state)


def _refill(state: "BridesAndBribesState") -> None:
    """Turn up new commons, add workers and tokens; everybody takes its alley back [8.6, 8.7]."""
    workers, tokens = [0] * len(state.tokens), [0] * len(state.tokens)
    for borough in state.in_play:
        if state.commons[borough] != NONE:
            state.out += (state.commons[borough],)
        state.commons[borough], *deck = state.decks[borough] or (NONE,)
        state.decks[borough] = tuple(deck)
        state.known_below[borough] = ()
        if state.worker_pile[borough]:  # a borough has the number of its colour
            state.worker_pile[borough] -= 1
            state.borough_workers[borough][borough] += 1
            workers[borough] = 1
        if state.token_pile:
            state.token_pile -= 1
            state.tokens[borough] += 1
            tokens[borough] = 1
    n = state.variant.seats
    for seat in range(n):
        state.hands[seat] += state.alley_shown[seat] + state.alley_hidden[seat]
        state.alley_shown[seat] = state.alley_hidden[seat] = ()
    state.first_seat = (state.first_seat + 1) % n
    begin_round(state, workers, tokens)


def end_game(state: "BridesAndBribesState") -> None:
    """Turn coins into influence; the game is over [9]."""
    before = tuple(state.influence)
    for seat, coins in enumerate(state.coins):
        state.influence[seat] += coins // COINS_PER_INFLUENCE
    state.phase = "over"
    state.tell(story.ended, before, tuple(state.influence), describe(state))
