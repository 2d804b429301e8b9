"""Control groups: on a made-up tree, and the real ones that this machine delegates."""

import subprocess
from pathlib import Path

import pytest

from arena.sandbox import cgroup
from arena.sandbox.cgroup import Group, Home, find_home, our_home, own_group, sweep
from tests.arena.playing import NEEDS_PROC, wait_for
from tests.arena.sandbox.made_up_groups import make, offered, remove, root

MOUNTS = (
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n"
    "42 31 0:39 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
)
NESTED = MOUNTS.replace(" / /sys", " /docker/7 /sys")
"""Those of a container that shares the groups of its host."""


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Groups are made and deleted in a tree of plain files, in which a test may change how."""
    monkeypatch.setattr(cgroup, "make", make)
    monkeypatch.setattr(cgroup, "remove", remove)
    return monkeypatch


# -- where we may make groups ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mounts", "own", "group"),
    [
        (MOUNTS, "4:memory:/x\n0::/\n", "/sys/fs/cgroup/unified"),
        (MOUNTS, "0::/user.slice/run-1.scope\n", "/sys/fs/cgroup/unified/user.slice/run-1.scope"),
        (MOUNTS, "0::/a.scope/arena-referee\n", "/sys/fs/cgroup/unified/a.scope"),
        (MOUNTS, "4:memory:/x\n", None),  # version 1 only
        (MOUNTS.replace("cgroup2", "cgroup"), "0::/\n", None),  # it is not mounted
        (
            MOUNTS.replace(" / /sys", " /docker/7 /sys"),
            "0::/docker/7/x",
            "/sys/fs/cgroup/unified/x",
        ),
        (NESTED, "0::/docker/70", None),
    ],
)
def test_finds_own_group_among_mounts(mounts: str, own: str, group: str | None) -> None:
    assert own_group(mounts, own) == (Path(group) if group else None)


@pytest.mark.usefixtures("made_up")
def test_delegated_group_limits_memory_and_tasks(tmp_path: Path) -> None:
    parent = root(tmp_path / "ours")
    home = find_home(parent)
    assert home
    assert offered(parent) == offered(home.path) == ["memory", "pids"]
    group = home.group()
    assert home.bounds_memory
    assert group.counts_memory
    assert group.counts_tasks
    home.close()
    assert [path.name for path in parent.iterdir() if path.is_dir()] == []


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("controllers", ["", "hugetlb", "pids"])
def test_works_without_undelegated_controllers(tmp_path: Path, controllers: str) -> None:
    home = find_home(root(tmp_path / "ours", controllers))
    assert home
    group = home.group()
    group.bound(128, 64)
    assert not home.bounds_memory
    assert not group.counts_memory
    assert group.counts_tasks == (controllers == "pids")
    home.close()


def test_moves_out_of_the_group_that_enables_controllers(
    tmp_path: Path, made_up: pytest.MonkeyPatch
) -> None:
    parent = root(tmp_path / "ours")
    offer = parent / "cgroup.subtree_control"
    offer.unlink()
    offer.symlink_to("/proc/version")  # cannot be written to

    def make_and_allow(path: Path) -> None:
        if path.name == "arena-referee":
            offer.unlink()
            offer.write_text("")
        make(path)

    made_up.setattr(cgroup, "make", make_and_allow)
    home = find_home(parent)
    assert home
    assert home.group().counts_memory
    assert (parent / "arena-referee" / "cgroup.procs").read_text() == "0"
    assert (parent / "cgroup.procs").read_text() == ""


@pytest.mark.usefixtures("made_up")
def test_deletes_groups_of_killed_processes_only(
    tmp_path: Path,
) -> None:
    parent = root(tmp_path / "ours")
    living = Home(parent)
    living.group()
    left = parent / "arena-0123456789abcdef"
    make(left)
    make(left / "bot")
    sweep(parent)
    assert [path for path in parent.iterdir() if path.is_dir()] == [living.path]
    living.close()
    living.close()
    assert not living.path.exists()


# -- what a group tells ------------------------------------------------------------------------


@pytest.fixture
def group(tmp_path: Path, made_up: pytest.MonkeyPatch) -> Group:
    """A group with all controllers."""
    make(root(tmp_path / "ours", offers="memory pids") / "bot")
    return Group(tmp_path / "ours" / "bot")


def test_sets_limits_of_the_group(group: Group) -> None:
    group.bound(memory_mib=128, tasks=66)
    found = {name: (group.path / name).read_text() for name in ("memory.max", "pids.max")}
    assert found == {"memory.max": str(128 << 20), "pids.max": "66"}
    assert (group.path / "memory.swap.max").read_text() == "0"
    assert (group.path / "memory.oom.group").read_text() == "1"


def test_memory_excludes_page_cache(group: Group) -> None:
    (group.path / "memory.current").write_text("9000\n")
    (group.path / "memory.stat").write_text("anon 1000\nfile 7000\nfile_mapped 9\nshmem 2000\n")
    assert group.memory_bytes() == 4000


def test_reads_usage_of_a_group(group: Group) -> None:
    (group.path / "cpu.stat").write_text("usage_usec 1234567\nuser_usec 1\nsystem_usec 2\n")
    (group.path / "pids.current").write_text("7\n")
    (group.path / "cgroup.procs").write_text("12\n34\n")
    assert group.cpu_s() == 1.234567
    assert group.tasks() == 7
    assert group.pids() == [12, 34]
    assert not group.ran_out_of_memory
    (group.path / "memory.events").write_text("low 0\nmax 5\noom 1\noom_kill 1\n")
    assert group.ran_out_of_memory


# -- the real ones -----------------------------------------------------------------------------


@NEEDS_PROC
def test_real_group_can_be_frozen_and_killed() -> None:
    home = our_home()
    if home is None:
        pytest.skip("need a control group (version 2) that is delegated to this user")
    group = home.group()
    assert group.pids() == []
    with subprocess.Popen((*group.entry, "sleep", "600")) as process:
        wait_for(lambda: group.pids() == [process.pid], "the process to enter")
        group.freeze()
        assert "frozen 1" in (group.path / "cgroup.events").read_text()
        group.thaw()
        assert not group.remove()
        group.freeze()
        group.kill()
    wait_for(group.remove, "the group to be empty")
    assert not group.path.exists()
