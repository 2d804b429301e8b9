"""Tests of the command that isolates a bot, without starting it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.base.contracts import Bounds, SandboxSettings
from arena.base.errors import SandboxError
from arena.base.record import Entrant
from arena.sandbox import isolated
from arena.sandbox.isolated import INSIDE, SYSTEM, IsolatedSandbox
from tests.needs import need

pytestmark = need("bwrap")


SETTINGS = SandboxSettings("isolated")


def command(
    folder: Path,
    *,
    files: Sequence[str] = (),
    readable: Sequence[Path] = (),
) -> list[str]:
    """Return the sandboxed command of a bot in `folder`."""
    entrant = Entrant("anna", (sys.executable, "bot.py"), str(folder), "", files=tuple(files))
    settings = SandboxSettings(
        "isolated",
        bounds=Bounds(memory_mib=100, processes=7, file_mib=3),
        readable=tuple(map(str, readable)),
    )
    return wrap(entrant, settings)


def wrap(entrant: Entrant, settings: SandboxSettings = SETTINGS) -> list[str]:
    """Return the sandboxed command of a bot that is not started."""
    wrapped = IsolatedSandbox().wrap(entrant, settings)
    if wrapped.on_end:
        wrapped.on_end()
    return list(wrapped.command)


def bound(command: Sequence[str], folder: Path) -> list[str]:
    """Return the paths under `folder` that the bot sees, relative to `folder`.

    Those of its own folder have the place where it sees them.
    """
    options = zip(command, command[1:], command[2:], strict=False)
    shown = [(Path(path), inside) for option, path, inside in options if option == "--ro-bind"]
    return [
        str(path.relative_to(folder)) if inside == str(path) else inside
        for path, inside in shown
        if path.is_relative_to(folder)
    ]


def test_shows_each_folder_once(tmp_path: Path) -> None:
    for name in ("a/inner", "ab", "b"):
        (tmp_path / name).mkdir(parents=True)
    readable = [tmp_path / name for name in ("a", "a/inner", "ab")]
    shown = bound(command(tmp_path / "b", readable=readable), tmp_path)
    assert shown == ["a", "ab", INSIDE]


def test_shows_readable_paths_in_masked_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked = tmp_path / "system" / "masked"
    (masked / "library").mkdir(parents=True)
    (tmp_path / "bot").mkdir()
    monkeypatch.setattr(isolated, "SYSTEM", (*SYSTEM, str(tmp_path / "system")))
    monkeypatch.setattr(isolated, "MASKED", str(masked))
    readable = [masked / "library", tmp_path / "system" / "other"]
    shown = bound(command(tmp_path / "bot", readable=readable), tmp_path)
    assert shown == ["system", "system/masked/library", INSIDE]


@pytest.mark.parametrize("path", ["/", "/proc", "/dev", "/sys", "/tmp", "/dev/shm"])
def test_rejects_whole_file_systems(path: str, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="cannot show a bot all of"):
        command(tmp_path, readable=[Path(path)])


def test_shows_installation_of_a_program(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    for name in ("bin", "lib", "share"):
        (installed / name).mkdir(parents=True)
    tool = installed / "bin" / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    (tmp_path / "links").mkdir()
    (tmp_path / "bot").mkdir()
    (tmp_path / "links" / "tool").symlink_to("../installed/bin/tool")
    entrant = Entrant("anna", (str(tmp_path / "links" / "tool"),), str(tmp_path / "bot"), "")
    shown = bound(wrap(entrant), tmp_path)
    assert shown == ["installed/bin", "installed/lib", "links/tool", INSIDE]


def test_own_program_shows_only_the_bot_folder(tmp_path: Path) -> None:
    for name in ("bin", "lib", "conf"):
        (tmp_path / name).mkdir()
    own = tmp_path / "bin" / "prog"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    entrant = Entrant("anna", (str(own),), str(tmp_path / "bin"), "")
    wrapped = wrap(entrant)
    assert bound(wrapped, tmp_path) == [INSIDE]
    assert f"{INSIDE}/prog" in wrapped
