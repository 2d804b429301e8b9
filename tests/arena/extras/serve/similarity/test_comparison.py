"""Copies are found though names, layout and comments are changed; lessons and templates are not."""

import random
from pathlib import Path

import pytest

pytest.importorskip("copydetect", reason="the extra `serve` is missing")

from arena.extras.serve.similar_programs import (
    MIN_COMMON,
    ComparedPrograms,
    Marked,
    StudentProgram,
    compare_programs,
    pieces,
)
from arena.extras.serve.similarity_report import make_report
from tests.arena.command import contest_text

LESSON = """
def neighbours_of(card, table):
    for one in table:
        if one.value > card.value and one.colour == card.colour:
            yield one
    return sorted([one for one in table if one.price < 3], key=lambda one: one.price)
"""


def expression(dice: random.Random, depth: int = 3) -> str:
    """Return an expression with operators, calls and lists by chance."""
    if depth == 0:
        return dice.choice(["key", "x", str(dice.randrange(99)), "self.y", "'text'"])
    one, other = expression(dice, depth - 1), expression(dice, depth - 1)
    return dice.choice([f"{one} + {other}", f"f({one}, {other})", f"[{one}, {other}]",
        f"({one} or {other})", f"{one}[{other}]", f"not {one} in {other}", f"{one} ** {other}",
        f"{{{one}: {other}}}", f"-{one} % {other}", f"({one} if {other} else x)",
    ])  # fmt: skip


def program_text(seed: int) -> str:
    """Return a program that has little in common with those of other seeds."""
    dice = random.Random(seed)
    lines = ["class Mine:"]
    for number in range(15):
        lines.append(f"    def method_{number}(self, x):")
        for _ in range(dice.randrange(1, 4)):
            opening = dice.choice(["while {}:", "for key in {}:", "if {}:", "with {} as key:"])
            lines.append(f"        {opening.format(expression(dice))}")
            lines.append(f"            x = {expression(dice)}")
        lines.append(f"        return {expression(dice)}")
    return "\n".join(lines) + "\n"


def disguised(text: str) -> str:
    """Return a program with other names, comments and layout."""
    for before, after in (("method_", "doing"), ("self", "me"), ("Mine", "Own"), ("key", "k")):
        text = text.replace(before, after)
    return "# all my own work\n\n" + text.replace("    def", "\n    # a comment\n    def")


def compared(
    texts: dict[str, str], public: str = "", teams: tuple[str, ...] = ()
) -> ComparedPrograms:
    """Return the comparison of programs in Python, where those of `teams` are one team."""
    programs = [
        StudentProgram(bot, "python", text, "red" if bot in teams else "")
        for bot, text in texts.items()
    ]
    known = [Marked(StudentProgram("", "python", public))] if public else []
    return compare_programs([Marked(one) for one in programs], known)


def test_a_disguised_copy_is_found_and_its_passages_are_marked() -> None:
    texts = {"ann": program_text(1), "ben": disguised(program_text(1)), "cem": program_text(2)}
    found = compared(texts)
    (pair,) = found.pairs
    assert {pair.first.bot, pair.second.bot} == {"ann", "ben"}
    assert pair.share > 0.9
    assert found.compared == ("ann", "ben", "cem")
    for shared in (pair.first, pair.second):
        text = texts[shared.bot]
        parts = pieces(text, shared.spans)
        assert "".join([part for part, _ in parts]) == text
        marked = sum([len(part) for part, is_shared in parts if is_shared])
        assert marked > 0.8 * len(text)


def test_a_copied_part_of_a_longer_program_is_found() -> None:
    found = compared({"ann": program_text(1), "ben": program_text(2) + disguised(program_text(1))})
    (pair,) = found.pairs
    by_bot = {one.bot: one.share for one in (pair.first, pair.second)}
    assert by_bot["ann"] > 0.9 > 0.8 > by_bot["ben"] > 0.3


def test_what_is_public_common_or_of_the_team_does_not_count() -> None:
    template = program_text(1)
    texts = {"ann": template + program_text(2), "ben": template + program_text(3)}
    assert compared(texts).pairs
    assert not compared(texts, public=template).pairs
    assert compared({"ann": template, "ben": template}, public=template).compared == ()
    assert not compared(texts, teams=("ann", "ben")).pairs
    lesson = "".join([LESSON.replace("neighbours_of", f"neighbours_{n}") for n in range(20)])
    class_of = {f"s{seed}": lesson + program_text(seed) for seed in range(MIN_COMMON)}
    assert not compared(class_of).pairs
    (pair,) = compared(class_of | {"thief": disguised(class_of["s1"])}).pairs
    assert (pair.first.bot, pair.second.bot) == ("s1", "thief")


def test_programs_of_other_languages_are_compared_among_themselves() -> None:
    text = "".join(
        [f"function f{n}(a, b) {{ while (a[{n}] > b.length) {{ a = b * {n}; }} return a || b; }}\n"
         for n in range(20)]
    )  # fmt: skip
    programs = [
        StudentProgram("ann", "javascript", text),
        StudentProgram("ben", "javascript", f"// mine\n{text}"),
    ]
    programs.append(StudentProgram("cem", "python", program_text(1)))
    (pair,) = compare_programs([Marked(one) for one in programs], []).pairs
    assert (pair.language, pair.first.bot, pair.second.bot) == ("javascript", "ann", "ben")


@pytest.mark.parametrize("text", ["", "x = 1", "\x00\x01", "é" * 100])
def test_a_program_that_has_nothing_of_its_own_is_left_out(text: str) -> None:
    assert compared({"ann": text, "ben": text}) == ComparedPrograms((), ())


def test_a_report_is_of_the_newest_submissions(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(contest_text())
    submissions = tmp_path / "submissions"
    for name, text in {
        "ann/1/bot.py": program_text(3),
        "ann/2/bot.py": program_text(1),
        "ben/1/bot.py": disguised(program_text(1)),
        "cem.py": program_text(2),
        "dora/1/bot.py": "x = 1\n",
        "eve/1/bot.py": "#" * 300_000,
        "fay/1/notes.txt": "no bot",
    }.items():
        (submissions / name).parent.mkdir(parents=True, exist_ok=True)
        (submissions / name).write_text(text)
    report = make_report(file)
    (pair,) = report.comparison.pairs
    assert (pair.first.bot, pair.second.bot) == ("ann", "ben")
    assert report.comparison.compared == ("ann", "ben", "cem")
    assert [name for name, _ in report.left_out] == ["dora", "eve", "fay"]
    assert report.program("ann", "python").text == program_text(1)
    assert [one.version for one in report.programs] == [2, 1]
