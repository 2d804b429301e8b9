"""The project's checks as nox sessions. `nox -l` lists them, and `nox -s lint slow` runs two.

By default, nox runs the sessions of `.ci/run`. `.ci/full` and the GitHub workflows select
others. Each session logs how long it took, and has a budget in minutes on two otherwise idle
cores.
"""

import functools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nox

CHECKOUT = Path(__file__).parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ".[test,learn,openspiel,dask,serve,serve-test]"

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = True
nox.options.reuse_venv = "yes"
nox.options.sessions = [
    *("lint", "slow", "extras", "speed", "pages", "docs", "compiled", "site", "workflows")
]
nox.options.stop_on_first_error = True

Part = Callable[[nox.Session], None]


def part(minutes: int, **options: Any) -> Callable[[Part], Part]:
    """Declare a session with a time budget in minutes."""

    def declare(function: Part) -> Part:
        @functools.wraps(function)
        def run(session: nox.Session) -> None:
            began = time.monotonic()
            function(session)
            took = round(time.monotonic() - began)
            late = ", ABOVE ITS BUDGET" if took > 60 * minutes else ""
            session.log(f"{took // 60}:{took % 60:02} of {minutes} minutes{late}")

        # Tests make environments.
        return nox.session(venv_params=["--seed"], **options)(run)

    return declare


def pytest(session: nox.Session, *arguments: str) -> None:
    """Run pytest with `arguments` and the arguments after `--` on nox's command line."""
    more = [word for word in session.posargs if word != "--short"]
    session.run("python", "-m", "pytest", "-q", *arguments, *more)


def short(session: nox.Session, *words: str) -> tuple[str, ...]:
    """Return `words` if the session should run only a small part (`-- --short`)."""
    return words if "--short" in session.posargs else ()


def build(session: nox.Session, *, compiled: bool = False) -> Path:
    """Build a wheel of the checkout and return its path.

    Timestamps are those of the last commit, so that builds are reproducible.
    """
    folder = Path(session.virtualenv.location, "dist")
    shutil.rmtree(folder, ignore_errors=True)
    stamp = session.run("git", "log", "-1", "--format=%ct", external=True, silent=True)
    environment = {"SOURCE_DATE_EPOCH": str(stamp).strip()}
    if compiled:
        environment["BRIBE_ARENA_COMPILE"] = "1"
    session.install("build")
    session.run("python", "-m", "build", "-q", "--wheel", "-o", str(folder), env=environment)
    (wheel,) = folder.glob("*.whl")
    return wheel.resolve()


@contextmanager
def outside(session: nox.Session, *names: str | Path) -> Iterator[None]:
    """Work in a copy of some files, outside the checkout."""
    with tempfile.TemporaryDirectory() as folder, session.chdir(folder):
        for name in names:
            path = Path(CHECKOUT, name)
            if path.is_dir():
                shutil.copytree(path, name)
            else:
                shutil.copy(path, ".")
        yield


# -- sessions of .ci/run ---------------------------------------------------------------------------


@part(5, python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the default tests with each Python version."""
    session.install("-e", ".[test]")
    pytest(session)


@part(2)
def lint(session: nox.Session) -> None:
    """Check style, formatting, import directions and types."""
    session.install("-e", EXTRAS)
    for command in ("ruff check .", "ruff format --check .", "lint-imports", "mypy"):
        session.run(*command.split())


@part(5)
def slow(session: nox.Session) -> None:
    """Run the slow tests of the core: whole runs and sites, kills, hostile bots at each sandbox
    level.
    """
    session.install("-e", ".[test]")
    left = ("tests/arena/extras/learn", "tests/arena/extras/serve", "tests/test_docs.py")
    options = [word for path in left for word in ("--ignore", path)]
    pytest(session, "-m", "slow and not long", "--dist", "worksteal", *options)


@part(8)
def extras(session: nox.Session) -> None:
    """Run the tests of learning environments, OpenSpiel, Dask and the server, and a load test."""
    tools = ("pandas", "matplotlib", "networkx")  # tables, their figures, OpenSpiel's egt
    session.install("-e", EXTRAS, "locust", *tools)
    folders = [f"tests/arena/extras/{extra}" for extra in ("learn", "openspiel", "dask", "serve")]
    pytest(session, "-m", "not long", "--dist", "worksteal", *folders)
    session.run("python", "-m", "benchmarks.serve_load", "--short")


@part(1)
def speed(session: nox.Session) -> None:
    """Compare speed ratios with the committed ones. None may be more than 30% worse."""
    session.install("-e", ".")
    session.run("python", "-m", "benchmarks.ratios")


@part(2)
def pages(session: nox.Session) -> None:
    """Run the commands in the docs with an installed wheel, outside the checkout."""
    wheel = build(session)
    session.install(wheel, "hypothesis", "pytest", "pytest-xdist", "setuptools>=77")
    with outside(session, *Path().glob("*.md"), "docs", "tests", "pyproject.toml"):
        pytest(session, "-m", "not long", "--dist", "load", "tests/test_docs.py")


def build_docs(session: nox.Session, *words: str) -> None:
    """Build the docs as a site, and fail on warnings. `--quiet` would hide them from `--strict`."""
    session.install(*words, "-e", ".[docs,learn]")
    session.run("mkdocs", "build", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})


@part(2, reuse_venv=False)
def docs(session: nox.Session) -> None:
    """Build the docs with the newest tools, checking all links and names."""
    build_docs(session)


def test_compiled(session: nox.Session) -> None:
    """Run the tests of games, search and bots with a compiled wheel."""
    wheel = build(session, compiled=True)
    session.install("--reinstall-package", "bribe-arena", str(wheel))
    session.install("hypothesis", "pytest", "pytest-xdist")
    golden = os.environ.get("ARENA_GOLDEN") or Path("..", "shared", "golden").resolve()
    session.env["ARENA_GOLDEN"] = str(golden)
    folders = ("engine", "regression", "arena/sdk")
    with outside(session, "benchmarks", "docs", "tests", "pyproject.toml"):
        for module in ("engine.pot_de_vin.rules", "arena.sdk.search", "bots.bribery.board"):
            check = f"import {module} as module; assert module.__file__.endswith('.so'), module"
            session.run("python", "-c", check)
        pytest(session, *[f"tests/{folder}" for folder in (*folders, "bots")])


@part(4)
def compiled(session: nox.Session) -> None:
    """Test the compiled wheel if there is a C compiler."""
    if shutil.which("cc") is None:
        session.skip("the compiled games need a C compiler and the headers of Python")
    test_compiled(session)


@part(3)
def site(session: nox.Session) -> None:
    """Check that the pages of a published site are valid, accessible and free of layout shifts."""
    session.install("-e", ".")
    session.run("bash", ".ci/site", "arena", external=True)


@part(1)
def workflows(session: nox.Session) -> None:
    """Check the GitHub workflows of this project."""
    session.install("-e", ".[test]")
    session.run("bash", ".ci/workflows", external=True)


# -- sessions of .ci/full --------------------------------------------------------------------------


@part(20, python=PYTHONS)
def wheels(session: nox.Session) -> None:
    """Build the compiled wheel for each Python version twice, compare the two, and test it."""
    first = build(session, compiled=True).read_bytes()
    assert build(session, compiled=True).read_bytes() == first, "two builds differ"
    test_compiled(session)


@part(10, python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """Run the default tests with the lowest dependency versions that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "-e", ".[test]")
    old = ("-W", "ignore::DeprecationWarning")  # of old packages about each other
    pytest(session, *old, *short(session, "tests/arena/rating"))


@part(20)
def debian(session: nox.Session) -> None:
    """Run the README's commands in a Debian 12 that has only Python and git."""
    session.run("bash", ".ci/debian", *short(session, "the main job"), external=True)


@part(2, reuse_venv=False)
def docs_pinned(session: nox.Session) -> None:
    """Build the docs with the pinned tools that are used for publishing."""
    build_docs(session, "-c", "docs/constraints.txt")


@part(2)
def audit(session: nox.Session) -> None:
    """Look up known vulnerabilities of the installed packages."""
    session.install("-e", EXTRAS, "pip-audit")
    session.run("pip-audit", "--strict", "--skip-editable", "--progress-spinner", "off")


@part(5)
def training(session: nox.Session) -> None:
    """Train for a few steps with the example and the notebook, using PyTorch."""
    session.install("-e", ".[test,learn,torch]")
    pytest(session, "-m", "slow", "tests/arena/extras/learn/test_training.py")


@part(60)
def mutants(session: nox.Session) -> None:
    """Run the mutation tests of a package (`-- rating`): tests must detect each changed operator or
    constant.
    """
    session.install("-e", ".[test,mutants]")
    rooms = [word for word in session.posargs if word != "--short"] or ["schedule"]
    with outside(session, "arena", "bots", "engine", "tests", "pyproject.toml"):  # it edits modules
        for room in rooms:
            settings, database = f"tests/mutants/{room}.toml", f"{room}.sqlite"
            session.run("cosmic-ray", "baseline", settings)
            if short(session, room):
                continue
            session.run("cosmic-ray", "init", settings, database)
            session.run("cr-filter-operators", database, settings)
            session.run("cosmic-ray", "exec", settings, database)
            session.run("cr-report", "--surviving-only", "--show-diff", database)
            session.run("cr-rate", "--fail-over", "10", database)


@part(300)
def calibration(session: nox.Session) -> None:
    """Simulate tournaments to measure how often intervals, certificates and verdicts are right."""
    session.install("-e", ".")
    session.run("python", "-m", "benchmarks.calibration", *short(session, "--short"))


@part(20)
def examples(session: nox.Session) -> None:
    """Run the property tests with many examples."""
    session.install("-e", ".[test]")
    marks = "hypothesis and not slow and not long"
    small = short(session, "tests/arena/schedule")
    pytest(session, "-m", marks, "--hypothesis-profile", "many", *small)


@part(120)
def long(session: nox.Session) -> None:
    """Run the long tests: strength of the bots, endurance, and full versions of shortened tests."""
    session.install("-e", EXTRAS)
    pytest(session, "-m", "long", "--dist", "worksteal", *short(session, "tests/arena/tournament"))


@part(75)
def serve(session: nox.Session) -> None:
    """Build the container, kill a contest server, and run a load test with a class."""
    session.install("-e", ".[test,serve,serve-test]", "locust")
    session.run("python", "-m", "tests.containerfile", *short(session, "--plain"))
    for module in ("serve_kills", "serve_load"):
        session.run("python", "-m", f"benchmarks.{module}", *short(session, "--short"))
