"""Forgeries of an export: each is named."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.record import Note
from arena.tournament.export import ExportHeader
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


def test_the_header_has_nothing_of_the_machine(run: Path) -> None:
    line = (run.parent / "export.jsonl").read_bytes().splitlines()[0]
    header = msgspec.json.decode(line, type=ExportHeader)
    for entrant in header.settings.entrants:
        assert (entrant.command, entrant.folder, entrant.files) == ((), "", ())
    assert header.digest == digest_in(run)
    assert len(header.checks) == 8 * GAMES
    assert header.is_over
