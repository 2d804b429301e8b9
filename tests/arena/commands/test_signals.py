"""A run that is stopped by Ctrl-C, or by a signal that does the same, can be resumed."""

import re
import shlex
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.base.record import read_record
from arena.process.host import stop_signals_as_ctrl_c
from tests.arena.command import VARIANT, records_in, stored
from tests.arena.playing import NEEDS_PROC, WAIT_S, wait_for
from tests.arena.runs import (
    PATIENT_OPTIONS,
    bot_options,
    make_gated_bots,
    marked,
    run_arena,
    start_arena,
)


@pytest.fixture
def not_ignored(number: signal.Signals) -> Iterator[None]:
    """What the command inherits as ignored, as under `nohup`, would not stop it."""
    before = signal.signal(number, signal.default_int_handler)
    yield
    signal.signal(number, before)


@NEEDS_PROC
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_keeps_games_and_prints_how_to_resume(
    number: signal.Signals, not_ignored: None, tmp_path: Path
) -> None:
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    command = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", "24"]
    command += [*PATIENT_OPTIONS, "--workers", "2"]  # and no name
    results = tmp_path / "results"

    def runs() -> list[Path]:
        return list(results.iterdir()) if results.is_dir() else []

    with start_arena(command, mark, cwd=tmp_path) as process:
        try:
            wait_for(lambda: any(stored(run) for run in runs()), "the first games")
            assert len(marked(mark)) > 3  # with workers and bots
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=WAIT_S)
        finally:
            process.kill()
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    (folder,) = runs()
    kept = records_in(folder)
    assert 0 < len(kept) < 24
    assert (process.returncode, stdout) == (1, "")
    assert "Error" not in stderr
    *_, last = stderr.splitlines()
    match = re.fullmatch(r"stopped after (\d+) of 24 games.* `arena (.*)`", last)
    assert match
    assert int(match[1]) == len(kept)
    gate.unlink()
    answer = run_arena(*shlex.split(match[2]), cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert f"24 games, {len(kept)} of them" in answer.stderr
    assert runs() == [folder]
    records = records_in(folder)
    assert len(records) == 24
    assert set(kept) <= set(records)
    assert not any(read_record(record).faults for record in records)


def test_ignored_hangup_does_not_stop_the_run() -> None:
    """As under `nohup`. What was the answer to a signal before is that again afterwards."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stop_signals_as_ctrl_c():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGHUP, before)
