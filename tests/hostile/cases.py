"""Hostile and broken bots, in `cases.toml`: messages 1-20, processes 21-36, resources 37-43,
attacks 44-62, submissions 63-69 and 97, runs 87-89 and 100-106, deals 98 and 99.

Attacks on the sandbox by programs are in `arena/sandbox/attacks.toml`, and those by
memory in `memory.toml`; `[elsewhere]` in `cases.toml` names the tests of all others.

Each is a few lines of Python that begin when the bot is asked for its second decision, after it has
taken the last legal action for its first one; or, where it says so, when the process starts.
"""

import tomllib
from pathlib import Path

import msgspec

from arena.base.protocol import FaultKind, Limits
from tests.arena.playing import BOTS, PATIENT

LIMITS = {
    "patient": PATIENT,
    "late": Limits(start_ms=120_000, move_ms=1_000),
    "slow start": Limits(start_ms=2_000, move_ms=120_000),
}
"""For bots that answer at once, for those that are late, and for those that do not start."""
PRELUDE = f"""\
import json, os, signal, sys, threading, time
sys.path.insert(0, {str(BOTS)!r})
from polite import hang, listen, next_turn, play, say

def send(data):
    while data:
        data = data[os.write(1, data):]

def act(**other):
    answer = dict(type="act", table=turn["table"], turn=turn["turn"], action=turn["legal"][-1])
    return json.dumps(answer | other).encode()

def raw_turn(number):
    return act().replace(b'"turn": 2', b'"turn": ' + number)

def to_the_end():
    send(act() + b"\\n")
    play(99)
"""
SECOND_TURN = "play(1)\nturn = next_turn()\n"


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a bot does, and what comes of it."""

    number: int
    title: str
    does: str = ""
    sends: str = ""
    """Instead of `does`: the bytes that it sends before it hangs."""
    kinds: tuple[FaultKind, ...] = ()
    """Of the fault that it is charged with: one of these; none when the game is clean."""
    text: str = ""
    """A pattern of the sentence in the record."""
    came: str = ""
    """A pattern of what is shown of what it sent."""
    turns: int = 1
    """Decisions that count before the stand-in plays; 4 is the whole game."""
    limits: str = "patient"
    from_start: bool = False
    """Whether it begins at once, not at its second decision."""

    @property
    def code(self) -> str:
        """The program."""
        does = f"send({self.sends})\nhang()" if self.sends else self.does
        return PRELUDE + ("" if self.from_start else SECOND_TURN) + does


_TABLE = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))
CASES = msgspec.convert(
    [
        {k: v.strip("\n") if isinstance(v, str) else v for k, v in row.items()}
        for row in _TABLE["case"]
    ],
    list[Case],
)
ELSEWHERE = {int(number): text for number, text in _TABLE["elsewhere"].items()}
"""Those of the list that are no case here: what they are, and the tests that try them."""
