"""`arena games` and `arena runs`: list games and runs."""

from collections.abc import Sequence
from pathlib import Path

import click

from arena.commands.common import (
    json_option,
    results_option,
    say_json,
)
from arena.plugins import bots
from arena.terminal.console import say
from arena.terminal.text_table import Column, print_table
from arena.tournament.run_progress import (
    RunSummary,
    list_runs,
)
from engine import variants
from engine.plugins import all_variants


@click.command("games")
@json_option
def games_command(as_json: bool) -> None:
    """List all games, their variants, and the installed bots.

    Use these names to refer to bots. In the JSON output, a bot with an empty list of games can
    play every game.
    """
    found, entered = variants().values(), bots().values()
    on_request = [each for each in all_variants().values() if each.on_request]
    if as_json:
        fields, of_bot = ("game", "seats", "teams"), ("quick", "games", "summary")
        say_json(
            {
                key: [{"variant": each.id} | {f: getattr(each, f) for f in fields} for each in some]
                for key, some in (("variants", found), ("on_request", on_request))
            }
            | {
                "bots": [
                    {"bot": each.name} | {f: getattr(each, f) for f in of_bot} for each in entered
                ],
            }
        )
        return
    teams = [" ".join("+".join(map(str, team)) for team in each.teams or ()) for each in found]
    print_table(
        [
            Column("variant", [each.id for each in found], kind="word"),
            Column("seats", [str(each.seats) for each in found], 1),
            Column("teams", [text or "-" for text in teams], 2, "word"),
        ]
    )
    if on_request:
        first, names = on_request[0], ", ".join([each.id for each in on_request])
        example = f"`--variant {first.id}` or `--game {first.game}`"
        say(f"\nnot played by default; name them, as in {example}: {names}")
    say("")
    print_table(
        [
            Column("bot", [each.name for each in entered], kind="word"),
            Column("quick", ["yes" if each.quick else "-" for each in entered], 2, "word"),
            Column("how it plays", [each.summary for each in entered], 1, kind="text"),
        ]
    )


@click.command("runs")
@json_option
@results_option
def runs_command(as_json: bool, results: Path) -> None:
    """List runs, most recently played first.

    Use `arena leaderboard RUN --all` to print the complete results of a run. To delete a run,
    remove its folder. By default, other commands use the latest run, but skip runs that compare
    two bot versions.
    """
    if not (runs := list_runs(results)) and not as_json:
        say(f"there is no run in {results}: play one with `arena run`")
    elif as_json:
        say_json(runs)
    else:
        print_table(_columns(runs))
        for run in runs:
            if run.problem:
                say(f"{run.name} cannot be read: {run.problem}")


def _columns(runs: Sequence[RunSummary]) -> list[Column]:
    return [
        Column("run", [run.name for run in runs], kind="text"),
        Column("state", [_state(run) for run in runs], 1, "word"),
        Column("games", [_games(run) for run in runs], 3),
        Column("bots", [str(run.bots) if run.bots else "-" for run in runs], 4),
        Column("last played", [run.last_played[:16].replace("T", " ") for run in runs], 2),
    ]


def _state(run: RunSummary) -> str:
    kind = "comparison, " if run.is_comparison else "final, " if run.is_final else ""
    return f"{kind}{run.state}"


def _games(run: RunSummary) -> str:
    if run.state == "unreadable":
        return "-"
    if run.state == "complete":
        return str(run.games)
    return f"{run.games} of {'at most ' if run.is_limit else ''}{run.games_to_play}"
