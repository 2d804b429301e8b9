"""What travels: bots with their files, versions, and messages with a version."""

import sys
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import ArenaError, BotError
from arena.base.protocol import Limits
from arena.contest.entrants import find_entrant
from arena.extras.dask.members import mismatch
from arena.extras.dask.messages import BotFile, PackedBot, Versions, pack, unpack
from arena.extras.dask.packed_bots import needs_trial, pack_bot, unpack_bot
from tests.arena.runs import make_bot

HERE = Versions(1, "1.0", "3.11", 1, {"pot-de-vin/3": 2})


def packed_bot(folder: Path) -> PackedBot:
    return pack_bot("session", find_entrant(str(make_bot(folder, "traveller"))), Limits())


def test_a_bot_travels_with_its_files_and_keeps_its_fingerprint(tmp_path: Path) -> None:
    sent = packed_bot(tmp_path / "here")
    moved = unpack_bot(unpack(pack(sent), PackedBot), tmp_path / "there")
    assert moved.folder == str(tmp_path / "there")
    assert moved.fingerprint == sent.entrant.fingerprint
    assert moved.command[0] == sys.executable
    assert not needs_trial(sent)
    compiled = msgspec.structs.replace(sent.entrant, command=("./a.out",))
    assert needs_trial(msgspec.structs.replace(sent, entrant=compiled))
    assert (tmp_path / "there" / "bot.py").read_bytes() == (
        tmp_path / "here" / "traveller" / "bot.py"
    ).read_bytes()


def test_a_bot_that_was_changed_on_the_way_is_refused(tmp_path: Path) -> None:
    sent = packed_bot(tmp_path / "here")
    files = tuple([msgspec.structs.replace(file, data=b"other") for file in sent.files])
    with pytest.raises(BotError, match="fingerprint"):
        unpack_bot(msgspec.structs.replace(sent, files=files), tmp_path / "there")


@pytest.mark.parametrize("path", ["../out.py", "/out.py"])
def test_a_file_that_leads_out_of_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    sent = packed_bot(tmp_path / "here")
    sent = msgspec.structs.replace(sent, files=(BotFile(path, 0o644, b""),))
    with pytest.raises(BotError, match="leads out"):
        unpack_bot(sent, tmp_path / "there")
    assert not (tmp_path / "out.py").exists()


def test_an_installed_bot_has_no_files_and_is_checked_by_its_fingerprint(tmp_path: Path) -> None:
    sent = pack_bot("session", find_entrant("random"), Limits())
    assert sent.is_installed
    assert not sent.files
    assert unpack_bot(sent, tmp_path / "there") == sent.entrant
    other = msgspec.structs.replace(sent.entrant, fingerprint="other")
    with pytest.raises(BotError, match="other code"):
        unpack_bot(msgspec.structs.replace(sent, entrant=other), tmp_path / "there")


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ({}, ""),
        ({"arena": "0.9"}, "bribe-arena 0.9, expected 1.0"),
        ({"python": "3.12"}, "Python 3.12, expected 3.11"),
        ({"protocol": 2}, "protocol 2, expected 1"),
        ({"rules": {}}, "no pot-de-vin/3: install its package"),
        ({"rules": {"pot-de-vin/3": 1}}, "version 1 of the rules of pot-de-vin/3, expected 2"),
    ],
)
def test_versions_that_differ_are_named(there: dict[str, object], told: str) -> None:
    assert mismatch(HERE, msgspec.structs.replace(HERE, **there)) == told
    with pytest.raises(ArenaError, match="version 99"):
        unpack(bytes([99]) + pack(HERE)[1:], Versions)
