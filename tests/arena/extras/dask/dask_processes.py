"""A Dask scheduler and workers as processes of this machine."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.arena.playing import wait_for


class Processes:
    """Dask processes of this machine. As a context manager it kills them all."""

    def __init__(self, folder: Path) -> None:
        """Choose a port. Dask keeps files in `folder`, and leaves some."""
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        self.scheduler = f"tcp://127.0.0.1:{self.port}"
        self.started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self.started:
            self.kill(process)

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Start the scheduler, and wait until it listens."""
        options = ("--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        process = self._start_program("dask_scheduler", *options)
        wait_for(self._listens, "the scheduler")
        return process

    def _listens(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def start_worker(
        self, name: str = "", before: str = "", **environment: str
    ) -> subprocess.Popen[bytes]:
        """Start a worker with one slot.

        Its process runs the Python statement `before` first, and has the variables of
        `environment` in addition to those of this process.
        """
        options = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        options += ("--name", name) if name else ()
        options = (self.scheduler, *options)
        return self._start_program("dask_worker", *options, before=before, **environment)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()

    def start_command(self, program: str, *words: str, **environment: str) -> None:
        """Start `dask scheduler` or `dask worker` as typed."""
        assert program == "dask"
        self._start("-m", "dask", *words, **environment)

    def _start_program(
        self, program: str, *options: str, before: str = "", **environment: str
    ) -> subprocess.Popen[bytes]:
        code = f"{before}\nfrom distributed.cli.{program} import main; main()"
        return self._start("-c", code, *options, **environment)

    def _start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            [sys.executable, "-P", *words],
            env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(self.folder), **environment},
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
        )
        self.started.append(process)
        return process
