"""Kernel user ids of bots: who gets which, and what a bot with another user can do."""

import os
import pwd
from pathlib import Path

import pytest

from arena.base.record import Entrant
from arena.process.bot_process import BotProcess
from arena.sandbox import users
from arena.sandbox.users import lock_of, our_users, subordinate_ids, unused_ids
from tests.arena.levels import answer, processes_of, read, sandbox_settings_of, start
from tests.arena.playing import NEEDS_PROC, PYTHON
from tests.needs import need

SAYS = "import signal; print('here', flush=True); signal.pause()"


def user_of(bot: BotProcess) -> int:
    """Return the kernel user id of the last process of a bot."""
    read(bot)
    status = Path(f"/proc/{processes_of(bot)[-1]}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Uid:"))


@NEEDS_PROC
def test_each_bot_has_its_own_user_id() -> None:
    sandbox = sandbox_settings_of("isolated")
    if isinstance(lacking := our_users(), str):
        pytest.skip(f"need a kernel user id for each bot: {lacking}")
    with start(SAYS, sandbox) as ann, start(SAYS, sandbox) as ben:
        ids = {user_of(ann), user_of(ben)}
    assert len(ids) == 2
    assert not ids & {entry.pw_uid for entry in pwd.getpwall()}
    assert all(lock_of(number) is None for number in ids)  # another run cannot take them
    with start(SAYS, sandbox) as cem:
        assert user_of(cem) in ids  # they were given back


def test_bot_with_own_user_can_read_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "private" / "bot"
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(
        "import sys\nopen('/tmp/x', 'w').write('x')\nopen('/dev/stderr', 'w').write('log')\n"
        "open('/dev/stdout', 'w').write(open('weights').read())"
    )
    (folder / "weights").write_text("own\n")
    for path in (folder / "weights", folder / "bot.py", folder, folder.parent):
        path.chmod(0o700 if path.is_dir() else 0o600)
    bot = Entrant("anna", (*PYTHON, "bot.py"), str(folder), "")
    assert answer("", sandbox_settings_of("isolated"), bot) == "own"


def test_bot_does_not_inherit_user_namespace_descriptor() -> None:
    text = "import os; print(*sorted(os.listdir('/proc/self/fd')))"
    assert answer(text, sandbox_settings_of("isolated")) == "0 1 2 3"  # 3 is for looking


def test_takes_the_last_subordinate_ids(tmp_path: Path) -> None:
    file = tmp_path / "subuid"
    file.write_text(f"ann:100000:65536\nben:200000:3\n{os.getuid()}:300000:2\nbroken\n")
    assert subordinate_ids(file, "ben") == [200002, 200001, 300001]
    assert subordinate_ids(tmp_path / "none", "ben") == []


@need(root=True)
def test_root_takes_ids_outside_user_ranges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = next(unused_ids())[0]
    file = tmp_path / "subuid"
    file.write_text(f"ann:{last - 9}:100\n")
    monkeypatch.setattr(users, "SUBUID", file)
    assert next(unused_ids()) == (last - 10, last - 10)
