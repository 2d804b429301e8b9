"""Bots travel to the workers of a Dask cluster with their files."""

import sys
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("distributed", reason="needs bribe-arena[dask]")

from arena.base.errors import BotError
from arena.contest.entrants import find_entrant
from arena.extras.dask.packed_bot import pack_bot, unpack_bot
from tests.arena.runs import make_bot


def test_packed_bot_contains_its_files(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "here", "traveller")
    (bot / "tables" / "empty").mkdir(parents=True)
    (bot / "bot.py").chmod(0o755)
    sent = pack_bot(find_entrant(str(bot)))
    there = tmp_path / "there"
    moved = unpack_bot(sent, there)
    assert (moved.folder, moved.command[0]) == (str(there), sys.executable)
    assert moved.fingerprint == sent.entrant.fingerprint
    assert (there / "bot.py").read_bytes() == (bot / "bot.py").read_bytes()
    assert (there / "bot.py").stat().st_mode == (bot / "bot.py").stat().st_mode
    assert (there / "tables" / "empty").is_dir()


def test_rejects_installed_bot_with_other_code(tmp_path: Path) -> None:
    sent = pack_bot(find_entrant("random"))
    assert (sent.is_installed, sent.files) == (True, b"")
    assert unpack_bot(sent, tmp_path / "there") == sent.entrant
    other = msgspec.structs.replace(sent.entrant, fingerprint="other")
    with pytest.raises(BotError, match="other code"):
        unpack_bot(msgspec.structs.replace(sent, entrant=other), tmp_path / "there")
