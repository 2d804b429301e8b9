"""A bot with too many faults is withdrawn, from the same game on with any number of workers."""

import contextlib
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import RunStopped
from arena.base.protocol import FaultKind
from arena.base.record import Game, GameResult, ResultFault, result_in
from arena.tournament.blocks import Withdrawals
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank
from arena.tournament.store import Store
from tests.arena.runs import (
    FaultyCrew,
    ignore,
    in_blocks,
    made_up,
    made_up_settings,
    played,
    recoded,
    silent,
)

VARIANT = "pot-de-vin/3"


# -- the rule ----------------------------------------------------------------------------------


def result(*names: str, faulty: Sequence[str] = (), kind: FaultKind = "crash") -> GameResult:
    """Return a game between these, of whom some had a fault."""
    faults = tuple(ResultFault(names.index(name), kind, "") for name in faulty)
    numbers = tuple(range(len(names)))
    return GameResult(VARIANT, 1, 0, names, numbers, numbers, faults=faults)


def reason(faults: Sequence[bool]) -> str | None:
    """Return why a bot is withdrawn after games with and without a fault, or None."""
    withdrawals = Withdrawals()
    for faulty in faults:
        withdrawals.count(result("a", "b", faulty=["b"] if faulty else []))
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
def test_withdraws_after_three_faults_or_5_percent(faults: str, expected: str | None) -> None:
    assert reason([fault == "x" for fault in faults]) == expected


def test_withdrawn_games_are_not_new_faults() -> None:
    withdrawals = Withdrawals()
    for _ in range(9):
        withdrawals.count(result("a", "b", faulty=["b"], kind="withdrawn"))
    assert withdrawals.reasons == {}


# -- a run -------------------------------------------------------------------------------------


# -- a run that has grown ------------------------------------------------------------------------

TEAMS = "pot-de-vin/4-teams"
PERCENT = {"e2": 12, "e3": 25, "e5": 8, "e0": 90}
"""The bots that crash, and in how many of 100 games."""
SMALL = in_blocks(made_up_settings(6, VARIANT, rounds=60))
replace = msgspec.structs.replace
GROWN = {
    "a bot that crashes": replace(
        SMALL, entrants=(*SMALL.entrants, replace(made_up(1)[0], name="e0"))
    ),
    "another variant": replace(SMALL, variants=(TEAMS, VARIANT)),
    "changed code of a bot that crashes": recoded(SMALL, "e3"),
    "all of it": replace(
        recoded(SMALL, "e1"),
        entrants=(*recoded(SMALL, "e1").entrants, made_up(7)[-1]),
        variants=(TEAMS, VARIANT),
        rounds=72,
    ),
}
"""What a run may become."""


def crashes(name: str, game: Game) -> bool:
    """Return whether a bot crashes in a game. One of them always does with a partner."""
    dice = random.Random(f"{game.key} {name}").randrange(100)
    return dice < PERCENT.get(name, 0) or (name == "e4" and game.variant == TEAMS)


def play_with_faulty_bots(folder: Path, settings: Settings, stops: int = 0) -> Store:
    """Play a run, stopped after each of its first batches, and return its open store."""
    rest = stops
    while True:
        with open_or_create(folder, settings, silent) as store:
            crew = FaultyCrew(crashes)
            if rest == 0:
                play_missing(store, settings, crew, ignore)
                return Store.open(folder)
            rest -= 1
            with contextlib.suppress(RunStopped):
                play_missing(store, settings, crew, stop_at_once)


def stop_at_once(_: int) -> None:
    """Stop a run as Ctrl-C does."""
    raise KeyboardInterrupt


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small run, which was stopped three times."""
    folder = tmp_path_factory.mktemp("small") / "run"
    play_with_faulty_bots(folder, SMALL, 3).close()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("change", GROWN)
def test_extended_run_withdraws_like_fresh_run(small: Path, tmp_path: Path, change: str) -> None:
    grown = GROWN[change]
    shutil.copytree(small, tmp_path / "grown")
    with play_with_faulty_bots(tmp_path / "fresh", grown) as fresh:
        whole, whole_rank = played(fresh), rank(fresh)
        assert len({name for row in whole for name in result_in(row).withdrawn}) >= 2
    with play_with_faulty_bots(tmp_path / "grown", grown, 3) as store:
        assert played(store) == whole
        assert rank(store) == whole_rank
