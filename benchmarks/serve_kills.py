"""Kill a contest server again and again while students upload bots and games are played.

    pip install '.[serve]'
    python -m benchmarks.serve_kills [--kills 50] [--seed 0] [--short]

Starts a new contest whose deadline passes during the uploads. Students upload one bot after another
through the API. At random moments the server or one of its processes is killed with SIGKILL; a
killed server is restarted. At the end, each acknowledged upload must have been checked exactly once
and have the time of its upload, and the ladder and the final must contain each of their games
exactly once. The exit code is 1 if anything is lost, duplicated or misdated.
"""

import argparse
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import httpx2

from arena.contest.inbox import Inbox
from arena.contest.roster import Student
from arena.contest.settings import RISK
from arena.extras.serve.ladder.ladder_files import STATE, is_over
from arena.extras.serve.people import KeyKind, People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.tournament.store import DATABASE as RUN_DATABASE
from arena.tournament.store import Store
from arena.tournament.verification import VerificationError, verify

CONTEST = """\
name = "kills"
variants = ["pot-de-vin/3"]
rounds = {rounds}

[deadline]
due = "{due}"
late = "accept"

[entrants]
inbox = "."
bots = ["random", "greedy"]
fill = true

[limits]
move_ms = 60000
start_ms = 60000

[sandbox]
level = "none"

[serve]
accepted_risk = "{risk}"
"""
BOT = """\
from arena.bot import Bot, run


class Student(Bot):
    def act(self, view, legal):
        return legal[{move} % len(legal)]


run(Student)
# version {number}
"""
PARTS = ("server", "ladder.ladder_player", "ladder.ladder_standings", "checker")
WEIGHTS = (4, 3, 1, 2)
BEFORE_DEADLINE = 0.6
"""Approximate share of uploads before the deadline."""
END_S = 600.0
"""Maximum seconds for the remaining checks and games at the end."""

Stored = dict[int, tuple[str, bytes]]


class Options(NamedTuple):
    kills: int
    students: int = 5
    uploads: int = 60
    pause_s: float = 3.0
    """Mean seconds between two kills."""
    rounds: int = 30

    @property
    def seconds(self) -> float:
        """Approximate duration of all kills in seconds."""
        return self.kills * self.pause_s


class Uploads(threading.Thread):
    """Uploads one bot after another, and repeats each upload until the server accepts or rejects
    it.
    """

    def __init__(self, options: Options, tokens: list[str], folder: Path) -> None:
        super().__init__(daemon=True)
        self.acknowledged: dict[int, str] = {}
        """Student by id of each acknowledged submission."""
        self.refused: list[str] = []
        self.address = ""
        self._wanted, self._tokens, self._folder = options, tokens, folder
        self._rng = random.Random(1)

    def run(self) -> None:
        gap_s = self._wanted.seconds / self._wanted.uploads
        for number in range(self._wanted.uploads):
            student = number % len(self._tokens)
            file = self._folder / f"bot-{number}.py"
            file.write_text(BOT.format(move=number, number=number))
            self._hand_in(student, file)
            time.sleep(self._rng.uniform(0, 2 * gap_s))

    def _hand_in(self, student: int, file: Path) -> None:
        for _ in range(200):
            try:
                answer = httpx2.post(
                    f"{self.address}/api/submissions",
                    files={"file": (file.name, file.read_bytes())},
                    headers={"Authorization": f"Bearer {self._tokens[student]}"},
                    timeout=60,
                ).raise_for_status()
            except httpx2.HTTPError:  # the server is gone: whether it was acknowledged is not known
                time.sleep(0.3)
                continue
            self.acknowledged[answer.json()["id"]] = f"s{student}"
            return
        self.refused.append(file.name)


def enrol(contest: Path, number: int, kind: KeyKind) -> list[str]:
    """Add students to a contest, and return their keys."""
    database = ServerDatabase(contest / DATABASE)
    people = People(database, time.time, secrets.token_bytes)
    students = [Student(f"s{student}", f"Student {student}") for student in range(number)]
    people.add(students)
    keys = [people.make_key(student.id, kind) for student in students]
    database.close()
    return keys


class Contest:
    """A contest whose server is killed and restarted."""

    def __init__(self, folder: Path, options: Options) -> None:
        """Create a contest whose deadline is before the last uploads."""
        self.folder = folder / "contest"
        self.folder.mkdir(parents=True)
        self.due = datetime.now(UTC).replace(microsecond=0)
        self.due += timedelta(seconds=BEFORE_DEADLINE * options.seconds)
        text = CONTEST.format(due=self.due.isoformat(), risk=RISK, rounds=options.rounds)
        (self.folder / "contest.toml").write_text(text)
        self.tokens = enrol(self.folder, options.students, "token")
        self.server: subprocess.Popen[str] | None = None
        self.log = (folder / "log").open("w")

    @property
    def run(self) -> Path:
        """Folder of the ladder's run."""
        return self.folder / "results" / "kills"

    @property
    def final(self) -> Path:
        """Folder of the final."""
        return self.folder / "results" / "kills-final"

    def start(self) -> str:
        """Start the server, and return its address."""
        arena = str(Path(sys.executable).with_name("arena"))
        self.server = subprocess.Popen(
            [arena, "serve", str(self.folder), "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.server.stdout
        line = self.server.stdout.readline()
        if not line:
            sys.exit(f"the server did not start: see {self.log.name}")
        return line.split()[-1]

    def kill(self, part: str) -> bool:
        """Kill the server or one of its processes. Return False if it wasn't running."""
        assert self.server
        pid = self.server.pid if part == "server" else _child(self.server.pid, part)
        if pid is None:
            return False
        os.kill(pid, signal.SIGKILL)
        if part == "server":
            self.server.communicate()
        return True

    def stop(self) -> None:
        if self.server:
            self.server.terminate()
            self.server.communicate()
        self.log.close()

    def stored(self) -> Stored:
        """Return the key and digest of each stored game, by number."""
        if not (self.run / RUN_DATABASE).is_file():
            return {}
        with Store.open(self.run) as store:
            return {game.number: (game.key, game.record_digest) for game in store.all_games()}


def _child(parent: int, module: str) -> int | None:
    """Return the pid of a child process that runs a module, or None."""
    for children in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):  # a process has ended
            for pid in children.read_text().split():
                if f".{module}\0" in Path(f"/proc/{pid}/cmdline").read_text():
                    return int(pid)
    return None


def run(options: Options, folder: Path, rng: random.Random) -> list[str]:
    """Run the benchmark, print the measurements, and return a list of problems."""
    contest = Contest(folder, options)
    wrong: list[str] = []
    killed = Counter[str]()
    before: Stored = {}
    try:
        uploads = Uploads(options, contest.tokens, folder)
        uploads.address = contest.start()
        uploads.start()
        while killed.total() < options.kills:
            time.sleep(rng.uniform(0, 2 * options.pause_s))
            part = rng.choices(PARTS, WEIGHTS)[0]
            if not contest.kill(part):
                continue
            killed[part] += 1
            now = contest.stored()
            wrong += _lost(before, now)
            before = now
            if part == "server":
                uploads.address = contest.start()
        uploads.join()
        _wait_for_end(contest, uploads)
        now = contest.stored()
        wrong += _lost(before, now)
    finally:
        contest.stop()
    wrong += _wrong_submissions(contest, uploads)
    wrong += _wrong_games(contest.run) + _wrong_games(contest.final)
    kinds = ", ".join(f"{number} {part}" for part, number in sorted(killed.items()))
    print(f"{killed.total()} kills: {kinds}")
    print(f"{len(uploads.acknowledged)} submissions acknowledged, {len(now)} games stored")
    return wrong


def _lost(before: Stored, now: Stored) -> list[str]:
    lost = [number for number, game in before.items() if now.get(number) != game]
    return [f"{len(lost)} stored games were lost or changed"] if lost else []


def _wait_for_end(contest: Contest, uploads: Uploads) -> None:
    ends_at, state = time.monotonic() + END_S, None
    while time.monotonic() < ends_at:
        time.sleep(1)
        if _unchecked(contest, uploads) or not is_over(contest.final):
            continue
        state = STATE.read(contest.folder)
        if not state or state.activity != "over" or state.run != contest.run.name:
            continue
        with Store.open(contest.run) as store:
            playing = {entrant.name for entrant in store.settings().entrants}
        if playing >= set(uploads.acknowledged.values()):
            return
    sys.exit(f"the ladder is not over after {END_S:g} s: {state}")


def _unchecked(contest: Contest, uploads: Uploads) -> list[int]:
    found = [Inbox(contest.folder).get(number) for number in uploads.acknowledged]
    return [submission.id for submission in found if submission and not submission.is_done]


def _wrong_submissions(contest: Contest, uploads: Uploads) -> list[str]:
    wrong = [f"{name} was never acknowledged" for name in uploads.refused]
    inbox = Inbox(contest.folder)
    rows = {one.id: one for one in inbox.all()}
    for number in uploads.acknowledged:
        if number not in rows or rows[number].state not in ("accepted", "unchanged"):
            wrong.append(f"submission {number} is lost: {rows.get(number)}")
    for owner in {one.owner for one in rows.values()}:
        numbers = [one.version for one in inbox.versions(owner)]
        if numbers != [*range(1, len(numbers) + 1)]:
            wrong.append(f"{owner} has the versions {numbers}")
    for one in rows.values():
        if not (inbox.bots / one.fingerprint).is_dir():
            wrong.append(f"the files of submission {one.id} are lost")
    return wrong


def _wrong_games(run: Path) -> list[str]:
    with Store.open(run) as store:
        keys = Counter(game.key for game in store.counting_games())
        notices: list[str] = []
        try:
            verify(store, notice=notices.append)
        except VerificationError as error:
            notices.append(str(error))
    doubled = [key for key, times in keys.items() if times > 1]
    wrong = [f"{len(doubled)} games twice"] if doubled else []
    return wrong + notices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--short", action="store_true", help="3 kills, 6 uploads")
    given = parser.parse_args()
    options = Options(3, 2, 6) if given.short else Options(given.kills, uploads=given.kills)
    with tempfile.TemporaryDirectory(prefix="serve-kills-") as folder:
        wrong = run(options, Path(folder), random.Random(given.seed))
    for text in wrong:
        print(f"WRONG: {text}")
    print("lost: 0, doubled: 0" if not wrong else f"{len(wrong)} things are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
