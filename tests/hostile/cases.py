"""Hostile and broken bots: messages 1-20, processes 21-36, resources 37-43, attacks
44-62, submissions 63-69 and 97, runs 87-89 and 100-106, deals 98 and 99.

Attacks on the sandbox by programs, 70-83, 107-109, 114 and 115, are in `test_sandbox_attacks.py`;
attacks by memory, 90-96, 112 and 113, and by what the kernel grants a user, 110 and 111, in
`test_memory_attacks.py`; long calls of the kernel, 116, in `test_spinners.py`; the path of a bot,
117, in `tests/arena/sandbox/test_levels.py`.
Channels that remain, 84-86, are in `docs/security.md`.

Each is a few lines of Python that begin when the bot is asked for its second decision, after it has
taken the last legal action for its first one; or, where it says so, when the process starts.
"""

from typing import NamedTuple

from arena.protocol import FaultKind, Limits
from tests.arena.playing import BOTS, PATIENT

LATE = Limits(start_ms=120_000, move_ms=1_000)
"""For bots that are late; the others answer at once."""
SLOW_START = Limits(start_ms=2_000, move_ms=120_000)

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


class Case(NamedTuple):
    """What a bot does, and what comes of it."""

    number: int
    title: str
    does: str
    kinds: tuple[FaultKind, ...] = ()
    """Of the fault that it is charged with: one of these; none when the game is clean."""
    text: str = ""
    """A pattern of the sentence in the record."""
    came: str = ""
    """A pattern of what is shown of what it sent."""
    turns: int = 1
    """Decisions that count before the stand-in plays; 4 is the whole game."""
    limits: Limits = PATIENT
    from_start: bool = False
    """Whether it begins at once, not at its second decision."""

    @property
    def code(self) -> str:
        """The program."""
        return PRELUDE + ("" if self.from_start else SECOND_TURN) + self.does


NO_MESSAGE = "sent no message of the protocol: "
LONE_SURROGATE = f"{NO_MESSAGE}JSON is malformed: lone surrogate"
UNASKED = "answered something else than it was asked"
TOO_LATE = "no whole answer within 1000 ms|computed too much between its answers"
"""On a very busy machine, a bot can use what it may compute before its time is over."""
MALFORMED: tuple[FaultKind, ...] = ("malformed",)
TIMEOUT: tuple[FaultKind, ...] = ("timeout",)
CRASH: tuple[FaultKind, ...] = ("crash",)


def sends(
    number: int, title: str, expression: str, text: str, came: str = ".*", then: str = "hang()"
) -> Case:
    """Return a case of a line that is no proper answer."""
    does = f"send({expression})\n{then}"
    return Case(number, title, does, MALFORMED, text, came)


MESSAGES = [
    sends(1, "wrong JSON", 'b"{oops\\n"', NO_MESSAGE + "JSON is malformed", "'{oops'"),
    Case(
        2,
        "a line of 1 GB",
        "for _ in range(1 << 14):\n    send(b'x' * (1 << 16))",
        ("flood",),
        "sent a line of more than 65536 bytes",
        r"'x{256}'\.\.\. \(\d+ bytes\)",
    ),
    Case(
        3,
        "half a line",
        "send(act()[:20])\nhang()",
        TIMEOUT,
        TOO_LATE,
        """'{"type": "act", "tab'""",
        limits=LATE,
    ),
    Case(
        4,
        "slow drip",
        "for byte in act():\n    send(bytes([byte]))\n    time.sleep(0.1)\nhang()",
        TIMEOUT,
        TOO_LATE,
        "'{\"ty.*'",
        limits=LATE,
    ),
    Case(
        5,
        "answers before it is asked",
        "listen()\n"
        "turn = dict(table=1, turn=1, legal=['hide 5'])\n"
        'send(b\'{"type":"ready","protocol":1}\\n\' + act() + b\'\\n\')\nhang()',
        MALFORMED,
        UNASKED,
        "'.*act.*'",
        turns=0,
        from_start=True,
    ),
    sends(6, "unknown table", 'act(table=99) + b"\\n"', UNASKED, "'.*99.*'"),
    Case(
        7,
        "duplicate answer",
        'send((act() + b"\\n") * 2)\nhang()',
        MALFORMED,
        UNASKED,
        "'.*'",
        turns=2,
    ),
    sends(8, "answer to an old turn", 'act(turn=1) + b"\\n"', UNASKED),
    Case(
        9,
        "illegal action",
        'send(act(action="hide 99") + b"\\n")\nplay(99)',
        ("illegal",),
        "answered 'hide 99', which is not legal",
        "'.*hide 99.*'",
    ),
    sends(10, "true for a number", 'act(turn=True) + b"\\n"', NO_MESSAGE + "Expected `int`"),
    sends(10, "text for a number", 'act(table="1") + b"\\n"', NO_MESSAGE + "Expected `int`"),
    sends(
        11,
        "deep nesting",
        'act()[:-1] + b\',"x":\' + b"[" * 9999 + b"]" * 9999 + b"}\\n"',
        NO_MESSAGE + "lists or objects more than 64 deep",
    ),
    sends(12, "NaN", 'raw_turn(b"NaN") + b"\\n"', NO_MESSAGE),
    sends(12, "Infinity", 'raw_turn(b"Infinity") + b"\\n"', NO_MESSAGE),
    sends(12, "1e999", 'raw_turn(b"1e999") + b"\\n"', NO_MESSAGE),
    sends(13, "5,000 digits", 'raw_turn(b"9" * 5000) + b"\\n"', NO_MESSAGE),
    sends(13, "a number beyond 64 bits", 'raw_turn(b"%d" % 2**63) + b"\\n"', NO_MESSAGE),
    Case(
        14,
        "duplicate keys, the last counts",
        "send(b'{\"action\":\"x\",' + act()[1:] + b'\\n')\nplay(99)",
        turns=4,
    ),
    sends(14, "two types", 'act()[:-1] + b\',"type":"ready"}\\n\'', NO_MESSAGE),
    Case(14, "the same type twice", 'send(act()[:-1] + b\',"type":"act"}\\n\')\nplay(99)', turns=4),
    sends(15, "invalid UTF-8", 'act()[:-1] + b\',"x":"\\xff"}\\n\'', NO_MESSAGE + "not UTF-8"),
    sends(16, "lone surrogate", 'act(action="\\ud800") + b"\\n"', NO_MESSAGE + ".*lone surrogate"),
    sends(
        16, "lone surrogate, unread", 'act(x="\\ud800") + b"\\n"', NO_MESSAGE + ".*lone surrogate"
    ),
    sends(17, "byte order mark", 'b"\\xef\\xbb\\xbf" + act() + b"\\n"', NO_MESSAGE),
    sends(17, "UTF-16", 'act().decode().encode("utf-16") + b"\\n"', NO_MESSAGE + "not UTF-8"),
    Case(18, "CRLF", 'send(act() + b"\\r\\n")\nplay(99)', turns=4),
    sends(18, "a carriage return", 'act() + b"\\r" + act() + b"\\n"', NO_MESSAGE),
    sends(18, "a line separator", 'act() + "\\u2028".encode() + act() + b"\\n"', NO_MESSAGE),
    sends(19, "NUL bytes", 'b"\\0" + act() + b"\\0\\n"', NO_MESSAGE),
    sends(20, "a banner", 'b"I think...\\n" + act() + b"\\n"', NO_MESSAGE, "'I think...'"),
    Case(
        20,
        "a banner at the start",
        'listen()\nsend(b"My bot 1.0\\n")\nhang()',
        ("start",),
        NO_MESSAGE,
        "'My bot 1.0'",
        turns=0,
        from_start=True,
    ),
]

FORK_AND_WAIT = "    if os.fork() == 0:\n        signal.pause()\n"
PROCESSES = [
    Case(
        21,
        "closes its output",
        "os.close(1)\nsignal.pause()",
        TIMEOUT,
        TOO_LATE,
        limits=LATE,
    ),
    Case(
        21,
        "closes its output while another bot is asked",
        "send(act() + b'\\n')\nos.close(1)\nsignal.pause()",
        TIMEOUT,
        TOO_LATE,
        turns=2,
        limits=LATE,
    ),
    Case(
        22,
        "closes its input",
        "os.close(0)\nsignal.pause()",
        TIMEOUT,
        TOO_LATE,
        limits=LATE,
    ),
    Case(
        22,
        "never reads",
        'say(type="ready", protocol=1)\nsignal.pause()',
        TIMEOUT,
        TOO_LATE,
        turns=0,
        limits=LATE,
        from_start=True,
    ),
    Case(23, "exits in the middle of a game", "os._exit(0)", CRASH, "exited with code 0"),
    Case(
        24,
        "segfault",
        "import resource\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "os.kill(os.getpid(), signal.SIGSEGV)",
        CRASH,
        "was ended by SIGSEGV",
    ),
    Case(
        25,
        "stops itself",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        TIMEOUT,
        TOO_LATE,
        limits=LATE,
    ),
    Case(
        26,
        "ignores SIGTERM and does not leave",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsend(act() + b'\\n')\nplay(4)\n"
        "while True:\n    signal.pause()",
        turns=4,
    ),
    Case(
        27,
        "forks again and again",
        f"for _ in range(50):\n{FORK_AND_WAIT}os._exit(0)",
        ("crash", "timeout"),
        limits=LATE,
    ),
    Case(
        28,
        "leaves a daemon behind",
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        sys.stderr.write(f'{os.getpid()} ')\n        sys.stderr.flush()\n"
        "        os.write(1, b'\\n')\n        [os.close(fd) for fd in (0, 1, 2)]\n"
        "        signal.alarm(60)\n        signal.pause()\n    os._exit(0)\n"
        "signal.pause()",
        MALFORMED,
        NO_MESSAGE,
    ),
    Case(
        29,
        "leaves a child that holds the pipes",
        f"for _ in range(1):\n{FORK_AND_WAIT}os._exit(0)",
        ("crash", "timeout"),  # isolated, all of a bot ends with its first process
        f"exited with code 0|{TOO_LATE}",
        limits=LATE,
    ),
    Case(
        30,
        "changes its process all the time",
        "while True:\n    if os.fork():\n        os._exit(0)",
        ("crash", "timeout"),
        limits=LATE,
    ),
    Case(
        31,
        "floods stderr",
        "for _ in range(100):\n    os.write(2, b'\\x1b[2J' + b'x' * 65536)\nto_the_end()",
        turns=4,
    ),
    Case(
        32,
        "starts slowly",
        "time.sleep(600)",
        ("start",),
        "not ready within 2000 ms",
        turns=0,
        limits=SLOW_START,
        from_start=True,
    ),
    Case(
        33,
        "does not start",
        "sys.exit('no licence')",
        ("start",),
        "exited with code 1",
        turns=0,
        from_start=True,
    ),
    Case(
        34,
        "looks for descriptors that it inherits",
        "for fd in range(3, 256):\n    try:\n        os.fstat(fd)\n    except OSError:\n"
        "        continue\n    os._exit(9)\nto_the_end()",
        turns=4,
    ),
    Case(
        35,
        "dies while it is killed",
        "time.sleep(1)\nos._exit(3)",
        ("crash", "timeout"),
        limits=LATE,
    ),
]

RESOURCES = [
    Case(
        37,
        "takes much memory",
        "much = bytearray(b'x') * (64 << 20)\nsend(act(action='x') + b'\\n')\nplay(99)",
        ("illegal",),
        "answered 'x'",
        "'.*'",
    ),
    Case(
        38,
        "takes memory in several processes",
        "ready, told = os.pipe()\n"
        "for _ in range(2):\n    if os.fork() == 0:\n"
        "        much = bytearray(b'x') * (32 << 20)\n        os.write(told, b'x')\n"
        "        signal.pause()\n"
        "got = b''\nwhile len(got) < 2:\n    got += os.read(ready, 2)\n"
        "send(act(action='x') + b'\\n')\nplay(99)",
        ("illegal",),
        "answered 'x'",
        "'.*'",
    ),
    Case(
        41,
        "computes while others think",
        "def spin():\n    while True:\n        pass\n"
        "threading.Thread(target=spin, daemon=True).start()\nto_the_end()",
        turns=4,
    ),
    Case(
        42,
        "starts many threads",
        "for _ in range(100):\n"
        "    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\nto_the_end()",
        turns=4,
    ),
    Case(
        43,
        "raises its own limits",
        "import resource\nfor what in (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):\n"
        "    hard = resource.getrlimit(what)[1]\n    resource.setrlimit(what, (hard, hard))\n"
        "to_the_end()",
        turns=4,
    ),
]

ESCAPES = r"\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>"
SHOWN = [
    Case(
        55,
        "escape codes in its note",
        f"send(act(note='{ESCAPES}') + b'\\n')\nplay(99)",
        turns=4,
    ),
    Case(
        55,
        "escape codes in its action and its log",
        f"sys.stderr.write('{ESCAPES}')\nsys.stderr.flush()\n"
        f"send(act(action='{ESCAPES}') + b'\\n')\nplay(99)",
        ("illegal",),
        "answered ",
        "'.*script.*'",
    ),
    Case(
        56,
        "HTML and escape codes in its name",
        f"listen()\nsay(type='ready', protocol=1, name='{ESCAPES}', author='{ESCAPES}')\nplay(99)",
        turns=4,
        from_start=True,
    ),
]

CASES = [*MESSAGES, *PROCESSES, *RESOURCES, *SHOWN]

SANDBOX = (
    "denied by the sandbox: tests/arena/sandbox/test_levels.py, test_faults.py, "
    "tests/arena/check/test_sandbox_probe.py"
)
ARCHIVE = "tests/arena/contest/test_archive.py"
SUBMISSIONS = "tests/hostile/test_submissions.py"
ELSEWHERE = {
    36: "a soak: tests/benchmarks/test_soak.py",
    39: f"fills memory through /tmp: {SANDBOX}",
    40: f"fills the disk: {SANDBOX}",
    44: f"reads other bots' code: {SANDBOX}",
    45: f"reads the referee's memory: {SANDBOX}",
    46: "kills the referee: tests/benchmarks/test_soak.py, where it is killed and resumed",
    47: f"writes into the results: {SANDBOX}",
    48: f"opens a connection: {SANDBOX}",
    49: f"talks to another bot through files: {SANDBOX}",
    50: "talks to another bot through the load of the host: a risk that stays",
    51: f"reads secrets in the environment: {SANDBOX}",
    52: f"nests namespaces: {SANDBOX}",
    53: f"keeps what it knows in files: {SANDBOX}",
    54: "changes the clock: the referee's is monotonic, and to change any takes rights",
    57: f"a zip with paths upwards: {ARCHIVE}",
    58: f"a zip with links or devices: {ARCHIVE}; a folder with them: {SUBMISSIONS}",
    59: f"a zip that is a bomb: {ARCHIVE}, tests/arena/contest/test_archive.py",
    60: f"runs code where it is compiled or imported: {SANDBOX}, and never in the referee",
    61: "a plugin in the referee: those only that were installed, tests/arena/test_plugins.py",
    62: "test_nothing_is_ever_unpickled_or_evaluated in tests/hostile/test_hostile.py",
    63: f"a bot.toml that takes gigabytes to read: {SUBMISSIONS}",
    64: f"a command that names the program of another: {SUBMISSIONS}",
    65: f"a command of 100,000 arguments: {SUBMISSIONS}",
    66: f"program text that takes minutes or gigabytes to parse: {SUBMISSIONS}",
    67: f"a file that is huge, a pipe or a device: {SUBMISSIONS}",
    68: f"a link to the code of another: {SUBMISSIONS}",
    69: f"a program in a folder bin, for what is beside that: {SUBMISSIONS}",
    87: "edits the files of a bot during a run: tests/hostile/test_run.py",
    88: "stops the worker that asks it: tests/arena/tournament/test_heartbeat.py",
    89: "learns a deal from what is published of a run under way: tests/hostile/test_run.py",
    97: f"a submission that is killed during its check: {SUBMISSIONS}",
    98: "computes deals from a seed, or a secret that it can read: tests/hostile/test_deals.py",
    99: "knows the deals of published games in its next version: tests/hostile/test_deals.py",
    100: "prevents its own sandbox: tests/hostile/test_run.py, tests/arena/sandbox/test_faults.py",
    101: "kills workers again and again: tests/arena/tournament/test_executor_local.py",
    102: "dies, hangs or closes its output at any time: tests/arena/tournament/test_mortal_bots.py",
    103: "kills the run while its site is made: tests/arena/publish/test_refresh.py",
    104: "changes what a run has stored: tests/arena/tournament/test_forged_runs.py",
    105: "changes an export: tests/arena/tournament/test_forged_exports.py",
    106: "ends the run by a signal (SIGINT, SIGTERM, SIGHUP): tests/arena/commands/test_signals.py",
}
"""Those of the list that are no case here: what they are, and the tests that try them.

Of archives, only zips are accepted.
"""
