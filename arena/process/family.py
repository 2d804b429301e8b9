"""The processes of a bot, which are frozen, measured and killed together.

A control group knows all of them. Without one they are found through /proc.
"""

from arena.process.usage import ProcessorTime, Usage, peak_kib
from arena.sandbox import process_tree
from arena.sandbox.cgroup import Group
from arena.sandbox.process_tree import ProcessTree


class Family:
    """The processes of a bot and of its sandbox."""

    def __init__(self, tree: ProcessTree, group: Group | None = None) -> None:
        """Watch the processes of a tree; `group` is their control group, if they have one."""
        self._tree = tree
        self._group = group
        self._time = ProcessorTime()
        self._cpu_ns = 0

    def pids(self) -> list[int]:
        """Return the living processes."""
        return self._group.pids() if self._group else self._tree.pids()

    def kill(self) -> None:
        """Kill all processes that can be found."""
        found = self._tree.pids()
        if self._group:
            self._group.kill()
        process_tree.kill_all(found)

    def freeze(self) -> bool:
        """Stop all processes; return whether that was seen to be so."""
        return self._group.freeze() if self._group else self._tree.stop()

    @property
    def is_frozen(self) -> bool:
        """Whether all processes are stopped."""
        return self._group.is_frozen if self._group else self._tree.is_stopped

    def thaw(self) -> None:
        """Let all processes run again."""
        if self._group:
            self._group.thaw()
        else:
            self._tree.resume()

    def usage(self) -> Usage | None:
        """Return what the processes have used; None if there are none or the system is silent."""
        pids = self.pids()
        self._time.measure(pids)
        cpu_ns = self._group.cpu_ns() if self._group else self._time.cpu_ns
        if not cpu_ns:
            return None
        wait_ms = self._time.wait_ns // 1_000_000
        return Usage(cpu_ns // 1_000_000, peak_kib(pids), wait_ms)
