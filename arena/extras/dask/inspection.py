"""Test a sandbox or a bot on a Dask worker's machine, as a separate program.

It reads an `Inspection` from stdin and writes the problem to stdout as JSON, or an empty string
if there is none. It has to be a separate process because the probe hides the memory of its
process.
"""

import subprocess
import sys
from pathlib import Path

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.errors import ArenaError
from arena.base.protocol import Limits
from arena.base.record import Entrant


class Inspection(msgspec.Struct, frozen=True):
    """A test of the sandbox, or of a bot in it."""

    sandbox: SandboxSettings
    bot: Entrant | None = None
    limits: Limits = Limits()


def obstacle_of(inspection: Inspection) -> str:
    """Return why the sandbox or the bot does not work on this machine; empty if it does."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", __name__],
        input=msgspec.json.encode(inspection),
        capture_output=True,
        check=False,
    )
    try:
        return msgspec.json.decode(done.stdout, type=str)
    except msgspec.DecodeError:
        return f"the inspection ended with exit code {done.returncode}: {done.stderr[-500:]!r}"


def inspect(inspection: Inspection) -> None:
    """Test the sandbox or the bot in it. Raise `ArenaError` if it does not work."""
    from arena.check.sandbox_probe import hold
    from arena.contest.entrants import introduce

    sandbox = inspection.sandbox
    if inspection.bot:
        introduce([inspection.bot], inspection.limits, sandbox)
        return
    for path in sandbox.readable:
        if not Path(path).exists():
            raise ArenaError(f"there is no {path}, which bots may read")
    held = hold(sandbox)
    if lacking := [attack for attack in sandbox.withstood if attack not in held.withstood]:
        raise ArenaError(f"the sandbox {sandbox.level!r} allows {', '.join(lacking)} there")


def main() -> None:
    inspection = msgspec.json.decode(sys.stdin.buffer.read(), type=Inspection)
    obstacle = ""
    try:
        inspect(inspection)
    except ArenaError as error:
        obstacle = str(error)
    sys.stdout.buffer.write(msgspec.json.encode(obstacle))


if __name__ == "__main__":
    main()
