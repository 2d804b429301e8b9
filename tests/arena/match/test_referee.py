"""The referee asks the seat to act, and plays on for a seat with a fault."""

import random
from collections.abc import Collection, Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.protocol import MAX_NOTE_CHARS, Fault, SeatFault
from arena.base.record import Game, Note, read_record, write_record
from arena.match.referee import Ending, final_ranks, record_of, referee
from arena.match.seats import Decision, Reply
from engine import State, Variant, get_variant
from tests.arena.playing import HighCardPair, make_game
from tests.engine.high_card import Deal, Hid, HighCard, Shown

CRASH = Fault("crash", "exited with code 1")


class OtherEnd:
    """The other end of a referee: it expects questions in this order, and answers them."""

    def __init__(self, state: State) -> None:
        self._refereeing = referee(state)
        self._ending: Ending | None = None
        self.decision: Decision | None = None
        self._send(None)

    def expect(self, seat: int, answer: str | Reply | Fault) -> Decision:
        """Hold that `seat` is asked now, and answer; return what it was asked."""
        decision = self.decision
        assert decision is not None, f"the game is over; expected seat {seat} to be asked"
        assert decision.seat == seat, f"seat {decision.seat} is asked; expected seat {seat}"
        self._send(Reply(answer) if isinstance(answer, str) else answer)
        return decision

    def assert_done(self) -> Ending:
        """Check that no seat is asked any more, and return the ending."""
        assert self._ending is not None, f"the game goes on with {self.decision}"
        return self._ending

    def _send(self, answer: Reply | Fault | None) -> None:
        try:
            self.decision = self._refereeing.send(answer)  # type: ignore[arg-type]
        except StopIteration as stop:
            self.decision, self._ending = None, stop.value


def start(variant: Variant) -> State:
    """Return a start in which seat s holds the cards 4s + 1 to 4s + 4."""
    return variant.start(Deal(tuple(range(1, 4 * variant.seats + 1))))


# -- who is asked what -------------------------------------------------------------------------


def test_seat_receives_events_since_its_last_turn() -> None:
    other = OtherEnd(start(HighCard()))
    assert other.expect(0, "hide 4").events == []
    assert other.expect(1, "hide 8").events == [Hid(0, None)]
    assert other.expect(2, "hide 12").events == [Hid(0, None), Hid(1, None)]
    assert other.expect(0, "hide 3").events == [
        Hid(0, 4),
        Hid(1, None),
        Hid(2, None),
        Shown((4, 8, 12)),
    ]
    assert other.expect(1, "hide 7").events == [
        Hid(1, 8),
        Hid(2, None),
        Shown((4, 8, 12)),
        Hid(0, None),
    ]


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "pot-de-vin/4-teams"])
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1))
def test_plays_and_records_a_whole_game(variant_id: str, seed: int) -> None:
    rng = random.Random(seed)
    variant = get_variant(variant_id)
    deal = variant.deal(rng)
    state = variant.start(deal)
    other = OtherEnd(state)
    turns = [0] * variant.seats
    received: list[list[msgspec.Struct]] = [[] for _ in range(variant.seats)]
    while other.decision is not None:
        seat = state.seat_to_act
        assert seat is not None
        assert other.decision.view == state.view(seat)
        action = rng.choice(other.decision.legal)
        decision = other.expect(seat, Reply(action))
        turns[seat] += 1
        received[seat] += decision.events
        assert decision.turn == turns[seat]
    ending = other.assert_done()
    assert len(ending.actions) == sum(turns)
    again = variant.start(deal)
    for action in ending.actions:
        again.apply(action)
    assert again.outcome().detail == state.outcome().detail
    for seat in range(variant.seats):
        assert state.events(seat)[: len(received[seat])] == received[seat]


# -- faults ------------------------------------------------------------------------------------


def test_illegal_answer_is_a_fault() -> None:
    state = start(HighCardPair())
    other = OtherEnd(state)
    other.expect(0, "hide 4")
    other.expect(1, "hide 4")
    for card in (3, 2, 1):
        other.expect(0, f"hide {card}")
    ending = other.assert_done()
    assert ending.actions[1::2] == ("hide 5", "hide 6", "hide 7", "hide 8")
    text = "answered 'hide 4', which is not legal"
    assert ending.faults == (
        SeatFault(1, 1, "illegal", text, ("hide 5", "hide 6", "hide 7", "hide 8")),
    )


def test_never_asks_a_seat_again_after_its_fault() -> None:
    other = OtherEnd(start(HighCard()))
    for seat in (0, 1, 2):
        other.expect(seat, f"hide {4 * seat + 4}")
    other.expect(0, CRASH)
    for turn in (2, 3, 4):
        assert other.expect(1, f"hide {9 - turn}").turn == turn
        assert other.expect(2, f"hide {13 - turn}").turn == turn
    ending = other.assert_done()
    assert ending.actions[0::3] == ("hide 4", "hide 1", "hide 2", "hide 3")
    text = "exited with code 1"
    assert ending.faults == (SeatFault(0, 3, "crash", text, ("hide 1", "hide 2", "hide 3")),)


def test_game_of_faults_is_played_to_the_end() -> None:
    state = start(HighCard())
    other = OtherEnd(state)
    other.expect(0, CRASH)
    other.expect(1, Fault("timeout", "no answer"))
    other.expect(2, "hide 1")
    ending = other.assert_done()
    assert [(fault.seat, fault.action, fault.kind) for fault in ending.faults] == [
        (0, 0, "crash"),
        (1, 1, "timeout"),
        (2, 2, "illegal"),
    ]
    assert len(ending.actions) == 12
    assert state.outcome().points == (0, 0, 4)


def test_illegal_answer_is_escaped_and_shortened() -> None:
    other = OtherEnd(start(HighCardPair()))
    other.expect(0, "\x1b[2J" + "x" * 1000)
    for card in (5, 6, 7, 8):
        other.expect(1, f"hide {card}")
    (fault,) = other.assert_done().faults
    assert fault.text == "answered '\\x1b[2J" + "x" * 76 + "', which is not legal"


# -- notes -------------------------------------------------------------------------------------


def test_keeps_and_truncates_notes() -> None:
    other = OtherEnd(start(HighCardPair()))
    other.expect(0, Reply("hide 1"))
    other.expect(1, Reply("hide 5", "a remark"))
    other.expect(0, Reply("hide 2", "é" * (MAX_NOTE_CHARS + 1)))
    other.expect(1, Reply("hide 99", "a remark on an illegal action"))
    other.expect(0, "hide 3")
    other.expect(0, "hide 4")
    assert other.assert_done().notes == (Note(1, "a remark"), Note(2, "é" * MAX_NOTE_CHARS))


# -- the record --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "sides", "faulty", "expected"),
    [
        pytest.param((2, 1, 3), "0 1 2", (), (2, 1, 3), id="no fault"),
        pytest.param((1, 2, 3, 4), "0 1 2 3", (0, 2), (3, 1, 3, 2), id="two fall and are equal"),
        pytest.param((1, 2, 1, 2), "02 13", (2,), (2, 1, 2, 1), id="a team falls with its member"),
        pytest.param((1, 2, 1, 2), "02 13", (0, 1), (1, 1, 1, 1), id="one of each team"),
        pytest.param((3, 1, 2, 3, 1, 2), "03 14 25", (4,), (2, 3, 1) * 2, id="three teams"),
    ],
)
def test_sides_with_faults_share_the_last_rank(
    ranks: Sequence[int], sides: str, faulty: Collection[int], expected: tuple[int, ...]
) -> None:
    of_seats = [[int(seat) for seat in side] for side in sides.split()]
    assert final_ranks(ranks, of_seats, faulty) == expected


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.sets(st.integers(0, 5)))
def test_final_ranks_keep_the_order_of_faultless_sides(points: list[int], faulty: set[int]) -> None:
    ranks = [1 + sum(other > own for other in points) for own in points]
    final = final_ranks(ranks, [(seat,) for seat in range(len(points))], faulty)
    results = [-1 if seat in faulty else own for seat, own in enumerate(points)]
    assert final == tuple(1 + sum(other > own for other in results) for own in results)


def record_parts() -> tuple[Game, State]:
    game = make_game("high-card/3", 5, ("anna", "ben", "cleo"), Deal(tuple(range(1, 13))))
    variant = get_variant(game.variant)
    return game, variant.start(variant.read_deal(msgspec.json.decode(game.deal)))


@pytest.mark.usefixtures("toys")
def test_record_round_trip() -> None:
    game, state = record_parts()
    other = OtherEnd(state)
    while other.decision is not None:
        other.expect(other.decision.seat, Reply(other.decision.legal[0], "é \x00 \u2028"))
    data = write_record(record_of(game, state, other.assert_done()))
    assert write_record(read_record(data)) == data
    assert b"\n" not in data
