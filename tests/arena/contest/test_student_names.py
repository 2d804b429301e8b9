"""Tests that names in any script are displayed as they are and stay distinct."""

import pytest

from arena.base.errors import SubmissionError
from arena.contest.roster import MAX_ID_CHARS, display_name, each_different, safe_id
from arena.contest.settings import checked_bot_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ann", "ann"), ("Müller, Ann", "Muller-Ann"), ("Zoë Müller", "Zoe-Muller"), ("v1.2", "v1.2")],
)
def test_id_loses_accents(name: str, expected: str) -> None:
    assert safe_id(name) == expected


def test_ids_of_names_in_other_scripts_are_unique() -> None:
    names = [
        "李雷",
        "韩梅梅",
        "Đặng",
        "ang",
        "Ann 王",
        "Ann 李",
        "Ann",
        "й",
        "x" * 41,
        "x" * 42,
        "-",
    ]
    ids = [safe_id(name) for name in names]
    assert len({*ids}) == len(names)
    for one in ids:
        assert checked_bot_name(one) == one
        assert len(one) <= MAX_ID_CHARS
    assert safe_id("Zoe\u0308") == safe_id("Zoë"), "the same letters in another form"


def test_removes_invisible_characters_from_names() -> None:
    assert display_name("  Zoe\u0308 \t Müller ") == "Zoë Müller"
    assert display_name("\u0645\u06cc\u200c\u0631") == "\u0645\u06cc\u0631"
    for wrong in ("", "  ", "a\u202eb", "\x1b[31m", "x" * 61, "\ud800"):
        with pytest.raises(SubmissionError, match="printable characters"):
            display_name(wrong)


def test_display_names_are_distinguishable() -> None:
    shown = each_different(
        {"s1": "Ann Lee", "s2": "ann lee", "s3": "greedy", "greedy": "greedy", "s4": "李雷"}
    )
    assert shown == {
        "s1": "Ann Lee (s1)",
        "s2": "ann lee (s2)",
        "s3": "greedy (s3)",
        "greedy": "greedy",
        "s4": "李雷",
    }
