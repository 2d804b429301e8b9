"""What bots hear of their games, of the others, and of games in which a process broke."""

from pathlib import Path

import msgspec
import pytest

from arena.base.record import Entrant
from arena.match.settings import MatchSettings
from tests.arena.bad_bots import SEATS
from tests.arena.playing import (
    PATIENT,
    by_name,
    first,
    make_game,
    play_games,
    program,
    received_messages,
    spy,
)

pytestmark = pytest.mark.usefixtures("toys")


def test_messages_do_not_reveal_opponents(tmp_path: Path) -> None:
    names = ("anna-1", "spy", "cleo-3", "dora-4")
    games = [make_game("high-card/4-teams", 1, names)]
    entrants = by_name(first("anna-1"), spy(tmp_path), first("cleo-3"), first("dora-4"))
    (record,) = play_games(games, entrants, MatchSettings(PATIENT))
    ((hello, start, *turns, end, bye),) = received_messages(tmp_path)
    assert hello["protocol"] == 1
    assert hello["bot"] == "spy"
    assert hello["limits"] == msgspec.structs.asdict(PATIENT)
    assert start == {
        "type": "start",
        "table": 1,
        "game": "high-card",
        "variant": "high-card/4-teams",
        "seat": 1,
        "seats": 4,
        "teams": [[0, 2], [1, 3]],
        "seed": games[0].seeds[1],
    }
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4]
    assert {(turn["type"], turn["table"], turn["clock_ms"]) for turn in turns} == {
        ("turn", 1, 120_000)
    }
    assert all(turn["view"]["seat"] == 1 for turn in turns)
    assert end == {
        "type": "end",
        "table": 1,
        "points": list(record.points),
        "ranks": list(record.ranks),
        "faults": [],
    }
    assert bye == {"type": "bye"}
    text = (tmp_path / "heard.jsonl").read_text()
    assert not [name for name in names if name != "spy" and name in text]


@pytest.mark.parametrize("bad", ["crashes_in_act", "crashes_at_once", "no_such_program"])
def test_end_is_sent_only_after_start(tmp_path: Path, bad: str) -> None:
    broken = (
        Entrant("bad", ("no-such-program-of-anybody",), ".", "")
        if bad == "no_such_program"
        else program("bad", bad)
    )
    entrants = by_name(spy(tmp_path, "first"), broken, first("other"))
    games = [make_game("high-card/3", number, SEATS) for number in range(2)]
    assert len(list(play_games(games, entrants, MatchSettings(PATIENT)))) == 2
    for messages in received_messages(tmp_path):
        under_way: set[int] = set()
        for message in messages:
            if message["type"] == "start":
                under_way.add(message["table"])
            elif message["type"] in ("turn", "end"):
                assert message["table"] in under_way, message["type"]
                if message["type"] == "end":
                    under_way.remove(message["table"])
