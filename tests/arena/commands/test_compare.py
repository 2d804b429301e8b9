"""Two versions of a bot are compared."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from arena.tournament.comparison import COMPARISON_FILE
from arena.tournament.play_game import play as arena_play
from tests.arena.command import arena, printed, refused
from tests.arena.runs import DICE_BOT, RUN_OPTIONS, make_bot, make_bots, run_arena

VARIANT = "bribery/2"
WRONG_BOT = DICE_BOT.replace('dice[table].choice(message["legal"])', '"nothing legal"')


class Compared:
    """A comparison of a bot that always has a fault with its version that has none."""

    def __init__(self, parent: Path) -> None:
        self.old = make_bot(parent / "old", "mine", WRONG_BOT)
        self.new = make_bot(parent / "new", "mine")
        self.field = make_bots(parent / "field", 3)
        self.folder = parent / "whole"
        self.options = [
            *("--against", ",".join(map(str, self.field)), "--variant", VARIANT),
            *("--seed", "5", *RUN_OPTIONS),
        ]
        self.answer = run_arena(*self.command(self.folder, 1), "--json")

    def command(self, folder: Path, workers: int) -> list[str]:
        """Return the command that plays the comparison in a folder."""
        versions = [str(self.old), str(self.new)]
        out = ["--out", str(folder), "--workers", str(workers)]
        return ["compare", *versions, *self.options, *out]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """A comparison that one worker has played to its verdict."""
    return Compared(tmp_path_factory.mktemp("compared"))


@pytest.mark.slow
def test_finds_the_better_version(compared: Compared) -> None:
    assert compared.answer.returncode == 0, compared.answer.stderr
    result = json.loads(compared.answer.stdout)
    assert (result["verdict"], result["variant"]) == ("better", VARIANT)
    assert (result["old"]["bot"], result["new"]["bot"]) == ("mine (old)", "mine (new)")
    assert result["old"]["faults"] == 2 * result["boards"]
    assert result["evidence_better"] >= 20
    assert result["low"] <= result["difference"] <= result["high"]
    assert result["against"] == ["bot-1", "bot-2", "bot-3"]
    assert compared.answer.stdout == (compared.folder / COMPARISON_FILE).read_text()


def test_repeated_comparison_prints_the_stored_verdict(compared: Compared) -> None:
    again = arena(*compared.command(compared.folder, 1))
    assert again.exit_code == 0
    assert str(compared.folder) in again.stderr
    first, second, *_ = again.stdout.splitlines()
    assert re.match(r"mine \(new\) is better than mine \(old\): \d+\.\d% ± \d+\.\d after ", first)
    assert f"in {VARIANT}, 95% bounds" in second
    assert "mine (new) 0, mine (old)" in again.stdout
    assert f"arena logs {compared.folder}" in again.stderr


@pytest.mark.slow
def test_every_command_accepts_zip_files_as_bots(compared: Compared, tmp_path: Path) -> None:
    """It has another name than the bot in it."""
    bot, old = tmp_path / "zipped.zip", tmp_path / "old.zip"
    for packed, folder in ((bot, compared.new), (old, compared.old)):
        shutil.make_archive(str(packed.with_suffix("")), "zip", folder)
    assert "zipped" in printed("try", bot, "--variant", VARIANT, "--games", 2)
    answer = arena("compare", bot, old, *compared.options, "--budget", 1, "--out", tmp_path / "out")
    assert "whether old (new) is better than zipped (old)" in answer.stdout
    options = ("--bot", "random", "--variant", VARIANT, "--results", tmp_path, *RUN_OPTIONS)
    for _ in range(2):  # the second time, the run is resumed
        assert "old" in printed("run", "--name", "r", "--bot", bot, "--bot", old, *options)
    record = arena_play(VARIANT, [str(bot), "random"])
    assert record.entrants == ("zipped", "random")
    faults = printed("logs", "r", "--results", tmp_path)
    card = faults.rpartition("  reproduce ")[2].partition("\n\n")[0]
    pasted = shlex.split(card)
    assert pasted[:2] == ["arena", "debug"]
    assert arena(*pasted[1:]).exit_code == 1


def test_comparison_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("random", "fixer", "--variant", "bribery/2", "--budget", "1", *RUN_OPTIONS)
    assert arena("compare", *options).exit_code == 4
    assert [*tmp_path.iterdir()] == []


def test_rejects_invalid_comparisons(compared: Compared, tmp_path: Path) -> None:
    out = [*compared.options, "--out", tmp_path / "out"]
    assert "mine" in refused("compare", compared.new, compared.new, *out)
    assert "'plannr'" in refused("compare", "plannr", compared.new, *out)
    assert "'quick'" in refused("compare", "quick", compared.new, *out)
    few = ["--against", compared.field[0], "--out", tmp_path / "out", *RUN_OPTIONS]
    assert "got 1" in refused("compare", compared.old, compared.new, *few)
    other = ["--variant", "bribery/3", "--against", "random", "--out", tmp_path / "out"]
    text = refused("compare", "greedy", compared.new, *other, *RUN_OPTIONS)
    assert re.search(r"greedy \(old\).*bribery.*pot-de-vin", text)
    assert not (tmp_path / "out").exists()
    assert arena("compare", "a", "b", "--budget", "0").exit_code == 2
