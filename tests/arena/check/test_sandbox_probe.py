"""The probe attacks the sandbox of a run before the run, and refuses one that does not hold."""

import os
import select
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from arena import plugins
from arena.base.contracts import Attack, Bounds, Sandbox, SandboxedCommand, SandboxSettings
from arena.base.errors import SandboxError
from arena.base.record import Entrant
from arena.check.sandbox_probe import FOLDER_PREFIX, choose, hold, read_attacks, try_attacks
from arena.sandbox import isolated
from arena.sandbox.isolated import IsolatedSandbox
from arena.sandbox.levels import NoSandbox
from arena.sandbox.users import OWN, our_users
from tests.arena.command import arena
from tests.arena.levels import fake_tool, sandbox_settings_of
from tests.arena.playing import NEEDS_PROC, plug_in
from tests.arena.runs import silent

HOME = os.path.expanduser("~")
EVERY: frozenset[Attack] = frozenset(get_args(Attack))
TOOLS = ("bwrap", "prlimit", "setpriv", "mount")
USERNS_OFF = "bwrap: No permissions to create a new namespace, likely because the kernel does not"


class Sandboxes:
    """A plugin with sandboxes."""

    def __init__(self, *sandboxes: Sandbox) -> None:
        self.sandboxes = sandboxes

    @plugins.hookimpl
    def register_sandboxes(self) -> Iterable[Sandbox]:
        return self.sandboxes


def without(folder: Path, monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    """Have only the tools of sandboxes be installed, except for those `missing`."""
    found = {tool: shutil.which(tool) for tool in TOOLS}
    for tool, path in found.items():
        if path and tool not in missing:
            (folder / tool).symlink_to(path)
    monkeypatch.setenv("PATH", str(folder))


class Boastful(NoSandbox):
    """Promises everything, and does nothing."""

    name = "boastful"
    denies = EVERY


# -- the attacks -------------------------------------------------------------------------------


def test_each_attack_has_one_row() -> None:
    rows = [row for row in read_attacks() if row.probe]
    assert sorted(str(row.probe) for row in rows) == sorted(EVERY)


@NEEDS_PROC
def test_rejects_sandbox_without_protection() -> None:
    """The attack on the referee depends on whose tests these are, and `none` limits memory too."""
    with plug_in(Sandboxes(Boastful())), pytest.raises(SandboxError, match="'boastful'") as caught:
        hold(SandboxSettings("boastful"))
    for attack in EVERY - {"look into the referee", "take too much memory"}:
        assert attack in str(caught.value)
    assert f"read files outside its folder: {HOME}" in str(caught.value)


def leaky(words: str, instead: str) -> IsolatedSandbox:
    """Return a sandbox in whose command some words are others."""
    each_word = (words.replace(" ", "\0"), instead.replace(" ", "\0"))

    class Leaky(IsolatedSandbox):
        name = "leaky"

        def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
            enclosed = super().wrap(entrant, sandbox)
            changed = "\0".join(enclosed.command).replace(*each_word)
            return msgspec.structs.replace(enclosed, command=changed.split("\0"))

    return Leaky()


@pytest.mark.parametrize(
    ("words", "instead", "attack"),
    [
        ("--unshare-net ", "", "reach a server on this machine"),
        ("--seccomp 9 ", "", "make calls that no program needs"),
        ("--hostname", "--perms 1777 --tmpfs /var/tmp --hostname", "write outside /tmp"),
        ("--hostname", f"--ro-bind {HOME} {HOME} --hostname", f"outside its folder: {HOME}"),
        ("--unshare-pid ", "", "see other processes"),
    ],
)
def test_finds_a_hole_in_the_sandbox(words: str, instead: str, attack: str) -> None:
    sandbox_settings_of("isolated")
    with plug_in(Sandboxes(leaky(words, instead))), pytest.raises(SandboxError, match=attack):
        hold(SandboxSettings("leaky"))


def test_full_check_finds_more_holes_than_the_probe() -> None:
    sandbox_settings_of("isolated")
    sandbox = leaky("--ro-bind /dev/null /proc/keys ", "")
    with plug_in(Sandboxes(sandbox)):
        hold(SandboxSettings("leaky"))
        rows = [row for row in read_attacks() if row.title == "reads the organizer's keys"]
        assert try_attacks(sandbox, rows) == ["did it"]


def test_the_sandbox_is_checked_without_a_bot() -> None:
    sandbox_settings_of("isolated")
    checked = arena("check", "--sandbox", "isolated")
    assert checked.exit_code == 0, checked.stderr
    lines = checked.stdout.splitlines()
    assert "`arena check BOT`" in lines[0]
    assert "blocked" in lines[-1]
    assert len(lines) < 10
    assert len(arena("check", "--sandbox", "isolated", "--all").stdout.splitlines()) > 70
    assert arena("check", "--game", "bribery").exit_code == 2
    lacking = our_users()
    assert (lacking if isinstance(lacking, str) else OWN) in checked.stdout


# -- what does not hold ------------------------------------------------------------------------


def test_rejects_unknown_level() -> None:
    with pytest.raises(SandboxError, match=r"'moat'.*none, isolated"):
        choose("moat", Bounds(), (), silent)


@pytest.mark.parametrize(
    ("missing", "fix"),
    [
        ("bwrap", "apt install bubblewrap"),
        ("mount", "apt install mount"),
        ("prlimit", "apt install util-linux"),
        ("setpriv", "apt install util-linux"),
    ],
)
def test_missing_program_is_reported_with_its_package(
    missing: str, fix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox_settings_of("isolated")
    without(tmp_path, monkeypatch, missing)
    with pytest.raises(SandboxError, match=fix):
        hold(SandboxSettings("isolated"))


def test_reports_system_that_cannot_run_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "killpg", raising=False)
    monkeypatch.delattr(select, "poll", raising=False)
    text = "this system cannot run bots, since its Python has no killpg, poll: use Linux"
    with pytest.raises(SandboxError, match=text):
        choose("auto", Bounds(), (), silent)


@pytest.mark.parametrize(
    ("settings", "message", "fix"),
    [
        ({"user/max_user_namespaces": 0}, USERNS_OFF, "sysctl user.max_user_namespaces="),
        ({"kernel/unprivileged_userns_clone": 0}, USERNS_OFF, "userns_clone=1"),
        (
            {"kernel/apparmor_restrict_unprivileged_userns": 1},
            "bwrap: setting up uid map: Permission denied",
            "AppArmor",
        ),
        ({}, "bwrap: Creating new namespace failed: Operation not permitted", "a container"),
        ({}, "bwrap: Unknown option --disable-userns", "bubblewrap 0.8 or newer"),
    ],
)
def test_reports_why_bubblewrap_fails(
    settings: dict[str, int],
    message: str,
    fix: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Elsewhere(IsolatedSandbox):
        name = "elsewhere"

    sandbox_settings_of("isolated")
    fake_tool(tmp_path, "bwrap", f"echo '{message}' >&2; exit 1", monkeypatch)
    monkeypatch.setattr(isolated, "setting_of_this_machine", settings.get)
    with plug_in(Sandboxes(Elsewhere())), pytest.raises(SandboxError) as caught:
        hold(SandboxSettings("elsewhere"))
    assert message in str(caught.value)
    assert fix in str(caught.value)


def test_hanging_probe_is_an_error() -> None:
    sandbox_settings_of("isolated")
    left = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    (left / "own").mkdir()
    with pytest.raises(SandboxError, match="isolated"):
        hold(SandboxSettings("isolated"), probe_s=0.0)
    assert not left.exists()


# -- auto --------------------------------------------------------------------------------------


def test_auto_falls_back_to_none_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox_settings_of("isolated")
    without(tmp_path, monkeypatch, "bwrap")
    message: list[str] = []
    assert choose("auto", Bounds(), (), message.append).level == "none"
    assert "run only bots you trust" in message[0]
    assert "apt install bubblewrap" in message[0]
