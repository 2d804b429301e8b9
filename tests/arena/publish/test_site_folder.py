"""Tests of a site's folder: complete updates, and no change to other files."""

import contextlib
import errno
import os
from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.publish.site_folder import MARKER, Site

FIRST = {"index.html": "one", "bot/a.html": "a", "static/style.css": "c"}
SECOND = {"index.html": "two", "bot/b.html": "b", "static/style.css": "c"}


def write(folder: Path, files: dict[str, str]) -> None:
    with Site(folder) as site:
        for name, text in files.items():
            site.write(name, text)


def files_in(folder: Path) -> dict[str, str]:
    """Return the files of a folder, without the marker."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MARKER
    }


def test_removes_outdated_files_and_empty_folders(tmp_path: Path) -> None:
    site = tmp_path / "deep" / "site"
    write(site, {**FIRST, "variant/x.html": "x"})
    assert files_in(site) == {**FIRST, "variant/x.html": "x"}
    write(site, SECOND)
    assert files_in(site) == SECOND
    assert not (site / "variant").exists()


def test_writes_index_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order, replace = [], os.replace

    def watched(old: Path, new: Path) -> None:
        order.append(str(new.relative_to(tmp_path)))
        replace(old, new)

    monkeypatch.setattr(os, "replace", watched)
    write(tmp_path, {**FIRST, "games/x.js": "x", "games/x.html": "y"})
    pages = ["bot/a.html", "games/x.html", "index.html"]
    assert order == [MARKER, "games/x.js", "static/style.css", *pages, MARKER]


@pytest.mark.parametrize("error", [KeyError("half"), OSError(errno.ENOSPC, "No space left")])
def test_error_keeps_the_old_site(tmp_path: Path, error: Exception) -> None:
    write(tmp_path, FIRST)

    def fail() -> None:
        with Site(tmp_path) as site:
            site.write("index.html", "half")
            raise error

    with pytest.raises((KeyError, StoreError), match=r"half|cannot write the site to .*: No space"):
        fail()
    assert files_in(tmp_path) == FIRST
    write(tmp_path, SECOND)


@pytest.mark.parametrize("kept", [0, 2, 5])
def test_interrupted_publishing_can_be_repeated(
    tmp_path: Path, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, FIRST)
    left, replace = iter(range(kept)), os.replace

    def stops(old: Path, new: Path) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        replace(old, new)

    with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        patch.setattr(os, "replace", stops)
        write(tmp_path, SECOND)
    now = files_in(tmp_path)
    assert all(text in (FIRST.get(name), SECOND.get(name)) for name, text in now.items())
    write(tmp_path, SECOND)
    assert files_in(tmp_path) == SECOND


def test_removes_leftovers_of_killed_processes(tmp_path: Path) -> None:
    write(tmp_path, FIRST)
    (tmp_path / ".new" / "bot").mkdir(parents=True)
    (tmp_path / ".new" / "bot" / "x.html").write_text("half")
    write(tmp_path, SECOND)
    assert files_in(tmp_path) == SECOND


# -- what is not ours --------------------------------------------------------------------------


def test_rejects_folders_that_are_not_sites(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StoreError, match="contains files, but not a site"):
        Site(tmp_path)
    with pytest.raises(StoreError, match="cannot write the site"):
        Site(tmp_path / "thesis.txt")
    assert files_in(tmp_path) == {"thesis.txt": "mine"}


@pytest.mark.parametrize(
    "marker",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"made_by": "somebody", "files": []}',
        '{"made_by": "bribe-arena", "files": ["../thesis.txt"]}',
        '{"made_by": "bribe-arena", "files": ["/etc/passwd"]}',
    ],
)
def test_rejects_foreign_markers(tmp_path: Path, marker: str) -> None:
    (tmp_path / MARKER).write_text(marker)
    with pytest.raises(StoreError, match="contains files, but not a site"):
        Site(tmp_path)


def test_keeps_files_added_by_others(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, FIRST)
    assert (tmp_path / ".git").is_dir()
    (tmp_path / "CNAME").write_text("bots.example")
    (tmp_path / "bot" / "notes.txt").write_text("mine")
    write(tmp_path, {"index.html": "two"})
    added = {"CNAME": "bots.example", "bot/notes.txt": "mine"}
    assert files_in(tmp_path) == {"index.html": "two", **added}


def test_never_overwrites_files_of_others(tmp_path: Path) -> None:
    write(tmp_path, FIRST)
    (tmp_path / "about.html").write_text("mine")
    with pytest.raises(StoreError, match=r"about\.html would be overwritten"):
        write(tmp_path, {**SECOND, "about.html": "ours"})
    assert files_in(tmp_path) == {**FIRST, "about.html": "mine"}


def test_rejects_concurrent_publishing(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.write("index.html", "one")
        with pytest.raises(StoreError, match="another process is publishing"):
            Site(tmp_path)
    assert files_in(tmp_path) == {"index.html": "one"}


def test_site_is_up_to_date_if_it_has_all_files_from_the_same_source(tmp_path: Path) -> None:
    def publish(source: str) -> bool:
        with Site(tmp_path) as site:
            if not (is_current := site.is_made_from(source)):
                site.write("index.html", source)
        return is_current

    assert [publish(source) for source in ("1", "1", "2", "2")] == [False, True, False, True]
    assert files_in(tmp_path) == {"index.html": "2"}
    (tmp_path / "index.html").unlink()
    assert not publish("2")
