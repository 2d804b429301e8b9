"""A made-up tree of control groups: plain files that behave like those of Linux, version 2."""

from pathlib import Path

CORE = {
    "cgroup.controllers": "",
    "cgroup.events": "populated 0\nfrozen 0\n",
    "cgroup.freeze": "0\n",
    "cgroup.kill": "",
    "cgroup.procs": "",
    "cgroup.subtree_control": "",
    "cpu.stat": "usage_usec 0\nuser_usec 0\n",
}
BY_CONTROLLER = {
    "memory": {
        "memory.current": "0\n",
        "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n",
        "memory.max": "max\n",
        "memory.oom.group": "0\n",
        "memory.stat": "anon 0\nfile 0\nshmem 0\n",
        "memory.swap.max": "max\n",
    },
    "pids": {"pids.current": "0\n", "pids.max": "max\n"},
}


def offered(group: Path) -> list[str]:
    """Return the controllers that a group offers to those in it: what was written last."""
    return [name.lstrip("+") for name in (group / "cgroup.subtree_control").read_text().split()]


def make(path: Path) -> None:
    """Make a group with the files that its parent offers."""
    path.mkdir()
    controllers = offered(path.parent)
    files = dict(CORE) | {"cgroup.controllers": " ".join(controllers)}
    for controller in controllers:
        files |= BY_CONTROLLER[controller]
    for name, text in files.items():
        (path / name).write_text(text)


def remove(path: Path) -> None:
    """Delete a group that has no processes and no groups in it."""
    if not path.is_dir():
        raise FileNotFoundError(path)
    if (path / "cgroup.procs").read_text() or any(child.is_dir() for child in path.iterdir()):
        raise OSError(16, "busy", str(path))
    for file in path.iterdir():
        file.unlink()
    path.rmdir()


def root(path: Path, controllers: str = "memory pids", offers: str = "") -> Path:
    """Make the group that is delegated to us."""
    path.mkdir()
    for name, text in CORE.items():
        (path / name).write_text(text)
    (path / "cgroup.controllers").write_text(controllers)
    (path / "cgroup.subtree_control").write_text(offers)
    return path
