"""`arena faults`: what bots did wrong, a card for each."""

from pathlib import Path

import click

from arena.cards import fault_card
from arena.commands.common import open_run, results_option, say


@click.command()
@click.argument("run_name", metavar="RUN")
@click.option("--bot", "bot_name", metavar="NAME", help="Only those of this bot.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@results_option
def faults(run_name: str, bot_name: str | None, full: bool, results: Path) -> None:
    """Print what bots did wrong in a run, game by game: what was asked, what came."""
    stalled: list[str] = []
    withdrawn: dict[str, str] = {}
    with open_run(results, run_name) as store:
        for record, seen in store.what_was_seen():
            if seen.stalls:
                stalled.append(f"{record.title} ({seen.stalls} times)")
            for fault in record.faults:
                bot = record.entrants[fault.seat]
                if fault.kind == "withdrawn":
                    withdrawn.setdefault(bot, fault.text)
                elif bot_name in (None, bot):
                    say(fault_card(record, fault, seen, full) + "\n")
    for bot, reason in withdrawn.items():
        if bot_name in (None, bot):
            say(f"{bot} is withdrawn from the run: {reason}")
    if stalled and bot_name is None:
        say(f"void because the host stalled, and played again: {', '.join(stalled)}")
