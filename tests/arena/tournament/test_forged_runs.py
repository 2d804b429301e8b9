"""Forgeries of a stored run: each is named. What is not forged has no difference."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.base.errors import RunStopped
from arena.base.record import Note
from arena.tournament.digest import digest_lines, read_digest
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.store import Store
from arena.tournament.verification import verify_run
from tests.arena.command import arena
from tests.arena.runs import SECRET, FaultyCrewWithEvidence, silent
from tests.arena.tournament.forgeries import (
    GAMES,
    REASON,
    SETTINGS,
    STORED,
    TITLE,
    VARIANT,
    WITHDRAWN,
    also,
    as_withdrawn,
    copy_of,
    crashes,
    database_of,
    differences,
    digest_in,
    edit,
    has_crash,
    has_no_fault,
    has_withdrawn,
    hash_again,
    on_another_deal,
    one,
    played_otherwise,
    records_of,
    replace,
    secret_option,
    set_entrant,
    set_settings,
    sql,
    unpacked,
    with_invented_fault,
    without_faults,
)


def test_a_run_has_what_is_forged_below(run: Path) -> None:
    records = records_of(run)
    assert len(records) == GAMES
    assert any(has_crash(record) for record in records)
    assert any(has_withdrawn(record) for record in records)
    assert all(record.notes for record in records if len(record.faults) < 3)


def test_nothing_is_wrong_with_a_run_and_its_export(run: Path) -> None:
    for source, options in [
        (run, []),
        (run.parent / "export.jsonl", secret_option(run)),
        (run.parent / "export.jsonl", []),
    ]:
        result = arena("verify", source, *options)
        assert (result.exit_code, result.stdout.splitlines()[0]) == (
            0,
            f"{GAMES} games match their records",
        ), result.output
        _, _, *digest = result.stdout.splitlines()
        assert "\n".join(digest).split() == "\n".join(digest_lines(digest_in(run))).split()


IN_RUN: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "last game deleted": (
        sql("DELETE FROM games WHERE position = 29"),
        [f"{TITLE}: the game is missing", "digest: games: got 29, expected 30"],
    ),
    "last board deleted": (
        sql("DELETE FROM games WHERE position > 26"),
        [f"{TITLE}: the game is missing", f"{VARIANT} board 10 rotation 0: the game is missing"],
    ),
    "a game in the middle deleted": (
        sql("DELETE FROM games WHERE position = 12"),
        [
            f"{VARIANT} board 5 rotation 0: the game is missing",
            "journal: stored games missing: 1 (number ",
        ],
    ),
    "games deleted as if the run had been stopped": (
        sql("DELETE FROM games WHERE position > 20", "UPDATE journal SET digest = NULL"),
        ["journal: stored games missing: 9 (number "],
    ),
    "a game set aside": (
        sql("UPDATE games SET position = NULL WHERE position = 12"),
        [f"{VARIANT} board 5 rotation 0: the game is missing"],
    ),
    "a forged game with recomputed results": (
        one(has_no_fault, played_otherwise),
        [f"actions: {STORED}", "digest: records: got "],
    ),
    "fault removed": (one(has_crash, without_faults), [f"faults: {STORED}"]),
    "fault invented": (one(has_no_fault, with_invented_fault), [f"faults: {STORED}"]),
    "withdrawal removed": (
        one(has_withdrawn, without_faults),
        [f"withdrawn bots: got none, expected {REASON}"],
    ),
    "withdrawal invented": (
        one(has_no_fault, as_withdrawn),
        ["withdrawn bots: got e", "(it had faults in 9 games), expected none"],
    ),
    "another reason for a withdrawal": (
        one(
            has_withdrawn,
            lambda record: replace(
                record, faults=tuple([replace(each, text="it is rude") for each in record.faults])
            ),
        ),
        [f"withdrawn bots: got {WITHDRAWN} (it is rude), expected {REASON}"],
    ),
    "a note changed": (
        one(has_no_fault, lambda record: replace(record, notes=(Note(0, "I give up"),))),
        [f"notes: {STORED}"],
    ),
    "notes removed": (
        one(has_no_fault, lambda record: replace(record, notes=())),
        [f"notes: {STORED}"],
    ),
    "evidence changed": (
        sql("UPDATE games SET seen = replace(seen, ':7', ':7000')"),
        [f"{VARIANT} board ", f"observations (evidence, times): {STORED}"],
    ),
    "evidence removed": (
        sql("UPDATE games SET seen = NULL WHERE position = 2"),
        [f"{VARIANT} board 1 rotation 2: observations (evidence, times): {STORED}"],
    ),
    "times changed": (
        sql("UPDATE games SET seen = replace(seen, '900', '9') WHERE position = 20"),
        [f"{VARIANT} board 7 rotation 2: observations (evidence, times): {STORED}"],
    ),
    "positions exchanged": (
        sql("UPDATE games SET position = 41 - position WHERE position IN (20, 21)"),
        ["position: got 21, expected 20", "position: got 20, expected 21"],
    ),
    "a position changed": (
        sql("UPDATE games SET position = 77 WHERE position = 12"),
        [f"{VARIANT} board 5 rotation 0: position: got 77, expected 12"],
    ),
    "rounds changed": (set_settings("run", rounds=27), ["settings: rounds: got 27, expected 30"]),
    "limits changed": (
        set_settings("run", limits={"start_ms": 1, "move_ms": 1}),
        ["settings: limits, move_ms: got 1, expected 120000"],
    ),
    "withdrawal switched off": (
        set_settings("run", withdrawal=False),
        ["settings: withdrawal: got False, expected True"],
    ),
    "a fingerprint changed": (
        set_entrant("e1", fingerprint="forged"),
        ["settings: entrants, e1, fingerprint: got forged, expected code of e1"],
    ),
    "a bot renamed": (
        set_entrant("e1", name="boss"),
        ["settings: entrants, boss: got {", "settings: entrants, e1: got nothing, expected {"],
    ),
    "a command changed": (
        set_entrant("e1", command=["another"]),
        ["settings: entrants, e1, command: got ['another'], expected ['none']"],
    ),
    "settings changed everywhere": (
        also(set_settings("run", withdrawal=False), set_settings("journal", withdrawal=False)),
        ["digest: settings: got ", f"withdrawn bots: got {REASON}, expected none"],
    ),
    "leaderboard.json forged": (
        edit("leaderboard.json", lambda text: text.replace('"mu": 2', '"mu": 4', 1)),
        ["leaderboard.json: overall, e", ", mu: got 4"],
    ),
    "two bots exchanged in leaderboard.json": (
        edit(
            "leaderboard.json",
            lambda text: text.replace('"e1"', '"x"').replace('"e4"', '"e1"').replace('"x"', '"e4"'),
        ),
        ["leaderboard.json: overall, e1, ", " more differences of leaderboard.json"],
    ),
    "rows exchanged in leaderboard.json": (
        edit(
            "leaderboard.json",
            lambda text: json.dumps(
                {**json.loads(text), "overall": json.loads(text)["overall"][::-1]}
            ),
        ),
        ["leaderboard.json: overall, order: got ["],
    ),
    "leaderboard.csv forged": (
        edit("leaderboard.csv", lambda text: text.replace("overall,1,", "overall,2,", 1)),
        ["leaderboard.csv: overall, e", "rank: got 2, expected 1"],
    ),
    "leaderboard.json removed": (
        lambda folder: (folder / "leaderboard.json").unlink(),
        ["leaderboard.json: cannot read"],
    ),
    "leaderboard.json that is no JSON": (
        lambda folder: (folder / "leaderboard.json").write_bytes(b"\xff\x00"),
        ["leaderboard.json: cannot read"],
    ),
    "a forged game with its hashes": (
        also(
            one(has_no_fault, played_otherwise),
            hash_again,
        ),
        ["digest: records: got ", "digest: leaderboard: got "],
    ),
    "the journal forged": (
        sql("UPDATE journal SET head = zeroblob(32)"),
        ["journal: got hash ", f"expected {'00' * 32}"],
    ),
    "the digest removed": (
        sql("UPDATE journal SET digest = NULL"),
        ["digest: the run has none, although all its games are stored"],
    ),
    "the digest forged": (
        sql('UPDATE journal SET digest = replace(digest, \'"records":"\', \'"records":"00\')'),
        ["digest: records: got "],
    ),
    "an unknown key, and another forgery after it": (
        also(
            unpacked,
            sql(
                "UPDATE games SET key = 'ff', record = replace(record, key, 'ff') WHERE position=3"
            ),
            sql("UPDATE games SET position = 77 WHERE position = 12"),
        ),
        [
            f"{VARIANT} board 2 rotation 0: key: got ff, expected one of the schedule",
            f"{VARIANT} board 2 rotation 0: the game is missing",
            f"{VARIANT} board 5 rotation 0: position: got 77, expected 12",
        ],
    ),
    "another key of a stored game": (
        sql("UPDATE games SET key = 'ff' WHERE position = 3"),
        [f"{VARIANT} board 2 rotation 0: key: stored as ff, expected "],
    ),
    "a game doubled": (
        sql(
            "DROP INDEX games_by_key",
            "INSERT INTO games SELECT 99, key, 30, result, record, seen, record_digest, "
            "part_digests, seen_digest FROM games WHERE position = 3",
        ),
        [f"{VARIANT} board 2 rotation 0: the game occurs twice"],
    ),
    "a record that is none": (
        sql("UPDATE games SET record = x'7b' WHERE position = 3"),
        ["expected a game record", f"{VARIANT} board 2 rotation 0: the game is missing"],
    ),
    "a packed record damaged": (
        sql("UPDATE games SET record = substr(record, 1, 40) WHERE position = 3"),
        ["expected a game record", f"{VARIANT} board 2 rotation 0: the game is missing"],
    ),
    "a result forged": (
        sql("UPDATE games SET result = replace(result, ',1,[', ',2,[') WHERE position = 3"),
        [f"{VARIANT} board 2 rotation 0: result: not that of the record"],
    ),
    "seeds changed": (
        one(has_no_fault, lambda record: replace(record, seeds=(1, 2, 3))),
        ["seeds: got [1,2,3], expected ["],
    ),
    "a bot renamed in a game": (
        one(
            has_no_fault,
            lambda record: replace(record, entrants=("e1x", *record.entrants[1:])),
        ),
        ["entrants: got 'e1x', expected a bot of the run"],
    ),
    "bots exchanged in a game": (
        one(has_no_fault, lambda record: replace(record, entrants=record.entrants[::-1])),
        ['entrants: got ["e'],
    ),
    "another deal": (one(has_no_fault, on_another_deal), ["deal: got {"]),
    "points changed": (
        one(has_no_fault, lambda record: replace(record, points=(99, 0, 0))),
        ["points: got [99, 0, 0], expected ["],
    ),
}
"""What a forger may do to a stored run, and what `arena verify` says."""


@pytest.mark.parametrize("forgery", IN_RUN)
def test_a_forged_run_is_found_out_and_what_differs_is_named(
    run: Path, tmp_path: Path, forgery: str
) -> None:
    forge, expected = IN_RUN[forgery]
    folder = copy_of(run, tmp_path)
    forge(folder)
    found = differences(folder)
    for text in expected:
        assert text in found


def test_forged_observations_with_their_hashes_are_found_out_by_the_journal(
    run: Path, tmp_path: Path
) -> None:
    folder = copy_of(run, tmp_path)
    with Store.open(folder) as store:
        head = store.journal().head
    sql("UPDATE games SET seen = NULL WHERE position = 2")(folder)
    hash_again(folder)
    with database_of(folder) as database:
        database.execute("UPDATE journal SET head = ?", [head])
    assert f"expected {head.hex()}" in differences(folder)


def forge_all(folder: Path) -> None:
    """Forge a game, and everything that shows it: hashes, journal, leaderboard and digest."""
    one(has_no_fault, played_otherwise)(folder)
    hash_again(folder)
    with Store.own(folder) as store:
        finish(store)


def test_a_forgery_of_everything_is_found_out_by_a_published_digest(
    run: Path, tmp_path: Path
) -> None:
    folder = copy_of(run, tmp_path)
    published = digest_in(run)
    forge_all(folder)
    assert arena("verify", folder).exit_code == 0
    (text,) = differences(folder, "--against", published).splitlines()[:1]
    assert text == f"digest: got {digest_in(folder)}, expected the published {published}"


@pytest.mark.parametrize("form", [str.upper, lambda digest: "\n".join(digest_lines(digest))])
def test_a_published_digest_can_be_typed_in_any_form(run: Path, form: Callable[[str], str]) -> None:
    result = arena("verify", run, "--against", form(digest_in(run)))
    assert result.exit_code == 0
    assert "digest of the run, as published:" in result.stdout


@pytest.mark.parametrize("typed", ["", "abc", "g" * 64, "0" * 63, "0" * 65])
def test_what_is_no_digest_is_wrong_usage(run: Path, typed: str) -> None:
    result = arena("verify", run, "--against", typed)
    assert result.exit_code == 2
    assert "64 digits" in " ".join(result.stderr.split())
    with pytest.raises(ValueError, match="64 digits"):
        read_digest(typed)


def test_many_differences_are_counted(run: Path, tmp_path: Path) -> None:
    folder = copy_of(run, tmp_path)
    sql("DELETE FROM games WHERE position > 2")(folder)
    result = arena("verify", folder)
    shown = result.stdout.splitlines()
    assert sum(line.endswith("the game is missing") for line in shown) == 20
    assert "... and 7 more differences of games" in shown
    assert re.match(r"Error: .*\b27\b.*\b3 games", result.stderr)


def test_a_run_that_was_stopped_is_verified_as_far_as_it_goes(tmp_path: Path) -> None:
    """Its export has the boards that are over, and so has its digest."""
    folder = tmp_path / "run"
    with open_or_create(folder, SETTINGS, silent) as store:

        def stop(_: int) -> None:
            if store.count() >= 7:
                raise KeyboardInterrupt

        with pytest.raises(RunStopped):
            play_missing(store, SETTINGS, FaultyCrewWithEvidence(crashes), stop)
        games = store.count()
    result = arena("verify", folder)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{games} games match their records\n")
    assert f"{games} of 30 games" in result.stderr
    export = arena("export", folder)
    assert f"{games - 6} games" in export.stderr
    (tmp_path / "export.jsonl").write_bytes(export.stdout_bytes)
    exported = arena("verify", tmp_path / "export.jsonl")
    assert exported.exit_code == 0
    assert exported.stdout.startswith("6 games match their records\n")
    assert "seed" in exported.stderr
    assert exported.stdout.splitlines()[1:] == result.stdout.splitlines()[1:]  # the digest


def test_a_missing_or_wrong_secret_is_a_difference_and_the_rest_is_verified(
    tmp_path: Path, secret_run: Path
) -> None:
    folder = copy_of(secret_run, tmp_path)
    (folder / "secret.txt").write_text("ab" * 32)
    assert "secret: schedule and deals are not checked: " in differences(folder)
    (folder / "secret.txt").unlink()
    assert len(differences(folder).split("secret: ")) == 2
    given = arena("verify", folder, *secret_option(secret_run))
    assert (given.exit_code, given.stderr) == (0, "")
    (tmp_path / "other.txt").write_text("ab" * 32)
    wrong = arena("verify", folder, "--secret", tmp_path / "other.txt")
    assert wrong.exit_code == 1
    assert SECRET.hash in wrong.stderr


def test_verifying_changes_nothing(run: Path) -> None:
    before = {path.name: path.read_bytes() for path in run.iterdir() if path.name != "arena.lock"}
    with Store.open(run) as store:
        verify_run(store)
    after = {path.name: path.read_bytes() for path in run.iterdir() if path.name != "arena.lock"}
    assert after == before
