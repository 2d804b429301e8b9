"""Print information about a run, except its leaderboard."""

import time
from collections.abc import Sequence

import msgspec

from arena.contest.run_roster import Names
from arena.terminal.console import say
from arena.terminal.text_table import Column, print_table
from arena.tournament.contest_run import details_of
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.display_names import names_of
from arena.tournament.run_progress import (
    BotProgress,
    RunProgress,
    VariantProgress,
    progress_of,
)

SPEED_SAMPLE_S = 1.0
STATES = {
    "stopped": "stopped; run the same command again to resume",
    "exported": "exported under way",
}


def measured_progress(store: Database) -> RunProgress:
    """Return the progress of a run, including its speed if the run is in progress."""
    progress = progress_of(store)
    if progress.process is not None:
        progress = msgspec.structs.replace(progress, games_per_s=_speed(store))
    return progress


def print_run(store: Database) -> None:
    progress, names, settings = measured_progress(store), names_of(store), store.settings()
    say(_headline(progress))
    if progress.shares_deals_with:
        say(f"this run shares its deals with {', '.join(progress.shares_deals_with)}")
    for columns in (_variants(progress.variants), _bots(progress.bots, names)):
        print_table(columns)
    for text in details_of(settings):
        say(text)
    say("digest of the run, for `arena verify`:")
    for line in digest_lines(progress.digest):
        say(f"  {line}")


def _speed(store: Database) -> float:
    before, began = store.count(), time.monotonic()
    time.sleep(SPEED_SAMPLE_S)
    return (store.count() - before) / (time.monotonic() - began)


def _headline(progress: RunProgress) -> str:
    most = "at most " if progress.is_limit else ""
    final = " (final)" if progress.is_final else ""
    text = f"{progress.run}{final}: {progress.games} of {most}{progress.games_to_play} games"
    if progress.games_per_s is None:
        return f"{text}, {STATES.get(progress.state, progress.state)}"
    text += f", in progress in process {progress.process}, {progress.games_per_s:.0f} games/s"
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
