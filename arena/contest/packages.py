"""Python packages of submissions, from what the teacher allows.

    packages/wheels/                  wheels that `arena packages` has prepared
    packages/environments/3f0a.../    the installed packages of one list of requirements

A submission names its packages in `requirements.txt`, or in its program as PEP 723 says. They are
installed from the prepared wheels, without a network, into an environment of their own. Submissions
with the same requirements share one. The command of the bot gets it as `PYTHONPATH`.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.contest.reader import Reader
from arena.contest.reading_jobs import RequiredPackages
from arena.contest.requirements import requirement_name
from arena.contest.settings import PackagesTable
from arena.errors import SettingsError, SubmissionError
from arena.protocol import printable
from arena.record import Entrant

WHEELS, ENVIRONMENTS = "wheels", "environments"
ENV, VARIABLE = "/usr/bin/env", "PYTHONPATH"
"""What gives the command of a bot its packages."""


def prepare_wheels(packages: PackagesTable) -> list[str]:
    """Fetch wheels of the allowed packages and all that they need; return the names of the files.

    This is the only step that needs a network.

    Raises:
        SettingsError: no package is allowed, or pip cannot fetch them.
    """
    if not packages.allow:
        raise SettingsError(
            'no package is allowed: add `[packages] allow = ["numpy"]` to the contest file'
        )
    for package in packages.allow:
        requirement_name(package)
    wheels = Path(packages.folder, WHEELS)
    wheels.mkdir(parents=True, exist_ok=True)
    Path(packages.folder, ENVIRONMENTS).mkdir(exist_ok=True)
    _pip("download", "--only-binary", ":all:", "--dest", str(wheels), *packages.allow)
    return sorted([wheel.name for wheel in wheels.glob("*.whl")])


def requirements_of(entrant: Entrant, reader: Reader) -> tuple[str, ...]:
    """Return what a bot requires, in `requirements.txt` and by PEP 723 in its program.

    Raises:
        SubmissionError: it cannot be read, or takes too much to read.
    """
    programs = [word for word in entrant.command if word.endswith(".py")]
    job = RequiredPackages(entrant.folder, programs[0] if programs else "")
    return reader.texts(job, f"the list of packages of {entrant.name}")


def equip(entrant: Entrant, packages: PackagesTable, reader: Reader) -> Entrant:
    """Return a student's bot with the packages that it requires; one without stays as it is.

    Raises:
        SubmissionError: it requires what is not allowed, or what was not prepared.
    """
    wanted = requirements_of(entrant, reader)
    if not wanted:
        return entrant
    allowed = {requirement_name(name) for name in packages.allow}
    if refused := [line for line in wanted if requirement_name(line) not in allowed]:
        known = ", ".join(sorted(allowed)) or "none"
        raise SubmissionError(
            f"{entrant.name} requires {', '.join(refused)}, which this contest does not allow; "
            f"allowed are: {known}"
        )
    environment = _environment(entrant.name, wanted, packages)
    command = (ENV, f"{VARIABLE}={environment}", *entrant.command)
    equipped = msgspec.structs.replace(entrant, command=command)
    return msgspec.structs.replace(equipped, fingerprint=reader.fingerprint(equipped))


def equip_again(found: Entrant, before: Entrant) -> Entrant:
    """Return a bot with packages if it had some `before`, from the wheels that were prepared then.

    Raises:
        SubmissionError: the wheels do not have what the bot requires now.
    """
    folder = _packages_of(before)
    if folder is None:
        return found
    with Reader() as reader:
        wanted = requirements_of(found, reader)
        return equip(found, PackagesTable(wanted, str(folder)), reader)


def environment_of(entrant: Entrant) -> tuple[str, ...]:
    """Return the folder that a bot has to read in the sandbox, if it has packages."""
    folder = _packages_of(entrant)
    return (str(folder / ENVIRONMENTS),) if folder else ()


def _packages_of(entrant: Entrant) -> Path | None:
    """Return the folder of the packages of a bot, or None if `equip` has given it none."""
    program, *arguments = entrant.command
    name, _, value = (arguments or [""])[0].partition("=")
    if program != ENV or name != VARIABLE or Path(value).parent.name != ENVIRONMENTS:
        return None
    return Path(value).parent.parent


def environments(packages: PackagesTable) -> tuple[str, ...]:
    """Return the folder that isolated bots have to read, if packages were prepared."""
    folder = Path(packages.folder, ENVIRONMENTS)
    return (str(folder.resolve()),) if packages.allow and folder.is_dir() else ()


def _environment(name: str, wanted: Sequence[str], packages: PackagesTable) -> Path:
    """Return the folder with the installed packages, made unless it is there."""
    parent, wheels = Path(packages.folder, ENVIRONMENTS).resolve(), Path(packages.folder, WHEELS)
    files = sorted([wheel.name for wheel in wheels.glob("*.whl")])
    if not files or not parent.is_dir():
        raise SubmissionError(
            f"{name} requires {', '.join(wanted)}, and the teacher has not prepared the packages "
            "yet: `arena packages contest.toml` does"
        )
    key = "\n".join([sys.version, *wanted, "", *files])
    place = parent / hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
    if place.is_dir():
        return place
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=parent))
    try:
        offline = ["--no-index", "--find-links", str(wheels), "--only-binary", ":all:"]
        _pip("install", *offline, "--no-compile", "--target", str(made / "site"), *wanted)
        try:
            (made / "site").rename(place)
        except OSError:
            if not place.is_dir():  # else another process has made the same
                raise
    except SettingsError as error:
        raise SubmissionError(
            f"{name} requires {', '.join(wanted)}, which the prepared wheels do not have: {error}"
        ) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return place


def _pip(command: str, *arguments: str) -> None:
    """Run pip. Raises `SettingsError` with the last line of what it says if it fails."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pip", command, *quiet, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": ""},
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = printable((said or done.stderr.splitlines() or ["no reason given"])[-1])
        raise SettingsError(f"pip cannot {command} the packages: {why}")
