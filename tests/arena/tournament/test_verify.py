"""Changes of a record, found by replaying it."""

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.protocol import raw
from arena.base.record import MAX_NUMBER, GameRecord, read_record, write_record
from arena.tournament.game_checks import Difference, verify
from arena.tournament.in_process import play_in_process
from engine import get_variant, variants
from tests.arena.playing import make_game
from tests.arena.runs import Dice, play_out

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"


class Cheat(Dice):
    """Plays by the rules for two turns."""

    turn = 0

    def act(self, view: object, legal: list[str]) -> str:
        self.turn += 1
        return super().act(view, legal) if self.turn <= 2 else "take all"


RIGHT = play_out(make_game(VARIANT, 1, "abc"))
FAULTY = play_in_process(make_game(VARIANT, 3, "abc"), [Cheat, Dice, Dice])
(FAULT,) = FAULTY.faults
replace = msgspec.structs.replace


def found(record: GameRecord) -> list[Difference]:
    """Return what is wrong with a record, which is read back as from a file."""
    return list(verify(read_record(write_record(record))))


def texts(record: GameRecord) -> list[str]:
    """Return what is wrong with a record, for people."""
    differences = found(record)
    assert all(difference.game == record.title for difference in differences)
    return [str(difference) for difference in differences]


def acting(record: GameRecord, seat: int, since: int = 0) -> list[tuple[int, list[str]]]:
    """Return the numbers of a seat's actions, from 0, and what was legal then."""
    variant = get_variant(record.variant)
    state = variant.start(variant.read_deal(msgspec.json.decode(record.deal)))
    turns = []
    for number, action in enumerate(record.actions):
        if state.seat_to_act == seat and number >= since:
            turns.append((number, state.legal_actions()))
        state.apply(action)
    return turns


def with_action(record: GameRecord, number: int, action: str) -> GameRecord:
    """Return a record with one other action."""
    actions = list(record.actions)
    actions[number] = action
    return replace(record, actions=tuple(actions))


def test_a_right_record_has_no_difference() -> None:
    for variant_id, variant in variants().items():
        names = [f"e{seat}" for seat in range(variant.seats)]
        assert found(play_out(make_game(variant_id, 1, names))) == []


def test_a_record_with_faults_is_right_too() -> None:
    for variant_id in (VARIANT, TEAMS):
        seats = get_variant(variant_id).seats
        record = play_in_process(
            make_game(variant_id, 2, "abcd"[:seats]), [Cheat, *[Dice] * (seats - 2), Cheat]
        )
        assert len(record.faults) == 2
        assert found(record) == []


def test_remarks_do_not_matter() -> None:
    assert found(replace(RIGHT, key="another", board=7, rotation=2)) == []


# -- actions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 10, len(RIGHT.actions) - 1])
def test_an_illegal_action_is_reported_with_its_move(number: int) -> None:
    (text,) = texts(with_action(RIGHT, number, "take all"))
    assert text.startswith(f"{RIGHT.title}, move {number + 1}: got 'take all', expected ")


def test_another_legal_action_is_found_out() -> None:
    """The changed move cannot be named, but the game no longer ends as recorded."""
    for seat in range(3):
        for number, legal in acting(RIGHT, seat):
            for other in {*legal} - {RIGHT.actions[number]}:
                differences = found(with_action(RIGHT, number, other))
                assert differences, (number, other)
                assert all(one.move is None or one.move > number for one in differences)


def test_after_a_fault_only_the_action_of_the_stand_in_is_right() -> None:
    number, legal = next(
        (number, legal)
        for number, legal in acting(FAULTY, FAULT.seat, since=FAULT.action)
        if len(legal) > 1
    )
    first, *_ = found(with_action(FAULTY, number, legal[-1]))
    assert first.move == number + 1
    assert f"got {legal[-1]!r}, expected {legal[0]!r}" in first.text


def test_the_stand_in_begins_with_the_action_that_had_the_fault() -> None:
    """What the seat did before is its own; a fault that is put earlier is found out."""
    own = [number for number, _ in acting(FAULTY, FAULT.seat) if number < FAULT.action]
    assert len(own) == 2
    number, _ = next(
        (number, legal)
        for number, legal in acting(FAULTY, FAULT.seat)
        if FAULTY.actions[number] != legal[0]
    )
    assert number in own
    earlier = replace(FAULTY, faults=(replace(FAULT, action=number),))
    assert found(earlier)[0].move == number + 1


# -- anything else -----------------------------------------------------------------------------


def with_cards_exchanged() -> msgspec.Raw:
    """Return the deal of `RIGHT` with two cards exchanged."""
    deal = msgspec.json.decode(RIGHT.deal)
    cards: list[str] = deal["cards"]
    first, last = cards.index(RIGHT.actions[0].removeprefix("play ")), len(cards) - 1
    cards[first], cards[last] = cards[last], cards[first]
    return raw(deal)


def with_other_winners() -> msgspec.Raw:
    """Return the result of `RIGHT` with the winners that it does not have."""
    detail = msgspec.json.decode(RIGHT.detail)
    detail["winners"] = [seat for seat in range(3) if seat not in detail["winners"]]
    return raw(detail)


(LAST,) = [seat for seat in range(3) if len(RIGHT.actions) - 1 in dict(acting(RIGHT, seat))]
WINNER = RIGHT.ranks.index(1)
POINTS = (RIGHT.points[0] + 1, *RIGHT.points[1:])
RANKS = RIGHT.ranks[1:] + RIGHT.ranks[:1]
RULES = get_variant(VARIANT).rules_version
TWO = "expected 3 entrants and seeds"
CHANGES: dict[str, tuple[GameRecord, str]] = {
    "no last action": (replace(RIGHT, actions=RIGHT.actions[:-1]), f"seat {LAST} is to act"),
    "no action in the middle": (replace(RIGHT, actions=RIGHT.actions[:5] + RIGHT.actions[6:]), ""),
    "an action after the end": (
        replace(RIGHT, actions=(*RIGHT.actions, "pass")),
        f"move {len(RIGHT.actions) + 1}: .*'pass'",
    ),
    "a fault of the next action": (
        replace(FAULTY, faults=(replace(FAULT, action=FAULT.action + 1),)),
        "",
    ),
    "other legal actions of a fault": (
        replace(FAULTY, faults=(replace(FAULT, legal=FAULT.legal[1:]),)),
        "faults: got ",
    ),
    "a withdrawal after an action": (
        replace(FAULTY, faults=(replace(FAULT, kind="withdrawn"),)),
        "is withdrawn after an action of its own",
    ),
    "a fault of no seat": (replace(RIGHT, faults=(replace(FAULT, seat=3),)), ""),
    "a fault left out": (replace(FAULTY, faults=()), r"ranks: got \[.*\], expected"),
    "a fault made up": (
        replace(RIGHT, faults=(replace(FAULT, seat=WINNER, action=acting(RIGHT, WINNER)[-1][0]),)),
        "",
    ),
    "wrong points": (
        replace(RIGHT, points=POINTS),
        re.escape(f"points: got {list(POINTS)}, expected {list(RIGHT.points)}"),
    ),
    "wrong ranks": (
        replace(RIGHT, ranks=RANKS),
        re.escape(f"ranks: got {list(RANKS)}, expected {list(RIGHT.ranks)}"),
    ),
    "a wrong weight": (replace(RIGHT, win_weight=2), "win weight: got 2, expected 1"),
    "a wrong weight with a fault": (replace(FAULTY, win_weight=2), "weight: got 2, expected 1"),
    "a wrong result": (replace(RIGHT, detail=with_other_winners()), "detail: got {"),
    "another deal": (replace(RIGHT, deal=make_game(VARIANT, 2, "abc").deal), ""),
    "two cards exchanged": (replace(RIGHT, deal=with_cards_exchanged()), ""),
    "a deal without fields": (replace(RIGHT, deal=raw({})), "deal"),
    "a deal of one card": (replace(RIGHT, deal=raw({"start": 0, "cards": ["enzo-1"]})), "cards"),
    "other rules": (replace(RIGHT, rules_version=RULES + 1), f"version {RULES + 1}.* {RULES}"),
    "an unknown variant": (replace(RIGHT, variant="pot-de-vin/7"), "'pot-de-vin/7'"),
    "two entrants": (replace(RIGHT, entrants=("a", "b")), TWO),
}
"""What is changed in a record, and a pattern of what is said of it."""


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_record_is_found_out(change: str) -> None:
    record, said = CHANGES[change]
    found_texts = texts(record)
    assert found_texts
    assert re.search(said, found_texts[0])


def test_the_order_of_the_fields_of_a_result_does_not_matter() -> None:
    detail: dict[str, Any] = msgspec.json.decode(RIGHT.detail)
    turned = dict(reversed(detail.items()))
    assert found(replace(RIGHT, detail=raw(turned))) == []


def test_a_deal_that_is_nested_beyond_reason_is_reported() -> None:
    deal = msgspec.Raw(b'{"start": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    (difference,) = verify(replace(RIGHT, deal=deal))
    assert difference.move is None


@settings(max_examples=40)
@given(
    st.lists(st.integers(-MAX_NUMBER, MAX_NUMBER), max_size=5),
    st.lists(st.integers(0, MAX_NUMBER), max_size=5),
)
def test_points_and_ranks_can_be_anything(points: list[int], ranks: list[int]) -> None:
    differences = found(replace(RIGHT, points=tuple(points), ranks=tuple(ranks)))
    assert bool(differences) == ((tuple(points), tuple(ranks)) != (RIGHT.points, RIGHT.ranks))
