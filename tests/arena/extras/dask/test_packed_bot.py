"""What travels: a bot with its files, and versions."""

import sys
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

from arena.base.errors import BotError
from arena.base.protocol import Limits
from arena.contest.entrants import find_entrant
from arena.extras.dask.packed_bot import PackedBot, pack_bot, unpack_bot
from arena.extras.dask.worker_plugins import mismatch
from tests.arena.runs import make_bot

HERE = {"bribe-arena": "1.0", "rules of pot-de-vin/3": "2"}


def packed_bot(folder: Path) -> PackedBot:
    bot = make_bot(folder, "traveller")
    (bot / "tables" / "empty").mkdir(parents=True)
    (bot / "bot.py").chmod(0o755)
    return pack_bot(find_entrant(str(bot)), Limits())


def test_a_bot_travels_with_its_files_and_keeps_its_fingerprint(tmp_path: Path) -> None:
    sent = packed_bot(tmp_path / "here")
    moved = unpack_bot(sent, tmp_path / "there")
    assert moved.folder == str(tmp_path / "there")
    assert moved.fingerprint == sent.entrant.fingerprint
    assert moved.command[0] == sys.executable
    assert not sent.needs_trial
    compiled = msgspec.structs.replace(sent.entrant, command=("./a.out",))
    assert msgspec.structs.replace(sent, entrant=compiled).needs_trial
    before, after = tmp_path / "here" / "traveller" / "bot.py", tmp_path / "there" / "bot.py"
    assert after.read_bytes() == before.read_bytes()
    assert after.stat().st_mode == before.stat().st_mode
    assert (tmp_path / "there" / "tables" / "empty").is_dir()


def test_a_bot_that_was_changed_on_the_way_is_refused(tmp_path: Path) -> None:
    sent = packed_bot(tmp_path / "here")
    (tmp_path / "here" / "traveller" / "bot.py").write_text("pass")
    changed = pack_bot(sent.entrant, Limits()).files
    other = msgspec.structs.replace(sent, files=changed)
    with pytest.raises(BotError, match="fingerprint"):
        unpack_bot(other, tmp_path / "there")


def test_an_installed_bot_has_no_files_and_is_checked_by_its_fingerprint(tmp_path: Path) -> None:
    sent = pack_bot(find_entrant("random"), Limits())
    assert sent.is_installed
    assert not sent.files
    assert unpack_bot(sent, tmp_path / "there") == sent.entrant
    other = msgspec.structs.replace(sent.entrant, fingerprint="other")
    with pytest.raises(BotError, match="other code"):
        unpack_bot(msgspec.structs.replace(sent, entrant=other), tmp_path / "there")


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (HERE | {"Python": "3.11"}, ""),
        (HERE | {"bribe-arena": "0.9"}, "bribe-arena 0.9, expected 1.0"),
        ({"bribe-arena": "1.0"}, "rules of pot-de-vin/3 missing, expected 2"),
    ],
)
def test_versions_that_differ_are_named(there: dict[str, str], told: str) -> None:
    assert mismatch(HERE, there) == told
