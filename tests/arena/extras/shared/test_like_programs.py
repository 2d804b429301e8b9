"""Copies are found though names, layout and comments are changed; lessons and templates are not."""

import random
from pathlib import Path

import pytest

from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.extras.shared.like_programs import (
    MIN_COMMON_BOTS,
    MIN_PASSAGES,
    TOO_LITTLE,
    ComparedPrograms,
    ProgramText,
    compare_programs,
    divide,
    read_programs,
)

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
    for number in range(9):
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


def compared(texts: dict[str, str], public: str = "") -> ComparedPrograms:
    """Return the comparison of programs in Python."""
    known = {"python": divide(public, "python").places.keys()}
    return compare_programs({bot: [divide(text, "python")] for bot, text in texts.items()}, known)


def test_a_disguised_copy_is_found_and_its_passages_are_marked() -> None:
    texts = {"ann": program_text(1), "ben": disguised(program_text(1)), "cem": program_text(2)}
    found = compared(texts)
    (pair,) = found.pairs
    assert (pair.bots, found.compared) == (("ann", "ben"), ("ann", "ben", "cem"))
    assert pair.share > 0.9
    for bot in pair.bots:
        pieces = found.texts[bot][0].pieces(pair.passages)
        assert "".join([piece for piece, _ in pieces]) == texts[bot]
        marked = sum([len(piece) for piece, is_shared in pieces if is_shared])
        assert marked > 0.8 * len(texts[bot])


def test_a_copied_part_of_a_longer_program_is_found() -> None:
    found = compared({"ann": program_text(1), "ben": program_text(2) + disguised(program_text(1))})
    (pair,) = found.pairs
    ann, ben = [len(pair.passages) / size for size in pair.sizes]
    assert pair.share == ann > 0.9 > 0.8 > ben > 0.3


@pytest.mark.slow
def test_what_is_public_or_common_does_not_count() -> None:
    template = program_text(1)
    texts = {"ann": template + program_text(2), "ben": template + program_text(3)}
    assert compared(texts).pairs
    assert not compared(texts, public=template).pairs
    alone = compared({"ann": template, "ben": template}, public=template)
    assert (alone.compared, alone.left_out) == ((), dict.fromkeys(texts, TOO_LITTLE))
    lesson = "".join([LESSON.replace("neighbours_of", f"neighbours_{n}") for n in range(20)])
    lesson += program_text(99)
    class_of = {f"s{seed}": lesson + program_text(seed) for seed in range(MIN_COMMON_BOTS)}
    assert not compared(class_of).pairs
    (pair,) = compared(class_of | {"thief": disguised(class_of["s1"])}).pairs
    assert pair.bots == ("s1", "thief")


def test_what_half_of_the_programs_share_is_no_lesson() -> None:
    half = MIN_COMMON_BOTS // 2
    shared = program_text(99) + program_text(98)
    texts = {
        f"s{seed}": program_text(seed) + (shared if seed < half else "")
        for seed in range(MIN_COMMON_BOTS)
    }
    assert len(compared(texts).pairs) == half * (half - 1) / 2


def test_programs_of_other_languages_are_compared_among_themselves() -> None:
    text = "".join(
        [
            f"function f{n}(a, b) {{ while (a{'[0]' * (n % 5)} > b{'.c' * (n % 7)}) "
            f"{{ a = b{' + a' * n}; }} return a || b; }}\n"
            for n in range(20)
        ]
    )
    programs = {
        "ann": [divide(text, "javascript"), divide(program_text(2), "python")],
        "ben": [divide(f"// mine\n{text}", "javascript")],
        "cem": [divide(program_text(1), "python")],
    }
    (pair,) = compare_programs(programs).pairs
    assert (pair.language, pair.bots, pair.share) == ("javascript", ("ann", "ben"), 1.0)


def test_what_the_program_does_counts_and_no_docstring() -> None:
    own = divide(program_text(1), "python").places.keys()
    with_docstring = program_text(1).replace("Mine:", 'Mine:\n    """Mine."""')
    assert divide(with_docstring, "python").places.keys() == own
    changed = divide(program_text(1).replace("while", "if not"), "python").places.keys()
    assert own & changed
    assert own - changed
    assert changed - own


@pytest.mark.parametrize("text", ["", "x = 1", "\x00\x01", "é" * 100, "x = (1,\n"])
def test_a_program_that_has_nothing_of_its_own_is_left_out(text: str) -> None:
    found = compared({"ann": text, "ben": text})
    assert (found.pairs, found.compared) == ((), ())
    assert found.left_out == {"ann": TOO_LITTLE, "ben": TOO_LITTLE}


def test_a_bot_without_a_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no program")
    with pytest.raises(BotError, match="no program in a known language"):
        read_programs(Entrant("ann", ("cat",), str(tmp_path), ""))


def made_of(**passages: range) -> dict[str, list[ProgramText]]:
    """Return by bot a program with these passages."""
    return {
        bot: [ProgramText("python", "", {passage: [] for passage in own})]
        for bot, own in passages.items()
    }


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        (range(100), range(60, 400), 1),
        (range(100), range(61, 400), 0),
        (range(MIN_PASSAGES), range(MIN_PASSAGES), 1),
        (range(MIN_PASSAGES - 1), range(MIN_PASSAGES - 1), 0),
    ],
)
def test_the_limits_of_what_is_like_are_sharp(first: range, second: range, pairs: int) -> None:
    assert len(compare_programs(made_of(ann=first, ben=second)).pairs) == pairs
