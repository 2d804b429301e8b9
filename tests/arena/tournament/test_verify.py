"""Changes of a record, found by replaying it."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.match.in_process import play_in_process
from arena.protocol import raw
from arena.record import MAX_NUMBER, GameRecord, read_record, write_record
from arena.tournament.game_checks import Difference, verify
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


@pytest.mark.parametrize("variant_id", list(variants()))
@pytest.mark.parametrize("number", range(3))
def test_a_right_record_has_no_difference(variant_id: str, number: int) -> None:
    names = [f"e{seat}" for seat in range(get_variant(variant_id).seats)]
    assert found(play_out(make_game(variant_id, number, names))) == []


@pytest.mark.parametrize("variant_id", [VARIANT, TEAMS])
def test_a_record_with_faults_is_right_too(variant_id: str) -> None:
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
    assert text.startswith(f"{RIGHT.title}, move {number + 1}: illegal action 'take all' of seat ")


def test_another_legal_action_is_found_out() -> None:
    """The changed move cannot be named, but the game no longer ends as recorded."""
    for seat in range(3):
        for number, legal in acting(RIGHT, seat):
            for other in {*legal} - {RIGHT.actions[number]}:
                differences = found(with_action(RIGHT, number, other))
                assert differences, (number, other)
                assert all(one.move is None or one.move > number for one in differences)


def test_a_missing_last_action_is_reported() -> None:
    """The seat to act is named."""
    *actions, _ = RIGHT.actions
    (last,) = [seat for seat in range(3) for n, _ in acting(RIGHT, seat) if n == len(actions)]
    (difference,) = found(replace(RIGHT, actions=tuple(actions)))
    assert difference.move == len(actions)
    assert f"seat {last}" in difference.text


def test_a_record_without_actions_is_reported() -> None:
    (difference,) = found(replace(RIGHT, actions=()))
    assert re.search("seat [0-2]", difference.text)


def test_a_missing_action_in_the_middle_is_reported() -> None:
    assert texts(replace(RIGHT, actions=RIGHT.actions[:5] + RIGHT.actions[6:]))


def test_an_action_after_the_end_is_reported() -> None:
    (difference,) = found(replace(RIGHT, actions=(*RIGHT.actions, "pass")))
    assert difference.move == len(RIGHT.actions) + 1
    assert "'pass'" in difference.text


def test_after_a_fault_only_the_action_of_the_stand_in_is_right() -> None:
    number, legal = next(
        (number, legal)
        for number, legal in acting(FAULTY, FAULT.seat, since=FAULT.action)
        if len(legal) > 1
    )
    first, *_ = found(with_action(FAULTY, number, legal[-1]))
    assert first.move == number + 1
    assert f"seat {FAULT.seat}" in first.text
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


def test_a_fault_while_another_seat_was_to_act_is_reported() -> None:
    assert texts(replace(FAULTY, faults=(replace(FAULT, action=FAULT.action + 1),)))


def test_other_legal_actions_of_a_fault_are_reported() -> None:
    (text,) = texts(replace(FAULTY, faults=(replace(FAULT, legal=FAULT.legal[1:]),)))
    assert text == (
        f"{FAULTY.title}, move {FAULT.action + 1}: legal actions of the fault: "
        f"got {list(FAULT.legal[1:])}, expected {list(FAULT.legal)}"
    )


def test_a_bot_that_is_withdrawn_has_not_acted() -> None:
    (text,) = texts(replace(FAULTY, faults=(replace(FAULT, kind="withdrawn"),)))
    assert text.endswith("the bot is withdrawn here, expected at its first action")


def test_a_fault_of_a_seat_that_there_is_not_is_reported() -> None:
    assert texts(replace(RIGHT, faults=(replace(FAULT, seat=3),)))


# -- results -----------------------------------------------------------------------------------


def test_wrong_points_are_reported() -> None:
    points = (RIGHT.points[0] + 1, *RIGHT.points[1:])
    assert texts(replace(RIGHT, points=points)) == [
        f"{RIGHT.title}: points: got {list(points)}, expected {list(RIGHT.points)}"
    ]


def test_wrong_ranks_are_reported() -> None:
    ranks = RIGHT.ranks[1:] + RIGHT.ranks[:1]
    assert texts(replace(RIGHT, ranks=ranks)) == [
        f"{RIGHT.title}: ranks: got {list(ranks)}, expected {list(RIGHT.ranks)}"
    ]


def test_a_fault_that_is_left_out_is_found_out_by_the_ranks() -> None:
    """In this game the faulty seat would not have been last by its points."""
    assert FAULTY.points[FAULT.seat] > min(FAULTY.points)
    (text,) = texts(replace(FAULTY, faults=()))
    assert f"ranks: got {list(FAULTY.ranks)}, expected " in text


def test_a_fault_that_is_made_up_is_found_out() -> None:
    winner = RIGHT.ranks.index(1)
    number, _ = acting(RIGHT, winner)[-1]
    assert texts(replace(RIGHT, faults=(replace(FAULT, seat=winner, action=number),)))


@pytest.mark.parametrize("record", [RIGHT, FAULTY], ids=["right", "faulty"])
def test_a_wrong_weight_of_the_win_is_reported(record: GameRecord) -> None:
    assert texts(replace(record, win_weight=2)) == [
        f"{record.title}: win weight: got 2, expected 1"
    ]


def test_a_wrong_result_of_the_game_is_reported() -> None:
    detail = msgspec.json.decode(RIGHT.detail)
    detail["winners"] = [seat for seat in range(3) if seat not in detail["winners"]]
    (text,) = texts(replace(RIGHT, detail=raw(detail)))
    assert text.startswith(f"{RIGHT.title}: result: got {{")
    assert "expected {" in text


def test_the_order_of_the_fields_of_a_result_does_not_matter() -> None:
    detail: dict[str, Any] = msgspec.json.decode(RIGHT.detail)
    turned = dict(reversed(detail.items()))
    assert found(replace(RIGHT, detail=raw(turned))) == []


# -- the game itself ---------------------------------------------------------------------------


def test_another_deal_is_found_out() -> None:
    other = make_game(VARIANT, 2, "abc").deal
    assert texts(replace(RIGHT, deal=other))


def test_two_exchanged_cards_are_found_out() -> None:
    deal = msgspec.json.decode(RIGHT.deal)
    cards: list[str] = deal["cards"]
    one, other = cards.index(RIGHT.actions[0].removeprefix("play ")), len(cards) - 1
    cards[one], cards[other] = cards[other], cards[one]
    assert texts(replace(RIGHT, deal=raw(deal)))


@pytest.mark.parametrize(
    ("deal", "named"),
    [
        ({}, "deal"),
        ([], "deal"),
        ({"start": 0, "cards": ["enzo-1"]}, "cards"),
        ({"start": 9, "cards": msgspec.json.decode(RIGHT.deal)["cards"]}, "start"),
    ],
)
def test_what_is_no_deal_is_reported_with_its_field(deal: object, named: str) -> None:
    (text,) = texts(replace(RIGHT, deal=raw(deal)))
    assert text.startswith(f"{RIGHT.title}: ")
    assert named in text.removeprefix(RIGHT.title)


def test_a_deal_that_is_nested_beyond_reason_is_reported() -> None:
    deal = msgspec.Raw(b'{"start": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    (difference,) = verify(replace(RIGHT, deal=deal))
    assert difference.move is None


def test_another_version_of_the_rules_is_reported() -> None:
    ours = get_variant(VARIANT).rules_version
    (text,) = texts(replace(RIGHT, rules_version=ours + 1))
    assert re.search(f"version {ours + 1}.* {ours}", text)


@pytest.mark.parametrize("variant_id", ["pot-de-vin/7", "", "chess/2"])
def test_an_unknown_variant_is_reported(variant_id: str) -> None:
    (text,) = texts(replace(RIGHT, variant=variant_id))
    assert repr(variant_id) in text


@pytest.mark.parametrize(
    ("entrants", "seeds"),
    [("ab", (1, 2, 3)), ("abcd", (1, 2, 3)), ("abc", (1, 2)), ("abcd", (1, 2, 3, 4)), ("", ())],
)
def test_a_wrong_number_of_entrants_is_reported(
    entrants: Sequence[str], seeds: tuple[int, ...]
) -> None:
    record = replace(RIGHT, entrants=tuple(entrants), seeds=seeds)
    assert texts(record) == [f"{RIGHT.title}: expected 3 entrants and seeds"]


@settings(max_examples=40)
@given(
    st.lists(st.integers(-MAX_NUMBER, MAX_NUMBER), max_size=5),
    st.lists(st.integers(0, MAX_NUMBER), max_size=5),
)
def test_points_and_ranks_can_be_anything(points: list[int], ranks: list[int]) -> None:
    differences = found(replace(RIGHT, points=tuple(points), ranks=tuple(ranks)))
    assert len(differences) == (tuple(points) != RIGHT.points) + (tuple(ranks) != RIGHT.ranks)
