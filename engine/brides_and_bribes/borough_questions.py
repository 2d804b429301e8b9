"""The questions of a borough that is being resolved; see `questions`."""

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engine.brides_and_bribes import completing, guides, playing, resolution, turn, windows
from engine.brides_and_bribes.abilities import plays
from engine.brides_and_bribes.actions import (
    DUCATO,
    EMPLOY,
    HIRE,
    LEAVE,
    MARRY_SECOND,
    SWITCH,
    characters,
)
from engine.brides_and_bribes.effects import peeked
from engine.brides_and_bribes.questions import RESOLUTION, Question, Steps
from engine.brides_and_bribes.tiles import COLOURS, NONE
from engine.brides_and_bribes.windows import Window

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState, Step
    from engine.brides_and_bribes.view import View


def borough_questions(state: "BridesAndBribesState", view: "View") -> Iterator[Question]:
    """All questions of the borough that is being resolved [7]."""
    later: Steps = (*RESOLUTION, (resolution.activate, (sum(state.resolved) + 1,)))
    if all(guide == NONE for guide in state.guide):
        for number, seat in enumerate(state.delegates):
            options = guides.guide_options(state, seat)
            yield Question(seat, "guide", options, (*later, (resolution.chosen, (seat, number))))
    elif state.active == NONE:
        yield from _order_questions(state, later)
    elif state.declared == NONE:
        later = (*later, (resolution.next_turn, ()))
        options = turn.declare_options(state, state.active)
        yield Question(state.active, "declare", options, (*later, (turn.declare, ())))
    else:
        yield from _turn_questions(state, view, (*later, (resolution.next_turn, ())))


def choose_guides(state: "BridesAndBribesState", rng: random.Random) -> None:
    """Choose the guides of those that were asked before the seat to act, if guides are asked."""
    if state.window == "guide":
        _, (_, number) = state.stack[-1]
        for seat in state.delegates[:number]:
            found = characters(state.hand[seat])
            state.chosen[seat] = rng.choice(found) if found else NONE


def _order_questions(state: "BridesAndBribesState", later: Steps) -> Iterator[Question]:
    seats, window = state.delegates, resolution.order_window
    later = (*later, (resolution.fix_order, ()))
    for number, seat in enumerate(seats):
        if state.guide[seat] != NONE:
            options = plays(state, seat, "order")
            answer = _answered("order", window, seats, number)
            yield Question(seat, "order", options, (*later, answer))
    yield from _replace_questions(state, (*later, (window, (seats, 0))))


def _answered(
    name: str, window: Window, seats: Sequence[int], number: int
) -> tuple["Step", tuple[Any, ...]]:
    """Return the step that takes the answer of the seat of this number."""
    return (windows.answered, (name, window, seats, number))


def _turn_questions(
    state: "BridesAndBribesState", view: "View", later: Steps
) -> Iterator[Question]:
    """What comes after a declaration: reactions, own plays, what they lead to [7.3-7.5]."""
    active, others = state.active, state.others(state.active)
    completed = _is_completed(state)
    _guess_taken(state, view)
    judge: Steps = (*later, (turn.judge, ()))
    before: Steps = (*judge, (turn.before, ()))
    after: Steps = (*later, (completing.after, ()))
    if state.pending is not None:
        player = state.pending[0]
        if player == active:
            yield from _exchange_questions(state, state.others(player), before, not completed)
            yield from _exchange_questions(state, state.others(player), after, completed)
            return
        number = others.index(player) if player in others else 0
        react: Steps = (*before, (turn.react, (others, number)))
        yield from _exchange_questions(state, [active], react, not completed)
        if _is_wedding(state):
            wedding = (*_wedding_steps(state, after), (completing.wedding, (others, number)))
            yield from _exchange_questions(state, [active], wedding, completed)
        return
    for number, seat in enumerate(others):
        react = (*before, _answered("react", turn.react, others, number))
        yield Question(seat, "react", plays(state, seat, "react"), react, not completed)
        if _is_wedding(state):
            answer = _answered("wedding", completing.wedding, others, number)
            steps = (*_wedding_steps(state, after), answer)
            yield Question(seat, "wedding", plays(state, seat, "wedding"), steps, completed)
    if state.guide[active] != NONE:
        options = plays(state, active, "before")
        yield Question(active, "before", options, (*judge, (turn.play_before, ())), not completed)
        options = plays(state, active, "after")
        yield Question(active, "after", options, (*later, (completing.play_after, ())), completed)
    yield from _replace_questions(state, after if completed else before)
    if state.declared == HIRE:
        for seat in (*others, active):
            yield Question(seat, "peek", (LEAVE, SWITCH), (*before, (peeked, ())), is_likely=False)


def _replace_questions(state: "BridesAndBribesState", later: Steps) -> Iterator[Question]:
    """Some seat has lost its guide, or must change it [7.7]."""
    for seat in state.delegates:
        take = guides.take_guide if state.guide[seat] == NONE else guides.change_guide
        options = guides.guide_options(state, seat)
        yield Question(seat, "replace", options, (*later, (take, (seat,))), is_likely=False)


def _exchange_questions(
    state: "BridesAndBribesState", responders: list[int], later: Steps, is_likely: bool
) -> Iterator[Question]:
    """A responder may counter the pending play, or the player save it [7.5]."""
    assert state.pending is not None
    player, tile, _, _ = state.pending
    for number, seat in enumerate(responders):
        if state.guide[seat] != NONE:
            options = playing.counter_options(state, seat)
            answer = (playing.countered, (seat, responders, number))
            yield Question(seat, "counter", options, (*later, answer), is_likely)
    if playing.IS_STOPPABLE[tile]:
        options = playing.save_options(state, player)
        answer = (playing.saved, (player, responders, 0))
        yield Question(player, "save", options, (*later, answer), is_likely)


def _is_completed(state: "BridesAndBribesState") -> bool:
    """Return whether the declared action looks done."""
    declared, active = state.declared, state.active
    if declared <= MARRY_SECOND:
        return state.guide_married[active]
    return declared == DUCATO or not turn.possible(state, declared)


def _is_wedding(state: "BridesAndBribesState") -> bool:
    """Return whether the active seat is wed to the bride that it declared for."""
    wed = state.spouse_seat[2 * state.borough + state.declared % 2]
    return state.declared <= MARRY_SECOND and wed == state.active


def _wedding_steps(state: "BridesAndBribesState", after: Steps) -> Steps:
    bride = state.brides[2 * state.borough + state.declared]
    return (*after, (completing.give_dowry, (bride, state.declared)))


def _guess_taken(state: "BridesAndBribesState", view: "View") -> None:
    """Guess which workers were taken by an `employ`, which matters for a mediator [R42].

    Most often they are of the borough's colour. The viewer's own legal list may tell otherwise.
    """
    if state.declared != EMPLOY:
        return
    own = state.workers[state.active]
    guesses = [[state.borough], *[[colour] for colour in range(len(COLOURS))], range(len(COLOURS))]
    for guess in guesses:
        state.taken = [number * (colour in guess) for colour, number in enumerate(own)]
        if view.window != "after" or tuple(plays(state, state.active, "after")) == view.legal:
            return
