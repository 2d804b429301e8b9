"""The database of the server: transactions, threads, and files that are refused."""

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


def test_a_transaction_is_taken_back_when_it_fails(site: ContestSite) -> None:
    site.database.keep_value("a", b"1")

    def fail() -> None:
        with site.database.transaction() as connection:
            connection.execute("DELETE FROM server")
            connection.execute("INSERT INTO keys VALUES (x'00', 'nobody', 'link', 0)")

    with pytest.raises(sqlite3.IntegrityError):
        fail()
    assert site.database.value("a") == b"1"


def test_each_thread_has_a_connection_of_its_own(site: ContestSite) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(site.database.connect()))
    thread.start()
    thread.join()
    assert found[0] is not site.database.connect()
    assert site.database.connect() is site.database.connect()


def test_another_one_in_this_process_leaves_its_locks(tmp_path: Path) -> None:
    """Otherwise another process would take away the log that this one still writes to."""
    path = tmp_path / "server.db"
    with closing(ServerDatabase(path)) as database:
        ServerDatabase(path).close()
        code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM server')"
        subprocess.run([sys.executable, "-c", code, path], check=True)
        database.keep_value("a", b"1")
        with closing(ServerDatabase(path)) as other:
            assert other.value("a") == b"1"
        assert path.with_name("server.db-wal").exists()


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "server.db").write_bytes(b"no database at all, but as long as one" * 99)
    with pytest.raises(ServeError, match=r"server\.db"):
        ServerDatabase(tmp_path / "server.db")
