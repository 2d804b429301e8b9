"""Tests of a site's folder: complete updates, and no change to other files."""

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.base.errors import StoreError
from arena.publish.layout import STATE
from arena.publish.site_folder import MARKER, Site, check_folder

FIRST = {"index.html": "one", "bot/a.html": "a", "static/style.css": "c"}
SECOND = {"index.html": "two", "bot/b.html": "b", "static/style.css": "c"}
Replace = Callable[[Path, Path], object]


def write(folder: Path, files: dict[str, str], replace: Replace = os.replace) -> None:
    with Site(folder, replace) as site:
        for name, text in files.items():
            site.write(name, text)


def files_in(folder: Path) -> dict[str, str]:
    """Return the files of a folder, without the marker."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MARKER
    }


def test_what_is_no_longer_written_goes_away_and_its_empty_folder_too(tmp_path: Path) -> None:
    site = tmp_path / "deep" / "site"
    write(site, {**FIRST, "variant/x.html": "x"})
    assert files_in(site) == {**FIRST, "variant/x.html": "x"}
    write(site, SECOND)
    assert files_in(site) == SECOND
    assert not (site / "variant").exists()


def test_a_file_that_is_the_same_keeps_its_time(tmp_path: Path) -> None:
    write(tmp_path, FIRST)
    os.utime(tmp_path / "static/style.css", (1, 1))
    os.utime(tmp_path / "index.html", (1, 1))
    write(tmp_path, SECOND)
    assert (tmp_path / "static/style.css").stat().st_mtime == 1
    assert (tmp_path / "index.html").stat().st_mtime > 1


def test_pages_come_after_what_they_show_then_the_index_then_the_state(tmp_path: Path) -> None:
    order = []

    def watched(old: Path, new: Path) -> None:
        order.append(str(new.relative_to(tmp_path)))
        os.replace(old, new)

    write(tmp_path, {**FIRST, "games/x.js": "x", "games/x.html": "y", STATE: "z"}, watched)
    pages = ["bot/a.html", "games/x.html", "index.html"]
    assert order == [MARKER, "games/x.js", "static/style.css", *pages, STATE, MARKER]


@pytest.mark.parametrize("error", [KeyError("half"), OSError(errno.ENOSPC, "No space left")])
def test_an_error_leaves_the_old_site_and_is_told(tmp_path: Path, error: Exception) -> None:
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
def test_who_is_stopped_while_it_takes_its_place_can_do_it_again(tmp_path: Path, kept: int) -> None:
    write(tmp_path, FIRST)
    left = iter(range(kept))

    def stops(old: Path, new: Path) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        os.replace(old, new)

    with contextlib.suppress(KeyboardInterrupt):
        write(tmp_path, SECOND, stops)
    now = files_in(tmp_path)
    assert all(text in (FIRST.get(name), SECOND.get(name)) for name, text in now.items())
    write(tmp_path, SECOND)
    assert files_in(tmp_path) == SECOND


def test_what_a_killed_process_has_left_is_cleared_away(tmp_path: Path) -> None:
    write(tmp_path, FIRST)
    (tmp_path / ".new" / "bot").mkdir(parents=True)
    (tmp_path / ".new" / "bot" / "x.html").write_text("half")
    write(tmp_path, SECOND)
    assert files_in(tmp_path) == SECOND


# -- what is not ours --------------------------------------------------------------------------


def test_what_is_no_folder_of_a_site_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    for refuse in (check_folder, Site):
        with pytest.raises(StoreError, match="holds files but no site"):
            refuse(tmp_path)
        with pytest.raises(StoreError, match="cannot write the site"):
            refuse(tmp_path / "thesis.txt")
    assert files_in(tmp_path) == {"thesis.txt": "mine"}
    check_folder(tmp_path / "not-there-yet")


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
def test_a_marker_that_is_not_ours_is_refused(tmp_path: Path, marker: str) -> None:
    (tmp_path / MARKER).write_text(marker)
    with pytest.raises(StoreError, match="holds files but no site"):
        Site(tmp_path)


def test_files_that_others_have_added_stay(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    check_folder(tmp_path)
    write(tmp_path, FIRST)
    assert (tmp_path / ".git").is_dir()
    (tmp_path / "CNAME").write_text("bots.example")
    (tmp_path / "bot" / "notes.txt").write_text("mine")
    write(tmp_path, {"index.html": "two"})
    added = {"CNAME": "bots.example", "bot/notes.txt": "mine"}
    assert files_in(tmp_path) == {"index.html": "two", **added}


def test_a_file_of_others_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path, FIRST)
    (tmp_path / "about.html").write_text("mine")
    with pytest.raises(StoreError, match=r"about\.html would be overwritten"):
        write(tmp_path, {**SECOND, "about.html": "ours"})
    assert files_in(tmp_path) == {**FIRST, "about.html": "mine"}


def test_two_do_not_publish_to_one_folder_at_a_time(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.write("index.html", "one")
        with pytest.raises(StoreError, match="another process is publishing"):
            Site(tmp_path)
    assert files_in(tmp_path) == {"index.html": "one"}
