"""The bots of `soak.py`: honest ones, ones with many faults, and ones that attack.

An attacker draws from its seed whether and when it attacks in a game. So it attacks again when the
game is replayed to it. The numbers are those of the hostile bots in `tests/hostile/cases.toml`.
"""

from typing import NamedTuple

from arena.base.protocol import FaultKind

ATTACK_SHARE = 0.05
"""The share of the games of an attacker in which it attacks."""
MEMORY_MIB, PROCESSES = 128, 64
"""The bounds of a bot."""

PLAYS = """\
import json, os, random, signal, sys, time

def before(): pass
def after(): pass
def at_end(): pass

def say(message):
    data = json.dumps(message).encode() + b"\\n"
    while data:
        data = data[os.write(1, data):]

def fork(number, does):
    for _ in range(number):
        if os.fork() == 0:
            os.setsid()
            signal.alarm(30)  # where its sandbox does not end it with the bot
            does()

def spin():
    while True:
        pass

def play():
    dice, moments = {}, {}
    for line in sys.stdin:
        message = json.loads(line)
        kind, table = message["type"], message.get("table")
        if kind == "hello":
            say(dict(type="ready", protocol=1))
        elif kind == "start":
            dice[table] = random.Random(message["seed"])
            attacks = dice[table].random() < SHARE
            moments[table] = dice[table].randint(1, 4) if attacks else None
        elif kind == "turn":
            action = dice[table].choice(message["legal"])
            attacks = message["turn"] == moments[table]
            if attacks:
                before()
            say(dict(type="act", table=table, turn=message["turn"], action=action))
            if attacks:
                after()
        elif kind == "end":
            del dice[table]
            if moments.pop(table):
                at_end()
"""
FAULT_SHARE = 0.05
"""The share of the moves of a faulty bot that are faulty, and of its games at whose end it dies."""

FAULTY_BOT = f"""\
import json, os, random, sys

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

FAULTS = ["illegal", "json", "turn", "exit", "abort", "flood"]
dice = {{}}
for line in sys.stdin:
    message = json.loads(line)
    kind, table = message["type"], message.get("table")
    if kind == "hello":
        say(json.dumps({{"type": "ready", "protocol": 1}}))
    elif kind == "start":
        dice[table] = random.Random(message["seed"])
    elif kind == "end":
        if dice.pop(table).random() < {FAULT_SHARE}:
            raise RuntimeError("at the end")
    elif kind == "turn":
        answer = {{"type": "act", "table": table, "turn": message["turn"]}}
        answer["action"] = dice[table].choice(message["legal"])
        fault = None
        if dice[table].random() < {FAULT_SHARE}:
            fault = dice[table].choice([*FAULTS, "leave"])
            sys.stderr.write(f"now {{fault}}\\n" * 50)
            sys.stderr.flush()
        if fault == "exit":
            os._exit(1)
        elif fault == "abort":
            os.kill(os.getpid(), 9)
        elif fault == "flood":
            say("x" * 100_000)
        elif fault == "json":
            say("{{oops")
        else:
            answer["turn"] += fault == "turn"
            answer["action"] += " twice" * (fault == "illegal")
            say(json.dumps(answer))
        if fault == "leave":
            os._exit(3)
"""
"""Draws from its seed only, so its faults are the same in every run."""


class SoakBot(NamedTuple):
    """A bot of the soak."""

    program: str
    faults: frozenset[FaultKind] = frozenset()
    """The faults that it may be charged with."""


def _bot(does: str, *faults: FaultKind, share: float = ATTACK_SHARE) -> SoakBot:
    return SoakBot(f"{PLAYS}\n{does}\nSHARE = {share}\nplay()\n", frozenset(faults))


FAULTY = SoakBot(FAULTY_BOT, frozenset(("crash", "malformed", "illegal", "flood")))
BOTS = {
    "quick": _bot(""),
    "thinker": _bot(
        """
def before():
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
""",
        share=1.0,
    ),
    "faulty-1": FAULTY,
    "faulty-2": FAULTY,
    "sleeper": _bot("def before(): time.sleep(600)", "timeout"),
    "flooder": _bot(  # 2, 31
        """
def before():
    for _ in range(100):
        os.write(2, b"x" * 65536)
    while True:
        os.write(1, b"x" * 65536)
""",
        "flood",
    ),
    "closer": _bot(  # 21
        """
def after():
    os.close(1)
    signal.pause()
""",
        "timeout",
    ),
    "dying": _bot(  # it is replaced, and not charged
        """
def at_end():
    os._exit(1)
"""
    ),
    "quitter": _bot("def after(): os.kill(os.getpid(), signal.SIGSEGV)", "crash"),  # 24
    "forker": _bot(  # 27, 28
        f"""
def after():
    fork({2 * PROCESSES}, signal.pause)
    signal.pause()
""",
        "crash",
        "timeout",
    ),
    "hog": _bot(  # 37, 38
        f"""
def before():
    fork(2, hold)
    signal.pause()

def hold():
    much = bytearray(b"x") * ({MEMORY_MIB} << 20)
    signal.pause()
""",
        "crash",
        "timeout",
    ),
    "spinner": _bot("def after(): fork(4, spin)", "timeout"),  # 41, 50
    "watcher": _bot(  # 110
        """
def before():
    import select
    watched, epolls = os.pipe()[0], [select.epoll() for _ in range(60)]
    for number in range(100, 200):
        os.dup2(watched, number)
        for epoll in epolls:
            epoll.register(number)
    signal.pause()
""",
        "crash",
        "timeout",
    ),
    "mapper": _bot(  # 112
        """
def before():
    import ctypes
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    start = libc.mmap(None, ctypes.c_size_t(1 << 30), 0, 0x4022, -1, 0)
    for place in range(0, 64_000 * 4096, 8192):
        libc.mprotect(start + place, 4096, 1)
    fork(4, signal.pause)
    signal.pause()
""",
        "crash",
        "timeout",
    ),
    "holder": _bot(  # 113, where /dev/shm is that of the machine
        f"""
def before():
    for number in range({MEMORY_MIB // 8}):
        name = f"/dev/shm/arena-soak-{{os.getpid()}}-{{number}}"
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.unlink(name)
        os.write(file, bytes(15 << 20))
    signal.pause()
""",
        "crash",
        "timeout",
    ),
    "caller": _bot(  # 116
        """
def after(): fork(4, call)

def call():
    import mmap
    view = memoryview(mmap.mmap(-1, 2 << 20))
    pages = os.open("/proc/self/pagemap", os.O_RDONLY)
    while True:
        os.preadv(pages, [view] * 1000, 0)
""",
        "timeout",
    ),
}
"""The bots by name."""
HONEST = tuple(name for name, bot in BOTS.items() if not bot.faults and name != "dying")
