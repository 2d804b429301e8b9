"""A bot with too many faults is withdrawn, from the same game on with any number of workers."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.check.rerun import first_difference, play_again
from arena.errors import RunStopped
from arena.protocol import FaultKind, SeatFault
from arena.record import GameRecord
from arena.tournament import backlog
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank
from arena.tournament.store import Store
from arena.tournament.verify import verify
from arena.tournament.withdrawal import Conduct, Withdrawals, portions_that_count
from tests.arena.runs import (
    Crew,
    ignore,
    in_processes,
    make_bot,
    make_bots,
    played,
    recoded,
    settings_of,
    silent,
)

VARIANT = "pot-de-vin/3"
CRASHING = """\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        sys.exit("no idea")
"""


# -- the rule ----------------------------------------------------------------------------------


def conduct(*names: str, faulty: Sequence[str] = (), kind: FaultKind = "crash") -> Conduct:
    """Return a game between these, of whom some had a fault."""
    return Conduct(names, tuple(SeatFault(names.index(name), 0, kind, "") for name in faulty))


def reason(faults: Sequence[bool]) -> str | None:
    """Return why a bot is withdrawn after games with and without a fault, or None."""
    withdrawals = Withdrawals()
    for faulty in faults:
        withdrawals.count(conduct("a", "b", faulty=["b"] if faulty else []))
    assert "a" not in withdrawals.reasons
    return withdrawals.reasons.get("b")


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ("", None),
        ("xx", None),
        ("xx.xx", None),
        ("xxx", "it had faults in 3 games in a row"),
        ("." * 30 + "xxx" + "." * 100, "it had faults in 3 games in a row"),
        ("x" + "." * 38, None),
        ("x.x" + "." * 36, None),
        ("x.x" + "." * 37, "it had faults in 2 of 40 games"),
        ("." * 39 + "x", None),
        ("." * 39 + "xx", None),
        ("." * 20 + "x." * 2 + "." * 16, "it had faults in 2 of 40 games"),
        ("." * 37 + "x.x", "it had faults in 2 of 40 games"),
        ("." * 58 + "x.x", None),
    ],
)
def test_a_bot_with_faults_in_three_games_in_a_row_or_in_5_percent_is_withdrawn(
    faults: str, expected: str | None
) -> None:
    assert reason([fault == "x" for fault in faults]) == expected


@given(st.lists(st.booleans(), max_size=120), st.integers(0, 10))
def test_a_withdrawn_bot_stays_withdrawn(faults: list[bool], more: int) -> None:
    before = reason(faults)
    assert before is None or reason([*faults, *[False] * more]) == before


def test_games_in_which_it_is_withdrawn_are_no_new_faults() -> None:
    withdrawals = Withdrawals()
    for _ in range(9):
        withdrawals.count(conduct("a", "b", faulty=["b"], kind="withdrawn"))
    assert withdrawals.reasons == {}


def test_the_first_portion_counts_from_the_second_on_and_later_ones_one_portion_later() -> None:
    assert [portions_that_count(portion) for portion in range(6)] == [0, 1, 1, 2, 3, 4]


# -- a run -------------------------------------------------------------------------------------


@pytest.fixture
def _two_boards_a_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "INITIAL_PORTION_BOARDS", 2)
    monkeypatch.setattr(backlog, "MAX_PORTION_BOARDS", 2)


def run_settings(folder: Path, rounds: int = 15) -> Settings:
    """Return the settings of a run with a bot that crashes in every game."""
    folders = [*make_bots(folder, 2), make_bot(folder, "bad", CRASHING)]
    return settings_of(folders, VARIANT, rounds=rounds)


def kinds_of(record: GameRecord) -> list[tuple[str, str]]:
    """Return who had which faults."""
    return [(record.entrants[fault.seat], fault.kind) for fault in record.faults]


@pytest.mark.usefixtures("_two_boards_a_portion")
def test_a_bot_is_withdrawn_from_the_same_games_on_with_any_workers_and_after_a_stop(
    tmp_path: Path,
) -> None:
    settings = run_settings(tmp_path / "bots")
    runs: list[list[bytes]] = []
    for workers in (1, 2, 4):
        with Store.create(tmp_path / f"with-{workers}", settings) as store:
            play_missing(store, settings, in_processes(workers), ignore)
            runs.append(played(store))
            records = list(store.records())
            board = rank(store)
    for stop in (4, 8):
        with Store.create(tmp_path / f"stopped-{stop}", settings) as store:
            play_until(store, settings, stop)
            assert stop <= store.count() < 15
            play_missing(store, settings, in_processes(2), ignore)
            runs.append(played(store))
    assert all(run == runs[0] for run in runs)
    kinds = [kinds_of(record) for record in records]
    assert kinds == [[("bad", "crash")]] * 6 + [[("bad", "withdrawn")]] * 9
    assert {fault.text for record in records[6:] for fault in record.faults} == {
        "it had faults in 3 games in a row"
    }
    assert not [difference for record in records for difference in verify(record)]
    rows = {row.bot: (row.faults, row.withdrawn) for row in board.overall}
    assert rows == {"bot-1": (0, False), "bot-2": (0, False), "bad": (6, True)}
    again = play_again(records[-1], {one.name: one for one in settings.entrants}, settings.limits)
    assert first_difference(records[-1], again) is None
    assert again == records[-1]


def play_until(store: Store, settings: Settings, games: int) -> None:
    """Play a run until `games` games have ended, and stop it as Ctrl-C does."""

    def stop(_: int) -> None:
        if store.count() >= games:
            raise KeyboardInterrupt

    with pytest.raises(RunStopped):
        play_missing(store, settings, in_processes(2), stop)


@pytest.mark.usefixtures("_two_boards_a_portion")
def test_no_bot_is_withdrawn_from_a_run_without_withdrawal(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(run_settings(tmp_path / "bots", 9), withdrawal=False)
    with Store.create(tmp_path / "run", settings) as store:
        play_missing(store, settings, in_processes(2), ignore)
        assert [kinds_of(record) for record in store.records()] == [[("bad", "crash")]] * 9


@pytest.mark.usefixtures("_two_boards_a_portion")
def test_a_withdrawn_bot_whose_code_is_fixed_plays_again(tmp_path: Path, crew: Crew) -> None:
    settings = run_settings(tmp_path / "bots")
    folder = tmp_path / "run"
    with Store.create(folder, settings) as store:
        play_missing(store, settings, in_processes(2), ignore)
    fixed = recoded(settings, "bad")
    with open_or_create(folder, fixed, silent) as store:
        play_missing(store, fixed, crew, ignore)
        assert [record.faults for record in store.records()] == [()] * 15


class Slow(Crew):
    """Two workers, the first of which is not through with what it was given for a long time."""

    def __init__(self) -> None:
        super().__init__(width=2)

    def play(self, batches):  # type: ignore[no-untyped-def]
        waiting = iter(batches)
        first = next(waiting)
        others = []
        while (batch := next(waiting, None)) is not None:
            others.append(batch)
        self.portions = len({game.board for batch in [first, *others] for game in batch.games}) // 2
        yield from super().play([*others, first])
        yield from super().play(waiting)


def test_the_second_portion_waits_for_the_first_one(tmp_path: Path, crew: Crew) -> None:
    settings = run_settings(tmp_path / "bots")
    slow = Slow()
    with Store.create(tmp_path / "run", settings) as store:
        play_missing(store, settings, slow, ignore)
        assert store.count() == 15
    assert slow.portions == 1
