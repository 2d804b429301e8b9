"""Settings of all tests.

Property tests draw the same examples in every run, and may take their time. Those that do not say
how many examples they need draw few; `--hypothesis-profile many` draws more. Bytecode is written
even where PYTHONDONTWRITEBYTECODE is set: of our packages first, because the tests start thousands
of processes, each of which would compile what it imports; and of the tests as they are imported,
because each process of pytest-xdist would compile them all, in every run. Ctrl-C is heard even if
the shell that started the tests ignores it, as it does for jobs in the background; otherwise the
commands that tests start would ignore it too. What tests and the programs that they start put into
the temporary folder comes into one of their own, which must be empty after each module.
"""

import compileall
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
import bots
import engine
from arena.process.host import usable

sys.dont_write_bytecode = False


def pytest_configure() -> None:
    """Set up hypothesis, imported only now that its bytecode is kept: pytest rewrites it."""
    from hypothesis import settings

    settings.register_profile("few", derandomize=True, deadline=None, max_examples=20)
    settings.register_profile("many", derandomize=True, deadline=None, max_examples=200)
    settings.load_profile("few")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one test process more than there are cores, since many tests wait for bots."""
    return len(usable()) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Hear Ctrl-C in each test process, and compile our packages, once for all of them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(session.config, "workerinput"):  # a process of pytest-xdist
        for package in (engine, arena, bots):
            compileall.compile_dir(Path(package.__path__[0]), quiet=2)


@pytest.fixture(scope="session", autouse=True)
def temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the temporary folder of this test process and of all that it starts.

    Its path is short, since programs open sockets there, and other users may pass through it.
    """
    tmp_path_factory.getbasetemp()  # that of pytest stays outside
    with (
        tempfile.TemporaryDirectory(prefix="arena-") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        os.chmod(folder, 0o755)
        patch.setenv("TMPDIR", folder)
        tempfile.tempdir = folder
        yield Path(folder)
    tempfile.tempdir = None  # it is found again when it is asked for


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left(temporary_folder: Path) -> Iterator[None]:
    """Hold that a module of tests leaves nothing in the temporary folder."""
    yield
    left = sorted(temporary_folder.iterdir())
    for path in left:  # lest it is found in the next module too
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert not left
