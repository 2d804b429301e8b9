"""Build submissions in the sandbox.

Sandboxed bots can't write to their own folders, so each bot is copied to a folder under /tmp
before it is built. The new files are returned as a tar archive on stdout. The archive is
untrusted, so it is unpacked by `read_untrusted`.
"""

import os
import select
import shutil
import time
from pathlib import Path
from typing import IO
from uuid import uuid4

import msgspec

from arena.base.contracts import Bounds, SandboxSettings
from arena.base.errors import SandboxError, SubmissionError
from arena.base.protocol import DEFAULT_LIMITS, printable
from arena.base.record import Entrant
from arena.contest.archive import MAX_SIZE
from arena.process.bot_process import READ_BYTES, BotProcess
from arena.process.local import own_obstacle

MAX_BUILD_S = 300.0
WATCH_S = 0.1
BUILD_BOUNDS = Bounds(memory_mib=4096, processes=512, file_mib=64)
MAX_PACKED_BYTES = 4 * MAX_SIZE
MAX_LOG_LINES, MAX_LOG_BYTES = 20, 64 * 1024
SUCCESS = "exited with code 0"
SCRIPT = """
set -e
exec </dev/null
work=$2
mkdir -m 700 "$work"
trap 'rm -rf "$work"' EXIT
cp -R . "$work/code"
cd "$work/code"
mkdir "$work/home"
export HOME="$work/home" TMPDIR="$work/home" GOCACHE="$work/home/go" GOTOOLCHAIN=local
sh -c "$1" >&2
tar -cf - .
"""


def build(bot: Entrant, command: str, sandbox: SandboxSettings, archive: Path) -> None:
    """Run a submission's build command in the sandbox.

    Raises:
        SubmissionError: The build command fails or exceeds a limit.
        BotError: The sandbox can't read the bot's files.
        SandboxError: The sandbox can't be set up.
    """
    settings = msgspec.structs.replace(sandbox, bounds=BUILD_BOUNDS)
    work = f"/tmp/build-{uuid4().hex}"
    shell = Entrant(bot.name, ("/bin/sh", "-c", SCRIPT, "sh", command, work), bot.folder, "")
    log = _Log()
    try:
        with BotProcess(shell, DEFAULT_LIMITS, settings) as process, archive.open("xb") as file:
            process.on_stderr = log.add
            failure = _watch(process, file)
            process.check_sandbox()
    except SandboxError as error:
        raise own_obstacle(shell, DEFAULT_LIMITS, settings, error) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)  # left behind by a killed build
    if failure:
        raise SubmissionError(
            f"{bot.name} is refused: its build `{printable(command)}` {failure}{log.shown}"
        )


class _Log:
    def __init__(self) -> None:
        self._end = b""

    def add(self, data: bytes) -> None:
        self._end = (self._end + data)[-MAX_LOG_BYTES:]

    @property
    def shown(self) -> str:
        lines = self._end.decode(errors="replace").splitlines()[-MAX_LOG_LINES:]
        return "".join([":", *[f"\n  {printable(line)}" for line in lines]]) if lines else ""


def _watch(process: BotProcess, archive: IO[bytes]) -> str:
    deadline = time.monotonic() + MAX_BUILD_S
    left = MAX_PACKED_BYTES
    poll = select.poll()
    for pipe in (process.stdout, process.stderr):
        poll.register(pipe, select.POLLIN)
    while (left_s := deadline - time.monotonic()) > 0:
        has_exited = process.has_exited()
        ready = dict(poll.poll(0 if has_exited else min(WATCH_S, left_s) * 1000))
        if process.stderr in ready and not process.read_stderr():
            poll.unregister(process.stderr)
        data = os.read(process.stdout, READ_BYTES) if process.stdout in ready else b""
        if not data and (process.stdout in ready or has_exited):
            ending = process.exit_text(left_s)
            return "" if ending == SUCCESS else f"failed: it {ending}"
        if data and not process.has_begun:
            process.has_begun, data = True, data[1:]  # the line that announces the build
        left -= archive.write(data)
        if left < 0:
            return "produced too much output"
        if excess := process.excess():
            return f"was stopped because it {excess}"
    return f"took over {MAX_BUILD_S:g} s"
