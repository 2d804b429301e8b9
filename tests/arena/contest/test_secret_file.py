"""Tests that only the owner can read a secret, and of messages about invalid ones."""

import os
from pathlib import Path

import pytest

from arena.base.errors import SettingsError
from arena.contest.secret_file import keep_private, read_secret, write_secret
from tests.arena.runs import SECRET


def test_written_secret_is_readable_by_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_secret(tmp_path / "secret.txt", SECRET)
    finally:
        os.umask(before)
    assert (tmp_path / "secret.txt").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "secret.txt").read_text() == f"{SECRET.text}\n"
    assert read_secret(tmp_path / "secret.txt").hash == SECRET.hash


def test_never_replaces_existing_file(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        write_secret(tmp_path / "secret.txt", SECRET)
    assert (tmp_path / "secret.txt").read_text() == "mine"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620])
def test_rejects_readable_secret_unless_public(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "secret.txt"
    write_secret(path, SECRET)
    path.chmod(mode)
    with pytest.raises(SettingsError, match=rf"{mode:o}, expected 600.*chmod 600"):
        read_secret(path)
    assert read_secret(path, is_public=True).hash == SECRET.hash


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "got 0 characters, expected a secret"),
        (b"123", "at least 32 hexadecimal digits"),
        (b"\xff" * 40, "it is not text"),
        (b"a" * 10_000_000, "it is longer than 4096 bytes"),
    ],
    ids=["empty", "short", "bytes", "long"],
)
def test_rejects_file_without_secret(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "secret.txt"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(SettingsError, match=f"secret.txt contains no secret: .*({message})"):
        read_secret(path)


@pytest.mark.parametrize(
    ("before", "after"), [(0o755, 0o700), (0o644, 0o600), (0o775, 0o775), (0o700, 0o700)]
)
def test_removes_access_unless_group_writable(tmp_path: Path, before: int, after: int) -> None:
    place = tmp_path / "submissions"
    place.mkdir()
    place.chmod(before)
    keep_private([tmp_path / "missing", place])
    assert place.stat().st_mode & 0o777 == after
