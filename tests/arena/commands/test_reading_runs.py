"""Commands that look at a run: leaderboard, export, verify and faults, and what they refuse."""

import contextlib
import gzip
import json
import re
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from arena.rating.leaderboard import Leaderboard
from arena.tournament.store import DATABASE
from tests.arena.command import VARIANT, Played, arena, done, printed, records_in, refused, tampered
from tests.arena.playing import WAIT_S
from tests.arena.runs import (
    RUN_OPTIONS,
    bot_options,
    make_bots,
    start_arena,
)
from tests.arena.terminal_talk import typed_in_terminal

# -- what looks at a run -----------------------------------------------------------------------


def test_leaderboard_prints_the_same_as_the_run(spring: Played) -> None:
    by_name = arena("leaderboard", "spring", "--results", spring.results)
    by_path = arena("leaderboard", spring.folder)
    for result in (by_name, by_path):
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == spring.answer.stdout


def test_terminal_output_is_styled(spring: Played) -> None:
    words = [sys.executable, "-m", "arena", "leaderboard", str(spring.folder)]
    printed = typed_in_terminal(words, [("shows more", "")], {"TERM": "xterm-256color"})
    assert "\x1b[1m" in printed
    assert "\\x1b" not in printed


def test_leaderboard_json_equals_the_stored_file(spring: Played) -> None:
    for form in ("json", "csv"):
        result = arena("leaderboard", spring.folder, f"--{form}")
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == (spring.folder / f"leaderboard.{form}").read_text()


def test_leaderboard_counts_only_selected_variants(spring: Played) -> None:
    for option, value, games in (("--variant", VARIANT, 3), ("--game", "pot-de-vin", 7)):
        result = arena("leaderboard", spring.folder, option, value, "--json")
        board = msgspec.json.decode(result.stdout, type=Leaderboard)
        assert (board.games, len(board.overall)) == (games, 4)
        unknown = refused("leaderboard", spring.folder, option, "bribery/2")
        assert f"expected one of {value}" in unknown


def test_replay_lists_games_of_a_bot_worst_first(
    spring: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_bot = ("replay", spring.folder, "--bot", "bot-1")
    every = json.loads(arena(*of_bot, "--json").stdout)
    assert len(every) == len([True for game in records_in(spring.folder) if b'"bot-1"' in game])
    of_variant = json.loads(arena(*of_bot, "--variant", VARIANT, "--json").stdout)
    assert {game["variant"] for game in of_variant} == {VARIANT}
    for width, omitted in (("80", "also shows board"), ("50", "also shows points, variant, board")):
        monkeypatch.setenv("COLUMNS", width)
        printed = " ".join(arena(*of_bot).stdout.split())
        assert all(f"{game['margin']:+}" in printed for game in every)
        assert omitted in printed
    worst = min(every, key=lambda game: (game["share"], game["margin"]))
    assert worst["title"] in arena(*of_bot, "--worst").stdout
    assert "did you mean 'bot-1'" in refused("replay", spring.folder, "--bot", "bott-1")
    assert f"expected one of {VARIANT}" in refused(*of_bot, "--variant", "bribery/2")
    assert arena("replay", spring.folder, "--worst").exit_code == 2


def test_prints_matrix_as_text_and_json(spring: Played) -> None:
    result = arena("leaderboard", spring.folder, "--matrix")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert sorted(row[1] for row in rows[1:5]) == ["bot-1", "bot-2", "bot-3", "bot-4"]
    pairs = json.loads(arena("leaderboard", spring.folder, "--matrix", "--json").stdout)
    lines = arena("leaderboard", spring.folder, "--matrix", "--csv").stdout.splitlines()
    assert len(lines) == 1 + len(pairs)
    ahead = {(pair["bot"], pair["opponent"]): pair["ahead"] for pair in pairs}
    assert all(share + ahead[other, one] == 1 for (one, other), share in ahead.items())


def test_unfinished_run_reports_incomplete_boards(spring: Played, tmp_path: Path) -> None:
    folder = spring.copy(tmp_path)
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute("DELETE FROM games WHERE position = 1")
        database.commit()
    result = arena("leaderboard", folder, "--all")
    assert result.exit_code == 0
    assert "\n4 games" in result.stdout
    assert "2 more games" in result.stdout


def test_export_prints_the_records_as_json_lines(spring: Played) -> None:
    result = arena("export", "spring", "--results", spring.results)
    assert (result.exit_code, result.stderr) == (0, "")
    header, records = result.stdout_bytes.split(b"\n", 1)
    assert records == b"".join(record + b"\n" for record in spring.records)
    assert json.loads(header)["type"] == "run"
    first, *_ = records.splitlines()
    assert json.loads(first)["variant"] == VARIANT


def test_export_ends_quietly_on_a_closed_pipe(spring: Played) -> None:
    with start_arena(["export", str(spring.folder)]) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(WAIT_S) in (0, 1)  # it was quicker, or noticed


def test_verify_shows_the_first_difference(spring: Played, tmp_path: Path) -> None:
    folder = spring.copy(tmp_path)
    record = tampered(folder)
    assert f"{record.title}: points: got " in refused("verify", folder)


@pytest.fixture(scope="module")
def exported(spring: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported file of the run."""
    file = tmp_path_factory.mktemp("exported") / "spring.jsonl"
    file.write_bytes(arena("export", spring.folder).stdout_bytes)
    return file


def test_export_and_run_give_the_same_output(spring: Played, exported: Path) -> None:
    matrix = f"leaderboard --matrix --variant {VARIANT}"
    for command in ("leaderboard --csv", matrix, "logs", "export", "verify"):
        name, *options = command.split()
        of_run, of_file = arena(name, spring.folder, *options), arena(name, exported, *options)
        assert (of_file.exit_code, of_file.stderr) == (0, "")
        assert of_file.stdout == of_run.stdout
    sandbox = re.compile(r"^sandbox .*?(?=^digest of the run|\Z)", re.DOTALL | re.MULTILINE)
    summaries = [
        sandbox.sub("", arena("leaderboard", one, "--all").stdout).splitlines()
        for one in (spring.folder, exported)
    ]
    assert summaries[0][1:] == summaries[1][1:]
    assert summaries[1][0] == "spring.jsonl: 7 of 7 games, complete"


@pytest.mark.slow  # it draws the pictures of a site
def test_publishes_compressed_exports(exported: Path, tmp_path: Path) -> None:
    packed = tmp_path / "spring.jsonl.gz"
    packed.write_bytes(gzip.compress(exported.read_bytes()))
    published = arena("publish", packed, "--to", tmp_path / "site", "--games", "all")
    assert (published.exit_code, published.stderr) == (0, "")
    assert "4 bots, 7 games, 7 of them with replays" in published.stdout


def test_reports_what_an_export_does_not_contain(exported: Path, tmp_path: Path) -> None:
    title = f"{VARIANT} board 1 rotation 0"
    assert arena("debug", "random", exported, title, "--seat", "0").exit_code == 0
    text = refused("publish", exported, "--to", tmp_path / "site", "--with-secret")
    assert "secret" in text
    assert not (tmp_path / "site").exists()


def test_rejects_changed_exports(exported: Path, tmp_path: Path) -> None:
    header, *records = exported.read_bytes().splitlines()
    file = tmp_path / "changed.jsonl"
    for lines in (
        [header, *records[1:]],
        [header, *reversed(records)],
        [header, *records[:-1], records[-1].replace(b'"key"', b' "key"')],
    ):
        file.write_bytes(b"\n".join(lines))
        for command in ("leaderboard", "export"):
            assert "`arena verify" in refused(command, file)
    file.write_bytes(b"\n".join(records))
    assert "header" in refused("leaderboard", file)


def test_rejects_folders_that_are_not_runs(spring: Played, tmp_path: Path) -> None:
    """Unknown ones beside a known one, a path elsewhere, no runs at all, and what is no name."""
    for name, results, words in (
        ("autumn", spring.results, ("'autumn'", "spring")),
        ("elsewhere/spring", spring.results, ("elsewhere",)),
        ("spring", tmp_path, ("arena run",)),
        ("spring", tmp_path / "missing", ("arena run",)),
        *[(name, spring.results, ()) for name in ("", ".", "..", "x" * 300)],
    ):
        text = refused("leaderboard", name, "--results", results)
        assert all(word in text for word in words), (name, text)
    folder = spring.copy(tmp_path)
    (folder / DATABASE).write_bytes(b"not a database, but long enough to be one" * 99)
    assert str(folder) in refused("verify", folder)


@pytest.mark.parametrize(
    ("column", "command", "named"),
    [
        ("record", "logs", ": expected a game record: "),
        ("result", "leaderboard", 'stored result: got {, expected ["pot'),
    ],
)
def test_verify_names_a_broken_game(
    spring: Played, tmp_path: Path, column: str, command: str, named: str
) -> None:
    folder = spring.copy(tmp_path)
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute(f"UPDATE games SET {column} = x'7b' WHERE position = 2")
        database.commit()
    assert str(folder) in refused(command, folder)
    assert named in refused("verify", folder)


def test_logs_show_bot_game_and_request(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("class Bad:\n    def act(self, view, legal):\n        return 'take all'\n")
    good, other = make_bots(tmp_path / "bots", 2)
    at = ("--results", tmp_path / "results")
    bots = (*bot_options([good, other]), "--bot", bad)
    options = ("--variant", VARIANT, "--rounds", 3, *RUN_OPTIONS)
    played = done("run", *bots, *options, "--name", "x", *at)
    assert f"`arena logs {tmp_path / 'results' / 'x'}`" in played.stderr
    shown = printed("logs", "x", "--all", *at)
    assert all(len(line) <= 100 for line in shown.splitlines() if " arena " not in line)
    summary, *cards, _ = shown.split("\n\n")
    assert summary == "3 faults of 1 bot, with 1 cause:"
    assert len(cards) == 3
    for card in cards:
        title = rf"bad: illegal in {VARIANT} board 1 rotation \d, move \d+, seat \d\n"
        assert re.match(title, card)
        for line in ("what +answered", 'request +{"type":"turn"', "received +'{", r"legal +\w"):
            assert re.search(f"^  {line}", card, re.M)
    short = printed("logs", "x", *at)
    assert len(short.split("\n\n")) == 3, "a card for each cause"
    assert "  similar     3 faults, the last in " in short
    assert printed("logs", "x", "--bot", good.name, *at).startswith(f"{good.name} had no faults\n")
    assert re.search("'bda'.*'bad'", refused("logs", "x", "--bot", "bda", *at))
