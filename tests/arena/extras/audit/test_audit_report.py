"""The report of an audit, in plain words, and as a page for its owner only."""

import re
import stat
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import StoreError
from arena.extras.audit.audit_command import audit_page, write_audit_page
from arena.extras.audit.audit_report import MAX_WIDTH, AuditReport, AuditSection, Paragraph, report
from arena.extras.audit.findings import (
    Audit,
    Gain,
    LeftOut,
    Likeness,
    OpeningDependence,
    ProgramCoverage,
    ProgramLikeness,
    VariantCoverage,
)

EXAMINED = VariantCoverage("bribery/4", 100, 8, 56, 0, 56, 1.3)


GIFT = Gain(
    "bribery/4", "boss", "feeder", "opponent", boards=43, gain=4.48, error=0.36, p_value=4.6e-20,
    cause="gift", gift=5.19, gift_error=0.5, gift_p_value=0.00044,
    games=("bribery/4 board 17 rotation 2", "bribery/4 board 3 rotation 0"),
)  # fmt: skip
COPY = Likeness(("a", "b"), 30, 30, 64, 0.23, 1e-12, is_near_copy=True)
FEW = VariantCoverage("bribery/4", 0, 0, 0, 0, 0, None)
ALIKE = ProgramLikeness(("a", "b"), 0.92, 120)


def audit_with(**findings: object) -> Audit:
    """Return an audit with these findings."""
    return msgspec.structs.replace(Audit((EXAMINED,), (), (), (), ()), **findings)


@pytest.mark.parametrize("width", [60, 120])
def test_commands_are_whole_lines_at_any_width(width: int) -> None:
    lines = list(report(audit_with(gains=(GIFT,)), "spring").lines(width))
    assert max(map(len, lines)) <= min(width, MAX_WIDTH)
    for title in GIFT.games:
        assert f"    arena replay spring {title}" in lines
    marked = [line for line in lines if line.startswith("! ")]
    assert len(marked) == 1
    assert marked[0].startswith("! feeder helps boss")


@pytest.mark.parametrize(
    ("findings", "headline", "told", "untold"),
    [
        ({}, "No finding", ["100 complete boards of 8 bots", "A gain of 1.3 points"], ["helps"]),
        ({"variants": (FEW,)}, "No finding, but there are too few boards", [], ["No sign"]),
        (
            {"gains": (GIFT,)},
            "Finding",
            ["feeder helps boss in bribery/4", "4.5 ± 0.7 points", "5.2 ± 1.0 points", "'my run'"],
            [],
        ),
        (
            {"gains": (msgspec.structs.replace(GIFT, cause="own play"),)},
            "No finding",
            ["does better against feeder"],
            ["helps"],
        ),
        (
            {"gains": (msgspec.structs.replace(GIFT, cause="unknown", relation="partner"),)},
            "No finding, but 1 open question",
            ["? boss does better as partner of feeder"],
            ["helps"],
        ),
        (
            {"openings": (OpeningDependence("bribery/4", "a", "c", 40, 0.0005),)},
            "Findings: 1 of secret knowledge",
            ["of bribery/4 depends on whether c is at"],
            [],
        ),
        (
            {"same_files": (("a", "b"),), "likenesses": (COPY,), "programs": (ALIKE,)},
            "Finding",
            ["a, b have the same files"],
            ["a and b"],
        ),
        (
            {"likenesses": (COPY,), "program_coverage": ProgramCoverage((), ())},
            "Findings: 1 of copies",
            ["a and b are near copies", "all bots of the run are installed ones"],
            [],
        ),
        (
            {
                "programs": (ALIKE,),
                "program_coverage": ProgramCoverage(("a", "b"), (LeftOut("c", "no Python"),)),
            },
            "Finding",
            ["a and b have like programs. 92 %", "Left out: c (no Python)"],
            [],
        ),
    ],
)
def test_the_report_says_what_was_found_and_what_was_not(
    findings: dict[str, object], headline: str, told: list[str], untold: list[str]
) -> None:
    lines = [line.removeprefix("! ") for line in report(audit_with(**findings), "my run").lines()]
    assert max(map(len, lines)) <= MAX_WIDTH
    text = " ".join(" ".join(lines).split())
    assert text.startswith(headline)
    assert [part for part in told if part not in text] == []
    assert [part for part in untold if part in text] == []


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
    assert page.count('<b class="mark fault">Finding</b>') == 1
    assert page.count("<code>") == 2


def test_only_its_owner_reads_it_and_it_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "audit.html"
    for run in ("spring", "autumn"):
        write_audit_page(path, REPORT, run)
        assert f"<title>Audit of {run}</title>" in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]
    with pytest.raises(StoreError, match="choose another file with --page"):
        write_audit_page(path / "audit.html", REPORT, "spring")
