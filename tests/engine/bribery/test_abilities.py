"""The worked examples W25 to W36 of section 12: abilities, under their numbers.

An example of `examples.toml` is a board, perhaps with hands, and a script of what is done and what
is found then: `do: ability kc 9s ks`, `legal: allow, protect 4s`, `phase play 0`, `points 9 6`...
"""

import json
from typing import Any

import pytest

from engine import State
from engine.state import build_state
from tests.engine.bribery.play import begin_turn, board_of, parse_board, position
from tests.engine.bribery.test_examples import EXAMPLES
from tests.engine.games import as_json

FOUR = "bribery/4-advanced"


def abilities(state: State) -> list[str]:
    """Return what follows `ability` in the legal list; `no-ability` always stands at its end."""
    *legal, last = state.legal_actions()
    assert last == "no-ability"
    return [action.removeprefix("ability ") for action in legal]


def discards(state: State) -> list[str]:
    rows = as_json(state.view(None).discards)
    return [f"{row['card']}@{row['seat']} {row['why']}" for row in rows]


def phase(state: State) -> tuple[str, int | None]:
    return state.view(None).phase, state.seat_to_act


def last_ability(state: State) -> dict[str, object]:
    ability_events = [event for event in as_json(state.events(None)) if event["event"] == "ability"]
    del ability_events[-1]["event"]
    ability: dict[str, object] = ability_events[-1]
    return ability


def check(state: State, line: str) -> None:
    view = state.view(None)
    what, _, rest = line.partition(": ") if ":" in line else line.partition(" ")
    listed = rest.split(", ") if rest else []
    match what.rstrip(":"):
        case "do":
            state.apply(rest)
        case "legal":
            assert state.legal_actions() == listed
        case "abilities":
            assert abilities(state) == listed
        case "may":
            assert rest in abilities(state)
        case "phase":
            assert f"{view.phase} {state.seat_to_act}" == rest
        case "acts":
            assert state.seat_to_act == int(rest)
        case "to":
            assert ["ask", *map(str, view.pending.to_ask)] == rest.split()
        case "points":
            assert list(view.control.points) == [int(number) for number in rest.split()]
        case "control":
            card, side = rest.split()
            assert {row.card: row.controller for row in view.control.officials}[card] == int(side)
        case "discards":
            assert discards(state) == listed
        case "board":
            assert board_of(state) == parse_board(rest)
        case "face down":
            assert [each.card for each in view.board if each.face_down] == rest.split()
        case "pending":
            assert as_json(view.pending) == json.loads(rest)
        case "told":
            assert last_ability(state) == json.loads(rest)
        case _:
            raise AssertionError(f"no such line: {line}")


@pytest.mark.parametrize("example", EXAMPLES["abilities"], ids=lambda example: example["id"])
def test_w25_to_w35_abilities(example: dict[str, Any]) -> None:
    hands = {int(seat): hand for seat, hand in example.get("hands", {}).items()}
    options: dict[str, Any] = {"hands": hands} if hands else {}
    options |= {key: example[key] for key in ("seat", "face_down") if key in example}
    state = position(example["variant"], example["board"], **options)
    for line in example["script"].strip().splitlines():
        check(state, line)


def test_w36_protect_with_an_empty_hand() -> None:
    """In the last round of `bribery/4` seat 3 has played its two cards, and is asked."""
    state = position(
        FOUR, "kc: 9s@1 | kh: 4s@3 | ks: 10d@0", hands={0: "ad", 1: "ah", 2: "", 3: ""}
    )
    moved = state.position
    assert moved.order[-11:] == (1, 2, 3, 0, 1, 2, 3, 0, 1, 0, None)
    moved.turn = len(moved.order) - 3  # the third turn of seat 1
    moved.seat_to_act = 1
    begin_turn(moved)
    state = build_state(state.variant, moved)
    assert state.view(3).hand_sizes == (1, 1, 0, 0)
    state.apply("ability kc 9s ks")
    assert phase(state) == ("protect", 3)
    assert state.legal_actions() == ["allow", "protect 4s"]
