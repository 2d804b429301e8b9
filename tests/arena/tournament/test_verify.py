"""Changes of a record, found by replaying it."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.protocol import raw
from arena.base.record import MAX_NUMBER, GameRecord, read_record, write_record
from arena.tournament.in_process import play_in_process
from arena.tournament.verification import VerificationError, check_record
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


def found(record: GameRecord) -> str:
    """Return what is wrong with a record, which is read back as from a file."""
    try:
        check_record(read_record(write_record(record)))
    except VerificationError as error:
        return str(error).removeprefix(record.title)
    return ""


def acting(record: GameRecord, seat: int) -> list[tuple[int, list[str]]]:
    """Return the numbers of a seat's actions, from 0, and what was legal then."""
    variant = get_variant(record.variant)
    state = variant.start(variant.read_deal(msgspec.json.decode(record.deal)))
    turns = []
    for number, action in enumerate(record.actions):
        if state.seat_to_act == seat:
            turns.append((number, state.legal_actions()))
        state.apply(action)
    return turns


def with_action(record: GameRecord, number: int, action: str) -> GameRecord:
    actions = (*record.actions[:number], action, *record.actions[number + 1 :])
    return replace(record, actions=actions)


@pytest.mark.parametrize("variant_id", variants())
def test_correct_record_passes(variant_id: str) -> None:
    names = [f"e{seat}" for seat in range(get_variant(variant_id).seats)]
    assert not found(play_out(make_game(variant_id, 1, names)))


@pytest.mark.parametrize("variant_id", [VARIANT, TEAMS])
def test_record_with_faults_passes(variant_id: str) -> None:
    seats = get_variant(variant_id).seats
    bots = [Cheat, *[Dice] * (seats - 2), Cheat]
    record = play_in_process(make_game(variant_id, 2, "abcd"[:seats]), bots)
    assert len(record.faults) == 2
    assert not found(record)


def test_finds_replaced_action() -> None:
    """The changed move cannot be named, but the game no longer ends as recorded."""
    for seat in range(3):
        for number, legal in acting(RIGHT, seat):
            for other in {*legal} - {RIGHT.actions[number]}:
                assert found(with_action(RIGHT, number, other)), (number, other)


STAND_IN, LEGAL = next(
    (number, legal)
    for number, legal in acting(FAULTY, FAULT.seat)
    if number >= FAULT.action and len(legal) > 1
)
OWN = next(
    number
    for number, legal in acting(FAULTY, FAULT.seat)
    if number < FAULT.action and FAULTY.actions[number] != legal[0]
)
DETAIL = msgspec.json.decode(RIGHT.detail)
OTHER_WINNERS = [seat for seat in range(3) if seat not in DETAIL["winners"]]
(LAST,) = [seat for seat in range(3) if len(RIGHT.actions) - 1 in dict(acting(RIGHT, seat))]
WINNER = RIGHT.ranks.index(1)
POINTS = (RIGHT.points[0] + 1, *RIGHT.points[1:])
RANKS = RIGHT.ranks[1:] + RIGHT.ranks[:1]
RULES = get_variant(VARIANT).rules_version
CHANGES: dict[str, tuple[GameRecord, str]] = {
    "an illegal action": (with_action(RIGHT, 10, "take all"), ", move 11: got take all, expected "),
    "another action of the stand-in": (
        with_action(FAULTY, STAND_IN, LEGAL[-1]),
        f", move {STAND_IN + 1}: got {LEGAL[-1]}, expected {LEGAL[0]}",
    ),
    "an earlier fault": (
        replace(FAULTY, faults=(replace(FAULT, action=OWN),)),
        f", move {OWN + 1}: got ",
    ),
    "no last action": (replace(RIGHT, actions=RIGHT.actions[:-1]), f"seat {LAST} is to act"),
    "no action in the middle": (replace(RIGHT, actions=RIGHT.actions[:5] + RIGHT.actions[6:]), ""),
    "an action after the end": (
        replace(RIGHT, actions=(*RIGHT.actions, "pass")),
        f"move {len(RIGHT.actions) + 1}: .*pass",
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
    "a wrong weight with a fault": (replace(FAULTY, win_weight=2), "weight: got 2, expected 1"),
    "a wrong result": (replace(RIGHT, detail=raw(DETAIL | {"winners": OTHER_WINNERS})), "detail"),
    "another deal": (replace(RIGHT, deal=make_game(VARIANT, 2, "abc").deal), ""),
    "a deal without fields": (replace(RIGHT, deal=raw({})), "deal"),
    "a deal nested too deeply": (
        replace(RIGHT, deal=msgspec.Raw(b'{"start": %b}' % (b"[" * 500 + b"]" * 500))),
        "",
    ),
    "other rules": (replace(RIGHT, rules_version=RULES + 1), f"version {RULES + 1}.* {RULES}"),
    "an unknown variant": (replace(RIGHT, variant="pot-de-vin/7"), "'pot-de-vin/7'"),
    "two entrants": (replace(RIGHT, entrants=("a", "b")), "expected 3 entrants and seeds"),
}
"""What is changed in a record, and a pattern of what is said of it."""


@pytest.mark.parametrize("change", CHANGES)
def test_finds_changed_record(change: str) -> None:
    record, message = CHANGES[change]
    assert found(record)
    assert re.search(message, found(record))


def test_ignores_order_of_fields() -> None:
    turned = raw(dict(reversed(DETAIL.items())))
    assert not found(replace(RIGHT, key="another", board=7, rotation=2, detail=turned))


@settings(max_examples=40)
@given(
    st.lists(st.integers(-MAX_NUMBER, MAX_NUMBER), max_size=5),
    st.lists(st.integers(0, MAX_NUMBER), max_size=5),
)
def test_survives_arbitrary_points_and_ranks(points: list[int], ranks: list[int]) -> None:
    record = replace(RIGHT, points=tuple(points), ranks=tuple(ranks))
    assert bool(found(record)) == (record != RIGHT)
