"""Two versions of a bot are compared, and two bots of a run."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from arena.tournament.comparison import COMPARISON_FILE
from arena.tournament.play_game import play as arena_play
from tests.arena.command import Played, arena, printed, refused
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


# -- two versions ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_better_version_is_found_and_told_to_programs(compared: Compared) -> None:
    assert compared.answer.returncode == 0, compared.answer.stderr
    result = json.loads(compared.answer.stdout)
    assert (result["verdict"], result["variant"]) == ("better", VARIANT)
    assert (result["old"]["bot"], result["new"]["bot"]) == ("mine (old)", "mine (new)")
    assert result["old"]["faults"] == 2 * result["boards"]
    assert result["evidence_better"] >= 20
    assert result["low"] <= result["difference"] <= result["high"]
    assert result["against"] == ["bot-1", "bot-2", "bot-3"]
    assert compared.answer.stdout == (compared.folder / COMPARISON_FILE).read_text()


def test_a_decided_comparison_is_printed_again(compared: Compared) -> None:
    again = arena(*compared.command(compared.folder, 1))
    assert again.exit_code == 0
    assert str(compared.folder) in again.stderr
    first, second, *_ = again.stdout.splitlines()
    assert re.match(r"mine \(new\) is better than mine \(old\): \d+\.\d% ± \d+\.\d after ", first)
    assert f"in {VARIANT}, 95% bounds" in second
    assert "mine (new) 0, mine (old)" in again.stdout
    assert f"arena logs {compared.folder}" in again.stderr


@pytest.mark.slow
def test_a_zip_is_a_bot_in_each_command(compared: Compared, tmp_path: Path) -> None:
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
    faults = printed("logs", "r", "--results", tmp_path, "--save", tmp_path / "faults")
    card = faults.rpartition("  again ")[2].partition("\n\n")[0]
    pasted = shlex.split(card.replace("\\\n", ""))
    assert pasted[:2] == ["arena", "debug"]
    assert arena(*pasted[1:]).exit_code == 1


def test_a_comparison_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("random", "fixer", "--variant", "bribery/2", "--budget", "1", *RUN_OPTIONS)
    assert arena("compare", *options).exit_code == 4
    assert [*tmp_path.iterdir()] == []
    kept = arena("compare", *options, "--keep")
    (folder,) = (tmp_path / "results").iterdir()
    assert f"kept in results/{folder.name}" in kept.stderr


def test_what_cannot_be_compared_is_refused(compared: Compared, tmp_path: Path) -> None:
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
    for wrong in (["a"], ["a", "b", "c", "d"]):
        answer = arena("compare", *wrong)
        assert answer.exit_code == 2
        assert f"got {' '.join(wrong)}, expected " in answer.stderr
    assert arena("compare", "a", "b", "--budget", "0").exit_code == 2


# -- two bots of a run -------------------------------------------------------------------------


def test_two_bots_of_a_run_are_compared_by_its_records(spring: Played, tmp_path: Path) -> None:
    file = tmp_path / "spring.jsonl"
    file.write_bytes(arena("export", spring.folder).stdout_bytes)
    by_name = arena("compare", "spring", "bot-1", "bot-2", "--results", spring.results)
    by_file = arena("compare", file, "bot-1", "bot-2")
    assert (by_name.exit_code, by_name.stderr) == (0, "")
    assert by_file.stdout == by_name.stdout
    last = by_name.stdout.splitlines()[-1]
    assert re.search(r" [-+]\d+\.\d%", last)
    assert "95%" not in last, "there are too few boards for an interval"
    found = json.loads(arena("compare", file, "bot-2", "bot-1", "--json").stdout)
    assert [one["bot"] for one in found["bots"]] == ["bot-2", "bot-1"]
    mirrored = json.loads(arena("compare", file, "bot-1", "bot-2", "--json").stdout)
    assert found["gap"] == pytest.approx(-mirrored["gap"])
    only = arena("compare", file, "bot-1", "bot-2", "--json", "--variant", "pot-de-vin/4-teams")
    assert json.loads(only.stdout)["boards_together"] == 1


def test_bots_that_a_run_lacks_are_refused(spring: Played) -> None:
    assert "'bot-1'?" in refused("compare", spring.folder, "bot1", "bot-2")
    assert "'bot-1' twice" in refused("compare", spring.folder, "bot-1", "bot-1")
    assert "--budget" in arena("compare", spring.folder, "bot-1", "bot-2", "--budget", "3").stderr
    assert "'autumn'" in refused("compare", "autumn", "bot-1", "bot-2", "--results", spring.results)
