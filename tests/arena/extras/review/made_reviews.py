"""Reviews for tests, made without a simulated game."""

import msgspec

from arena.base.record import GameRecord
from arena.extras.review.judging import EVEN
from arena.extras.review.review import GameReview, JudgedDecision
from arena.match.referee import start_game

MISTAKES = (2, 5)
"""The decisions of the seat that are mistakes, counted from 0; the second is the heavier one.

The first one's loss is so sure that its interval has no width in points.
"""


def make_game_review(record: GameRecord, seat: int) -> GameReview:
    """Return a review of a seat, for which the last legal action is always the best."""
    state, decisions = start_game(record.variant, record.deal), list[JudgedDecision]()
    for move, action in enumerate(record.actions, 1):
        legal = state.legal_actions()
        if state.seat_to_act == seat and len(legal) > 1:
            best = next(other for other in reversed(legal) if other != action)
            is_mistake, loss = len(decisions) in MISTAKES, 0.05 * len(decisions)
            error = 0.001 if len(decisions) == MISTAKES[0] else 0.01
            decisions.append(
                JudgedDecision(
                    action, best, share=0.6 - 0.02 * len(decisions), loss=loss, error=error,
                    chance=0.001, move=move, chapter="", is_mistake=is_mistake,
                )
            )  # fmt: skip
        state.apply(action)
    lost = sum([one.loss for one in decisions if one.is_mistake])
    return GameReview(
        record.key, record.title, record.variant, record.entrants[seat], seat,
        tuple(decisions), 0.0, lost, 0.1, lost - 0.1 - EVEN,
    )  # fmt: skip


def stored(review: GameReview, **changed: object) -> bytes:
    """Return a review as it is stored, with changed fields."""
    return msgspec.json.encode({**msgspec.to_builtins(review), **changed})
