"""The report of an audit, in plain words."""

import msgspec
import pytest

from arena.extras.audit.audit_report import MAX_WIDTH, report
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
    "bribery/4",
    "boss",
    "feeder",
    "opponent",
    boards=43,
    gain=4.48,
    error=0.36,
    p_value=4.6e-20,
    cause="gift",
    gift=5.19,
    gift_error=0.5,
    gift_p_value=0.00044,
    games=("bribery/4 board 17 rotation 2", "bribery/4 board 3 rotation 0"),
)


def text_of(audit: Audit, run: str = "spring") -> str:
    """Return the report without its line breaks and marks."""
    lines = [line.removeprefix("! ") for line in report(audit, run).lines()]
    assert max(map(len, lines)) <= MAX_WIDTH
    return " ".join(" ".join(lines).split())


def audit_with(**findings: object) -> Audit:
    """Return an audit with these findings."""
    return msgspec.structs.replace(Audit((EXAMINED,), (), (), (), ()), **findings)


def test_nothing_found_is_said_of_each_question() -> None:
    text = text_of(audit_with())
    assert text.startswith("No finding in any of the three questions.")
    assert text.count("No sign of it.") == 3
    assert "bribery/4: 100 complete boards of 8 bots." in text
    assert "A gain of 1.3 points a game is found in about half of the cases" in text


def test_what_was_not_examined_is_not_called_clean() -> None:
    text = text_of(audit_with(variants=(VariantCoverage("bribery/4", 0, 0, 0, 0, 0, None),)))
    assert text.count("There are too few boards to say anything.") == 3
    assert text.startswith("No finding, but there are too few boards for any")
    assert "No sign" not in text


def test_boss_and_feeder_are_named_with_how_much_and_how_sure() -> None:
    text = text_of(audit_with(gains=(GIFT,)), "my run")
    assert "feeder helps boss in bribery/4." in text
    assert "boss wins 4.5 ± 0.7 points a game more" in text
    assert "by chance in less than 1 of 1,000,000 runs" in text
    assert "gave boss 5.2 ± 1.0 points a game more than it gave to its other opponents" in text
    assert "by chance in 1 of 2,300 runs" in text
    assert "arena replay 'my run' bribery/4 board 17 rotation 2" in text


def test_a_gain_by_own_play_accuses_nobody() -> None:
    own = msgspec.structs.replace(GIFT, cause="own play")
    text = text_of(audit_with(gains=(own,)))
    assert "helps" not in text
    assert "does better against feeder than others do in bribery/4, by its own play" in text


def test_a_gain_of_partners_leaves_the_cause_open() -> None:
    partners = msgspec.structs.replace(GIFT, cause="unknown", relation="partner")
    text = text_of(audit_with(gains=(partners,)))
    assert text.startswith("No finding, but 1 open question.")
    assert "? boss does better as partner of feeder than others do" in text
    assert "help cannot be told from a style" in text


def test_openings_and_copies_are_named() -> None:
    likeness = Likeness(("a", "b"), 30, 30, 64, 0.23, 1e-12, is_near_copy=True)
    text = text_of(
        audit_with(
            openings=(OpeningDependence("bribery/4", "a", "c", 40, 0.0005),),
            likenesses=(
                likeness,
                msgspec.structs.replace(likeness, bots=("d", "e"), is_near_copy=False, later=3),
            ),
            same_files=(("x", "y", "z"),),
        )
    )
    assert "The first action of a in a game of bribery/4 depends on whether c is at" in text
    assert "a and b are near copies." in text
    assert "30 times (23 % is usual" in text
    assert "the 64 later situations" in text
    assert "as bots with the same first idea do: d and e. Too few" in text
    assert "x, y, z have the same files." in text
    assert text.startswith("Findings: 1 of secret knowledge, 2 of copies.")


def test_bots_with_the_same_files_are_named_once() -> None:
    likeness = Likeness(("x", "y"), 30, 30, 64, 0.23, 1e-12, is_near_copy=True)
    alike = ProgramLikeness(("x", "y"), 1.0, 80)
    text = text_of(audit_with(likenesses=(likeness,), programs=(alike,), same_files=(("x", "y"),)))
    assert "x, y have the same files." in text
    assert "x and y" not in text


def test_like_programs_are_named_and_what_was_not_compared() -> None:
    text = text_of(
        audit_with(
            programs=(ProgramLikeness(("a", "b"), 0.92, 120),),
            program_coverage=ProgramCoverage(("a", "b"), (LeftOut("c", "it has no Python files"),)),
        )
    )
    assert "a and b have like programs. 92 % of the shorter one (120 passages" in text
    assert "The programs of 2 bots were compared" in text
    assert "Left out: c (it has no Python files)." in text


def test_missing_programs_are_not_called_clean() -> None:
    assert "an exported file does not contain them" in text_of(audit_with())
    installed = text_of(audit_with(program_coverage=ProgramCoverage((), ())))
    assert "all bots of the run are installed ones" in installed


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_commands_are_whole_lines_at_any_width(width: int) -> None:
    lines = list(report(audit_with(gains=(GIFT,)), "spring").lines(width))
    assert max(map(len, lines)) <= min(width, MAX_WIDTH)
    for title in GIFT.games:
        assert f"    arena replay spring {title}" in lines
    marked = [line for line in lines if line.startswith("! ")]
    assert len(marked) == 1
    assert marked[0].startswith("! feeder helps boss")
