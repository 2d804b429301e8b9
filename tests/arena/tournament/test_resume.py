"""A run can be resumed after any kind of stop, and grow. It ends like one that never stopped."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import RunStopped, SettingsError
from arena.base.record import write_record
from arena.contest.secret_file import write_secret
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.standings import rank
from arena.tournament.store import DATABASE, Store
from tests.arena.command import stored
from tests.arena.playing import NEEDS_PROC, WAIT_S, wait_for
from tests.arena.runs import (
    PATIENT_OPTIONS,
    SECRET,
    Crew,
    bot_options,
    ignore,
    in_blocks,
    in_processes,
    keys_in,
    made_up,
    made_up_settings,
    make_bots,
    make_gated_bots,
    marked,
    played,
    recoded,
    run_arena,
    schedule_of,
    silent,
    start_arena,
)

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
SETTINGS = made_up_settings(3, VARIANT)
PLAYED_BY_CREW = in_blocks(made_up_settings(5, VARIANT, TEAMS, rounds=6))
replace = msgspec.structs.replace


# -- the same run again ------------------------------------------------------------------------


def test_rejects_other_settings(
    tmp_path: Path,
) -> None:
    open_or_create(tmp_path / "spring", SETTINGS, silent).close()
    with pytest.raises(
        SettingsError, match=r"spring.*rounds is 3 .* but 2 now; .*seed is 0.*--name"
    ):
        open_or_create(tmp_path / "spring", replace(SETTINGS, rounds=2, seed=2), silent)
    with open_or_create(tmp_path / "spring", SETTINGS, silent) as store:  # no process owns it
        assert store.settings() == SETTINGS


GROWN = {
    "rounds": (replace(SETTINGS, rounds=9), [("rounds", "9", "3")], 3),
    "variants": (
        replace(SETTINGS, variants=(TEAMS, VARIANT), entrants=tuple(made_up(4))),
        [("bots", "e4"), ("variants", TEAMS, VARIANT)],
        None,
    ),
    "code": (recoded(SETTINGS, "e2"), [("code", "e2")], 0),
    "order": (replace(SETTINGS, entrants=SETTINGS.entrants[::-1]), [], 3),
}
"""What a run may become: its settings, words of what is told, and how many of its three games still
count, or None where that is a matter of luck."""


@pytest.mark.parametrize("change", GROWN)
def test_extended_run_equals_fresh_run(tmp_path: Path, crew: Crew, change: str) -> None:
    grown, told, counting = GROWN[change]
    with open_or_create(tmp_path / "small", SETTINGS, silent) as store:
        play_missing(store, SETTINGS, Crew(), ignore)
        small = set(keys_in(store))
    notices: list[str] = []
    with open_or_create(tmp_path / "small", grown, notices.append) as store:
        kept = store.count()
        play_missing(store, grown, crew, ignore)
        after, after_rank = played(store), rank(store)
        assert store.settings() == grown
    for words in told:
        assert any(all(word in one for word in words) for one in notices)
    if counting is not None:
        assert kept == counting
    assert kept == len(small.intersection(game.key for game in schedule_of(grown)))
    assert not small.intersection(crew.given())
    if kept < len(small):
        assert f"{len(small) - kept} games" in notices[-1]
    with open_or_create(tmp_path / "whole", grown, silent) as store:
        play_missing(store, grown, Crew(), ignore)
        assert (played(store), rank(store)) == (after, after_rank)


def test_changed_bot_replays_only_its_boards(tmp_path: Path, crew: Crew) -> None:
    before = in_blocks(made_up_settings(7, VARIANT, rounds=12))
    after = recoded(before, "e2")
    with open_or_create(tmp_path / "spring", before, silent) as store:
        play_missing(store, before, Crew(), ignore)
    with open_or_create(tmp_path / "spring", after, silent) as store:
        play_missing(store, after, crew, ignore)
    again = [game for batch in crew.batches for game in batch.games]
    assert again
    assert all("e2" in game.entrants for game in again)
    assert len(again) == sum("e2" in game.entrants for game in schedule_of(after))
    with open_or_create(tmp_path / "spring", before, silent) as store:  # the change is taken back
        play_missing(store, before, crew, ignore)
        assert keys_in(store) == [game.key for game in schedule_of(before)]
    assert crew.batches == []


@pytest.mark.parametrize("stop_after", [1, 5])
def test_stopped_run_resumes_identically(tmp_path: Path, crew: Crew, stop_after: int) -> None:
    with open_or_create(tmp_path / "whole", PLAYED_BY_CREW, silent) as store:
        play_missing(store, PLAYED_BY_CREW, crew, ignore)
        whole, whole_rank = played(store), rank(store)
    with open_or_create(tmp_path / "stopped", PLAYED_BY_CREW, silent) as store:
        with pytest.raises(RunStopped) as caught:
            play_missing(store, PLAYED_BY_CREW, crew, stopping(stop_after))
        assert f" {store.count()} of " in str(caught.value)
        kept = set(keys_in(store))
        assert len(crew.batches) == stop_after
        assert kept == set(crew.given())
        assert rank(store).games + rank(store).games_left_out == len(kept)
    with open_or_create(tmp_path / "stopped", PLAYED_BY_CREW, silent) as store:
        play_missing(store, PLAYED_BY_CREW, crew, ignore)
        assert not kept & set(crew.given())
        assert played(store) == whole
        assert rank(store) == whole_rank


def stopping(after: int) -> Callable[[int], None]:
    """Return a progress callback that raises `KeyboardInterrupt` on call number `after`."""
    told: list[int] = []

    def progress(number: int) -> None:
        told.append(number)
        if len(told) == after:
            raise KeyboardInterrupt

    return progress


# -- killed ------------------------------------------------------------------------------------


@NEEDS_PROC
def test_killed_run_resumes_identically(tmp_path: Path) -> None:
    """Killed in the middle, it leaves no process, a whole database, and no game twice.

    The run to compare with is played without processes, by bots that draw the same dice.
    """
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    arguments = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", "24"]
    arguments += [*PATIENT_OPTIONS, "--workers", "2", "--name", "killed"]
    folder = tmp_path / "results" / "killed"
    with start_arena([*arguments, "--results", str(folder.parent)], mark) as process:
        try:
            wait_for(lambda: stored(folder) > 0, "the first games")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    gate.unlink()
    with Store.open(folder) as store:
        run = store.settings()
        kept = set(keys_in(store))
        assert 0 < len(kept) < count_games(run) == 24
        before = {record.key: write_record(record) for record in store.records()}
        play_missing(store, run, in_processes(2), ignore)
        after = {record.key: write_record(record) for record in store.records()}
        resumed, resumed_rank = played(store), rank(store)
        secret = store.secret(run.secret)
    assert before.items() <= after.items()
    with Store.create(tmp_path / "whole", run, secret) as store:
        play_missing(store, run, Crew(), ignore)
        assert played(store) == resumed
        assert rank(store) == resumed_rank
    assert is_whole(folder)


@NEEDS_PROC
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kills", "games"), [(4, 150), pytest.param(20, 600, marks=pytest.mark.long)]
)
def test_repeatedly_killed_run_resumes_identically(tmp_path: Path, kills: int, games: int) -> None:
    """Killed at many moments, now the whole family, now only the process at its head."""
    folders = make_bots(tmp_path / "bots", 4)
    write_secret(tmp_path / "secret.txt", SECRET)
    arguments = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", str(games)]
    arguments += ["--set", f"secret={tmp_path / 'secret.txt'}"]
    arguments += [*PATIENT_OPTIONS, "--workers", "2", "--results", str(tmp_path), "--name"]
    folder = tmp_path / "killed"
    rng = random.Random(20)
    counted = 0
    for moment in range(kills):
        mark = uuid.uuid4().hex
        with start_arena([*arguments, "killed"], mark) as process:
            if moment % 3:  # else it may be killed before the first game is over
                enough = counted + rng.randint(1, 20)
                wait_for(lambda enough=enough: stored(folder) >= enough, "some games more")
            else:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(rng.uniform(0, 0.3))
            kill([process.pid])
            while moment % 2 and (family := marked(mark)):  # a worker may just have started a bot
                kill(family)
        wait_for(lambda mark=mark: not marked(mark), "the end of the workers and the bots")
        before, counted = counted, stored(folder)
        assert counted >= before
    assert kills / 2 < counted < games, "it was killed in the middle"
    for name in ("killed", "whole"):
        assert run_arena(*arguments, name).returncode == 0
    for file in ("leaderboard.json", "leaderboard.csv"):
        assert (folder / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    with Store.open(folder) as killed, Store.open(tmp_path / "whole") as whole:
        assert played(killed) == played(whole)
        assert killed.count() == stored(folder) == count_games(killed.settings())
    verified = [run_arena("verify", str(tmp_path / name)) for name in ("killed", "whole")]
    assert [one.returncode for one in verified] == [0, 0]
    assert verified[0].stdout == verified[1].stdout  # with the digest
    assert is_whole(folder)


def kill(pids: Iterable[int]) -> None:
    """Kill processes, of which some may have ended."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def is_whole(folder: Path) -> bool:
    """Return whether the database of a run is as SQLite wants it."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        return bool(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)])


# -- no room, no permission ----------------------------------------------------------------------

SMALL_DISK = """\
import resource, sys
# As on a disk with a quota. The database alone needs more than this for its 180 games, however
# few its transactions are.
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
from arena.cli import main
main(prog_name="arena")
"""


@pytest.mark.slow
def test_full_disk_stops_the_run_and_keeps_games(tmp_path: Path) -> None:
    folders = make_bots(tmp_path / "bots", 3)
    arguments = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", "180"]
    arguments += [*PATIENT_OPTIONS, "--workers", "1", "--name", "full", "--results", str(tmp_path)]
    stopped = subprocess.run(
        [sys.executable, "-P", "-c", SMALL_DISK, *arguments],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert stopped.returncode == 1
    last = stopped.stderr.splitlines()[-1]
    assert last.startswith("Error: ")
    assert str(tmp_path / "full") in last
    assert "`arena run" in last
    kept = stored(tmp_path / "full")
    assert 0 < kept < 180
    assert is_whole(tmp_path / "full")
    assert run_arena(*arguments).returncode == 0  # there is room again
    assert stored(tmp_path / "full") == 180


# -- no deal twice in a life ---------------------------------------------------------------------
