"""`arena audit`: does a run show collusion, or bots that are copies?"""

from collections.abc import Sequence
from pathlib import Path

import click

from arena.base.atomic_file import atomic_file
from arena.base.errors import StoreError
from arena.base.protocol import indented
from arena.commands.common import open_source, results_option, source_argument, variants_option
from arena.extras.audit.audit_report import AuditReport, report
from arena.extras.audit.run_audit import audit_records, programs_of
from arena.terminal.console import notice, say, say_data, terminal
from arena.tournament.display_names import names_of, with_names
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
        write_audit_page(page, told, name)
    if as_json:
        say_data(indented(found))
    else:
        for line in told.lines(terminal().width):
            say(line)
    if page:
        notice(f"page: {page}")


# -- the report as one web page that needs no other file ---------------------------------------


OWNER_ONLY = 0o600
TEMPLATE = "audit.html"


def audit_page(report: AuditReport, run: str) -> str:
    """Return the page of a report on `run`, with its style inside."""
    # Not above, since most audits write no page, and templates take a while to import.
    from markupsafe import Markup

    from arena.publish.render import STATIC_FILES, Renderer

    text = (STATIC_FILES / "style.css").read_text("utf-8")
    style = Markup(text)  # ours: it has no text of strangers
    return Renderer(run, (), templates=[Path(__file__).parent]).page(
        TEMPLATE, TEMPLATE, report=report, style=style
    )


def write_audit_page(path: Path, report: AuditReport, run: str) -> None:
    """Write the page of a report to `path`, which is replaced at once.

    Only its owner may read it, since a finding is not for the class before somebody has looked.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path, OWNER_ONLY) as file:
            file.write(audit_page(report, run).encode())
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror or error}; choose another file with --page"
        ) from None
