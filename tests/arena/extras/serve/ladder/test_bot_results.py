"""Tests of the data for bot pages, from a run's statistics and its last games."""

import msgspec
import pytest

from arena.base.protocol import SeatFault
from arena.base.record import (
    NO_OBSERVATIONS,
    Entrant,
    GameRecord,
    Observations,
    Timing,
    result_of,
    write_record,
    write_result,
)
from arena.extras.serve.ladder.bot_results import (
    MAX_FAULTS,
    MAX_LATEST,
    MAX_LATEST_OF_BOT,
    LatestGames,
    results_of,
)
from arena.publish.run_statistics import AnswerTimes, collect_statistics
from arena.rating.pairs import Pair
from arena.tournament.database import StoredGame
from engine import get_variant
from tests.arena.runs import made_up_settings, play_out, schedule_of

VARIANT = "pot-de-vin/3"
BOTS = ("e1", "e2", "e3", "e4")
SEEN = Observations(timings=(Timing(2, 300, 270),) * 3)
QUICK, SLOW = Timing(2, 100, 90), Timing(2, 300, 270)


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    settings = made_up_settings(len(BOTS), VARIANT, rounds=80)
    return [play_out(game) for game in schedule_of(settings)]


def with_fault(record: GameRecord, seat: int, text: str = "no idea") -> GameRecord:
    """Return a record in which a seat's bot crashed at its first action."""
    return msgspec.structs.replace(record, faults=(SeatFault(seat, 0, "crash", text, ()),))


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


def test_results_of_each_bot(records: list[GameRecord]) -> None:
    faulty = [
        with_fault(one, one.entrants.index("e1"), f"{number}") if "e1" in one.entrants else one
        for number, one in enumerate(records)
    ]
    variants = {VARIANT: get_variant(VARIANT)}
    seen = [
        Observations(timings=tuple([QUICK if bot == "e1" else SLOW for bot in one.entrants]))
        for one in faulty
    ]
    statistics = collect_statistics(zip(faulty, seen, strict=True), variants)
    statistics.withdrawn["e2"] = "too many faults"
    latest = LatestGames()
    list(latest.pass_on([stored(number, one) for number, one in enumerate(faulty, 1)]))
    ahead = {("e1", "e2"): 0.5, ("e1", "e3"): 0.25, ("e2", "e1"): 0.5, ("e1", "e4"): 0.25}
    pairs = [Pair(*names, 8, share) for names, share in ahead.items()]
    own, other = [
        results_of(Entrant(bot, (), "", "", "Ann"), statistics, pairs, latest)
        for bot in ("e1", "e2")
    ]
    assert [one.opponent for one in own.opponents] == ["e3", "e4", "e2"]
    assert [one.opponent for one in other.opponents] == ["e1"]
    assert (own.withdrawn, other.withdrawn) == ("", "too many faults")
    assert own.latest == latest.of("e1")
    for game in own.latest:
        assert dict(zip(game.entrants, game.faults, strict=True))["e1"] == "crash"
        assert sorted(game.faults) == ["", "", "crash"]
    with_faults = [str(number) for number, one in enumerate(records) if "e1" in one.entrants]
    assert len(with_faults) > MAX_FAULTS
    assert [one.text for one in own.faults] == with_faults[: -MAX_FAULTS - 1 : -1]
    assert sum([one.size for one in own.causes]) == len(with_faults)
    first = next(one for one in faulty if "e1" in one.entrants)
    assert (own.causes[0].kind, own.causes[0].key) == ("crash", first.key)
    assert (own.causes[0].title, own.causes[0].move) == (first.title, 1)
    assert (other.faults, other.causes) == ((), ())
    assert own.times == {VARIANT: AnswerTimes(0.05, 0.09)}
    assert other.times == {VARIANT: AnswerTimes(0.15, 0.27)}
    assert (own.author, own.is_guest) == ("Ann", False)
