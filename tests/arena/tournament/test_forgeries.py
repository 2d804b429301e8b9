"""Forgeries of a stored run and of an export: what differs is named, and nothing else is."""

import gzip
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.base.errors import RunStopped
from arena.base.record import GameRecord
from arena.tournament.digest import digest_lines
from arena.tournament.export import MAX_LINE_BYTES
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.store import Store
from tests.arena.command import arena, printed
from tests.arena.runs import SECRET, FaultyCrewWithEvidence, silent
from tests.arena.tournament.forgeries import (
    GAMES,
    SETTINGS,
    TITLE,
    VARIANT,
    copy_of,
    crashes,
    difference,
    digest_in,
    forged,
    has_crash,
    has_no_fault,
    has_withdrawn,
    in_header,
    lines,
    on_another_deal,
    one,
    played_otherwise,
    replace,
    secret_option,
    set_settings,
    sql,
    without_faults,
)


def test_genuine_run_and_export_pass(run: Path) -> None:
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


SEED_RUN, SECRET_RUN, EXPORT = "a run", "a run with a secret", "an export with its secret"
NO_SECRET = "an export without its secret"
EXPORTS = (EXPORT, NO_SECRET)
KNOWN = (SECRET_RUN, EXPORT)
ALL = (*KNOWN, NO_SECRET)
RECORDS_DIFFER = "digest: records: got "
FF = "ff" * 16
BOARD_2 = f"{VARIANT} board 2 rotation 0"


def record(
    change: Callable[[GameRecord], GameRecord], find: Callable[[GameRecord], bool] = has_no_fault
) -> Callable[[Path], None]:
    """Return a forgery of a record that `find` likes."""
    return forged(one(find, change))


def fields(**changes: Any) -> Callable[[Path], None]:
    """Return a forgery of some fields of a record without a fault."""
    return record(lambda before: replace(before, **changes))


FORGERIES: dict[str, tuple[Callable[[Path], object], dict[tuple[str, ...], str]]] = {
    "last game deleted": (
        forged(lambda records: records.pop()),
        {
            KNOWN: f"{TITLE}: the game is missing",
            (NO_SECRET,): "digest: games: got 27",
        },
    ),
    "another game with its results": (record(played_otherwise), {ALL: RECORDS_DIFFER}),
    "fault removed": (
        record(without_faults, has_crash),
        {KNOWN: "withdrawn bots: got {'e3'", (NO_SECRET,): RECORDS_DIFFER},
    ),
    "withdrawal removed": (
        record(without_faults, has_withdrawn),
        {KNOWN: "withdrawn bots: got {}, expected {'e3'", (NO_SECRET,): RECORDS_DIFFER},
    ),
    "seeds changed": (
        fields(seeds=(1, 2, 3)),
        {KNOWN: "seeds: got (1, 2, 3), expected (", (NO_SECRET,): RECORDS_DIFFER},
    ),
    "a bot renamed in a game": (
        fields(entrants=("e1x", "e2", "e3")),
        {
            (SECRET_RUN,): "entrants: got ('e1x', ",
            EXPORTS: "entrants: got 'e1x', expected a bot of",
        },
    ),
    "bots exchanged in a game": (
        record(lambda before: replace(before, entrants=before.entrants[::-1])),
        {(SECRET_RUN,): "entrants: got ('e", EXPORTS: "entrants: differ from rotation "},
    ),
    "another deal": (
        record(on_another_deal),
        {(SECRET_RUN,): "deal: got {", EXPORTS: "deal: differs from rotation "},
    ),
    "a game replaced by copies of later ones": (
        forged(
            lambda records: records.__setitem__(
                slice(3, 13), [replace(records[3], key=FF), *records[4:12]]
            )
        ),
        {KNOWN: f"{BOARD_2}: key: got {FF}, expected ", (NO_SECRET,): f"{BOARD_2}: key: got {FF}"},
    ),
    # the database of a run
    "positions exchanged": (
        sql("UPDATE games SET position = 41 - position WHERE position IN (20, 21)"),
        {(SEED_RUN,): f"expected {VARIANT} board 7 rotation 2, which is missing here"},
    ),
    "positions shifted": (
        sql("UPDATE games SET position = position + 100 WHERE position >= 20"),
        {(SEED_RUN,): "position: got 120, expected 20"},
    ),
    "the digest forged": (
        sql('UPDATE run SET digest = replace(digest, \'"records":"\', \'"records":"00\')'),
        {(SEED_RUN,): RECORDS_DIFFER},
    ),
    "another key of a stored game": (
        sql("UPDATE games SET key = 'ff' WHERE position = 3"),
        {(SEED_RUN,): f"{BOARD_2}: stored key: got ff, expected "},
    ),
    "a record that is none": (
        sql("UPDATE games SET record = x'7b' WHERE position = 3"),
        {(SEED_RUN,): "stored game 4: expected a game record"},
    ),
    "a result forged": (
        sql("UPDATE games SET result = replace(result, ',1,[', ',2,[') WHERE position = 3"),
        {(SEED_RUN,): f"{BOARD_2}: stored result: got "},
    ),
    "another hash of a record": (
        sql("UPDATE games SET record_digest = zeroblob(32) WHERE position = 3"),
        {(SEED_RUN,): f"{BOARD_2}: stored hash: got 0000"},
    ),
    "the record of another game": (
        sql(
            "UPDATE games SET (record, result) = "
            "(SELECT record, result FROM games WHERE position = 9) WHERE position = 3"
        ),
        {(SEED_RUN,): "stored key: got "},
    ),
    "rounds changed": (set_settings(rounds=27), {(SEED_RUN,): "the schedule has no such game"}),
    # the lines and the header of an export
    "lines exchanged": (
        lines(lambda all_lines: [*all_lines[:12], all_lines[13], all_lines[12], *all_lines[14:]]),
        {
            (EXPORT,): f"expected {VARIANT} board 4 rotation 2, which is missing here",
            (NO_SECRET,): "digest: games: got 24",
        },
    ),
    "a line that is no record": (
        lines(lambda all_lines: [*all_lines[:12], b"{}", *all_lines[13:-1]]),
        {EXPORTS: "line 13: expected a game record"},
    ),
    "a game that occurs twice": (
        lines(lambda all_lines: [*all_lines, all_lines[-1]]),
        {EXPORTS: "line 32: expected a game record of the run: the game occurs twice"},
    ),
    "a fingerprint changed in the header": (
        in_header(lambda header: header["settings"]["entrants"][0].update(fingerprint="forged")),
        {EXPORTS: "key: got "},
    ),
    "the digest changed in the header": (
        in_header(lambda header: header.update(digest="00" * 32)),
        {EXPORTS: f"digest in the header: got {'00' * 32}, expected "},
    ),
    "a part of the digest changed in the header": (
        in_header(lambda header: header["parts"].update(leaderboard="00" * 32)),
        {EXPORTS: "digest in the header: got "},
    ),
    "a line that is changed": (
        lines(lambda all_lines: [*all_lines[:-1], all_lines[-1].replace(b'"key"', b' "key"')]),
        {EXPORTS: RECORDS_DIFFER},
    ),
}
"""What a forger may do, and the difference that `arena verify` shows in each kind of source."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_finds_forgery_and_names_first_difference(
    seed_run: Path, secret_run: Path, tmp_path: Path, forgery: str
) -> None:
    forge, message = FORGERIES[forgery]
    for place, expected in [(place, text) for places, text in message.items() for place in places]:
        copy = tmp_path / "export.jsonl"
        if place in EXPORTS:
            copy.write_bytes((secret_run.parent / "export.jsonl").read_bytes())
        else:
            copy = copy_of(seed_run if place == SEED_RUN else secret_run, tmp_path)
        forge(copy)
        options = secret_option(secret_run) if place == EXPORT else []
        assert expected in difference(copy, *options), place


def forge_all(folder: Path) -> None:
    """Forge a game, and everything that shows it: leaderboard and digest."""
    forged(one(has_no_fault, played_otherwise))(folder)
    with Store.own(folder) as store:
        finish(store)


def test_published_digest_reveals_total_forgery(run: Path, tmp_path: Path) -> None:
    folder = copy_of(run, tmp_path)
    published = digest_in(run)
    typed = "\n".join(digest_lines(published)).upper()
    assert "digest of the run, as published:" in printed("verify", run, "--digest", typed)
    forge_all(folder)
    assert arena("verify", folder).exit_code == 0
    expected = f"digest: got {digest_in(folder)}, expected the published {published}"
    assert expected in difference(folder, "--digest", published)


def test_rejects_malformed_digest(seed_run: Path) -> None:
    for typed in ("", "g" * 64, "0" * 63, "0" * 65):
        result = arena("verify", seed_run, "--digest", typed)
        assert result.exit_code == 2
        assert "64 hexadecimal digits" in " ".join(result.stderr.split())


def test_verifies_stopped_run(tmp_path: Path) -> None:
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


def test_verifies_with_copy_of_the_secret(tmp_path: Path, secret_run: Path) -> None:
    folder = copy_of(secret_run, tmp_path)
    (folder / "secret.txt").write_text("ab" * 32)
    assert "is another secret" in difference(folder)
    (folder / "secret.txt").unlink()
    assert "secret.txt is missing" in difference(folder)
    given = arena("verify", folder, *secret_option(secret_run))
    assert (given.exit_code, given.stderr) == (0, "")
    (tmp_path / "other.txt").write_text("ab" * 32)
    assert SECRET.hash in difference(folder, "--secret", str(tmp_path / "other.txt"))


# -- files that are made to break or to hold up what reads them ---------------------------------

HUGE = 10**400
DEEP = b"[" * 100_000 + b"]" * 100_000


def of_settings(**changes: object) -> Callable[[list[bytes]], Iterable[bytes]]:
    """Return what changes the settings in a header."""

    def change(all_lines: list[bytes]) -> list[bytes]:
        header = json.loads(all_lines[0])
        header["settings"] |= changes
        return [json.dumps(header, separators=(",", ":")).encode(), *all_lines[1:]]

    return change


def of_record(**changes: object) -> Callable[[list[bytes]], Iterable[bytes]]:
    """Return what changes the first record."""

    def change(all_lines: list[bytes]) -> list[bytes]:
        record = json.dumps(json.loads(all_lines[1]) | changes, separators=(",", ":"))
        return [all_lines[0], record.encode(), *all_lines[2:]]

    return change


def crowd(all_lines: list[bytes]) -> Iterable[bytes]:
    """Return an export with 2,000 entrants more."""
    (first, *_) = json.loads(all_lines[0])["settings"]["entrants"]
    return of_settings(entrants=[first | {"name": f"x{n}"} for n in range(2_000)])(all_lines)


def endless_rounds(all_lines: list[bytes]) -> Iterable[bytes]:
    """Return an export whose header promises the games of 10,000,000 rounds, and has none."""
    header = json.loads(all_lines[0])
    header["settings"]["rounds"] = 10_000_000
    return [json.dumps(header, separators=(",", ":")).encode(), *[b"{}"] * 30]


HOSTILE: dict[str, tuple[Callable[[list[bytes]], Iterable[bytes]], str]] = {
    "no header": (lambda lines: lines[1:], "does not begin with the header of an export"),
    "another version": (
        lambda lines: [lines[0].replace(b'"version":4', b'"version":9', 1), *lines[1:]],
        "has version 9 of exports, expected 4",
    ),
    "an unknown field": (
        lambda lines: [lines[0][:-1] + b',"winner":"e4"}', *lines[1:]],
        "was changed after the export",
    ),
    "another name of the winner": (
        lambda lines: [lines[0][:-1] + b',"names":{"e1":"Eve"}}', *lines[1:]],
        "names: got ",
    ),
    "points of 10^400": (of_record(points=[HUGE, 0, 0]), "points"),
    "a result with 10^400": (of_record(detail={"x": HUGE}), "detail: got "),
    "a deal with 10^400": (of_record(deal={"start": HUGE}), "deal"),
    "a name of 100,000 letters": (of_record(variant="x" * 100_000), "variant"),
    "a deep result": (
        lambda lines: [lines[0], lines[1].replace(b'"detail":{', b'"detail":{"x":%b,' % DEEP)],
        "line 2: expected a game record",
    ),
    "rounds of 2^62": (of_settings(rounds=2**62), "rounds"),
    "rounds without games": (endless_rounds, "line 2: expected a game record"),
    "2,000 entrants": (crowd, "entrants"),
    "blocks of no board": (of_settings(block_sizes={"smallest": 0, "largest": 0}), "smallest"),
    "a line of 1 GiB": (
        lambda lines: [lines[0], b"a" * (MAX_LINE_BYTES + 1)],
        "line 2 has more than 16,777,216 bytes",
    ),
}
"""What a stranger may write into an export, and a part of what is said of it. A line of a GiB is
read no further than this one."""


@pytest.mark.parametrize("kind", HOSTILE)
def test_rejects_hostile_exports_quickly(seed_run: Path, tmp_path: Path, kind: str) -> None:
    change, message = HOSTILE[kind]
    file = tmp_path / "export.jsonl.gz"
    all_lines = (seed_run.parent / "export.jsonl").read_bytes().splitlines()
    with gzip.open(file, "wb", 1) as packed:
        packed.writelines(line + b"\n" for line in change(all_lines))
    verified = arena("verify", file)
    assert (verified.exit_code, type(verified.exception)) == (1, SystemExit)
    assert message in verified.output
    assert len(verified.output) < 30_000
    ranked = arena("leaderboard", file)
    assert (ranked.exit_code, type(ranked.exception)) == (1, SystemExit)


def too_large(folder: Path) -> None:
    """Store a value of 900 MB."""
    sql("UPDATE games SET result = zeroblob(900000000) WHERE number = 1")(folder)


ENDLESS = (
    "ALTER TABLE games RENAME TO own",
    "CREATE VIEW games AS WITH RECURSIVE c AS (SELECT * FROM own UNION ALL SELECT * FROM c) "
    "SELECT * FROM c",
)


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (sql(*ENDLESS), "does not have the tables of a run"),
        (sql("CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END"), "does not have the"),
        (too_large, "too big"),
    ],
    ids=["an endless view", "a trigger", "a large value"],
)
def test_rejects_hostile_run_folders(
    run: Path, tmp_path: Path, forge: Callable[[Path], None], message: str
) -> None:
    folder = copy_of(run, tmp_path)
    forge(folder)
    for command in ("verify", "leaderboard"):
        refusal = arena(command, folder)
        assert refusal.exit_code == 1
        assert message in refusal.output


nasty = st.sampled_from([HUGE, -HUGE, 2**62, -1, 0.5, "", "x" * 999, None, [], {}, [[]], True])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 3), st.randoms(use_true_random=False), nasty)
def test_survives_arbitrary_values_in_exports(
    seed_run: Path, line: int, rng: random.Random, value: object
) -> None:
    all_lines = (seed_run.parent / "export.jsonl").read_bytes().splitlines()
    data = place = json.loads(all_lines[line])
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = rng.choice(keys)
        if not isinstance(place[key], dict | list) or not place[key] or rng.random() < 0.2:
            break
        place = place[key]
    place[key] = value
    all_lines[line] = json.dumps(data, separators=(",", ":")).encode()
    with TemporaryDirectory() as folder:
        file = Path(folder, "export.jsonl")
        file.write_bytes(b"\n".join(all_lines))
        for command in ("verify", "leaderboard"):
            assert type(arena(command, file).exception) in (NoneType, SystemExit)
