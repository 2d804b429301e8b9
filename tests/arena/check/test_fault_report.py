"""The card of a fault: what was asked and received, and what to do about it."""

import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.protocol import FaultKind, SeatFault
from arena.base.record import Evidence
from arena.check.fault_report import REMEDIES, CardStyle, card, remedy

anything = st.text(max_size=300)


def test_each_kind_of_fault_has_advice_and_is_in_the_protocol() -> None:
    kinds = set(get_args(FaultKind))
    assert {*REMEDIES, "withdrawn"} == kinds
    table = Path("docs/protocol.md").read_text("utf-8").partition("## Faults")[2]
    assert set(re.findall(r"^\| `(\w+)` \|", table.partition("###")[0], re.MULTILINE)) == kinds


@settings(max_examples=10)
@given(
    bot=anything,
    text=anything,
    asked=anything,
    came=anything,
    stderr=anything,
    legal=st.lists(anything, max_size=3),
    width=st.integers(40, 120),
)
def test_reports_are_narrow_and_escape_control_characters(
    bot: str, text: str, asked: str, came: str, stderr: str, legal: list[str], width: int
) -> None:
    fault = SeatFault(0, 0, "malformed", text, tuple(legal))
    shown = card(bot, "here", fault, Evidence(0, asked, came, stderr), CardStyle(True, "", width))
    assert all(line.isprintable() and len(line) <= width for line in shown.split("\n")), shown


def test_wrapped_lines_are_aligned() -> None:
    fault = SeatFault(0, 0, "malformed", "x" * 46 + " word", ())
    assert f"\n{14 * ' '}word\n" in card(
        "a", "", fault, Evidence(0, "", "", ""), CardStyle(width=60)
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("", "nothing until the next request"),
        ("{", "nothing until the next request"),
        ('{"type":"bye"}', "the bot exits"),
        (
            '{"type":"turn","table":7,"turn":3,"view":{},"events":[],"legal":["a"],"clock_ms":1}',
            '{"type":"act","table":7,"turn":3,"action":ACTION} with a legal action',
        ),
    ],
)
def test_report_says_what_was_expected(asked: str, expected: str) -> None:
    fault = SeatFault(0, 0, "malformed", "sent nonsense")
    lines = card("bot", "here", fault, Evidence(0, asked, "nonsense")).splitlines()
    assert f"  expected    {expected}" in lines


@pytest.mark.parametrize(
    ("fault", "evidence", "advice"),
    [
        (
            SeatFault(0, 0, "illegal", "answered 'aldo-4'", ("play aldo-3", "play aldo-4")),
            Evidence(0, came='{"type":"act","action":"aldo-4"}'),
            "did you mean `play aldo-4`",
        ),
        (SeatFault(0, 0, "malformed", ""), Evidence(0, came="'hello'"), "console.error"),
        (SeatFault(0, 0, "malformed", ""), Evidence(0, came="'{}'"), "with its `table`"),
        (SeatFault(0, 0, "timeout", "used more than 9 ms of processor time"), Evidence(0), "loop"),
        (SeatFault(0, 0, "timeout", "was idle for more than 9 ms"), Evidence(0), "fflush"),
        (SeatFault(0, 0, "start", ""), Evidence(0, stderr="SyntaxError"), "stderr"),
        (
            SeatFault(0, 0, "start", ""),
            Evidence(0, stderr="ModuleNotFoundError: No module named 'numpy'"),
            "the teacher can install it with `pip install numpy`",
        ),
        (
            SeatFault(0, 3, "crash", ""),
            Evidence(0, stderr="ModuleNotFoundError: No module named 'torch.nn'"),
            "pip install torch",
        ),
        (SeatFault(0, 3, "crash", ""), Evidence(0, stderr="x\nMemoryError"), "out of memory"),
        (SeatFault(0, 0, "start", ""), Evidence(0, came="'hello'"), "console.error"),
        (SeatFault(0, 0, "crash", "exited with code 1"), Evidence(0, stderr="x"), "in stderr"),
        (SeatFault(0, 0, "crash", "exited with code 1"), Evidence(0), "nothing to stderr"),
        (SeatFault(0, 0, "crash", "exited with code 0"), Evidence(0, stderr="x"), "sys.exit"),
        (
            SeatFault(0, 0, "crash", "was killed because it used 9 MiB; the limit is 8 MiB"),
            Evidence(0, stderr="x"),
            "within the limit",
        ),
    ],
)
def test_advice_matches_the_evidence(fault: SeatFault, evidence: Evidence, advice: str) -> None:
    assert advice in remedy(fault, evidence)
