"""Forgeries of an export: each is named."""

import gzip
import json
import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.base.record import Note
from arena.tournament.export import MAX_LINE_BYTES, ExportHeader
from tests.arena.command import arena
from tests.arena.tournament.forgeries import (
    GAMES,
    REASON,
    TITLE,
    VARIANT,
    differences,
    digest_in,
    has_crash,
    has_no_fault,
    has_withdrawn,
    in_header,
    in_line,
    lines,
    on_another_deal,
    played_otherwise,
    replace,
    secret_option,
    with_invented_fault,
    without_faults,
)


def rename(all_lines: list[bytes]) -> list[bytes]:
    """Rename a bot everywhere."""
    return [line.replace(b'"e1"', b'"boss"') for line in all_lines]


EXPORTED = "record: not as it was exported, by the header"
IN_EXPORT: dict[str, tuple[Callable[[Path], object], list[str], list[str]]] = {
    "last line deleted": (
        lines(lambda all_lines: all_lines[:-1]),
        ["records: missing: 1 of 30", "digest: games: got 29, expected 30"],
        [f"{TITLE}: the game is missing", "digest: games: got 29, expected 30"],
    ),
    "a line in the middle deleted": (
        lines(lambda all_lines: all_lines[:12] + all_lines[13:]),
        ["digest: games: got 29, expected 30"],
        [f"{VARIANT} board 4 rotation 2: the game is missing"],
    ),
    "lines exchanged": (
        lines(lambda all_lines: [*all_lines[:12], all_lines[13], all_lines[12], *all_lines[14:]]),
        [f"{VARIANT} board 4 rotation 2: the game is not in "],
        [f"{VARIANT} board 4 rotation 2: the game is not in schedule order"],
    ),
    "a line doubled": (
        lines(lambda all_lines: [*all_lines, all_lines[-1]]),
        [f"{TITLE}: the game occurs twice", "digest: games: got 31, expected 30"],
        [f"{TITLE}: the game occurs twice"],
    ),
    "a bot renamed in all records": (
        lines(lambda all_lines: [all_lines[0], *rename(all_lines[1:])]),
        ["entrants: got 'boss', expected a bot of the run"],
        ["entrants: got 'boss', expected a bot of the run"],
    ),
    "a bot renamed everywhere": (
        lines(rename),
        ["key: got ", "digest: settings: got "],
        ["key: got ", "expected one of the schedule", "digest: settings: got "],
    ),
    "bots exchanged in a game": (
        in_line(has_no_fault, lambda record: replace(record, entrants=record.entrants[::-1])),
        ["key: got ", "entrants: got other ones than in rotation "],
        ['entrants: got ["e'],
    ),
    "a key changed": (
        in_line(has_no_fault, lambda record: replace(record, key="ff" * 16)),
        [f"key: got {'ff' * 16}, expected "],
        [f"key: got {'ff' * 16}, expected one of the schedule", "the game is missing"],
    ),
    "seeds changed": (
        in_line(has_no_fault, lambda record: replace(record, seeds=(1, 2, 3))),
        [EXPORTED, "digest: records: got "],
        ["seeds: got [1,2,3], expected ["],
    ),
    "another deal": (
        in_line(has_no_fault, on_another_deal),
        ["key: got ", "deal: got another one than in rotation "],
        ["deal: got {"],
    ),
    "a forged game with recomputed results": (
        in_line(has_no_fault, played_otherwise),
        [EXPORTED, "digest: records: got "],
        [EXPORTED, "digest: records: got ", "digest: leaderboard: got "],
    ),
    "fault removed": (in_line(has_crash, without_faults), [EXPORTED], [EXPORTED]),
    "fault invented": (in_line(has_no_fault, with_invented_fault), [EXPORTED], [EXPORTED]),
    "withdrawal removed": (
        in_line(has_withdrawn, without_faults),
        [f"withdrawn bots: got none, expected {REASON}"],
        [f"withdrawn bots: got none, expected {REASON}"],
    ),
    "a note changed": (
        in_line(has_no_fault, lambda record: replace(record, notes=(Note(0, "I give up"),))),
        [EXPORTED],
        [EXPORTED],
    ),
    "a line that is no record, and another forgery after it": (
        lines(lambda all_lines: [*all_lines[:12], b"{}", *all_lines[13:-1]]),
        ["line 13: expected a game record", "digest: games: got 29, expected 30"],
        ["line 13: expected a game record", f"{TITLE}: the game is missing"],
    ),
    "rounds changed in the header": (
        in_header(lambda header: header["settings"].update(rounds=27)),
        ["digest: settings: got "],
        ["digest: settings: got ", "key: got "],
    ),
    "limits changed in the header": (
        in_header(lambda header: header["settings"]["limits"].update(move_ms=1)),
        ["key: got ", "digest: settings: got "],
        ["key: got ", "digest: settings: got "],
    ),
    "a fingerprint changed in the header": (
        in_header(lambda header: header["settings"]["entrants"][0].update(fingerprint="forged")),
        ["key: got ", "digest: settings: got "],
        ["key: got ", "digest: settings: got "],
    ),
    "withdrawal switched off in the header": (
        in_header(lambda header: header["settings"].update(withdrawal=False)),
        [f"withdrawn bots: got {REASON}, expected none"],
        [f"withdrawn bots: got {REASON}, expected none"],
    ),
    "the digest changed in the header": (
        in_header(lambda header: header.update(digest="00" * 32)),
        [f"digest: got {'00' * 32} in the header, expected "],
        [f"digest: got {'00' * 32} in the header, expected "],
    ),
    "a part of the digest changed in the header": (
        in_header(lambda header: header["parts"].update(leaderboard="00" * 32)),
        [f"expected {'00' * 32}"],
        [f"expected {'00' * 32}"],
    ),
}
"""What a forger may do to an export, and what `arena verify` says without and with the secret."""


@pytest.mark.parametrize("knows_secret", [False, True], ids=["", "with secret"])
@pytest.mark.parametrize("forgery", IN_EXPORT)
def test_a_forged_export_is_found_out_and_what_differs_is_named(
    run: Path, tmp_path: Path, forgery: str, knows_secret: bool
) -> None:
    forge, without_secret, with_secret = IN_EXPORT[forgery]
    file = tmp_path / "export.jsonl"
    file.write_bytes((run.parent / "export.jsonl").read_bytes())
    forge(file)
    options = secret_option(run) if knows_secret else []
    has_chance = bool(options) or not secret_option(run)
    found = differences(file, *options)
    for text in with_secret if has_chance else without_secret:
        assert text in found


def test_an_export_without_its_header_is_replayed_only_and_has_no_digest(
    run: Path, tmp_path: Path
) -> None:
    file = tmp_path / "export.jsonl"
    file.write_bytes(b"\n".join((run.parent / "export.jsonl").read_bytes().splitlines()[1:]))
    result = arena("verify", file)
    assert (result.exit_code, result.stdout) == (0, f"{GAMES} games match their records\n")
    assert "header" in result.stderr
    found = differences(file, "--against", digest_in(run))
    assert found.startswith("digest: got none, since it cannot be computed, expected the published")


def test_a_header_of_another_version_is_refused(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    file.write_bytes((run.parent / "export.jsonl").read_bytes())
    in_header(lambda header: header.update(version=9))(file)
    result = arena("verify", file)
    assert result.exit_code == 1
    assert re.search("version 9 .*2", result.stderr)


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
    "points of 10^400": (of_record(points=[HUGE, 0, 0]), "points"),
    "points below -10^400": (of_record(points=[0, -HUGE, 0]), "points"),
    "a weight of 10^400": (of_record(win_weight=HUGE), "win_weight"),
    "a board of 10^400": (of_record(board=HUGE), "board"),
    "a result with 10^400": (of_record(detail={"x": HUGE}), "result: got "),
    "a deal with 10^400": (of_record(deal={"start": HUGE}), "deal"),
    "a name of 100,000 letters": (of_record(variant="x" * 100_000), "variant"),
    "a deep result": (
        lambda lines: [lines[0], lines[1].replace(b'"detail":{', b'"detail":{"x":%b,' % DEEP)],
        "line 2: expected a game record",
    ),
    "rounds of 2^62": (of_settings(rounds=2**62), "rounds"),
    "rounds without games": (endless_rounds, "line 2: expected a game record"),
    "2,000 entrants": (crowd, "entrants"),
    "100,000 variants": (of_settings(variants=[VARIANT] * 100_000), "variants"),
    "portions of no board": (of_settings(portion_sizes={"initial": 0, "largest": 0}), "initial"),
    "portions below 0": (of_settings(portion_sizes={"initial": 1, "largest": -1}), "largest"),
    "a line of 1 GiB": (
        lambda lines: [lines[0], b"a" * (MAX_LINE_BYTES + 1)],
        "line 2 has more than 16,777,216 bytes",
    ),
    "5,000 lines of no record": (lambda lines: [lines[0], *[b"{}"] * 5_000], "after 1,000 diff"),
}
"""What a stranger may write into an export, and a part of what is said of it. A line of a GiB is
read no further than this one."""


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_export_is_refused_soon_and_in_a_sentence(
    seed_run: Path, tmp_path: Path, kind: str
) -> None:
    change, said = HOSTILE[kind]
    file = tmp_path / "export.jsonl.gz"
    all_lines = (seed_run.parent / "export.jsonl").read_bytes().splitlines()
    with gzip.open(file, "wb", 1) as packed:
        packed.writelines(line + b"\n" for line in change(all_lines))
    verified = arena("verify", file)
    assert (verified.exit_code, type(verified.exception)) == (1, SystemExit)
    assert said in verified.output
    assert len(verified.output) < 30_000
    for command in (["leaderboard", file], ["audit", file]):
        done = arena(*command)
        assert (done.exit_code, type(done.exception)) == (1, SystemExit)


nasty = st.sampled_from([HUGE, -HUGE, 2**62, -1, 0.5, "", "x" * 999, None, [], {}, [[]], True])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 3), st.randoms(use_true_random=False), nasty)
def test_any_value_of_an_export_may_be_anything(
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


def test_the_header_has_nothing_of_the_machine(run: Path) -> None:
    line = (run.parent / "export.jsonl").read_bytes().splitlines()[0]
    header = msgspec.json.decode(line, type=ExportHeader)
    for entrant in header.settings.entrants:
        assert (entrant.command, entrant.folder, entrant.files) == ((), "", ())
    assert header.digest == digest_in(run)
    assert len(header.checks) == 8 * GAMES
    assert header.is_over
