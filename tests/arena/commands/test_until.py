"""`arena run --until certain` and `--order`, as typed and as a contest file."""

import re
from pathlib import Path

import msgspec
import pytest

from tests.arena.command import arena, refused, stored
from tests.arena.runs import RUN_OPTIONS, bot_options, make_bots, run_arena

UNTIL = ("--until", "certain", "--set", "epsilon=0.6", "--variant", "bribery/2", "--rounds", "300")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What enters two equal bots, which are soon known to be close."""
    folders = make_bots(tmp_path_factory.mktemp("two"), 2)
    return [*bot_options(folders), *RUN_OPTIONS, *UNTIL]


@pytest.mark.slow
def test_run_ends_when_the_order_is_certain(two: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "whole"
    played = run_arena("run", *two, "--seed", "3", "--results", str(tmp_path), "--name", "whole")
    assert played.returncode == 0, played.stderr
    assert re.search("bribery/2: .*0 of 1 lines, 1 close", played.stderr)
    assert "at most 300 games" in played.stderr
    board = msgspec.json.decode((folder / "leaderboard.json").read_bytes())
    certificate = board["certificate"]["bribery/2"]
    assert certificate["boards"] * 2 == board["games"] == stored(folder)
    assert [one["border"] for one in certificate["neighbours"]] == ["close"]
    assert (certificate["epsilon"], certificate["confidence"]) == (0.6, 0.95)
    assert arena("verify", folder).exit_code == 0
    shown = arena("leaderboard", "whole", "--all", "--results", tmp_path)
    assert f"{board['games']} of at most 300 games, complete" in shown.stdout


@pytest.mark.slow
def test_undecided_run_prints_how_to_continue(two: list[str], tmp_path: Path) -> None:
    options = [*two, "--seed", "3", "--results", tmp_path, "--name", "few"]
    few = arena("run", *options, "--rounds", "4")
    assert few.exit_code == 0
    hint = re.compile("bribery/2 .*--rounds")
    assert hint.search(few.stderr)
    more = arena("run", *options, "--rounds", "6")
    assert "4 of them" in more.stderr
    assert hint.search(more.stderr)


def test_rejects_invalid_stop_rules_in_the_contest_file(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    for text, expected in (
        ('until = "later"', "until: .*'later'.*certain"),
        ('order = "mu"', "order: .*'mu'.*rating, score"),
        ("epsilon = 0", "> 0.0 - at .*epsilon"),
        ("confidence = 101", "100.0 - at .*confidence"),
        ("confidence = 99", "confidence 99 .*`--until certain`"),
        ('until = "certain"\norder = "rating"', "order `rating` .*`--until certain`"),
    ):
        file.write_text(text)
        assert re.search(expected, refused("run", file))
    assert "unknown order 'mu'; expected one of" in refused("run", "--set", "order=mu")
    assert list(tmp_path.iterdir()) == [file]
