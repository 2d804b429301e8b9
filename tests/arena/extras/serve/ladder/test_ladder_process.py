"""Tests of the ladder process: it plays games and finals, waits for versions, survives kills."""

import signal
from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.extras.serve.ladder.ladder_files import FINAL
from arena.publish.layout import INDEX
from arena.tournament.store import Store
from tests.arena.extras.serve.ladder_runs import (
    LIMITS,
    check_run,
    entrants_of,
    is_over,
    ladder,
    make_gated_contest,
    run_folder,
    state_of,
    stored_games,
    submit,
    wait_until_over,
)
from tests.arena.extras.serve.visiting import make_contest
from tests.arena.playing import wait_for
from tests.arena.runs import DICE_BOT

DUE = '[deadline]\ndue = "2020-01-01 12:00"\n'


def test_plays_everything_and_wakes_for_a_new_version(tmp_path: Path) -> None:
    file = make_contest(tmp_path / "contest", LIMITS)
    with ladder(file) as process:
        wait_until_over(file)
        submit(file, "ann")
        wait_until_over(file, with_bot="ann")
        first = entrants_of(run_folder(file))["ann"]
        submit(file, "ann", f"{DICE_BOT}# better\n")
        wait_for(lambda: entrants_of(run_folder(file))["ann"] != first, "it plays")
        wait_until_over(file, with_bot="ann")
    assert process.returncode == 0
    state = state_of(file)
    assert state
    assert state.activity == "stopped"
    check_run(run_folder(file))


def test_reports_why_it_waits_and_continues(tmp_path: Path) -> None:
    file = make_contest(tmp_path / "contest", LIMITS)
    text = file.read_text()
    file.write_text(text.replace("fill = true", "fill = false"))

    def waits() -> bool:
        state = state_of(file)
        return bool(state and state.activity == "waiting" and "3 seats" in state.text)

    with ladder(file):
        wait_for(waits, "it waits for bots")
        file.write_text(text)
        wait_until_over(file)


def test_two_ladders_never_play_the_same_run(tmp_path: Path) -> None:
    file, gate = make_gated_contest(tmp_path)

    def is_refused() -> bool:
        state = state_of(file)
        return bool(state and "another process is playing this run" in state.text)

    with ladder(file):
        wait_for(lambda: bool(stored_games(run_folder(file))), "it plays")
        with pytest.raises(StoreError, match="another process is playing this run"):
            Store.own(run_folder(file))
        with ladder(file):
            wait_for(is_refused, "the second waits")
        gate.unlink()
        wait_for(lambda: is_over(file), "the first plays on")
    check_run(run_folder(file))


def test_kill_neither_loses_nor_duplicates_games(tmp_path: Path) -> None:
    file, gate = make_gated_contest(tmp_path)
    run = run_folder(file)
    with ladder(file) as process:
        wait_for(lambda: bool(stored_games(run)), "it plays")
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = stored_games(run)
    gate.unlink()
    with ladder(file):
        wait_until_over(file)
    after = stored_games(run)
    assert before.items() <= after.items()
    check_run(run)


def test_publishes_the_ladder_and_then_the_final(tmp_path: Path) -> None:
    file, site = make_contest(tmp_path / "contest", LIMITS), tmp_path / "contest/site"
    text = f'publish = "site"\n{file.read_text()}'

    def shows(run: str) -> bool:
        index = site / INDEX
        return index.is_file() and f"<title>{run}: " in index.read_text()

    file.write_text(text)
    with ladder(file):
        wait_for(lambda: shows("spring"), "the ladder is published")
        file.write_text(f"{text}{DUE}")
        wait_for(lambda: shows("spring-final"), "the final is published")


def test_plays_final_on_fresh_deals_after_the_deadline(tmp_path: Path) -> None:
    file = make_contest(tmp_path / "contest", f"{LIMITS}{DUE}")
    with ladder(file):
        wait_until_over(file)
        final = FINAL.read(file.parent)
        assert final
        assert final.run == "spring-final"
        submit(file, "ann")
        wait_until_over(file, with_bot="ann")
    assert "ann" not in entrants_of(run_folder(file, "spring-final"))
    check_run(run_folder(file, "spring-final"))
    with Store.open(run_folder(file, "spring-final")) as store:
        settings = store.settings()
        assert settings.secret
        assert settings.seed is None
    with Store.open(run_folder(file)) as store:
        assert store.settings().seed == 5


def test_killed_final_keeps_its_lineup(tmp_path: Path) -> None:
    file, gate = make_gated_contest(tmp_path, DUE)
    run = run_folder(file, "spring-final")
    with ladder(file) as process:
        wait_for(lambda: bool(stored_games(run)), "it plays the final")
        process.send_signal(signal.SIGKILL)
        process.wait()
    before, lineup = stored_games(run), entrants_of(run)
    submit(file, "ann", f"{DICE_BOT}# better\n")
    submit(file, "bob")
    gate.unlink()
    with ladder(file):
        wait_until_over(file, with_bot="bob")
    assert entrants_of(run) == lineup
    assert before.items() <= stored_games(run).items()
    check_run(run)
