"""Questions of the opening and of the phases of a round, outside the resolution of a borough."""
# compiled: see setup.py

from collections.abc import Iterator

from engine.brides_and_bribes.actions import DESTINATIONS
from engine.brides_and_bribes.hidden.questions import (
    COLONIES,
    END,
    PLACEMENT,
    RESOLUTION,
    Question,
    Steps,
)
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules import boroughs, colonies, end_of_round, placement, set_up
from engine.brides_and_bribes.view.structs import View


def opening_questions(position: Position, view: View) -> Iterator[Question]:
    """Yield the question of the first seat without a worker [4]."""
    number = sum([any(workers) for workers in position.workers])
    seat = (position.first_seat + number) % position.parameters.seats
    options = set_up.opening_options(position)
    yield Question(seat, "opening", options, ((set_up.take_worker, number),))


def placement_questions(position: Position, view: View) -> Iterator[Question]:
    """Yield questions of all seats that have not passed, and the viewer's second decision [6.1]."""
    position.actions_left = view.actions_left or 1
    if view.window == "tile":
        seat = view.seat
        assert seat is not None
        position.placing = DESTINATIONS.index(destination_of(view.legal[0]))
        options = placement.tile_options(position, seat)
        yield Question(seat, "tile", options, (*PLACEMENT, (placement.put_tile, seat)))
    for seat in range(position.parameters.seats):
        if seat not in position.passed:
            options = placement.place_options(position, seat)
            yield Question(seat, "place", options, (*PLACEMENT, (placement.place, seat)))


def destination_of(action: str) -> str:
    """Return where an action of the window `tile` puts the tile [5]."""
    verb, second, *last = action.split()
    if verb == "favor":
        return verb
    return f"ship-{second}" if verb == "ship" else last[0]


def colonies_questions(position: Position, view: View) -> Iterator[Question]:
    """Yield the trade that the view shows [6.2, R60]."""
    assert view.trade is not None
    seat, ship, left = view.trade.seat, view.trade.ship, view.trade.left
    number = (seat - position.first_seat) % position.parameters.seats
    later: Steps = (*COLONIES, (colonies.visit, number + 1))
    options = colonies.trade_options(position, seat, ship)
    yield Question(seat, "ship", options, (*later, (colonies.trade, (seat, ship, left))))


def activation_questions(position: Position, view: View) -> Iterator[Question]:
    """Yield the question of the next seat that activates a borough [6.3]."""
    number = len(position.resolved)
    seat = (position.first_seat + number) % position.parameters.seats
    options = boroughs.activate_options(position)
    yield Question(seat, "activate", options, (*RESOLUTION, (boroughs.activated, (seat, number))))


def end_questions(position: Position, view: View) -> Iterator[Question]:
    """Yield upkeep, buying back and building of each seat [8]."""
    windows = (
        ("upkeep", end_of_round.upkeep, end_of_round.upkeep_options, end_of_round.paid_upkeep),
        (
            "buy-back",
            end_of_round.buy_back,
            end_of_round.buy_back_options,
            end_of_round.bought_back,
        ),
        ("build", end_of_round.build, end_of_round.build_options, end_of_round.built),
    )
    for number, (window, step, list_options, answer) in enumerate(windows):
        later = [(end_of_round.for_each_seat, (other[1], 0)) for other in windows[number + 1 :]]
        for place, seat in enumerate(position.favor_order):
            yield Question(
                seat,
                window,
                list_options(position, seat),
                (
                    *END,
                    *reversed(later),
                    (end_of_round.for_each_seat, (step, place + 1)),
                    (answer, seat),
                ),
            )
