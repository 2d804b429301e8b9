"""Tests of the data for bot pages, from a run's statistics and its last games."""

import msgspec
import pytest

from arena.base.record import (
    NO_OBSERVATIONS,
    GameRecord,
    Observations,
    Timing,
    result_of,
    write_record,
    write_result,
)
from arena.extras.serve.ladder.bot_results import (
    MAX_LATEST,
    MAX_LATEST_OF_BOT,
    LatestGames,
)
from arena.tournament.database import StoredGame
from tests.arena.runs import made_up_settings, play_out, schedule_of

VARIANT = "pot-de-vin/3"
BOTS = ("e1", "e2", "e3", "e4")
SEEN = Observations(timings=(Timing(2, 300, 270),) * 3)


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    settings = made_up_settings(len(BOTS), VARIANT, rounds=80)
    return [play_out(game) for game in schedule_of(settings)]


def stored(number: int, record: GameRecord, seen: Observations | None = None) -> StoredGame:
    return StoredGame(
        number=number,
        key=record.key,
        position=number,
        result=write_result(result_of(record)),
        record=write_record(record),
        seen=msgspec.json.encode(seen) if seen else None,
        record_digest=b"",
    )


def test_passes_games_on_and_keeps_the_latest(records: list[GameRecord]) -> None:
    latest = LatestGames()
    assert len(records) > 2 * MAX_LATEST
    games = [stored(number, record) for number, record in enumerate(records)]
    games[0] = stored(0, records[0], SEEN)
    passed = list(latest.pass_on(games))
    assert [record for record, _ in passed] == records
    assert [seen for _, seen in passed if seen != NO_OBSERVATIONS] == [SEEN]
    first, *_ = latest.all()
    record = records[-1]
    assert (first.key, first.title, first.entrants) == (record.key, record.title, record.entrants)
    assert (first.points, first.ranks, first.faults) == (record.points, record.ranks, ("",) * 3)
    assert [game.key for game in latest.all()] == [
        record.key for record in records[: -MAX_LATEST - 1 : -1]
    ]
    for bot in BOTS:
        own = [record.key for record in reversed(records) if bot in record.entrants]
        assert [game.key for game in latest.of(bot)] == own[:MAX_LATEST_OF_BOT]
    assert latest.of("nobody") == ()
