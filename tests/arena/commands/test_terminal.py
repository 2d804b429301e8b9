"""What the terminal offers: sections of the help, completions, JSON, names that were mistyped."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from arena.cli import COMMANDS, SECTIONS, main
from arena.commands.faults import ListedFault
from arena.commands.lists import ListedBot, ListedVariant
from arena.commands.try_bot import TryReport
from arena.plugins import bots
from arena.protocol import SeatFault
from arena.record import Evidence, Observations, write_record
from arena.tournament.store import Store
from engine import variants
from tests.arena.command import VARIANT, Played, arena, refused
from tests.arena.runs import made_up_settings, play_out, schedule_of

PROGRAM = "from arena.cli import main; main(prog_name='arena')"
ARENA = f'#!/bin/sh\nexec {sys.executable} -P -c "{PROGRAM}" "$@"\n'
SHELL_WITH_COMPLETION = """\
eval "$(arena completion bash)"
COMP_WORDS=({words} "")
COMP_CWORD={last}
_arena_completion arena
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


# -- help ------------------------------------------------------------------------------------------


def test_each_command_is_in_one_section_of_the_help() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_help_has_sections_and_whole_sentences(width: int) -> None:
    text = CliRunner().invoke(main, ["--help"], prog_name="arena", terminal_width=width).stdout
    assert max(map(len, text.splitlines())) <= width
    for section in SECTIONS:
        assert f"\n{section}:\n" in text
    in_a_line = " ".join(text.split())
    for name, (_, sentence) in COMMANDS.items():
        assert f"{name} {sentence}" in in_a_line
    assert "..." not in in_a_line.replace("[ARGS]...", "")


# -- completion ------------------------------------------------------------------------------------


def completed(*words: str) -> set[str]:
    """Return what is offered for the last of `words`."""
    *before, incomplete = words
    shell = ShellComplete(main, {}, "arena", "_ARENA_COMPLETE")
    return {one.value or one.type for one in shell.get_completions(before, incomplete)}


def test_commands_variants_games_bots_runs_and_files_are_completed(
    spring: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(spring.results.parent)
    assert completed("") == set(COMMANDS)
    assert completed("le") == {"leaderboard"}
    assert completed("run", "--variant", "pot-de-vin/4") == {"pot-de-vin/4", "pot-de-vin/4-teams"}
    assert completed("check", "x", "--game", "brib") == {"bribery"}
    assert completed("run", "--bot", "gre") == {"greedy", "gre"}, "files too"
    assert completed("try", "x", "--against", "timid,gre") == {"timid,greedy"}
    assert completed("show", "") == {"spring", "file"}
    assert completed("replay", "spr") == {"spring", "spr"}
    assert completed("faults", "spring", "--bot", "bot-") == {f"bot-{n}" for n in range(1, 5)}
    assert completed("faults", "autumn", "--bot", "bot-") == set()


def test_what_names_a_variant_a_game_or_a_run_is_completed_in_every_command(
    spring: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(spring.results.parent)
    assert isinstance(main, click.Group)
    for name in COMMANDS:
        for parameter in main.commands[name].params:
            words = [*parameter.opts, str(parameter.make_metavar(click.Context(main)))]
            context = click.Context(main.commands[name])
            offered = {one.value for one in parameter.shell_complete(context, "")}
            if "--variant" in words:
                assert set(variants()) <= offered, name
            if "RUN" in words[-1]:
                assert {"spring", ""} <= offered or "BOT BOT" in words[-1], name


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    program = tmp_path / "arena"
    program.write_text(ARENA)
    program.chmod(0o755)
    script = SHELL_WITH_COMPLETION.format(words="arena play --variant", last=3)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    answer = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, env=environment,
        cwd=tmp_path, check=False,
    )  # fmt: skip
    assert answer.stdout.split() == list(variants()), answer.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str) -> None:
    assert f"_ARENA_COMPLETE={shell}_complete" in arena("completion", shell).stdout


# -- JSON ------------------------------------------------------------------------------------------


def test_games_and_bots_are_listed_for_programs() -> None:
    listed = msgspec.json.decode(arena("games", "--json").stdout, type=list[ListedVariant])
    assert [one.variant for one in listed] == list(variants())
    teams = {one.variant: one.teams for one in listed}
    assert (teams[VARIANT], teams["pot-de-vin/4-teams"]) == (None, ((0, 2), (1, 3)))
    found = msgspec.json.decode(arena("bots", "--json").stdout, type=list[ListedBot])
    assert {one.bot: one.summary for one in found} == {
        one.name: one.summary for one in bots().values()
    }


def test_faults_are_listed_for_programs(tmp_path: Path) -> None:
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
    text = arena("faults", "spring", "--json", "--results", tmp_path).stdout
    (listed,) = msgspec.json.decode(text, type=list[ListedFault])
    expected = ListedFault(game.entrants[0], record.title, game.key, fault, evidence)
    assert listed == expected


def test_a_try_is_reported_for_programs() -> None:
    words = ["try", "greedy", "--games", 2, "--sandbox", "none", "--json"]
    report = msgspec.json.decode(arena(*words).stdout, type=TryReport)
    assert (report.bot, report.variant, report.games, report.boards) == ("greedy", VARIANT, 3, 1)
    assert [one.bot.partition("-")[0] for one in report.bots] == ["greedy", "random", "random"]
    assert report.score is not None
    assert report.faults == []


def test_two_forms_at_a_time_are_wrong_usage(spring: Played) -> None:
    for words in (["--json", "--csv"], ["--csv", "--json", "--matrix"]):
        result = arena("leaderboard", spring.folder, *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "got --json and --csv, expected one of them" in result.stderr


def test_what_commands_print_for_programs_is_json(spring: Played) -> None:
    for command in (["runs", "--results", spring.results], ["show", spring.folder]):
        assert json.loads(arena(*command, "--json").stdout)


# -- names that were mistyped ----------------------------------------------------------------------


def test_a_mistyped_variant_of_a_known_game_lists_those_of_this_game() -> None:
    text = refused("play", "--variant", "pot-de-vin/2")
    assert text == (
        "unknown variant 'pot-de-vin/2': the variants of pot-de-vin are pot-de-vin/3, "
        "pot-de-vin/4, pot-de-vin/5, pot-de-vin/4-teams, pot-de-vin/6-teams"
    )
    assert "did you mean 'pot-de-vin/3'" in refused("play", "--variant", "pot-de-vim/3")


def test_an_export_without_a_finished_board_says_so(tmp_path: Path) -> None:
    settings = made_up_settings(3, VARIANT)
    first, *_ = schedule_of(settings)
    with Store.create(tmp_path / "spring", settings) as store:
        store.add([(first.key, 0, write_record(play_out(first)), Observations())])
    file = tmp_path / "spring.jsonl"
    file.write_text(arena("export", "spring", "--results", tmp_path).stdout)
    assert refused("verify", file) == (
        f"there is nothing to check in {file}: no game of a finished board is in it"
    )
