"""A Dask scheduler and workers as processes of this machine."""

import socket
import subprocess
import sys
from typing import Self


class Processes:
    """Dask processes of this machine. As a context manager it kills them all."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        self.scheduler = f"tcp://127.0.0.1:{self.port}"
        self.started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for one in self.started:
            self.kill(one)

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        options = ("--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        return self._start("dask_scheduler", *options)

    def start_worker(self) -> subprocess.Popen[bytes]:
        options = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._start("dask_worker", self.scheduler, *options)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()

    def _start(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", f"distributed.cli.{program}", *options]
        quiet = subprocess.DEVNULL
        self.started.append(subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet))
        return self.started[-1]
