"""The digest of a run: what it covers, its form."""

from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.base.record import GUEST_MARK, Entrant
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import Leaderboard
from arena.tournament.digest import (
    RunDigest,
    canonical,
    digest_lines,
    public,
    read_digest,
    records_hash,
    run_digest,
)
from arena.tournament.store import Store
from arena.tournament.verification import verify
from tests.arena.tournament.forgeries import (
    SETTINGS,
    VARIANT,
    copy_of,
    replace,
    sql,
)

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
    return run_digest(
        SETTINGS, records_hash([b"1" * 32]), replace(made, interplay={"overall": interplay})
    )


def test_digest_ignores_last_digits() -> None:
    """A certainty of 0 has decimals too: those of a bot that is surely not better."""
    assert digest_with(mu=25.1) == digest_with(mu=25.1 + 1e-12)
    assert digest_with(certainty=0.0) == digest_with(certainty=1e-16)
    assert digest_with(certainty=0.0) == digest_with(certainty=-1e-16)
    assert digest_with(games_left_out=2) == digest_with(), "they do not count yet"
    others = [{"mu": 25.1}, {"mu": 25.1 + 1e-6}, {"certainty": 0.5 + 1e-8}, {"interplay": 0.1}]
    assert len({digest_with(**each).value for each in ({}, *others)}) == 5


def test_digest_covers_each_setting() -> None:
    changes: list[dict[str, object]] = [
        {}, {"seed": 8}, {"rounds": 27}, {"withdrawal": False},
        {"entrants": (*SETTINGS.entrants[:3], replace(SETTINGS.entrants[3], author="x"))},
        {"limits": replace(SETTINGS.limits, start_ms=1)},
    ]  # fmt: skip
    digests = [
        run_digest(replace(SETTINGS, **change), records_hash(()), board()).value
        for change in changes
    ]
    assert len({*digests}) == len(changes)


def test_digest_is_the_hash_of_its_parts() -> None:
    """So that anybody can compute it again, without this program."""
    parts = RunDigest(1, "aa", "bb", "cc")
    text = b'{"games":1,"leaderboard":"cc","records":"bb","settings":"aa"}'
    assert canonical(parts) == text
    assert parts.value == "a45b5e3d10bdf2d7629d5d1866c89192a58b0c58d36140e8a6c40f583b13fa99"


def test_public_settings_have_no_paths_or_early_seed() -> None:
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


def test_prints_digest_in_two_lines() -> None:
    digest = "0123456789abcdef" * 4
    lines = digest_lines(digest)
    assert lines == ["01234567 89abcdef 01234567 89abcdef"] * 2
    assert read_digest("\n".join(lines)) == digest


# -- of a run ----------------------------------------------------------------------------------


def test_rejects_invalid_digest(run: Path, tmp_path: Path) -> None:
    folder = copy_of(run, tmp_path)
    sql("UPDATE run SET digest = x'7b'")(folder)
    with Store.open(folder) as store, pytest.raises(StoreError, match="digest"):
        verify(store)
