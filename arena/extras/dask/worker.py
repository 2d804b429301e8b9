"""Code that runs on Dask workers and plays batches of games in separate processes.

When run as a program, this module tests whether the sandbox works on this machine.
"""

import asyncio
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer

import msgspec
from distributed import Worker, WorkerPlugin, get_worker

import arena
from arena.base.contracts import Batch, ExecutorSettings, Played, SandboxSettings
from arena.base.errors import ArenaError, GameError
from arena.base.protocol import PROTOCOL
from arena.base.record import Entrant
from arena.check.sandbox_probe import hold
from arena.extras.dask.packed_bot import PackedBot, unpack_bot
from arena.tournament.executors.local import Workers
from engine import UnknownVariant, get_variant

IDLE_S = 60  # until an idle worker process is stopped


class PlayedBatch(msgspec.Struct, frozen=True):
    worker: str
    address: str
    played: list[Played] = []
    obstacle: str = ""
    """Why the Dask worker can't play the games, or an empty string if it can."""


def versions(variants: Iterable[str]) -> dict[str, str]:
    """Return the software versions that affect game records of the given variants."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"  # of random generators and hashes
    versions_here = {"bribe-arena": arena.__version__, "Python": python, "protocol": str(PROTOCOL)}
    for variant in variants:
        with suppress(UnknownVariant):
            versions_here[f"rules of {variant}"] = str(get_variant(variant).rules_version)
    return versions_here


class RunOnWorker(WorkerPlugin):
    """A plugin for Dask workers that plays batches of games."""

    def __init__(
        self,
        name: str,
        variants: Collection[str],
        sandbox: SandboxSettings,
        settings: ExecutorSettings,
    ) -> None:
        """Dask workers are used only if their software versions match those of this process."""
        self.name = name
        self._variants, self._sandbox, self._settings = variants, sandbox, settings
        self._expected = versions(variants)

    async def setup(self, worker: Worker) -> None:
        self._folder = Path(worker.local_directory, self.name)
        self._bots: dict[str, Entrant] = {}  # by fingerprint, with their files in the folder
        self._idle: list[Workers] = []
        self._is_over = False
        self._lock = Lock()
        self._timer = Timer(0, lambda: None)
        here = versions(self._variants)
        self.obstacle = "; ".join(
            f"{what} {here.get(what, 'missing')}, expected {version}"
            for what, version in self._expected.items()
            if here.get(what) != version
        )
        if not self.obstacle and self._sandbox.level != "none":
            self.obstacle = await asyncio.to_thread(_sandbox_obstacle, self._sandbox)

    async def teardown(self, worker: Worker) -> None:
        self._is_over = True
        await asyncio.to_thread(self._close_idle)
        shutil.rmtree(self._folder, ignore_errors=True)

    def play(self, batch: Batch, bots: Sequence[PackedBot]) -> list[Played]:
        """Play a batch in a separate process.

        Raise `ArenaError` if the games can't be played on this machine.
        """
        with self._lock:
            self._timer.cancel()
            entrants = tuple(map(self._unpacked, batch.entrants, bots))
            workers = self._idle.pop() if self._idle else local_workers(self._settings)
        here = msgspec.structs.replace(batch, entrants=entrants)
        try:
            played = play_alone(here, workers)
        except BaseException:
            workers.__exit__(None, None, None)
            raise
        with self._lock:
            self._idle.append(workers)
            self._timer.cancel()
            self._timer = Timer(0 if self._is_over else IDLE_S, self._close_idle)
            self._timer.daemon = True
            self._timer.start()
        return played

    def _unpacked(self, entrant: Entrant, packed: PackedBot) -> Entrant:
        code = packed.entrant.fingerprint
        if code not in self._bots:
            self._bots[code] = unpack_bot(packed, self._folder / f"bot-{code}")
        return msgspec.structs.replace(self._bots[code], name=entrant.name, games=entrant.games)

    def _close_idle(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().__exit__(None, None, None)


def play_batch(run: str, batch: Batch, *bots: PackedBot) -> PlayedBatch:
    """Play a batch of games on a Dask worker.

    `bots` has the same order as the batch's entrants. Raise `GameError` if the code of a game
    fails.
    """
    worker = get_worker()
    name, address = f"{platform.node()}/{worker.name}", worker.contact_address
    plugin: RunOnWorker = worker.plugins[run]
    obstacle, played = plugin.obstacle, []
    try:
        if not obstacle:
            played = plugin.play(batch, bots)
    except GameError:
        raise
    except (ArenaError, OSError) as error:
        obstacle = str(error)
    return PlayedBatch(name, address, played, obstacle)


def local_workers(settings: ExecutorSettings) -> Workers:
    tables, waiting_games = settings.tables, settings.waiting_games
    return Workers(1, lambda _: None, tables=tables, waiting_games=waiting_games, pin=False)


def play_alone(batch: Batch, workers: Workers) -> list[Played]:
    batches = [batch]
    played = workers.play_batches(lambda: batches.pop() if batches else None)
    return [game for games in played for game in games]


def _sandbox_obstacle(sandbox: SandboxSettings) -> str:
    """Return an error message if the sandbox does not work on this machine, or an empty string."""
    # A sandbox changes the security settings of its process, so it is tested in a subprocess.
    command = [sys.executable, "-P", "-m", __name__]
    order = msgspec.json.encode(sandbox)
    done = subprocess.run(command, input=order, capture_output=True, check=False)
    return done.stderr.decode()[-500:].strip() if done.returncode else ""


def main() -> None:
    """Test the sandbox settings given on stdin, and exit with a message if they don't work."""
    sandbox = msgspec.json.decode(sys.stdin.buffer.read(), type=SandboxSettings)
    try:
        lacking = {*sandbox.withstood}.difference(hold(sandbox).withstood)
    except ArenaError as error:
        sys.exit(str(error))
    if lacking:
        sys.exit(f"the sandbox {sandbox.level!r} allows {', '.join(lacking)} there")


if __name__ == "__main__":
    main()
