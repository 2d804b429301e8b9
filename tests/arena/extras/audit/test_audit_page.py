"""The page of an audit: one file, for its owner only, with the text of strangers escaped."""

import re
import stat
from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.extras.audit.audit_command import audit_page, write_audit_page
from arena.extras.audit.audit_report import AuditReport, AuditSection, Paragraph

HOSTILE = "<script>alert(1)</script>\x1b[2J"
REPORT = AuditReport(
    f"Findings: 1 of {HOSTILE}",
    (
        AuditSection(
            "Does a bot help?",
            (
                Paragraph(f"{HOSTILE} helps.", "finding", (f"arena replay {HOSTILE}", "second")),
                Paragraph("Help or style.", "open"),
                Paragraph("A style.", "note"),
            ),
        ),
        AuditSection("Copies?", (Paragraph("No sign.", "clear"), Paragraph("Too few.", "unknown"))),
        AuditSection("Meaning", (Paragraph("Look."),)),
    ),
)


def test_the_page_has_all_words_and_needs_nothing_else() -> None:
    page = audit_page(REPORT, f"spring {HOSTILE}")
    for section in REPORT.sections:
        assert f">{section.title}</h2>" in page
    for text in ("Help or style.", "A style.", "No sign.", "Too few.", "Look.", "second"):
        assert f"{text}<" in page
    assert not re.findall(r"<(?:script|link|img|iframe)|\b(?:src|href)=(?!\"#)|url\(|@import", page)
    assert "\x1b" not in page
    assert page.count("&lt;script&gt;") == 5, "title, header, headline, finding and command"
    assert "default-src 'none'" in page


def test_each_kind_is_marked() -> None:
    page = audit_page(REPORT, "spring")
    assert page.count('<b class="mark fault">Finding</b>') == 1
    assert page.count('<b class="mark">Open</b>') == 1
    assert page.count("<code>") == 2


def test_only_its_owner_reads_it_and_it_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "audit.html"
    for run in ("spring", "autumn"):
        write_audit_page(path, REPORT, run)
        assert f"<title>Audit of {run}</title>" in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="choose another file with --page"):
        write_audit_page(tmp_path / "file" / "audit.html", REPORT, "spring")
