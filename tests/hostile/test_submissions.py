"""Attacks 63-69 and 97, by what a student hands in: only that student is left out of the run.

Each attack is tried on every way in: a folder and a zip that are handed in, and a path that
somebody names (`--bot`, `arena check`, `arena try`).
"""

import os
import re
import signal
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError
from arena.base.protocol import Hello
from arena.base.record import Entrant
from arena.contest.entrants import find_entrant
from arena.contest.inbox import Inbox, Sent
from arena.contest.roster import Student
from tests.arena.contest.submitted import NOON
from tests.arena.levels import read, sandbox_settings_of, start
from tests.arena.playing import NEEDS_PROC, PATIENT, children, descriptors, wait_for
from tests.arena.runs import start_arena

PLAIN = "class MyBot:\n    def act(self, view, legal):\n        return legal[0]\n"
TOML = 'name = "eve"\ncommand = {}\n'
GIB = 1024**3


class Attack(NamedTuple):
    """What a student hands in, and why it is refused."""

    number: int
    title: str
    make: Callable[[Path], object]
    """Writes it into a new folder."""
    reason: str
    """A pattern of a part of the sentence."""
    program: str | None = None
    """The Python file that is the bot; None if the folder is."""
    fits_in_a_zip: bool = True


def toml(text: str) -> Callable[[Path], object]:
    """Return what writes a `bot.toml`."""
    return lambda folder: (folder / "bot.toml").write_text(text)


def command(*words: str) -> Callable[[Path], object]:
    """Return what writes a `bot.toml` with this command."""
    return toml(TOML.format([*words]))


def code(text: str) -> Callable[[Path], object]:
    """Return what writes a bot in one file."""
    return lambda folder: (folder / "bot.py").write_text(text)


def beside(make: Callable[[Path], object], text: str = PLAIN) -> Callable[[Path], object]:
    """Return what writes a bot that imports `loot`, and makes `loot.py` beside it."""

    def write(folder: Path) -> None:
        code(f"import loot\n{text}")(folder)
        make(folder / "loot.py")

    return write


def huge(path: Path) -> None:
    """Make a file of a terabyte that takes no place on the disk."""
    with path.open("wb") as file:
        file.truncate(1024 * GIB)


def socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def described(make: Callable[[Path], object]) -> Callable[[Path], object]:
    """Return what makes the `bot.toml` itself."""
    return lambda folder: make(folder / "bot.toml")


def linked_package(folder: Path) -> None:
    code(f"import loot\n{PLAIN}")(folder)
    (folder / "loot").symlink_to("../ann")


PLAIN_FILE = "is a link or a device: replace it with a regular file"
NOT_ALLOWED = "expected an existing file of the bot, or one of python"
LONGEST = "nested f-strings"
"""The attack that takes all the processor time that it gets: 5 s."""
ATTACKS = [
    Attack(
        63,
        "a dotted key of 200 kB",
        toml(f"a{'.a' * 100_000} = 1\n" + TOML.format('["python", "x.py"]')),
        "is longer than 16,384 bytes",
    ),
    Attack(63, "a deep list", toml(f"command = {'[' * 8_000}"), "bot.toml: "),
    Attack(63, "a long number", toml(f"size = {'9' * 6_000}\n{TOML}"), "bot.toml: "),
    Attack(63, "a NUL", toml('name = "x"\ncommand = ["play\\u0000"]\n'), "contains a NUL"),
    Attack(63, "a long unknown key", toml(f"{'k' * 9_000} = 1\n{TOML}"), "bot.toml: "),
    Attack(64, "another file", command("/proc/self/exe"), NOT_ALLOWED),
    Attack(64, "another student's program", command("../ann/prog"), NOT_ALLOWED),
    Attack(64, "the same, hidden in its folder", command("./x/../../ann/prog"), NOT_ALLOWED),
    Attack(64, "an installed program", command("/opt/tool/bin/prog"), NOT_ALLOWED),
    Attack(64, "a program of the PATH", command("docker", "run", "ann"), NOT_ALLOWED),
    Attack(64, "nothing", command(""), NOT_ALLOWED),
    Attack(64, "another's program as argument", command("sh", "../ann/prog"), "outside the bot"),
    Attack(
        64, "another's code as argument", command("python", "x/../../ann/a.py"), "outside the bot"
    ),
    Attack(65, "100,000 arguments", command("python", *"a" * 100_000), "longer than 16,384 bytes"),
    Attack(
        66,
        "8 MB of zeros",
        code(f"x = [{'0,' * 4_000_000}]\n"),
        "too deeply nested to be parsed|more than 100 times",
    ),
    Attack(66, "200,000 minus signs", code("-" * 200_000 + "1"), "too deeply nested"),
    Attack(
        66,
        LONGEST,
        code("x = f'''" + '{f"{1}"}' * 200_000 + "'''\n"),
        "takes more than 5 s of processor time to read|takes more than 60 s to read",
        fits_in_a_zip=False,  # where it would be taken for a bomb
    ),
    Attack(67, "a huge file", lambda folder: huge(folder / "bot.py"), "too large", "bot.py", False),
    Attack(67, "a huge module", beside(huge), "too large", "bot.py", False),
    Attack(67, "a huge bot.toml", described(huge), "too large|longer than 16,384", None, False),
    Attack(67, "a pipe as module", beside(os.mkfifo), "is a link or a device", "bot.py", False),
    Attack(67, "a pipe as bot.toml", described(os.mkfifo), PLAIN_FILE, None, False),
    Attack(67, "a socket as bot.toml", described(socket), PLAIN_FILE, None, False),
    Attack(
        67,
        "an endless device as bot.toml",
        described(lambda path: path.symlink_to("/dev/zero")),
        PLAIN_FILE,
        None,
        False,
    ),
    Attack(
        68,
        "another's code as module",
        beside(lambda path: path.symlink_to("../ann/bot.py")),
        "is a link or a device",
        "bot.py",
        False,
    ),
    Attack(68, "another's folder as package", linked_package, "is a link", "bot.py", False),
    Attack(
        68,
        "another's code as bot",
        lambda folder: (folder / "bot.py").symlink_to("../ann/bot.py"),
        "is a link",
        "bot.py",
        False,
    ),
]


class Class:
    """The inbox of a class, beside the bot of ann, and what eve hands in."""

    def __init__(self, parent: Path, attack: Attack) -> None:
        self.inbox = Inbox(parent)
        ann = parent / "ann"
        ann.mkdir(parents=True)
        (ann / "bot.py").write_text(PLAIN)
        (ann / "prog").write_text("#!/bin/sh\n")
        (ann / "prog").chmod(0o755)
        self.attack = attack
        self.made = parent / "made"
        self.made.mkdir()
        attack.make(self.made)

    def submitted(self) -> None:
        """Have eve hand in a folder."""
        self._hand_in(self.made)

    def submitted_zip(self) -> None:
        """Have eve hand in a zip."""
        self._zip(self.made.with_name("eve.zip"))
        self._hand_in(self.made.with_name("eve.zip"))

    def _hand_in(self, source: Path) -> None:
        received = self.inbox.receive(source, Sent(Student("eve", "Eve"), NOON))
        assert received.state == "refused"
        assert not list(self.inbox.bots.iterdir())
        raise BotError(received.reason)

    def named(self) -> None:
        """Have somebody name the path of the bot."""
        find_entrant(str(self.made / (self.attack.program or "")))

    def _zip(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for file in self.made.iterdir():
                made.write(file, file.name)


def tries() -> Iterator[object]:
    """Yield each attack with each way in that it fits: by default with one of them, in turn."""
    for place, attack in enumerate(ATTACKS):
        ways = list(ways_in(attack))
        for number, (path, way) in enumerate(ways):
            marks = [] if number == place % len(ways) else [pytest.mark.long]
            yield pytest.param(
                path, way, marks=[pytest.mark.slow] if path.title == LONGEST else marks
            )


def ways_in(attack: Attack) -> Iterator[tuple[Attack, str]]:
    """Yield the ways in of an attack. Only a program that is named is parsed, for its imports."""
    is_python = attack.number == 66
    if not is_python:
        yield attack, "submitted"
        if attack.fits_in_a_zip:
            yield attack, "submitted_zip"
        if attack.title in ("a huge file", "a huge module"):
            return
    yield attack._replace(program="bot.py" if is_python else attack.program), "named"


@NEEDS_PROC
@pytest.mark.parametrize(
    ("attack", "way"), list(tries()), ids=lambda one: one if isinstance(one, str) else one.title
)
def test_hostile_submission_affects_only_its_author(
    attack: Attack, way: str, tmp_path: Path
) -> None:
    before = descriptors()
    students = Class(tmp_path, attack)
    with pytest.raises(BotError) as caught:
        getattr(students, way)()
    message = str(caught.value)
    assert re.search(attack.reason, message)
    assert message.isprintable()
    assert len(message) < 1_000
    assert not children()
    assert descriptors() == before


# -- while it is played, and when it is killed ---------------------------------------------------

LOOKS = """#!/bin/sh
read -r _
cat "{}" 2>/dev/null || echo "no such file"
"""
"""A program that prints a file as soon as it is spoken to."""


def looking_bot(folder: Path, program: str, target: Path) -> Entrant:
    """Return a bot whose program tries to read a file."""
    path = folder / program
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LOOKS.format(target))
    path.chmod(0o755)
    (folder / "bot.toml").write_text(TOML.format([f"./{program}"]).replace("'", '"'))
    return find_entrant(str(folder))


@pytest.mark.parametrize(("folder", "program"), [("bin", "prog"), ("eve", "bin/prog")])
@pytest.mark.parametrize("neighbour", ["lib", "conf"])
def test_program_in_bin_folder_shows_only_its_folder(
    folder: str, program: str, neighbour: str, tmp_path: Path
) -> None:
    """Number 69. `lib` and `conf` beside `bin` are what an installed program needs."""
    sandbox = sandbox_settings_of("isolated")
    secret = tmp_path / neighbour / "bot.py"
    secret.parent.mkdir()
    secret.write_text("# another student's code\n")
    bot = looking_bot(tmp_path / folder, program, secret)
    assert answer_to_hello(bot, sandbox) == "no such file"


def answer_to_hello(bot: Entrant, sandbox: SandboxSettings) -> str:
    """Return the line that a bot prints after it was spoken to."""
    with start("", sandbox, bot) as process:
        process.send(Hello(1, "", bot.name, PATIENT))
        return read(process)[0]


@NEEDS_PROC
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_check_is_repeated(number: signal.Signals, tmp_path: Path) -> None:
    """Number 97."""
    contest, waits = tmp_path / "contest", tmp_path / "waits.py"
    contest.mkdir()
    (contest / "contest.toml").write_text('[entrants]\ninbox = "."\n')
    inbox, told = Inbox(contest), tmp_path / "told"
    waits.write_text(f"open({str(told)!r}, 'w').close()\nimport sys\nsys.stdin.read()\n")
    command = ["submit", str(waits), "--to", str(contest), "--sandbox", "none"]
    with start_arena(command) as arena:
        wait_for(told.exists, "the start of the bot")
        assert [one.state for one in inbox.all()] == ["checking"]
        arena.send_signal(number)
        arena.communicate()
    with inbox:
        wait_for(lambda: inbox.next_waiting() is not None, "the end of its checker")
    assert not inbox.lineup()
