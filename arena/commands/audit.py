"""`arena audit`: does a run show collusion, or bots that are copies?"""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from arena.commands.common import open_source, results_option
from arena.terminal.audit_report import report
from arena.terminal.console import say, say_data
from arena.tournament.auditing import audit_records
from arena.tournament.settings import Settings


@click.command("audit")
@click.argument("source", metavar="RUN|FILE")
@click.option(
    "--variant",
    "variant_ids",
    multiple=True,
    metavar="ID",
    help="Examine only this variant; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all digits.")
@results_option
def audit_command(source: str, variant_ids: Sequence[str], as_json: bool, results: Path) -> None:
    """Look for collusion in a run, and for copies among its bots.

    Names bots that are helped by others, bots that know who sits at their table, and bots that
    decide alike, and says how certain that is. A finding is a reason to look at games, not a proof.
    """
    with open_source(results, source) as store:
        found = audit_records(store.settings(Settings), store.records(), variant_ids)
    if as_json:
        say_data(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    else:
        for line in report(found, source):
            say(line)
