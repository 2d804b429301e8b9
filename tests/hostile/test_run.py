"""Attacks on a whole run: it goes on, and says what happened.

Those on one game are in `test_hostile.py`.
"""

import gzip
import json
import shutil
from pathlib import Path

import msgspec
import pytest

from arena.base.protocol import SeatFault
from arena.base.record import Evidence, Observations, Timing, write_record
from arena.contest.snapshots import Snapshots
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.store import Store
from tests.arena.command import arena, refused
from tests.arena.levels import sandbox_settings_of
from tests.arena.playing import children
from tests.arena.publish.sites import bytes_in
from tests.arena.runs import (
    DICE_BOT,
    in_processes,
    made_up_settings,
    make_bot,
    make_bots,
    play_out,
    schedule_of,
    settings_of,
    silent,
)

VARIANT = "pot-de-vin/3"
replace = msgspec.structs.replace

NOTED_BOT = DICE_BOT.replace('"turn": message["turn"]}', '"turn": message["turn"], "note": "old"}')
"""Says in each game which code plays."""


@pytest.mark.parametrize("level", [pytest.param("none", marks=pytest.mark.slow), "isolated"])
def test_editing_a_bot_during_the_run_changes_nothing(level: str, tmp_path: Path) -> None:
    """The attack that gave 112 of 150 games to the new code, under the fingerprint of the old."""
    sandbox = sandbox_settings_of(level)
    edited = make_bot(tmp_path / "bots", "edited", NOTED_BOT)
    settings = settings_of([edited, *make_bots(tmp_path / "bots", 2)], VARIANT, rounds=30)
    folder = tmp_path / "results" / "spring"

    def edit(_: int) -> None:
        (edited / "bot.py").write_text(NOTED_BOT.replace('"old"', '"new"'))

    with Snapshots(folder) as snapshots:
        entrants = [snapshots.settled(snapshots.take(entrant)) for entrant in settings.entrants]
        settings = replace(settings, entrants=tuple(entrants), sandbox=sandbox)
        with open_or_create(folder, settings, silent) as store:
            snapshots.keep(entrants)
            play_missing(store, settings, in_processes(1), edit)
            records = list(store.records())
    assert len(records) == 30
    assert not any(record.faults for record in records)
    assert {note.text for record in records for note in record.notes} == {"old"}


@pytest.mark.slow
def test_bot_with_broken_sandbox_loses_only_its_games(
    tmp_path: Path,
) -> None:
    """Its files go during the run, which goes on without it."""
    sandbox = sandbox_settings_of("isolated")
    gone = make_bot(tmp_path / "bots", "gone")
    settings = settings_of([gone, *make_bots(tmp_path / "bots", 2)], VARIANT, rounds=90)
    settings = replace(settings, sandbox=sandbox)
    with open_or_create(tmp_path / "spring", settings, silent) as store:

        def remove(_: int) -> None:
            shutil.rmtree(gone, ignore_errors=True)

        play_missing(store, settings, in_processes(1), remove)
        faults = [(record, fault) for record in store.records() for fault in record.faults]
        assert store.count() == 90
    assert {record.entrants[fault.seat] for record, fault in faults} == {"gone"}
    assert {fault.kind for _, fault in faults} == {"start", "withdrawn"}
    assert not children()


# -- what is shown of a run under way --------------------------------------------------------------


class UnderWay:
    """A run of which one board is over, and of another one all games but the last."""

    def __init__(self, parent: Path) -> None:
        settings = made_up_settings(3, VARIANT, rounds=6)
        self.folder = parent / "results" / "spring"
        *played, last = [play_out(game) for game in schedule_of(settings)]
        fault = SeatFault(0, 0, "crash", "how it broke")
        seen = Observations((Evidence(0, asked="what ann holds"),), (Timing(7, 2_000, 900),) * 3)
        played[3] = replace(played[3], faults=(fault,))
        with Store.create(self.folder, settings) as store:
            store.add(
                [
                    (record.key, place, write_record(record), seen)
                    for place, record in enumerate(played)
                ]
            )
        self.over, self.open = played[:3], played[3:]
        self.last = last

    def assert_hidden(self, text: bytes) -> None:
        """Hold that nothing of a game whose board is not over is in a text."""
        for record in self.open:
            for part in (
                record.key.encode(),
                bytes(record.deal),
                b"what ann holds",
                b"how ann broke",
            ):
                assert part not in text


@pytest.fixture
def under_way(tmp_path: Path) -> UnderWay:
    """A run of two boards."""
    made = UnderWay(tmp_path)
    assert len(made.over) == 3
    assert len(made.open) == 2
    return made


def test_export_of_unfinished_run_hides_future_deals(under_way: UnderWay, tmp_path: Path) -> None:
    result = arena("export", under_way.folder)
    assert result.exit_code == 0
    header, *records = result.stdout_bytes.splitlines()
    assert records == [write_record(record) for record in under_way.over]
    assert json.loads(header)["parts"]["games"] == 3
    under_way.assert_hidden(result.stdout_bytes)
    assert result.stderr == "skipped 2 games on incomplete boards\n"
    (tmp_path / "games.jsonl").write_bytes(result.stdout_bytes)
    digest = json.loads(header)["digest"]
    verified = arena("verify", tmp_path / "games.jsonl", "--digest", digest)
    assert verified.exit_code == 0, verified.output


@pytest.mark.slow
def test_site_of_unfinished_run_hides_future_deals(under_way: UnderWay, tmp_path: Path) -> None:
    result = arena("publish", under_way.folder, "--to", tmp_path / "site", "--games", "all")
    assert result.exit_code == 0, result.stderr
    assert "3 games, 3 of them with replays" in result.stdout
    for name, content in bytes_in(tmp_path / "site").items():
        under_way.assert_hidden(gzip.decompress(content) if name.endswith(".gz") else content)
        assert not any(record.key in name for record in under_way.open)
    about = (tmp_path / "site" / "about.html").read_text()
    assert "5 of 6 games have been played. 3 of them count" in about


def test_open_boards_of_a_run_under_way_are_counted_but_not_shown(
    under_way: UnderWay,
) -> None:
    shown = arena("leaderboard", under_way.folder, "--all").stdout.splitlines()
    assert shown[0].startswith("spring: 5 of 6 games, ")
    faults = arena("logs", under_way.folder)
    assert faults.stdout == "no faults\n"
    told = "skipped 2 games on incomplete boards\n"
    assert faults.stderr == told
    for command in (("replay",), ("debug", "random")):
        for name in (under_way.open[0].title, under_way.open[0].key):
            text = refused(*command, under_way.folder, name)
            assert f"{under_way.open[0].title} is not shown yet: its board is not over" in text


def test_shows_complete_boards(under_way: UnderWay) -> None:
    record = under_way.last
    with Store.own(under_way.folder) as store:
        store.add([(record.key, 5, write_record(record), Observations())])
    result = arena("export", under_way.folder)
    assert (result.stdout_bytes.count(b"\n"), result.stderr) == (1 + 6, "")
    faults = arena("logs", under_way.folder)
    assert "what ann holds" in faults.stdout
    assert faults.stderr == ""
