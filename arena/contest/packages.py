"""Python packages of submissions, from what the teacher allows.

    packages/environments/3f0a.../    the allowed packages, in the versions that were installed
    packages/environments/as-5c1e...  a link to the last environment for one wording of `allow`

A submission names its packages in `requirements.txt`, or in its program as PEP 723 says. All bots
of a contest use one environment, which `arena packages` has prepared. The command of the bot gets
it as `PYTHONPATH`. Other versions get another environment, so a run that goes on keeps its own.
"""

import contextlib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

import msgspec
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.base.record import ENV, ENVIRONMENTS, PACKAGES_VARIABLE, Entrant
from arena.contest.fingerprint import fingerprint_now
from arena.contest.reader import Reader
from arena.contest.settings import PackagesTable
from arena.contest.untrusted_files import UntrustedFolder

REQUIREMENTS = "requirements.txt"
MAX_LIST_BYTES = 64 * 1024
"""Of a file in which requirements are looked for."""
MAX_REQUIREMENTS = 100
MAX_REQUIREMENT_CHARS = 200
_BEGIN = "# /// script"
_BLOCK = re.compile(rf"^{_BEGIN}\n((?:#(?: .*)?\n)+?)# ///$", re.MULTILINE)
"""A block of PEP 723: comments between two lines."""


def prepare_packages(packages: PackagesTable) -> list[str]:
    """Install the allowed packages and all that they need; return their names and versions.

    This is the only step that needs a network.

    Raises:
        SettingsError: no package is allowed, or pip cannot install them.
    """
    if not packages.allow:
        raise SettingsError(
            'no package is allowed: add `[packages] allow = ["numpy"]` to the contest file'
        )
    for package in packages.allow:
        requirement_name(package)
    link = _prepared(packages)
    link.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=link.parent) as made:
        site = Path(made, "site")
        options = ("--only-binary", ":all:", "--no-compile", "--target", str(site))
        _pip("install", *options, *packages.allow)
        installed = [f"{name} {version}" for name, version in sorted(_versions(site).items())]
        place = link.with_name(_key(*installed))
        if not place.is_dir():
            site.rename(place)
    link.unlink(missing_ok=True)
    link.symlink_to(place.name)
    return installed


def requirements_of(entrant: Entrant, reader: Reader) -> tuple[str, ...]:
    """Return what a bot requires, in `requirements.txt` and by PEP 723 in its program.

    Raises:
        SubmissionError: it cannot be read, or takes too much to read.
    """
    programs = [word for word in entrant.command if word.endswith(".py")]
    label = f"the list of packages of {entrant.name}"
    return reader.run(label, requirements_in, Path(entrant.folder), (programs or [""])[0])


def equip(entrant: Entrant, packages: PackagesTable, reader: Reader) -> Entrant:
    """Return a student's bot with the packages of its contest; one that requires none stays as it
    is.

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
    environment = _prepared(packages).resolve()
    if not environment.is_dir():
        raise SubmissionError(
            f"{entrant.name} requires {', '.join(wanted)}, and the teacher has not prepared the "
            "packages yet: `arena packages contest.toml` does"
        )
    return equip_from(entrant, environment, wanted, reader)


def equip_from(
    entrant: Entrant, environment: Path, wanted: Iterable[str], reader: Reader
) -> Entrant:
    """Return a bot with the packages of an environment, which has to fulfil what is `wanted`.

    Raises:
        SubmissionError: a package is missing, or has another version.
    """
    versions = _versions(environment)
    for line in map(Requirement, wanted):
        version = versions.get(canonicalize_name(line.name))
        if version is None or not line.specifier.contains(version, prereleases=True):
            raise SubmissionError(
                f"{entrant.name} requires {line}, and this contest has {line.name} "
                f"{version or 'not at all'}: all its bots use the same versions"
            )
    command = (ENV, f"{PACKAGES_VARIABLE}{environment}", *entrant.command)
    equipped = msgspec.structs.replace(entrant, command=command)
    code = reader.run(entrant.name, fingerprint_now, equipped)
    return msgspec.structs.replace(equipped, fingerprint=code)


def _prepared(packages: PackagesTable) -> Path:
    """Return the link to the environment of a contest, which may not be there."""
    return Path(packages.folder, ENVIRONMENTS).resolve() / f"as-{_key(*packages.allow)}"


def _versions(environment: Path) -> dict[str, str]:
    """Return the version of each installed package by its name in the usual form."""
    found = distributions(path=[str(environment)])
    return {canonicalize_name(package.name): package.version for package in found}


def _key(*words: str) -> str:
    """Return a name for some words and the Python of now."""
    key = "\n".join([sys.version, *words])
    return hashlib.blake2b(key.encode(), digest_size=8).hexdigest()


def _pip(command: str, *arguments: str) -> str:
    """Run pip, and return its output.

    Raises:
        SettingsError: pip fails. The text is the last line of what it says.
    """
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
    return done.stdout


# -- requirements ------------------------------------------------------------------------------


def _parsed(requirement: str) -> Requirement:
    """Return a requirement of a name with versions at most. Raises `SubmissionError`."""
    with contextlib.suppress(InvalidRequirement):
        if len(requirement) <= MAX_REQUIREMENT_CHARS:
            found = Requirement(requirement)
            if not found.url and not found.marker:
                return found
    raise SubmissionError(
        f"{printable(requirement[:100])!r} is no package that can be required: expected a name "
        "with versions at most, such as 'numpy' or 'numpy>=2'"
    )


def normal_requirement(requirement: str) -> str:
    """Return a requirement such as `numpy >= 2` without spaces, with its name in the usual form.

    Raises:
        SubmissionError: it is something else, such as an option, a path or an address.
    """
    found = _parsed(requirement)
    extras = f"[{','.join(sorted(found.extras))}]" if found.extras else ""
    return f"{canonicalize_name(found.name)}{extras}{found.specifier}"


def requirement_name(requirement: str) -> str:
    """Return the name of the package in a requirement, in its usual form.

    Raises:
        SubmissionError: as `normal_requirement` does.
    """
    return canonicalize_name(_parsed(requirement).name)


def requirements_in(folder: Path, program: str) -> tuple[str, ...]:
    """Return what a bot requires, in `requirements.txt` and by PEP 723 in its Python `program`.

    Each requirement is in its normal form.

    Raises:
        SubmissionError: the requirements cannot be read, or are too many.
    """
    wanted = [line.partition("#")[0].strip() for line in _text(folder, REQUIREMENTS).splitlines()]
    for block in _script_blocks(_text(folder, program)) if program else ():
        try:
            wanted += msgspec.convert(tomllib.loads(block).get("dependencies", []), list[str])
        except (ValueError, RecursionError) as error:
            raise SubmissionError(
                f"the block `{_BEGIN}` of {program} cannot be read: {error}"
            ) from None
    named = {line for line in wanted if line}
    if len(named) > MAX_REQUIREMENTS:
        raise SubmissionError(
            f"it requires {len(named):,} packages, at most {MAX_REQUIREMENTS} are allowed"
        )
    return tuple(sorted({normal_requirement(line) for line in named}))


def _script_blocks(text: str) -> Iterator[str]:
    """Yield the TOML in each block of PEP 723."""
    for block in _BLOCK.findall("\n".join(map(str.rstrip, text.splitlines()))):
        yield "\n".join([line[2:] for line in block.splitlines()])


def _text(folder: Path, name: str) -> str:
    """Return the text of a file in a folder, empty if there is none. Raises `SubmissionError`."""
    try:
        with UntrustedFolder(folder, name) as inside, inside.open(name) as file:
            return file.read(MAX_LIST_BYTES).decode("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SubmissionError(f"cannot read {name}: {error.strerror}") from None
