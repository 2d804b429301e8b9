"""The digest of a run: the same for any workers and after a kill, what it covers, its form."""

import os
import re
import signal
import uuid
from pathlib import Path

import msgspec
import pytest

from arena.base.record import GUEST_MARK, Entrant
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import Leaderboard
from arena.tournament.digest import (
    RunDigest,
    canonical,
    digest_lines,
    public,
    read_digest,
    run_digest,
)
from tests.arena.command import arena, stored
from tests.arena.playing import NEEDS_PROC, wait_for
from tests.arena.runs import (
    PATIENT_OPTIONS,
    bot_options,
    made_up_settings,
    make_gated_bots,
    marked,
    run_arena,
    start_arena,
)

VARIANT = "pot-de-vin/3"
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


def printed_digest(text: str) -> str:
    """Return the digest in what a command has printed."""
    (digest,) = re.findall(r"^  ((?:[0-9a-f]{8} ?){4}\n  (?:[0-9a-f]{8} ?){4})$", text, re.M)
    return read_digest(digest)


# -- runs --------------------------------------------------------------------------------------


@pytest.mark.slow
@NEEDS_PROC
def test_a_run_that_was_killed_has_the_digest_of_one_that_was_not(tmp_path: Path) -> None:
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    command = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", "24", "--seed", "5"]
    command += [*PATIENT_OPTIONS, "--workers", "2", "--results", str(tmp_path), "--name"]
    folder = tmp_path / "killed"
    with start_arena([*command, "killed"], mark) as process:
        try:
            wait_for(lambda: stored(folder) > 0, "the first games")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    gate.unlink()
    stopped = arena("verify", folder)  # as it was left
    assert stopped.exit_code == 0, stopped.output
    assert " of 24 games" in stopped.stderr
    for name in ("killed", "whole"):
        assert run_arena(*command, name).returncode == 0
    killed, whole = (arena("verify", tmp_path / name).stdout for name in ("killed", "whole"))
    assert printed_digest(killed) == printed_digest(whole)
    exports = [arena("export", tmp_path / name).stdout_bytes for name in ("killed", "whole")]
    assert exports[0] == exports[1]


# -- its parts ---------------------------------------------------------------------------------


def row(mu: float, certainty: float) -> LeaderboardRow:
    return LeaderboardRow(
        rank=1, best_rank=1, worst_rank=1, bot="e1", mu=mu, sigma=1.0, rating=mu - 3,
        score=0.5, score_low=None, score_high=None, games=3,
        points_per_game=1.5, points_low=None, points_high=None,
        win_share=0.5, wins_low=None, wins_high=None, faults=0, certainty={"e2": certainty},
    )  # fmt: skip


def board(mu: float = 25.0, games_left_out: int = 0, certainty: float = 0.5) -> Leaderboard:
    """Return a leaderboard of one bot."""
    rows = (row(mu, certainty),)
    return Leaderboard(rows, {VARIANT: rows}, 3, games_left_out)


def digest_with(
    mu: float = 25.0, games_left_out: int = 0, certainty: float = 0.5, interplay: float = 0.0
) -> RunDigest:
    """Return the digest of a run of one game with this leaderboard."""
    made = board(mu, games_left_out, certainty)
    return run_digest(SETTINGS, [b"1" * 32], replace(made, interplay={"overall": interplay}))


def test_the_last_digits_of_a_rating_depend_on_the_machine_and_do_not_matter() -> None:
    assert digest_with(25.1) == digest_with(25.1 + 1e-12)
    assert digest_with(25.1) != digest_with(25.1 + 1e-6)


def test_the_last_decimals_of_a_certainty_depend_on_the_machine_and_do_not_matter() -> None:
    """They are all the digits that a bot has which is surely not better."""
    assert digest_with(certainty=0.0) == digest_with(certainty=1e-16)
    assert digest_with(certainty=0.0) == digest_with(certainty=-1e-16)
    assert digest_with(certainty=0.5) != digest_with(certainty=0.5 + 1e-8)


def test_interplay_is_in_the_digest() -> None:
    assert digest_with(interplay=0.1) != digest_with(interplay=0.2)


def test_games_that_do_not_count_yet_do_not_matter() -> None:
    assert digest_with(games_left_out=2) == digest_with()


def test_the_order_of_records_matters() -> None:
    one, other = b"1" * 32, b"2" * 32
    assert run_digest(SETTINGS, [one, other], board()) != run_digest(
        SETTINGS, [other, one], board()
    )


def test_a_digest_is_the_hash_of_its_parts() -> None:
    """So that anybody can compute it again, without this program."""
    parts = RunDigest(1, "aa", "bb", "cc")
    text = b'{"games":1,"leaderboard":"cc","records":"bb","settings":"aa"}'
    assert canonical(parts) == text
    assert parts.value == "a45b5e3d10bdf2d7629d5d1866c89192a58b0c58d36140e8a6c40f583b13fa99"


def test_what_is_public_has_no_paths_and_no_seed_before_the_end() -> None:
    bots = (
        Entrant("b", ("python", "/home/b.py"), "/home", "1", files=("b.py",)),
        Entrant(f"z{GUEST_MARK}", ("python",), "/opt", "2"),
        Entrant(f"y{GUEST_MARK}", ("python",), "/opt", "3"),
        Entrant("a", ("python", "/home/a.py"), "/home", "4", "Ann"),
    )
    shown = public(replace(SETTINGS, entrants=bots, seed=7), is_over=False)
    assert shown.entrants == (
        Entrant("a", (), "", "4", "Ann"),
        Entrant("b", (), "", "1"),
        Entrant(f"z{GUEST_MARK}", (), "", "2"),  # guests take empty seats in this order
        Entrant(f"y{GUEST_MARK}", (), "", "3"),
    )
    assert shown.seed is None
    assert public(replace(SETTINGS, seed=7), is_over=True).seed == 7


def test_a_digest_is_printed_in_two_lines_of_35_columns() -> None:
    digest = "0123456789abcdef" * 4
    lines = digest_lines(digest)
    assert lines == ["01234567 89abcdef 01234567 89abcdef"] * 2
    assert read_digest("\n".join(lines)) == digest


@pytest.mark.parametrize("text", ["", "12", "x" * 64])
def test_what_is_no_digest_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a digest: 64 digits from 0 to 9 and a to f"):
        read_digest(text)
