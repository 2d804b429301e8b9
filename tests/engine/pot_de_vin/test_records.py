"""The golden records G1 to G5, digests of random games, and the example view of section 10.3."""

import hashlib
import json
import tomllib
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine import Variant
from tests.engine.games import as_json
from tests.engine.pot_de_vin.play import RECORDS, each_variant, random_game, replay

HERE = Path(__file__).parent
EXAMPLE_VIEW = json.loads((HERE / "example_view.json").read_text(encoding="utf-8"))
DIGESTS = tomllib.loads((HERE / "digests.toml").read_text(encoding="utf-8"))
GAMES = 100


@pytest.mark.parametrize("record", RECORDS.values(), ids=list(RECORDS))
def test_record_is_reproduced(record: dict[str, Any]) -> None:
    """Its course is that of the page, and so are the points, columns and jokers of each side."""
    game = replay(record)
    state = game.end()
    end = state.view(None)
    assert end.phase == "over"
    assert len(game.actions) == record["decisions"]
    assert len(end.history) == end.round == record["rounds"]
    assert [past.leader for past in end.history] == record["leaders"]
    assert [past.winner for past in end.history] == record["winners"]
    assert list(end.gems_removed) == record["gems_removed"]
    if "trumps" in record:
        assert [past.trump for past in end.history] == record["trumps"].split()
    outcome = state.outcome()
    result = as_json(outcome.detail)
    assert [as_row(side) for side in result["teams"]] == record["sides"]
    for side in record["sides"]:
        for seat in side["seats"]:
            assert outcome.points[seat] == side["points"]
            assert outcome.ranks[seat] == result["ranks"][seat] == side["rank"]
    assert result["winners"] == [s for s, rank in enumerate(result["ranks"]) if rank == 1]
    assert as_json(end)["result"] == result


def as_row(side: dict[str, Any]) -> dict[str, Any]:
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


@each_variant
def test_games_match_published_digest(variant: Variant) -> None:
    """Games among seats of all tempers: what is legal at each moment, who acts, and the result."""
    digest, decisions = hashlib.sha256(), 0
    for seed in range(GAMES):
        game = random_game(variant, seed)
        for state, action in zip(game.moments(), [*game.actions, ""], strict=True):
            legal = ",".join(state.legal_actions())
            digest.update(f"{state.seat_to_act}:{action} of {legal}\n".encode())
        digest.update(json.dumps(as_json(state.outcome().detail)).encode())
        digest.update(json.dumps(state.outcome().points).encode())
        decisions += len(game.actions)
    assert DIGESTS[variant.id] == {"decisions": decisions, "sha256": digest.hexdigest()}


def test_example_view() -> None:
    state = next(islice(replay(RECORDS["G4"]).moments(), 17, None))
    view = as_json(state.view(3))
    assert view == EXAMPLE_VIEW
    assert list(view) == list(EXAMPLE_VIEW)
