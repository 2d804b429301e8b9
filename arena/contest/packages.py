"""Python packages of submissions, from what the teacher allows.

    packages/wheels/                  wheels that `arena packages` has prepared
    packages/environments/3f0a.../    the installed packages of one list of requirements

A submission names its packages in `requirements.txt`, or in its program as PEP 723 says. They are
installed from the prepared wheels, without a network, into an environment of their own. Submissions
with the same requirements share one. The command of the bot gets it as `PYTHONPATH`.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.contest.archive import open_plain
from arena.contest.entrants import code_of
from arena.contest.fingerprint import fingerprint
from arena.contest.settings import PackagesTable
from arena.errors import SettingsError, SubmissionError
from arena.protocol import printable
from arena.record import Entrant

REQUIREMENTS = "requirements.txt"
WHEELS, ENVIRONMENTS = "wheels", "environments"
MAX_BYTES = 64 * 1024
"""Of a file in which requirements are looked for."""
ENV, VARIABLE = "/usr/bin/env", "PYTHONPATH"
"""What gives the command of a bot its packages."""
_SCRIPT = re.compile(r"^# /// script\s*\n((?:#(?: .*)?\n)+?)# ///\s*$", re.MULTILINE)
"""The block of PEP 723."""
_VERSION = r"(?:===?|[<>!~]=|<|>)\s*[\w.*+!-]+"
_REQUIREMENT = re.compile(
    rf"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(\[[\w\s,.-]*\])?\s*({_VERSION}(?:\s*,\s*{_VERSION})*)?",
    re.ASCII,
)


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
    for one in packages.allow:
        requirement_name(one)
    wheels = Path(packages.folder, WHEELS)
    wheels.mkdir(parents=True, exist_ok=True)
    Path(packages.folder, ENVIRONMENTS).mkdir(exist_ok=True)
    _pip("download", "--only-binary", ":all:", "--dest", str(wheels), *packages.allow)
    return sorted([one.name for one in wheels.glob("*.whl")])


def requirement_name(requirement: str) -> str:
    """Return the name of the package in a requirement such as `numpy>=2`, in its usual form.

    Raises:
        SubmissionError: it is something else, such as an option, a path or an address.
    """
    found = _REQUIREMENT.fullmatch(requirement.strip())
    if not found:
        raise SubmissionError(
            f"{printable(requirement)[:100]!r} is no package that can be required: expected a name "
            "with versions at most, such as 'numpy' or 'numpy>=2'"
        )
    return re.sub(r"[-_.]+", "-", found[1]).lower()


def requirements_of(entrant: Entrant) -> tuple[str, ...]:
    """Return what a bot requires, in `requirements.txt` and by PEP 723 in its program.

    Raises:
        SubmissionError: it cannot be read.
    """
    folder, wanted = Path(entrant.folder), []
    for line in _text(folder / REQUIREMENTS).splitlines():
        if line := line.partition("#")[0].strip():
            wanted.append(line)
    programs = [word for word in entrant.command if word.endswith(".py")]
    for program in programs[:1]:
        for block in _SCRIPT.findall(_text(folder / program)):
            text = "\n".join([line[2:] for line in block.splitlines()])
            try:
                named = tomllib.loads(text).get("dependencies", [])
                wanted += msgspec.convert(named, list[str])
            except (ValueError, RecursionError) as error:
                raise SubmissionError(
                    f"the block `# /// script` of {program} cannot be read: {error}"
                ) from None
    return tuple(sorted(set(wanted)))


def equip(entrant: Entrant, packages: PackagesTable) -> Entrant:
    """Return a student's bot with the packages that it requires; one without stays as it is.

    Raises:
        SubmissionError: it requires what is not allowed, or what was not prepared.
    """
    wanted = requirements_of(entrant)
    if not wanted:
        return entrant
    allowed = {requirement_name(one) for one in packages.allow}
    if refused := [one for one in wanted if requirement_name(one) not in allowed]:
        known = ", ".join(sorted(allowed)) or "none"
        raise SubmissionError(
            f"{entrant.name} requires {', '.join(refused)}, which this contest does not allow; "
            f"allowed are: {known}"
        )
    environment = _environment(entrant.name, wanted, packages)
    command = (ENV, f"{VARIABLE}={environment}", *entrant.command)
    folder = Path(entrant.folder)
    return msgspec.structs.replace(
        entrant, command=command, fingerprint=fingerprint(command, code_of(entrant), folder)
    )


def equip_again(found: Entrant, before: Entrant) -> Entrant:
    """Return a bot with packages if it had some `before`, from the wheels that were prepared then.

    Raises:
        SubmissionError: the wheels do not have what the bot requires now.
    """
    folder = _packages_of(before)
    if folder is None:
        return found
    return equip(found, PackagesTable(requirements_of(found), str(folder)))


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
    files = sorted([one.name for one in wheels.glob("*.whl")])
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


def _text(path: Path) -> str:
    """Return the text of a file, empty if there is none. Raises `SubmissionError`."""
    try:
        with open_plain(path) as file:
            return file.read(MAX_BYTES).decode("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SubmissionError(f"cannot read {path.name}: {error.strerror}") from None
