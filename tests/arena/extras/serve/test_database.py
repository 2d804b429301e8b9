"""Tests of the server's database: transactions, threads, and invalid files."""

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ServeError
from arena.extras.serve.server_database import ServerDatabase
from arena.extras.serve.web.contest_site import ContestSite


def test_rolls_back_failed_transaction(site: ContestSite) -> None:
    site.database.keep_value("a", b"1")

    def fail() -> None:
        with site.database.transaction() as connection:
            connection.execute("DELETE FROM server")
            connection.execute("INSERT INTO keys VALUES (x'00', 'nobody', 'link', 0)")

    with pytest.raises(sqlite3.IntegrityError):
        fail()
    assert site.database.value("a") == b"1"


def test_each_thread_has_its_own_connection(site: ContestSite) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(site.database.connect()))
    thread.start()
    thread.join()
    assert found[0] is not site.database.connect()
    assert site.database.connect() is site.database.connect()


def test_second_database_keeps_locks(tmp_path: Path) -> None:
    """Otherwise, another process would delete the log that this process still writes."""
    path = tmp_path / "server.db"
    with closing(ServerDatabase(path)) as database:
        ServerDatabase(path).close()
        code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM server')"
        subprocess.run([sys.executable, "-c", code, path], check=True)
        database.keep_value("a", b"1")
        with closing(ServerDatabase(path)) as other:
            assert other.value("a") == b"1"
        assert path.with_name("server.db-wal").exists()


def test_rejects_other_files_as_database(tmp_path: Path) -> None:
    (tmp_path / "server.db").write_bytes(b"no database at all, but as long as one" * 99)
    with pytest.raises(ServeError, match=r"server\.db"):
        ServerDatabase(tmp_path / "server.db")
