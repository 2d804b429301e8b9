"""The worked examples W1 to W22 and W37 of section 12 of the rules page, under their numbers."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine import State
from engine.bribery.events import describe
from tests.engine.bribery.play import BASIC, BRIBES, BY_ID, SUITED, parse_board, places, position
from tests.engine.games import as_json

EXAMPLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))


# -- a board and what it is worth (W3 - W19, W21) ------------------------------------------------


def describe_control(state: State) -> dict[str, str]:
    """Return the lines that the rules page writes beside each official, and the last line."""
    control = as_json(state.view(None))["control"]
    lines = {}
    for row in control["officials"]:
        line = f"totals {hyphened(row['totals'])}, control {side(row)}"
        if not row["card"].startswith("joker"):
            line += f", votes {row['votes']}"
        lines[row["card"]] = line
    countries = {row["country"]: row for row in control["countries"]}
    for name, row in countries.items():
        votes = [] if row["votes"] is None else [hyphened(row["votes"])]
        lines[f"country {name}"] = " ".join([name, *votes, side(row), str(row["points"])])
    lines["points"] = hyphened(control["points"])
    return lines


def hyphened(numbers: list[int]) -> str:
    return "-".join(map(str, numbers))


def side(row: dict[str, Any]) -> str:
    return "-" if row["controller"] is None else f"{row['controller']}{'*' * row['dominated']}"


def expected_control(text: str) -> dict[str, str]:
    """Return the lines of an example by what they are about, as `describe_control` does."""
    *officials, last = text.strip().splitlines()
    lines = {}
    for line in officials:
        name, _, rest = line.partition(":")
        lines[name] = rest[rest.index("totals") :].strip()
    countries, _, points = last.removeprefix("countries: ").partition(". points: ")
    lines |= {f"country {each.split()[0]}": each for each in countries.split("; ")}
    return lines | {"points": points}


def check_worth(state: State, text: str) -> None:
    """The board is worth what the example says; countries that it leaves out are worth nothing."""
    got, expected = describe_control(state), expected_control(text)
    assert {name: got[name] for name in expected} == expected
    for name in got.keys() - expected.keys():
        assert got[name].endswith(" - 0")


@pytest.mark.parametrize("example", EXAMPLES["boards"], ids=lambda example: example["id"])
def test_values_boards_as_in_the_rules(example: dict[str, Any]) -> None:
    board = "\n".join(example["text"].strip().splitlines()[:-1])
    check_worth(position(example["variant"], board), example["text"])


def test_w10_and_w11_a_full_board() -> None:
    """The result of the source's final example; and the same when a joker is won."""
    example = next(each for each in EXAMPLES["boards"] if each["id"] == "W10")
    board = parse_board("\n".join(example["text"].strip().splitlines()[:-1]))
    state = position("bribery/2", board)
    points = state.view(None).control.points
    assert as_json(describe(points, (0, 1))) == {
        "points": [11, 7],
        "seat_points": [11, 7],
        "places": [1, 2],
        "winners": [0],
        "win_weight": 1,
    }
    board["joker-2"].remove(("2d", 1))
    board["joker-4"].append(("2d", 1))
    lines = describe_control(position("bribery/2", board))
    assert lines["joker-2"] == "totals 10-8, control 0"
    assert lines["joker-4"] == "totals 0-2, control 1*"
    assert [lines[f"country {suit}"] for suit in "shdc"] == [
        "s 5-6 1 5",
        "h 15-0 0* 8",
        "d 15-7 0 3",
        "c 12-13 1 2",
    ]
    assert lines["points"] == "12-9"


def test_w12_without_joker_1_the_bonus_is_gone() -> None:
    text = next(each["text"] for each in EXAMPLES["boards"] if each["id"] == "W12")
    board = parse_board("\n".join(text.strip().splitlines()[1:-1]))
    lines = describe_control(position("bribery/2", board))
    assert [lines[card].split(",")[0] for card in ("kc", "qc", "jc", "ac")] == [
        "totals 6-7",
        "totals 8-9",
        "totals 8-9",
        "totals 9-9",
    ]


# -- placing bribes (W1, W2, W16, W20, W21) ------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_w1_suit_of_the_official_and_of_a_bribe(seat: int) -> None:
    state = position("bribery/2", "ks: 9h@0", seat=seat, hands={seat: "4s 3h 4c 7d as"})
    state.position.hands[seat] = sorted(
        state.position.decks[seat]
    )  # more cards than a hand has, to save words
    assert [places(state, card) for card in ("4s", "3h", "4c", "7d")] == [[], [], ["ks"], ["ks"]]
    full = position("bribery/2", "ks: 9h@0 4c@1 7d@0", seat=seat, hands={seat: "5s 5h 5d 5c"})
    full.position.hands[seat] = sorted(full.position.decks[seat])
    assert full.legal_actions() == ["discard 5c", "discard 5d", "discard 5h", "discard 5s"]


def test_w2_joker_takes_each_suit_once() -> None:
    state = position("bribery/2", "joker-2: 2s@0 10h@1 5d@0", hands={0: "8c 9d 9s", 1: "7h 7c"})
    assert state.legal_actions() == ["bribe 8c joker-2"]
    state.apply("bribe 8c joker-2")
    assert state.legal_actions() == ["discard 7c", "discard 7h"]


def test_w16_freedom_through_joker_1() -> None:
    board = "joker-1: 6h@0 | joker-4: 8s@0 9h@1 | ks: 5h@1"
    mine = position("bribery/2", board, hands={0: "4s 3h"})
    assert places(mine, "4s") == places(mine, "3h") == ["joker-1", "joker-4", "ks"]
    theirs = position("bribery/2", board, seat=1, hands={1: "4s 3h"})
    assert (places(theirs, "4s"), places(theirs, "3h")) == (["joker-1"], [])


def test_w20_freedom_won_and_lost() -> None:
    board = "joker-4: 7d@0 5h@1 | as: 4h@1"
    theirs = position("bribery/2", board, seat=1, hands={1: "10s 9h 3c"})
    assert [places(theirs, card) for card in ("10s", "9h", "3c")] == [
        ["joker-4"],
        [],
        ["as", "joker-4"],
    ]
    state = position("bribery/2", board, hands={0: "10s 9h 8c", 1: "8d 3c ah"})
    for card in ("10s", "9h"):
        assert places(state, card) == ["as", "joker-4"]
    state.apply("bribe 10s as")
    state.apply("official ah")
    state.apply("bribe 9h as")
    assert describe_control(state)["as"].startswith("totals 19-4, control 0")
    assert places(state, "8d") == ["ah", "as"]  # open to seat 1 for 8d and 3c
    assert places(state, "3c") == ["ah", "as", "joker-4"]

    after = "joker-4: 7d@0 5h@1 | as: 4h@1 10s@0 9h@0"
    assert places(position("bribery/2", after, seat=1, hands={1: "2s"}), "2s") == ["joker-4"]
    assert places(position("bribery/2", after, hands={0: "2s 2h"}), "2s") == ["as", "joker-4"]
    state = position("bribery/2", after, seat=1, hands={1: "8s", 0: "8c 3s 3h"})
    state.apply("bribe 8s joker-4")
    assert describe_control(state)["joker-4"] == "totals 7-13, control 1"
    assert [places(state, card) for card in ("8c", "3s", "3h")] == [["as", "joker-4"], [], []]
    bribes = next(each.bribes for each in state.view(0).board if each.card == "as")
    assert [bribe.card for bribe in bribes] == ["4h", "10s", "9h"]


def test_w21_a_teammate_is_free_too() -> None:
    """With `joker-4` controlled through A's bribe, C places freely, and B and D do not."""
    board = "kh: 4s@0 5d@2 8c@1 | joker-4: 2c@0"
    free = {
        seat: places(position("bribery/4-teams", board, seat=seat, hands={seat: "9h"}), "9h")
        for seat in range(4)
    }
    assert free == {0: ["joker-4", "kh"], 1: ["joker-4"], 2: ["joker-4", "kh"], 3: ["joker-4"]}


# -- a whole deal (W22) ---------------------------------------------------------------------


def test_w22_forced_discard() -> None:
    variant = BY_ID["bribery/2"]
    board = ["as", "ks", "qs", "js", "joker-1", "joker-2"]
    hands = [["ah", "2s", "3s"], ["ad", "4s", "5s"]]
    officials = [card for card in SUITED if card not in (*board, "ah", "ad")]
    bribes = [card for card in BRIBES if card not in (*hands[0], *hands[1])]
    for hand in hands:
        for kind in variant.parameters.pattern(0, 0)[3:]:
            hand.append((officials if kind == "O" else bribes).pop())
    deal = {"jokers": ["joker-1", "joker-2"], "board": board, "decks": hands, "start": 0}
    state = variant.start(variant.read_deal(deal))
    course = [
        (
            0,
            "bribe 2s joker-1, bribe 2s joker-2, bribe 3s joker-1, bribe 3s joker-2, official ah",
            "bribe 2s joker-1",
        ),
        (1, "bribe 4s joker-2, bribe 5s joker-2, official ad", "bribe 4s joker-2"),
        (0, "official ah", "official ah"),
        (1, "bribe 5s ah, official ad", "bribe 5s ah"),
        (0, "discard 3s", "discard 3s"),
        (1, "official ad", "official ad"),
    ]
    for seat, legal, action in course:
        assert state.seat_to_act == seat
        assert state.legal_actions() == legal.split(", ")
        state.apply(action)
    view = state.view(None)
    assert (view.round, view.leader) == (2, 1)
    assert as_json(view.discards) == [{"card": "3s", "seat": 0, "why": "forced"}]


# -- results (W37) -------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES["results"], ids=lambda row: str(row["points"]))
def test_w37_results(example: dict[str, Any]) -> None:
    variant = BY_ID[example["variant"]]
    assert variant in BASIC
    sides = variant.parameters.side_of_seat
    result = as_json(describe(example["points"], sides))
    assert result["points"] == example["points"]
    assert result["seat_points"] == [example["points"][each] for each in sides]
    assert result["winners"] == example["winners"]
    assert result["win_weight"] == example["win_weight"]
    assert [s for s, place in enumerate(result["places"]) if place == 1] == example["winners"]
