"""The report of an audit as one web page that needs no other file."""

from pathlib import Path

from markupsafe import Markup

from arena.atomic_file import atomic_file
from arena.errors import StoreError
from arena.extras.audit.audit_report import AuditReport
from arena.publish.render import STATIC_FILES, Renderer

OWNER_ONLY = 0o600
STYLE = STATIC_FILES / "style.css"
TEMPLATE = "audit.html"


def audit_page(report: AuditReport, run: str) -> str:
    """Return the page of a report on `run`, with its style inside."""
    style = Markup(STYLE.read_text("utf-8"))  # ours: it has no text of strangers
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
