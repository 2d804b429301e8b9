"""Builds of submissions: the `build` command of a `bot.toml` runs in the sandbox.

The sandbox lets no bot write into its folder. So the command runs in a copy in /tmp, and what it
has made comes back as an archive on stdout.
"""

import contextlib
import io
import os
import signal
import subprocess
import tarfile
import tempfile
import threading
from pathlib import Path, PurePosixPath

import msgspec

from arena.contest.archive import SUBMISSION_LIMITS
from arena.contracts import Bounds, SandboxSettings
from arena.errors import SubmissionError
from arena.plugins import get_sandbox
from arena.protocol import printable
from arena.record import Entrant

MAX_BUILD_S = 300.0
BUILD_BOUNDS = Bounds(memory_mib=4096, processes=512, file_mib=64)
"""Compilers need more than bots."""
MAX_LOG_LINES = 20
SCRIPT = """
set -e
work=$(mktemp -d /tmp/build-XXXXXX)
trap 'rm -rf "$work"' EXIT
cp -R . "$work/code"
cd "$work/code"
mkdir "$work/home"
export HOME="$work/home" TMPDIR="$work/home" GOCACHE="$work/home/go" GOTOOLCHAIN=local
sh -c "$1" >&2
tar -cf - .
"""


def build(name: str, folder: Path, command: str, sandbox: SandboxSettings) -> None:
    """Run the build command of a submission in the sandbox, and put what it makes into `folder`.

    Args:
        name: the bot, for errors.
        folder: the folder of the bot's `bot.toml`.
        command: a shell command.
        sandbox: the sandbox of the bots; a build has more memory and time.

    Raises:
        SubmissionError: the command fails, takes too long, or makes too much.
    """
    settings = msgspec.structs.replace(sandbox, bounds=BUILD_BOUNDS)
    bot = Entrant(name, ("/bin/sh", "-c", SCRIPT, "sh", command), str(folder), "")
    wrapped = get_sandbox(sandbox.level).wrap(bot, settings)
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            wrapped.command,
            cwd=wrapped.folder,
            env=wrapped.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        assert process.stdout
        timer = threading.Timer(MAX_BUILD_S, _kill, [process])
        timer.start()
        try:
            packed = process.stdout.read(4 * SUBMISSION_LIMITS.size)
            is_whole = not process.stdout.read(1)
        finally:
            took_too_long = not timer.is_alive()
            timer.cancel()
            _kill(process)
            process.stdout.close()
            code = process.wait()
        log.seek(0)
        said = log.read().decode(errors="replace").splitlines()[-MAX_LOG_LINES:]
    shown = f"`{printable(command)}`"
    if took_too_long:
        raise SubmissionError(f"{name} is refused: its build {shown} took over {MAX_BUILD_S:g} s")
    if not is_whole:
        raise SubmissionError(f"{name} is refused: its build {shown} makes too large files")
    start = 1 if wrapped.announces else 0
    try:
        _unpack(packed[start:], folder)
    except (tarfile.TarError, OSError):
        how = f"exit code {code}" if code > 0 else "no result"
        lines = "".join(f"\n  {printable(line)}" for line in said)
        raise SubmissionError(
            f"{name} is refused: its build {shown} failed with {how}{':' if lines else ''}{lines}"
        ) from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None and process.stdout and process.stdout.closed is False:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
        os.killpg(process.pid, signal.SIGKILL)


def _unpack(packed: bytes, folder: Path) -> None:
    """Write the plain files of an archive into `folder`, as far as they are new or changed.

    Raises:
        TarError: it is no archive, or one of its files is outside of the folder.
        OSError: a file cannot be written.
    """
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            if path.is_absolute() or ".." in path.parts:
                raise tarfile.TarError(member.name)
            content = archive.extractfile(member) if member.isreg() else None
            if content is None:
                continue
            data, target = content.read(), folder / path
            if target.is_file() and target.read_bytes() == data:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            with target.open("xb") as file:
                file.write(data)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
