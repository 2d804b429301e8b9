"""Print the progress and the settings of a run."""

from arena.terminal.console import say
from arena.terminal.text_table import Column, print_table
from arena.tournament.contest_run import details_of
from arena.tournament.database import Database
from arena.tournament.digest import digest_lines
from arena.tournament.run_progress import RunProgress, progress_of

STATES = {
    "stopped": "stopped; run the same command again to resume",
    "exported": "exported under way",
}


def print_run(store: Database) -> None:
    progress = progress_of(store)
    say(_headline(progress))
    if progress.shares_deals_with:
        say(f"this run shares its deals with {', '.join(progress.shares_deals_with)}")
    variants = progress.variants
    print_table(
        [
            Column("variant", [variant.variant for variant in variants], kind="word"),
            Column("bots", [str(variant.bots) for variant in variants], 1),
            Column("played", [str(variant.played) for variant in variants]),
            Column("left", [str(variant.left) for variant in variants]),
        ]
    )
    for text in details_of(store.settings()):
        say(text)
    say("digest of the run, for `arena verify`:")
    for line in digest_lines(progress.digest):
        say(f"  {line}")


def _headline(progress: RunProgress) -> str:
    most = "at most " if progress.is_limit else ""
    final = " (final)" if progress.is_final else ""
    text = f"{progress.run}{final}: {progress.games} of {most}{progress.games_to_play} games"
    if progress.process is not None:
        return f"{text}, in progress in process {progress.process}"
    return f"{text}, {STATES.get(progress.state, progress.state)}"
