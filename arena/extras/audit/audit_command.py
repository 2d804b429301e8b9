"""`arena audit`: does a run show collusion, or bots that are copies?"""

from collections.abc import Sequence
from pathlib import Path

import click

from arena.commands.common import open_source, results_option, source_argument, variants_option
from arena.extras.audit.audit_report import report
from arena.extras.audit.run_audit import audit_records, programs_of
from arena.protocol import indented
from arena.terminal.console import notice, say, say_data, terminal
from arena.tournament.run_names import names_of, with_names
from arena.tournament.runs import is_file


@click.command("audit")
@source_argument
@variants_option("Examine only this variant; may be repeated.")
@click.option(
    "--page",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE.html",
    help="Also write the report as a web page, for reading and printing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all digits.")
@results_option
def audit_command(
    source: str, variant_ids: Sequence[str], page: Path | None, as_json: bool, results: Path
) -> None:
    """Look for collusion in a run, and for copies among its bots.

    Names bots that are helped by others, bots that know who sits at their table, and bots that
    decide alike or have like programs, and says how certain that is. A finding is a reason to look
    at games, not a proof.
    """
    with open_source(results, source) as store:
        settings = store.settings()
        programs = None if is_file(source) else programs_of(settings.entrants, store.folder)
        found = audit_records(settings, store.records(), variant_ids, programs)
        name, names = store.name, names_of(store)
    told = report(with_names(found, names), source)
    if page:
        from arena.extras.audit.audit_page import write_audit_page  # imports templates: a while

        write_audit_page(page, told, name)
    if as_json:
        say_data(indented(found))
    else:
        for line in told.lines(terminal().width):
            say(line)
    if page:
        notice(f"page: {page}")
