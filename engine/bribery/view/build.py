"""Build views from positions [10.1, 10.3]."""
# compiled: see setup.py

from functools import lru_cache
from typing import Final

from engine.bribery.cards import ABILITY_OF_SUIT, CARDS, COUNTRY, OFFICIALS, SEATS
from engine.bribery.events import describe
from engine.bribery.parameters import GAME
from engine.bribery.position import Ability, Position
from engine.bribery.rules import legal_actions
from engine.bribery.view.board import update_board
from engine.bribery.view.structs import DiscardView, PendingView, View

CACHE_SIZE: Final = 4096


def build_view(position: Position, seat: int | None) -> View:
    board = position.board = update_board(position, position.board)
    parameters = position.parameters
    to_act, start, round_number = position.seat_to_act, position.start, position.round
    return View(
        game=GAME,
        variant=parameters.variant_id,
        seat=seat,
        side=None if seat is None else parameters.side_of_seat[seat],
        sides=parameters.sides,
        jokers=position.jokers,
        start=start,
        round=round_number,
        rounds=parameters.rounds,
        leader=parameters.leader(start, round_number),
        turn=position.turn + 1,
        turn_seat=position.order[position.turn],
        to_act=to_act,
        phase=position.phase,
        pending=position.pending and _pending(position.pending, position.to_ask),
        legal=tuple(legal_actions(position)) if to_act is not None and seat == to_act else (),
        hand=() if seat is None else tuple([CARDS[card] for card in position.hand_of(seat)]),
        hand_sizes=tuple([len(hand) for hand in position.hands]),
        deck_sizes=parameters.deck_sizes(start, round_number),
        board=board.officials,
        discards=tuple([_discard(bribe, why) for bribe, why in position.discards]),
        control=board.control,
        result=describe(board.control.points, parameters.side_of_seat) if to_act is None else None,
    )


def _pending(ability: Ability, to_ask: tuple[int, ...]) -> PendingView:
    seat, source, spent, target = ability
    return PendingView(
        seat=seat,
        kind=ABILITY_OF_SUIT[COUNTRY[source]],
        source=OFFICIALS[source],
        spent=CARDS[spent // SEATS],
        target=OFFICIALS[target],
        to_ask=to_ask,
    )


@lru_cache(CACHE_SIZE)
def _discard(bribe: int, why: str) -> DiscardView:
    return DiscardView(CARDS[bribe // SEATS], bribe % SEATS, why)
