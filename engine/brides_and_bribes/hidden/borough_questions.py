"""Questions of the borough that is being resolved [7]."""
# compiled: see setup.py

from collections.abc import Iterator, Sequence
from typing import Any

from engine.brides_and_bribes.actions import (
    DUCATO,
    EMPLOY,
    HIRE,
    LEAVE,
    MARRY_SECOND,
    SWITCH,
)
from engine.brides_and_bribes.hidden.questions import RESOLUTION, Question, Steps
from engine.brides_and_bribes.position import Answer, Position
from engine.brides_and_bribes.rules import (
    boroughs,
    completion,
    declarations,
    guides,
    play_windows,
    tile_plays,
)
from engine.brides_and_bribes.rules.abilities import plays
from engine.brides_and_bribes.rules.effects import peeked
from engine.brides_and_bribes.rules.play_windows import Window
from engine.brides_and_bribes.tiles import ADDITIONAL, BRIDE_INFLUENCE, COLOURS, NONE
from engine.brides_and_bribes.view.structs import View


def borough_questions(position: Position, view: View) -> Iterator[Question]:
    """Yield all questions of the borough that is being resolved [7]."""
    resolution = position.resolution
    later: Steps = (*RESOLUTION, (boroughs.activate, len(position.resolved) + 1))
    if all(guide == NONE for guide in resolution.guide):
        for number, seat in enumerate(resolution.delegates):
            options = guides.guide_options(position, seat)
            yield Question(seat, "guide", options, (*later, (boroughs.chosen, (seat, number))))
    elif resolution.active == NONE:
        yield from _order_questions(position, later)
    elif resolution.declared == NONE:
        later = (*later, (boroughs.next_turn, None))
        options = declarations.declare_options(position, resolution.active)
        yield Question(
            resolution.active, "declare", options, (*later, (declarations.declare, None))
        )
    else:
        yield from _turn_questions(position, view, (*later, (boroughs.next_turn, None)))


def _order_questions(position: Position, later: Steps) -> Iterator[Question]:
    """Yield the questions before the order of turns is fixed [7.2]."""
    resolution = position.resolution
    seats, window = resolution.delegates, boroughs.order_window
    later = (*later, (boroughs.fix_order, None))
    for number, seat in enumerate(seats):
        if resolution.guide[seat] != NONE:
            options = plays(position, seat, "order")
            answer = _answered("order", window, seats, number)
            yield Question(seat, "order", options, (*later, answer))
    yield from _replace_questions(position, (*later, (window, (seats, 0))))


def _answered(name: str, window: Window, seats: Sequence[int], number: int) -> tuple[Answer, Any]:
    """Return the step that takes the answer of seat `number` of `seats`."""
    return (play_windows.answered, (name, window, seats, number))


def _turn_questions(position: Position, view: View, later: Steps) -> Iterator[Question]:
    """Yield what follows a declaration: reactions, own plays, and their consequences [7.3-7.5]."""
    resolution = position.resolution
    active, others = resolution.active, position.others(resolution.active)
    _guess_taken(position, view)
    if view.window == "wedding":
        resolution.dowry_given = any("groomsman" in action for action in view.legal)
    else:  # the view does not say; another draw guesses the other
        resolution.dowry_given = not resolution.dowry_given
    if resolution.pending is not None:
        yield from _pending_questions(position, resolution.pending[0], later)
        return
    completed = _is_completed(position)
    judge: Steps = (*later, (declarations.judge, None))
    before: Steps = (*judge, (declarations.before, ((active,), 0)))
    after: Steps = (*later, (completion.after, ((active,), 0)))
    for number, seat in enumerate(others):
        where = ("react", declarations.react, others, number, False)
        react = (*before, (play_windows.answered_in_circuit, where))
        yield Question(seat, "react", plays(position, seat, "react"), react, not completed)
        if _is_wedding(position):
            answer = _answered("wedding", completion.wedding, others, number)
            steps = (*_wedding_steps(position, after), answer)
            yield Question(seat, "wedding", plays(position, seat, "wedding"), steps, completed)
    if resolution.guide[active] != NONE:
        steps = (*judge, _answered("before", declarations.before, (active,), 0))
        yield Question(active, "before", plays(position, active, "before"), steps, not completed)
        steps = (*later, _answered("after", completion.after, (active,), 0))
        yield Question(active, "after", plays(position, active, "after"), steps, completed)
    yield from _replace_questions(position, after if completed else before)
    if resolution.declared == HIRE:
        for seat in (*others, active):
            yield Question(
                seat, "peek", (LEAVE, SWITCH), (*before, (peeked, None)), is_likely=False
            )


def _pending_questions(position: Position, player: int, later: Steps) -> Iterator[Question]:
    """Yield what follows the tile that `player` is playing [7.5]."""
    active = position.resolution.active
    completed = _is_completed(position)
    before: Steps = (*later, (declarations.judge, None), (declarations.before, ((active,), 0)))
    after: Steps = (*later, (completion.after, ((active,), 0)))
    if player == active:
        responders = position.others(player)
        yield from _exchange_questions(position, responders, before, not completed)
        yield from _exchange_questions(position, responders, after, completed)
        return
    others = position.others(active)
    number = others.index(player) if player in others else 0
    react: Steps = (*before, (declarations.react, (others, number + 1, True)))
    yield from _exchange_questions(position, [active], react, not completed)
    if _is_wedding(position):
        steps = (*_wedding_steps(position, after), (completion.wedding, (others, number)))
        yield from _exchange_questions(position, [active], steps, completed)


def _replace_questions(position: Position, later: Steps) -> Iterator[Question]:
    """Yield the replacement of each guide that was lost or must be changed [7.7]."""
    resolution = position.resolution
    for seat in resolution.delegates:
        take = guides.take_guide if resolution.guide[seat] == NONE else guides.change_guide
        options = guides.guide_options(position, seat)
        yield Question(seat, "replace", options, (*later, (take, seat)), is_likely=False)


def _exchange_questions(
    position: Position, responders: list[int], later: Steps, is_likely: bool
) -> Iterator[Question]:
    """Yield the counters of `responders` and the save of the player [7.5]."""
    resolution = position.resolution
    assert resolution.pending is not None
    player, tile, _, _ = resolution.pending
    for number, seat in enumerate(responders):
        if resolution.guide[seat] != NONE:
            options = tile_plays.counter_options(position, seat)
            answer = (tile_plays.countered, (seat, responders, number))
            yield Question(seat, "counter", options, (*later, answer), is_likely)
    if tile_plays.IS_STOPPABLE[tile]:
        options = tile_plays.save_options(position, player)
        answer = (tile_plays.saved, (player, responders, 0))
        yield Question(player, "save", options, (*later, answer), is_likely)


def _is_completed(position: Position) -> bool:
    """Return whether the declared action seems to be completed."""
    resolution = position.resolution
    declared, active = resolution.declared, resolution.active
    if declared <= MARRY_SECOND:
        return resolution.guide_married[active]
    return declared == DUCATO or not declarations.is_possible(position, declared)


def _is_wedding(position: Position) -> bool:
    """Return whether the active seat is married to the bride it declared for."""
    resolution = position.resolution
    married = position.spouse_seat[2 * resolution.borough + resolution.declared % 2]
    return resolution.declared <= MARRY_SECOND and married == resolution.active


def _wedding_steps(position: Position, after: Steps) -> Steps:
    """Return the steps that follow the plays at a wedding."""
    resolution = position.resolution
    place = resolution.declared
    bride = position.brides[2 * resolution.borough + place]
    if resolution.dowry_given:
        gained = BRIDE_INFLUENCE[bride] + ADDITIONAL[place]
        return (*after[:-1], (completion.finish_marriage, gained))
    return (*after[:-1], (completion.give_dowry, (bride, place)))


def _guess_taken(position: Position, view: View) -> None:
    """Guess the workers that an `employ` took, which matter for a mediator [R42].

    They usually have the borough's colour. The viewer's legal list may show another colour.
    """
    resolution = position.resolution
    if resolution.declared != EMPLOY:
        return
    own = position.workers[resolution.active]
    guesses = [
        [resolution.borough],
        *[[colour] for colour in range(len(COLOURS))],
        range(len(COLOURS)),
    ]
    for guess in guesses:
        resolution.taken = [number * (colour in guess) for colour, number in enumerate(own)]
        if (
            view.window != "after"
            or tuple(plays(position, resolution.active, "after")) == view.legal
        ):
            return
