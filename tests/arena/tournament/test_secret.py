"""Runs with a secret: their deals, resuming them, and checks of recorded deals."""

import hashlib
import hmac
import json
import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.contest.secret_file import SECRET_FILE, write_secret
from arena.errors import SettingsError, StoreError
from arena.protocol import raw
from arena.record import Game, GameRecord
from arena.schedule.chance import Secret
from arena.schedule.plan import Board
from arena.tournament.games import boards, games_of
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.secret import check_deals
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store
from engine import get_variant
from tests.arena.runs import (
    SECRET,
    Crew,
    chance_of,
    ignore,
    keys_in,
    made_up_settings,
    play_out,
    played,
    recoded,
    schedule_of,
    secret_settings,
    silent,
)

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
SEEDED = made_up_settings(7, VARIANT, TEAMS, rounds=12)
SETTINGS = secret_settings(SEEDED)
OTHER = Secret("0" * 64)
replace = msgspec.structs.replace


def other_secret(run: Settings) -> Settings:
    """Return the settings of the run with another secret."""
    assert run.secret
    return replace(run, secret=replace(run.secret, hash=OTHER.hash))


# -- schedule and deals ------------------------------------------------------------------------


def by_board(run: Settings) -> dict[tuple[str, int], list[Game]]:
    """Return the games of each board of a run."""
    found: dict[tuple[str, int], list[Game]] = {}
    for game in schedule_of(run):
        found.setdefault((game.variant, game.board), []).append(game)
    return found


def test_schedule_deals_and_dice_of_another_secret_are_others() -> None:
    other = other_secret(SETTINGS)
    chance = other.chance(OTHER)
    ours, theirs = list(boards(SETTINGS, chance_of(SETTINGS))), list(boards(other, chance))
    assert [board.entrants for board in ours] != [board.entrants for board in theirs]
    for board in ours[:5]:
        one, two = games_of(board, SETTINGS, chance_of(SETTINGS)), games_of(board, other, chance)
        for game, another in zip(one, two, strict=True):
            assert bytes(game.deal) != bytes(another.deal)
            assert not {*game.seeds} & {*another.seeds}
            assert game.key != another.key


def test_a_secret_is_needed_and_it_must_be_that_of_the_run() -> None:
    with pytest.raises(SettingsError, match=f"got none, expected .*{SECRET.hash}"):
        SETTINGS.chance()
    with pytest.raises(SettingsError, match=f"got one with SHA-256 {OTHER.hash}, expected"):
        SETTINGS.chance(OTHER)
    with pytest.raises(SettingsError, match="without seed and secret"):
        replace(SEEDED, seed=None).chance()


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 7))
def test_a_changed_bot_has_fresh_deals_and_dice_on_exactly_its_boards(number: int) -> None:
    name = f"e{number}"
    before, after = by_board(SETTINGS), by_board(recoded(SETTINGS, name))
    assert before.keys() == after.keys()
    for board, games in before.items():
        assert [one.entrants for one in games] == [one.entrants for one in after[board]]
        if name in games[0].entrants:
            assert {bytes(one.deal) for one in games} != {bytes(one.deal) for one in after[board]}
            assert not {s for one in games for s in one.seeds} & {
                s for one in after[board] for s in one.seeds
            }
        else:
            assert games == after[board]


def test_without_fingerprints_a_changed_bot_plays_the_same_deals() -> None:
    run = secret_settings(SEEDED, with_fingerprints=False)
    pairs = zip(schedule_of(run), schedule_of(recoded(run, "e2")), strict=True)
    for one, other in pairs:
        assert (bytes(one.deal), one.seeds) == (bytes(other.deal), other.seeds)
        assert (one.key == other.key) == ("e2" not in one.entrants)  # played again all the same


def test_every_seat_of_every_rotation_has_its_own_seed_although_all_bots_are_equal() -> None:
    equal = tuple([replace(one, fingerprint="same") for one in SETTINGS.entrants])
    seeds = [seed for game in schedule_of(replace(SETTINGS, entrants=equal)) for seed in game.seeds]
    assert len(set(seeds)) == len(seeds)


def test_the_deal_of_a_board_can_be_computed_by_anybody_who_has_the_secret() -> None:
    """Without the functions that the run uses for it."""
    variant = get_variant(VARIANT)
    for game in by_board(SETTINGS)[VARIANT, 3]:
        codes = sorted([f"code of {name}" for name in game.entrants])
        message = json.dumps(["deal", VARIANT, 3, codes], separators=(",", ":")).encode()
        output = hmac.new(bytes.fromhex(SECRET.text), message, hashlib.sha256).hexdigest()
        assert bytes(game.deal) == bytes(raw(variant.deal(random.Random(output))))


# -- keeping the secret ------------------------------------------------------------------------


def test_a_run_keeps_its_secret_and_goes_on_with_it(tmp_path: Path, crew: Crew) -> None:
    folder = tmp_path / "spring"
    with open_or_create(folder, SETTINGS, silent, SECRET) as store:
        play_missing(store, SETTINGS, crew, ignore)
        before = played(store)
    assert (folder / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    assert SECRET.text.encode() not in (folder / DATABASE).read_bytes()
    notices: list[str] = []
    after = recoded(SETTINGS, "e2")
    with open_or_create(folder, after, notices.append) as store:  # as `arena run` finds it
        play_missing(store, after, crew, ignore)
        assert keys_in(store) == [game.key for game in schedule_of(after)]
        again = [game for batch in crew.batches for game in batch.games]
        assert again
        assert all("e2" in game.entrants for game in again)
        assert len(set(before) & set(played(store))) == len(before) - len(again)
    assert "e2; their boards are played again, with new deals" in notices[0]


def test_a_run_without_its_secret_is_refused_until_the_file_is_back(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    open_or_create(folder, SETTINGS, silent, SECRET).close()
    (folder / SECRET_FILE).unlink()
    with pytest.raises(StoreError, match=rf"secret.txt is missing.*SHA-256 {SECRET.hash}"):
        open_or_create(folder, SETTINGS, silent)
    write_secret(folder / SECRET_FILE, OTHER)
    with pytest.raises(StoreError, match=f"is another secret: got SHA-256 {OTHER.hash}"):
        open_or_create(folder, SETTINGS, silent)
    (folder / SECRET_FILE).unlink()
    open_or_create(folder, SETTINGS, silent, SECRET).close()  # that of the contest is the same
    open_or_create(folder, SETTINGS, silent).close()


@pytest.mark.parametrize("now", [other_secret(SETTINGS), SEEDED], ids=["secret", "seed"])
def test_another_secret_is_refused_and_changes_nothing(tmp_path: Path, now: Settings) -> None:
    folder = tmp_path / "spring"
    open_or_create(folder, SETTINGS, silent, SECRET).close()
    with pytest.raises(SettingsError, match=f"not a secret with SHA-256 {SECRET.hash[:12]}"):
        open_or_create(folder, now, silent, OTHER if now.secret else None)
    with Store.open(folder) as store:
        kept = store.secret(SETTINGS.secret)
    assert kept
    assert kept.text == SECRET.text


def test_a_secret_that_a_killed_run_left_is_replaced_but_no_other(tmp_path: Path) -> None:
    """The lock shows that the folder is that of a run."""
    folder = tmp_path / "spring"
    folder.mkdir()
    write_secret(folder / SECRET_FILE, OTHER)
    with pytest.raises(StoreError, match="exists already and is not a run"):
        open_or_create(folder, SETTINGS, silent, SECRET)
    (folder / "arena.lock").touch()
    with open_or_create(folder, SETTINGS, silent, SECRET) as store:
        kept = store.secret(SETTINGS.secret)
    assert kept
    assert kept.text == SECRET.text


def test_a_run_with_a_seed_has_no_secret(tmp_path: Path) -> None:
    with open_or_create(tmp_path / "spring", SEEDED, silent) as store:
        assert store.secret(SEEDED.secret) is None
    assert not (tmp_path / "spring" / SECRET_FILE).exists()


# -- checks of recorded deals ------------------------------------------------------------------


def differences(run: Settings, records: Sequence[GameRecord]) -> list[str]:
    """Return the differences of records from the chance of a run."""
    return [str(one) for one in check_deals(run, chance_of(run), records)]


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    """The records of two boards of a run with a secret."""
    first, second, *_ = boards(SETTINGS, chance_of(SETTINGS))
    chance = chance_of(SETTINGS)
    return [play_out(game) for one in (first, second) for game in games_of(one, SETTINGS, chance)]


def test_right_deals_have_no_difference_in_any_order(records: list[GameRecord]) -> None:
    assert differences(SETTINGS, records) == []
    assert differences(SETTINGS, records[::-1]) == []
    assert differences(SETTINGS, records[1:4:2]) == []


def test_names_and_fingerprints_of_the_entrants_are_enough(records: list[GameRecord]) -> None:
    public = [replace(one, command=(), folder="") for one in SETTINGS.entrants[::-1]]
    assert differences(replace(SETTINGS, entrants=tuple(public)), records) == []


def test_seeded_runs_are_checked_too() -> None:
    played_games = [play_out(game) for game in schedule_of(SEEDED)[:3]]
    assert differences(SEEDED, played_games) == []
    (text, *_) = differences(replace(SEEDED, seed=1), played_games)
    assert "deal does not follow from the seed of the run" in text


def test_a_replaced_deal_is_found(records: list[GameRecord]) -> None:
    """Although the game was really played with it."""
    game = games_of(Board(VARIANT, 99, 0, ("e1", "e2", "e3")), SETTINGS, chance_of(SETTINGS))[0]
    forged = play_out(replace(game, board=records[0].board, entrants=records[0].entrants))
    found = differences(SETTINGS, [forged, *records[1:]])
    assert found == [
        f"{records[0].title}: the deal does not follow from the secret of the run",
        f"{records[0].title}: the seeds do not follow from the secret of the run",
        f"{records[0].title}: the key does not follow from the secret of the run",
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seeds": (1, 2, 3)}, "the seeds do"),
        ({"key": "0" * 32}, "the key does"),
        ({"board": 2}, "the deal does"),
        ({"rotation": 1}, "the "),
        ({"rotation": 3}, "expected 3 entrants and a rotation below that"),
        ({"rotation": -1}, "expected 3 entrants and a rotation below that"),
        ({"entrants": ("e1", "e2")}, "expected 3 entrants"),
        ({"entrants": ("e1", "e2", "zoe")}, "the run has no bot 'zoe'"),
        ({"variant": "pot-de-vin/9"}, "unknown variant 'pot-de-vin/9'"),
    ],
)
def test_whatever_else_is_changed_is_found(
    records: list[GameRecord], change: dict[str, object], said: str
) -> None:
    assert records[0].variant == VARIANT
    found = differences(SETTINGS, [replace(records[0], **change)])
    assert found
    assert said in found[0]


def test_a_changed_fingerprint_is_found(records: list[GameRecord]) -> None:
    name = records[0].entrants[0]
    assert "the deal does not follow" in differences(recoded(SETTINGS, name), records)[0]
