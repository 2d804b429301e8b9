"""What the terminal offers: help without imports, completions, JSON, names that were mistyped."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from arena.base.protocol import SeatFault
from arena.base.record import Evidence, Observations, write_record
from arena.check.fault_groups import FaultInGame
from arena.cli import main
from arena.plugins import bots, commands
from arena.tournament.store import Store
from engine import variants
from tests.arena.command import VARIANT, Played, arena, printed, refused
from tests.arena.runs import made_up_settings, play_out, schedule_of

# -- help ------------------------------------------------------------------------------------------


def test_help_fits_on_24_lines_of_80_columns() -> None:
    text = CliRunner().invoke(main, ["--help"], prog_name="arena").stdout
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    for name, command in commands().items():
        assert f"{name} {command.summary}" in " ".join(text.split())


# -- completion ------------------------------------------------------------------------------------


def completed(*words: str) -> set[str]:
    """Return what is offered for the last of `words`."""
    *before, incomplete = words
    shell = ShellComplete(main, {}, "arena", "_ARENA_COMPLETE")
    return {one.value or one.type for one in shell.get_completions(before, incomplete)}


def test_completes_words(spring: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(spring.results.parent)
    assert completed("") == {name.split()[0] for name in commands()}
    assert completed("le") == {"leaderboard"}
    assert completed("run", "--variant", "pot-de-vin/4") == {"pot-de-vin/4", "pot-de-vin/4-teams"}
    assert completed("check", "x", "--game", "brib") == {"bribery"}
    assert completed("run", "--bot", "gre") == {"greedy", "gre"}, "files too"
    assert completed("try", "x", "--against", "timid,gre") == {"timid,greedy"}
    assert completed("replay", "spr") == {"spring", "spr"}


def test_every_command_completes_its_arguments(
    spring: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(spring.results.parent)
    assert isinstance(main, click.Group)
    for name in main.commands:
        for parameter in main.commands[name].params:
            words = [*parameter.opts, str(parameter.make_metavar(click.Context(main)))]
            context = click.Context(main.commands[name])
            offered = {one.value for one in parameter.shell_complete(context, "")}
            if "--variant" in words:
                assert set(variants()) <= offered, name
            if "RUN" in words[-1]:
                files = set() if "FILE" not in words[-1] else {""}
                assert {"spring", *files} <= offered or words[-1].count("BOT"), name


# -- JSON ------------------------------------------------------------------------------------------


def test_lists_games_and_bots_as_json() -> None:
    both = json.loads(arena("games", "--json").stdout)
    listed = {game["variant"]: game for game in both["variants"]}
    assert list(listed) == list(variants())
    assert (listed[VARIANT]["teams"], listed["pot-de-vin/4-teams"]["teams"]) == (
        None,
        [[0, 2], [1, 3]],
    )
    assert {bot["bot"]: bot["summary"] for bot in both["bots"]} == {
        name: bot.summary for name, bot in bots().items()
    }


def test_lists_faults_as_json(tmp_path: Path) -> None:
    settings = made_up_settings(3, VARIANT)
    game, *others = schedule_of(settings)
    fault = SeatFault(0, 4, "crash", "it ended")
    evidence = Evidence(0, stderr="no licence")
    record = msgspec.structs.replace(play_out(game), faults=(fault,))
    with Store.create(tmp_path / "spring", settings) as store:
        seen = Observations(evidence=(evidence,))
        store.add([(game.key, 0, write_record(record), seen)])
        for place, other in enumerate(others, 1):
            store.add([(other.key, place, write_record(play_out(other)), Observations())])
    text = arena("logs", "spring", "--json", "--results", tmp_path).stdout
    (listed,) = msgspec.convert(msgspec.json.decode(text)["faults"], list[FaultInGame])
    expected = FaultInGame(game.entrants[0], record.title, game.key, fault, evidence)
    assert listed == expected


def test_rejects_two_output_formats(spring: Played) -> None:
    for words in (["--json", "--csv"], ["--csv", "--json", "--matrix"]):
        result = arena("leaderboard", spring.folder, *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "got --json and --csv, expected one of them" in result.stderr


# -- names that were mistyped ----------------------------------------------------------------------


def test_suggests_names_for_typos(spring: Played) -> None:
    text = refused("leaderboard", "sprin", "--results", spring.results)
    assert "'sprin'" in text
    assert "did you mean 'spring'?" in text
    assert "did you mean 'pot-de-vin/3'" in refused("play", "--variant", "pot-de-vim/3")
    of_the_game = refused("play", "--variant", "pot-de-vin/2")
    assert "pot-de-vin/6-teams" in of_the_game
    assert "bribery" not in of_the_game
    assert "unknown bot 'greedi': did you mean 'greedy'?" in refused("check", "greedi")


def test_summaries_equal_first_sentences_of_help() -> None:
    for name, listed in commands().items():
        command: Any = main.commands[name]
        assert listed.summary == " ".join(command.help.split("\n\n")[0].split())


def test_arena_without_arguments_shows_first_steps() -> None:
    steps = re.findall(r"^  arena (\S+) ", printed(), re.MULTILINE)
    listed = re.findall(r"^  (\S+)  ", printed("--help"), re.MULTILINE)
    assert steps == listed[:5] == ["play", "new", "check", "try", "run"]


def test_piped_tables_have_no_trailing_blanks() -> None:
    assert not re.search(r" $", printed("games"), re.MULTILINE)


def test_help_imports_no_command() -> None:
    program = "import sys; from arena.cli import main; main(['--help'], standalone_mode=False)"
    shown = f"{program}; print([one for one in sys.modules if one.startswith(LATER)])".replace(
        "LATER", "('arena.commands.', 'jinja2', 'numpy')"
    )
    done = subprocess.run([sys.executable, "-P", "-c", shown], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "['arena.commands.plugin']"


def test_run_imports_modules_while_workers_start() -> None:
    program = "import sys, arena.commands.run; from arena.plugins import get_executor; "
    shown = f"{program}get_executor('local'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", shown], capture_output=True, check=True)
    later = {"arena.commands.playing", "arena.match.driver", "importlib.metadata", "zipfile"}
    assert not later & set(done.stdout.decode().split())
