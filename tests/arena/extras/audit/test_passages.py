"""Passages of Python programs: what counts, and what does not."""

import pytest

from arena.extras.audit.passages import TOKENS, passages

PROGRAM = '''"""A bot."""
import os
from json import loads

def act(view, legal):
    """Choose."""
    best, value = None, -1  # nothing yet
    for action in legal:
        score = len(action) * 3 + view["points"][0]
        if score > value or (score == value and action < best):
            best, value = action, score
    return best
'''


def test_names_numbers_texts_comments_and_layout_do_not_count() -> None:
    other = (
        PROGRAM.replace("value", "worth")
        .replace("best", "chosen")
        .replace("* 3", "* 17")
        .replace('"points"', '"money"')
        .replace("  # nothing yet", "")
        .replace('    """Choose."""\n', "")
        .replace("import os\n", "import sys, re\n")
        .replace("    ", "\t")
        .replace("score == worth and", "score == worth\n\n\t\t\tand  # equal\n\t\t\t")
    )
    assert passages([other]) == passages([PROGRAM])
    assert len(passages([PROGRAM])) > TOKENS


def test_what_the_program_does_counts() -> None:
    own = passages([PROGRAM])
    changed = passages([PROGRAM.replace("score > value or", "not score > value and")])
    assert own & changed
    assert own - changed
    assert changed - own


def test_files_do_not_run_into_each_other() -> None:
    assert passages([PROGRAM, PROGRAM]) == passages([PROGRAM])
    assert passages(["a = 1\n", "b = 2\n"] * TOKENS) == frozenset()


@pytest.mark.parametrize("text", ["x = (1,\n", "if x:\n        y\n    z\n"])
def test_what_is_no_python_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        passages([text])
