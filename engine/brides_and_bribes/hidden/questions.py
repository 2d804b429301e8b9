"""Questions: decisions that a view allows, and the steps that follow them.

A view tells its seat whether it is asked, but neither which other seat is asked nor what led to
the decision. So every decision that the board allows is a *question*: a seat, a window and the
steps that follow. One of those that a seat really has to decide is drawn.
"""
# compiled: see setup.py

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine.brides_and_bribes.position import Answer, Position, Step
from engine.brides_and_bribes.rules import boroughs, colonies, end_of_round, rounds
from engine.brides_and_bribes.view.structs import View

Steps = tuple[tuple[Step | Answer, Any], ...]
"""Steps with their arguments; the last is the next, or an answer."""

END: Steps = ((rounds.end_round, None),)
RESOLUTION: Steps = (*END, (end_of_round.begin, None))
COLONIES: Steps = (*RESOLUTION, (boroughs.begin, None))
PLACEMENT: Steps = (*COLONIES, (colonies.begin, None))
"""By phase: the steps of the round that follow it."""


class Question(NamedTuple):
    """A decision that the board allows."""

    seat: int
    window: str
    options: Sequence[str]
    steps: Steps
    """The steps that follow; the last one takes the answer."""
    is_likely: bool = True
    """Whether it is drawn at once; otherwise only if no likely question is possible."""


def ask_one(
    position: Position,
    view: View,
    questions: Iterable[Question],
    rng: random.Random,
    *,
    likely: bool,
) -> bool:
    """Ask one of `questions` that `view` allows; return whether there is one."""
    allowed = [
        question
        for question in questions
        if _is_allowed(question, view) and (question.is_likely or not likely)
    ]
    if allowed:
        question = rng.choice(allowed)
        position.seat_to_act = question.seat
        position.window = question.window
        position.options = question.options
        position.stack = [*question.steps]
    return bool(allowed)


def _is_allowed(question: Question, view: View) -> bool:
    """Return whether `view` shows this question, or another seat may be asked it."""
    if view.window is None:
        return question.seat != view.seat and len(question.options) > 1
    asked = (question.seat, question.window, tuple(question.options))
    return asked == (view.seat, view.window, view.legal)
