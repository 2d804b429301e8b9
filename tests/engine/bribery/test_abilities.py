"""The worked examples W25 to W36 of section 12: abilities, under their numbers."""

import random

import pytest

from engine import State
from engine.bribery.state import build_state
from tests.engine.bribery.play import BY_ID, begin_turn, board_of, parse_board, position
from tests.engine.games import as_json

TWO, THREE, FOUR, TEAMS = (f"bribery/{name}-advanced" for name in ("2", "3", "4", "4-teams"))


def abilities(state: State) -> list[str]:
    """Return what follows `ability` in the legal list; `no-ability` always stands at its end."""
    *legal, last = state.legal_actions()
    assert last == "no-ability"
    return [action.removeprefix("ability ") for action in legal]


def discards(state: State) -> list[str]:
    rows = as_json(state.view(None).discards)
    return [f"{row['card']}@{row['seat']} {row['why']}" for row in rows]


def points(state: State) -> tuple[int, ...]:
    scored: tuple[int, ...] = state.view(None).control.points
    return scored


def phase(state: State) -> tuple[str, int | None]:
    return state.view(None).phase, state.seat_to_act


def last_ability(state: State) -> dict[str, object]:
    """Return what was told of the ability that was settled last."""
    told = [event for event in as_json(state.events(None)) if event["event"] == "ability"]
    del told[-1]["event"]
    ability: dict[str, object] = told[-1]
    return ability


W25 = "kc: 9s@0 4h@0 5d@1 | ks: 10h@1 3d@0 | kd: 6h@1 | qs: 8h@0"


def test_w25_assassinate_and_paying_with_control() -> None:
    state = position(TWO, W25, hands={0: "2d"})
    assert points(state) == (9, 6)
    assert abilities(state) == ["kc 4h kd", "kc 4h ks", "kc 9s kd", "kc 9s ks"]
    state.apply("ability kc 9s ks")
    assert discards(state) == ["9s@0 spent", "10h@1 assassinated", "3d@0 assassinated"]
    assert board_of(state) == parse_board("qs: 8h@0 | kd: 6h@1 | kc: 4h@0 5d@1")
    (down,) = [each for each in state.view(None).board if each.face_down]
    assert (down.card, down.bribes) == ("ks", ())
    assert points(state) == (10, 10)
    assert phase(state) == ("play", 0)
    assert state.legal_actions() == ["bribe 2d qs"]
    assert last_ability(state) == {
        "seat": 0,
        "kind": "assassinate",
        "source": "kc",
        "spent": "9s",
        "target": "ks",
        "cancelled": False,
        "by": None,
        "discarded": ["10h", "3d"],
    }


W26 = "qd: 7c@0 3s@0 4h@1 | qs: 9h@1 6d@0 | js: 8d@0 | ac: 2s@0 5d@1 | joker-2: 10c@1"


def test_w26_swindle() -> None:
    state = position(TWO, W26)
    assert points(state) == (6, 11)
    assert abilities(state) == ["qd 3s qs", "qd 7c qs"]
    state.apply("ability qd 3s qs")
    assert phase(state) == ("swindle", 0)
    assert as_json(state.view(1).pending) == {
        "seat": 0,
        "kind": "swindle",
        "source": "qd",
        "spent": "3s",
        "target": "qs",
        "to_ask": [],
    }
    assert state.legal_actions() == [
        "swindle 6d joker-2",
        "swindle 9h ac",
        "swindle 9h joker-2",
        "swindle 9h js",
    ]
    state.apply("swindle 9h ac")
    assert board_of(state) == parse_board(
        "qs: 6d@0 | js: 8d@0 | qd: 7c@0 4h@1 | ac: 2s@0 5d@1 9h@1 | joker-2: 10c@1"
    )
    assert points(state) == (16, 6)
    assert phase(state) == ("play", 0)
    assert discards(state) == ["3s@0 spent"]


def test_w27_swindle_made_legal_by_its_own_cost() -> None:
    state = position(TWO, "qd: 7h@0 | qc: 9h@1 | jh: 2s@0")
    assert abilities(state) == ["qd 7h qc"]
    state.apply("ability qd 7h qc")
    assert state.legal_actions() == ["swindle 9h qd"]
    without = position(TWO, "qd: 7c@0 3h@1 | qc: 9h@1 | jh: 2s@0")
    assert without.view(None).control.officials[1].controller == 0
    assert phase(without) == ("play", 0)


W28 = "as: 6d@0 2h@0 | ac: 5h@1 | ad: 9c@1 8h@0"


def test_w28_bless() -> None:
    state = position(TWO, W28)
    assert points(state) == (10, 10)
    assert abilities(state) == ["as 6d ac"]
    state.apply("ability as 6d ac")
    assert board_of(state) == parse_board("as: 2h@0 | ad: 9c@1 8h@0 | ac: 5h@1 6d@0")
    assert discards(state) == []
    assert points(state) == (14, 6)
    assert phase(state) == ("play", 0)


def test_w29_bless_cancelled() -> None:
    state = position(TWO, f"{W28} | ah: 3c@1 4d@1")
    state.apply("ability as 6d ac")
    assert phase(state) == ("protect", 1)
    assert state.view(0).turn_seat == 0
    assert state.legal_actions() == ["allow", "protect 3c", "protect 4d"]
    state.apply("protect 3c")
    assert discards(state) == ["6d@0 spent", "3c@1 spent"]
    board = board_of(state)
    assert [board[card] for card in ("as", "ac", "ah")] == [[("2h", 0)], [("5h", 1)], [("4d", 1)]]
    assert phase(state) == ("play", 0)
    assert last_ability(state)["cancelled"] is True
    assert last_ability(state)["by"] == 1


def test_w30_a_heart_protects_itself_and_loses_control_by_paying() -> None:
    state = position(THREE, "kc: 9s@0 | kh: 4s@1 7d@2 | ks: 10d@1")
    state.apply("ability kc 9s kh")
    assert phase(state) == ("protect", 2)
    assert state.legal_actions() == ["allow", "protect 7d"]
    state.apply("protect 7d")
    assert board_of(state) == parse_board("ks: 10d@1 | kh: 4s@1 | kc:")
    assert discards(state) == ["9s@0 spent", "7d@2 spent"]
    assert state.view(None).control.officials[1].controller == 1
    assert phase(state) == ("play", 0)


@pytest.mark.parametrize(
    ("heart", "face_down"),
    [("kh: 4s@1 7d@0", ()), ("kh: 4s@1 4d@0", ()), ("qh: 4s@1", ()), ("", ("kh",))],
    ids=["own", "tied", "other rank", "face-down"],
)
def test_w31_who_is_not_asked(heart: str, face_down: tuple[str, ...]) -> None:
    state = position(TWO, f"kc: 9s@0 | ks: 10d@1 | {heart}", face_down=face_down)
    state.apply("ability kc 9s ks")
    assert phase(state) == ("play", 0)
    assert [each.card for each in state.view(0).board if each.face_down] == ["ks", *face_down]


W32 = "qc: 6d@0 5s@2 | qh: 7s@1 2d@3 8c@0 | qs: 9h@1"


def test_w32_protect_chain_in_teams() -> None:
    state = position(TEAMS, W32, seat=2)
    assert points(state) == (4, 18)
    assert abilities(state) == ["qc 5s qh", "qc 5s qs", "qc 6d qh", "qc 6d qs"]
    state.apply("ability qc 6d qs")
    answers = ["allow", "protect 2d", "protect 7s"]
    assert phase(state) == ("protect", 3)
    assert state.view(None).pending.to_ask == (3, 1)
    assert state.legal_actions() == answers
    state.apply("allow")
    assert phase(state) == ("protect", 1)
    assert state.view(None).pending.to_ask == (1,)
    assert state.legal_actions() == answers
    allowed = state.clone()
    state.apply("protect 7s")
    assert discards(state) == ["6d@0 spent", "7s@1 spent"]
    assert board_of(state) == parse_board("qs: 9h@1 | qh: 2d@3 8c@0 | qc: 5s@2")
    assert points(state) == (12, 10)
    assert phase(state) == ("play", 2)

    allowed.apply("allow")
    assert discards(allowed) == ["6d@0 spent", "9h@1 assassinated"]
    assert [each.card for each in allowed.view(0).board if each.face_down] == ["qs"]
    assert phase(allowed) == ("play", 2)


def test_w33_abilities_that_are_not_there() -> None:
    board = "kc: 9s@0 | qs: 8c@0 | jh: 7d@0 | ac: 3h@0 4d@1 | ah: 6c@1 | as: | joker-2: 5h@0"
    assert phase(position(TWO, board)) == ("play", 0)


def test_w34_joker_4_and_abilities() -> None:
    state = position(TWO, "as: 6h@0 | ah: 5d@1 | joker-4: 2c@0")
    assert "as 6h ah" in abilities(state)
    assert abilities(position(TWO, "as: 6h@0 | ah: 5d@1 | joker-4: 2c@0 3d@1 | ad:")) == [
        "as 6h ad"
    ]
    board = "jd: 6h@0 | js: 5h@1 8d@0 | ks: 3h@1 | kc: 9d@1 | joker-4: 2c@0"
    state = position(TWO, board)
    state.apply("ability jd 6h js")
    assert state.legal_actions() == [
        "swindle 5h jd",
        "swindle 5h joker-4",
        "swindle 5h kc",
        "swindle 8d jd",
        "swindle 8d joker-4",
        "swindle 8d kc",
        "swindle 8d ks",
    ]


def test_w35_joker_1_gives_a_source() -> None:
    board = "kc: 4d@0 5h@1 | ks: 3d@1"
    assert abilities(position(TWO, f"joker-1: 6h@0 | {board}")) == ["kc 4d ks"]
    assert phase(position(TWO, f"joker-1: | {board}")) == ("play", 0)


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


def test_an_ability_is_asked_for_once_a_turn_and_before_the_card() -> None:
    """[8.1]: whatever becomes of it, a card comes next."""
    state = position(TWO, W25, hands={0: "2d 5c ah", 1: "ac jd"})
    used, declined = state.clone(), state
    used.apply("ability kc 9s kd")
    declined.apply("no-ability")
    for after in (used, declined):
        assert phase(after) == ("play", 0)
        after.apply("official ah")
        assert after.seat_to_act == 1


def test_every_phase_and_every_way_to_end_an_ability_occurs_in_random_play() -> None:
    rng, seen = random.Random(0), set()
    for variant in (BY_ID[TWO], BY_ID[TEAMS]):
        for _ in range(10):
            state = variant.start(variant.deal(rng))
            while state.seat_to_act is not None:
                state.apply(rng.choice(state.legal_actions()))
            for event in as_json(state.events(None)):
                if event["event"] == "ability":
                    seen.add((event["kind"], event["cancelled"]))
    assert seen == {(k, c) for k in ("assassinate", "swindle", "bless") for c in (True, False)}
