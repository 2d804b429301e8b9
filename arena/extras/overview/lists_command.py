"""`arena games` and `arena runs`: what there is, and all about one run."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from arena.commands.common import (
    json_option,
    open_run,
    open_source,
    results_option,
    say_json,
)
from arena.commands.completion import complete_runs, complete_sources
from arena.contest.run_roster import Names
from arena.extras.overview.run_progress import (
    BotProgress,
    RunProgress,
    RunSummary,
    VariantProgress,
    WorkerProgress,
    list_runs,
    progress_of,
)
from arena.plugins import bots
from arena.terminal.console import say
from arena.terminal.text_table import Column, print_table
from arena.tournament.contest_run import details_of
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.display_names import names_of
from arena.tournament.store import Store
from engine import variants

SPEED_SAMPLE_S = 1.0
"""Time over which the speed of a run under way is measured."""
STATES = {
    "stopped": "stopped; the same command resumes it",
    "exported": "exported under way",
}


@click.command("games")
@json_option
def games_command(as_json: bool) -> None:
    """List the games with their variants, and the installed bots.

    Bots are entered by their names. A bot plays all games unless it says which.
    """
    found, entered = variants().values(), bots().values()
    if as_json:
        fields, of_bot = ("game", "seats", "teams"), ("quick", "games", "summary")
        say_json(
            {
                "variants": [
                    {"variant": each.id} | {f: getattr(each, f) for f in fields} for each in found
                ],
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
    say("")
    print_table(
        [
            Column("bot", [each.name for each in entered], kind="word"),
            Column("quick", ["yes" if each.quick else "-" for each in entered], 2, "word"),
            Column("how it plays", [each.summary for each in entered], 1, kind="text"),
        ]
    )


@click.command("runs")
@click.argument("source", metavar="[RUN|FILE]", required=False, shell_complete=complete_sources)
@click.option(
    "--delete",
    "names",
    metavar="RUN",
    multiple=True,
    shell_complete=complete_runs,
    help="Delete this run with all its games, after a question; may be repeated.",
)
@click.option("--yes", is_flag=True, help="With --delete: do not ask.")
@json_option
@results_option
def runs_command(
    source: str | None, names: tuple[str, ...], yes: bool, as_json: bool, results: Path
) -> None:
    """List runs, those played last first, or print all about one.

    Of RUN, it prints the progress, the hash of the secret, the sandbox and the digest. FILE was
    written by `arena export`. In the list, the first run that is not a comparison of two versions
    is the latest: the one that commands take when RUN is left out.
    """
    if names:
        _delete(results, names, is_sure=yes)
    elif source is not None:
        _show(results, source, as_json=as_json)
    elif not (found := list_runs(results)) and not as_json:
        say(f"there is no run in {results}: play one with `arena run`")
    elif as_json:
        say_json(found)
    else:
        print_table(_columns(found))
        for run in found:
            if run.problem:
                say(f"{run.name} cannot be read: {run.problem}")


def _delete(results: Path, names: Sequence[str], *, is_sure: bool) -> None:
    for name in names:
        with open_run(results, name) as store:
            folder, played = store.folder, store.count()
        if is_sure or click.confirm(f"delete {folder} with its {played} games for good?", err=True):
            with Store.own(folder):  # no other process plays it
                shutil.rmtree(folder)
            say(f"{folder} is deleted")


def _columns(found: Sequence[RunSummary]) -> list[Column]:
    return [
        Column("run", [run.name for run in found], kind="text"),
        Column("state", [_state(run) for run in found], 1, "word"),
        Column("games", [_games(run) for run in found], 3),
        Column("bots", [str(run.bots) if run.bots else "-" for run in found], 4),
        Column("last played", [run.last_played[:16].replace("T", " ") for run in found], 2),
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


# -- one run -----------------------------------------------------------------------------------


def _show(results: Path, source: str, *, as_json: bool) -> None:
    with open_source(results, source) as store:
        progress, names, settings = progress_of(store), names_of(store), store.settings()
        if progress.process is not None:
            progress = msgspec.structs.replace(progress, games_per_s=_speed(store))
    if as_json:
        say_json(progress)
        return
    say(_headline(progress))
    if progress.shares_deals_with:
        say(f"its deals are also those of {', '.join(progress.shares_deals_with)}")
    tables = [_variants(progress.variants), _bots(progress.bots, names)]
    if progress.workers:
        tables.append(_workers(progress.workers))
    for columns in tables:
        print_table(columns)
    for text in details_of(settings):
        say(text)
    say(": ".join([f"sandbox {settings.sandbox.level}", *filter(None, [settings.sandbox.promise])]))
    say("digest of the run, which `arena verify` checks:")
    for line in digest_lines(progress.digest):
        say(f"  {line}")


def _speed(store: Database) -> float:
    """Return the speed of a run under way, in games a second."""
    before, began = store.count(), time.monotonic()
    time.sleep(SPEED_SAMPLE_S)
    return (store.count() - before) / (time.monotonic() - began)


def _headline(progress: RunProgress) -> str:
    most = "at most " if progress.is_limit else ""
    final = " (final)" if progress.is_final else ""
    text = f"{progress.run}{final}: {progress.games} of {most}{progress.games_to_play} games"
    if progress.games_per_s is None:
        return f"{text}, {STATES.get(progress.state, progress.state)}"
    text += f", under way in process {progress.process}, {progress.games_per_s:.0f} games/s"
    if not progress.games_per_s:
        return text
    minutes = sum([variant.left for variant in progress.variants]) / progress.games_per_s / 60
    return f"{text}, {most}{minutes:.1f} min left"


def _variants(variants: Sequence[VariantProgress]) -> list[Column]:
    certain = [variant.certain for variant in variants]
    return [
        Column("variant", [variant.variant for variant in variants], kind="word"),
        Column("bots", [str(variant.bots) for variant in variants], 1),
        Column("played", [str(variant.played) for variant in variants]),
        Column("left", [str(variant.left) for variant in variants]),
        *([Column("certain", certain, 2, kind="text")] if any(certain) else []),
    ]


def _bots(bots: Sequence[BotProgress], names: Names) -> list[Column]:
    authors = [bot.author for bot in bots]
    return [
        Column("bot", [names.shown(bot.bot) for bot in bots], kind="text"),
        *([Column("author", authors, 2, kind="text")] if any(authors) else []),
        Column("games", [str(bot.games) for bot in bots], 1),
        Column("faults", [str(bot.faults) for bot in bots], 1),
    ]


def _workers(workers: Sequence[WorkerProgress]) -> list[Column]:
    return [
        Column("worker", [worker.worker for worker in workers], kind="word"),
        Column("games", [str(worker.games) for worker in workers], 1),
        Column("host stalls", [str(worker.stalls) for worker in workers], 1),
    ]
