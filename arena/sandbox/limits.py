"""The level `limits`: a process of the same user, which cannot take the whole machine."""

import os
import shutil
import sys

from arena.contracts import Attack, Enclosed, SandboxSettings
from arena.record import Entrant
from arena.sandbox.launcher import ANNOUNCED, prlimit, program, tasks_of_this_machine, tool
from arena.sandbox.none import our_environment

ROOM_FOR_TASKS = 1024
"""What all bots may start beyond the processes and threads that there are, since the system counts
those of a user together. What one bot may start is looked after by the referee."""


class LimitsSandbox:
    """util-linux: `setpriv` takes privileges away, `prlimit` sets limits. Linux, no root needed."""

    name = "limits"
    promise = "memory, processes and files are limited; bots can read what you can"
    denies: frozenset[Attack] = frozenset(
        (
            "take too much memory",
            "write too large a file",
            "raise its own limits",
            "gain privileges",
            "look into the referee",
        )
    )

    def lacks(self) -> str | None:
        """Say which tool is missing."""
        if not sys.platform.startswith("linux"):
            return "it needs Linux"
        for name in ("setpriv", "prlimit"):
            if not shutil.which(name):
                return f"`{name}` is not installed (apt install util-linux)"
        return None

    def enclose(self, entrant: Entrant, sandbox: SandboxSettings) -> Enclosed:
        """Return the command behind its limits; it dies when who started it does."""
        setpriv = [tool("setpriv"), "--no-new-privs", "--pdeathsig", "KILL"]
        if os.geteuid() == 0:  # then without what only root may
            setpriv += ["--bounding-set", "-all", "--inh-caps", "-all"]
        tasks = tasks_of_this_machine() + ROOM_FOR_TASKS
        before = (*setpriv, "--", *prlimit(sandbox.bounds, tasks), *ANNOUNCED)
        return Enclosed(
            (*before, program(entrant), *entrant.command[1:]),
            entrant.folder,
            our_environment(),
        )

    def remedy(self, said: str) -> str:
        """Nothing but an old util-linux is known to stand in the way."""
        return "install a newer util-linux" if "unrecognized option" in said else ""
