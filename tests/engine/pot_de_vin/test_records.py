"""The golden records G1 to G5, and the example view of section 10.3."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.engine.games import as_json
from tests.engine.pot_de_vin.play import RECORDS, replay

EXAMPLE_VIEW = json.loads(Path(__file__).with_name("example_view.json").read_text(encoding="utf-8"))


records = pytest.mark.parametrize("record", RECORDS.values(), ids=list(RECORDS))


@records
def test_course_of_a_record(record: dict[str, Any]) -> None:
    """Rounds, decisions, leaders, winners, gems removed and trump cards are those of the page."""
    game = replay(record)
    end = game.end().view(None)
    assert end.phase == "over"
    assert len(game.actions) == record["decisions"]
    assert len(end.history) == end.round == record["rounds"]
    assert [past.leader for past in end.history] == record["leaders"]
    assert [past.winner for past in end.history] == record["winners"]
    assert list(end.gems_removed) == record["gems_removed"]
    if "trumps" in record:
        assert [past.trump for past in end.history] == record["trumps"].split()


@records
def test_result_of_a_record(record: dict[str, Any]) -> None:
    """Every side has the points, columns, neutral cards and jokers of the page."""
    end = replay(record).end()
    outcome = end.outcome()
    result = as_json(outcome.detail)
    assert [as_row(side) for side in result["teams"]] == record["sides"]
    for side in record["sides"]:
        for seat in side["seats"]:
            assert outcome.points[seat] == side["points"]
            assert outcome.ranks[seat] == result["ranks"][seat] == side["rank"]
    assert result["winners"] == [s for s, rank in enumerate(result["ranks"]) if rank == 1]
    assert as_json(end.view(None))["result"] == result


def as_row(side: dict[str, Any]) -> dict[str, Any]:
    """Return a side of a result as the table of the page shows it."""
    columns = [
        f"{guild} s{column['seat']} {column['symbols']}{'*' * column['joker']} {column['points']}"
        for guild, column in side["guilds"].items()
    ]
    jokers = [
        f"{joker['card']} s{joker['seat']} {joker['guild'] or 'discarded'}"
        + " (unscored)" * (joker["guild"] is not None and not joker["scored"])
        for joker in side["jokers"]
    ]
    return {key: side[key] for key in side if key != "guilds"} | {
        "columns": columns,
        "jokers": jokers,
    }


def test_example_view() -> None:
    """G4 after 17 actions looks to seat 3 as the page shows it."""
    state = next(islice(replay(RECORDS["G4"]).moments(), 17, None))
    view = as_json(state.view(3))
    assert view == EXAMPLE_VIEW
    assert list(view) == list(EXAMPLE_VIEW)


OWN = ("seat", "hand", "discarded", "legal")


def test_a_spectator_sees_what_all_seats_see() -> None:
    for state in replay(RECORDS["G5"]).moments():
        for seat in range(6):
            ours, theirs = as_json(state.view(None)), as_json(state.view(seat))
            assert list(ours) == list(theirs)
            assert {**ours, **dict.fromkeys(OWN)} == {**theirs, **dict.fromkeys(OWN)}


def test_the_beginning_of_a_game_as_one_seat_is_told_it() -> None:
    """G5, seat 2: its own hand and discard, then the first round."""
    told = as_json(replay(RECORDS["G5"]).end().events(2))
    deck = told[0].pop("deck")
    assert (len(deck), deck["aldo-4"], deck["ugo-12"]) == (36, "nobles", "nobles")
    assert told[:12] == [
        {
            "event": "start",
            "variant": "pot-de-vin/6-teams",
            "seat": 2,
            "n": 6,
            "teams": [[0, 3], [1, 4], [2, 5]],
            "start": 4,
            "rounds": 12,
            "gems": 4,
            "hand": [
                *("aldo-5", "aldo-12", "pietra-1", "pietra-2", "pietra-7", "pietra-10"),
                *("enzo-2", "ugo-4", "ugo-8"),
            ],
        },
        {"event": "discard", "seat": 1, "card": None},
        {"event": "discard", "seat": 2, "card": "pietra-10"},
        {"event": "discard", "seat": 3, "card": None},
        {"event": "trump", "round": 1, "trump": "pietra-10", "trump_pile": 3},
        {"event": "play", "seat": 4, "card": "pietra-12"},
        {"event": "play", "seat": 5, "card": "aldo-11"},
        {"event": "pass", "seat": 0, "gems": 3},
        {"event": "play", "seat": 1, "card": "pietra-11"},
        {"event": "play", "seat": 2, "card": "pietra-2"},
        {"event": "pass", "seat": 3, "gems": 3},
        {
            "event": "round_end",
            "round": 1,
            "winner": 4,
            "cards": ["aldo-11", "pietra-2", "pietra-11", "pietra-12"],
            "gems": 2,
        },
    ]
