"""Python packages of submissions, from what the teacher allows.

    packages/wheels/                  wheels that `arena packages` has prepared
    packages/environments/3f0a.../    the installed packages of some wheels
    packages/environments/as-5c1e...  a link to the environment of one wording of requirements

A submission names its packages in `requirements.txt`, or in its program as PEP 723 says. They are
installed from the prepared wheels, without a network, into an environment. Submissions that need
the same wheels share one. The command of the bot gets it as `PYTHONPATH`. Environments that no
process uses are removed when they are old, or when there are too many.
"""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from arena.base import lock
from arena.base.errors import BotError, SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.base.record import ENV, ENVIRONMENTS, PACKAGES_VARIABLE, Entrant
from arena.contest.fingerprint import fingerprint_now
from arena.contest.reader import Reader
from arena.contest.settings import PackagesTable
from arena.contest.untrusted_files import UntrustedFolder

WHEELS = "wheels"
WORDING = "as-"
"""The prefix of a link from the wording of requirements to an environment."""
MAX_UNUSED_S = 30 * 24 * 3600.0
MAX_ENVIRONMENTS = 100
MAX_ENVIRONMENT_BYTES = 16 * 2**30
"""Of all environments together. The last one that was made stays, whatever its size is."""
REQUIREMENTS = "requirements.txt"
MAX_LIST_BYTES = 64 * 1024
"""Of a file in which requirements are looked for."""
MAX_REQUIREMENTS = 100
MAX_REQUIREMENT_CHARS = 200
_BEGIN = "# /// script"
_BLOCK = re.compile(rf"^{_BEGIN}\n((?:#(?: .*)?\n)+?)# ///$", re.MULTILINE)
"""A block of PEP 723: comments between two lines."""


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
    wheels, environments = Path(packages.folder, WHEELS), Path(packages.folder, ENVIRONMENTS)
    for folder in (wheels, environments):
        folder.mkdir(parents=True, exist_ok=True)
    _pip("download", "--only-binary", ":all:", "--dest", str(wheels), *packages.allow)
    _remove_unused(environments.resolve(), None)
    return _names_of(wheels)


def requirements_of(entrant: Entrant, reader: Reader) -> tuple[str, ...]:
    """Return what a bot requires, in `requirements.txt` and by PEP 723 in its program.

    Raises:
        SubmissionError: it cannot be read, or takes too much to read.
    """
    programs = [word for word in entrant.command if word.endswith(".py")]
    label = f"the list of packages of {entrant.name}"
    return reader.run(label, requirements_in, Path(entrant.folder), (programs or [""])[0])


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
    command = (ENV, f"{PACKAGES_VARIABLE}{environment}", *entrant.command)
    equipped = msgspec.structs.replace(entrant, command=command)
    code = reader.run(entrant.name, fingerprint_now, equipped)
    return msgspec.structs.replace(equipped, fingerprint=code)


@contextlib.contextmanager
def using_packages(entrant: Entrant) -> Iterator[None]:
    """Keep the packages of a bot in this context, whatever other processes remove.

    Raises:
        BotError: they are not there any more.
    """
    if not entrant.packages:
        yield
        return
    try:
        file = os.open(entrant.packages, os.O_RDONLY)
    except OSError as error:
        raise BotError(
            f"the packages of {entrant.name} cannot be read: {error.strerror}; try again"
        ) from None
    try:
        lock.share(file)
        yield
    finally:
        os.close(file)


# -- environments ------------------------------------------------------------------------------


def _environment(name: str, wanted: Sequence[str], packages: PackagesTable) -> Path:
    """Return the folder with the installed packages, made unless it is there."""
    parent, wheels = Path(packages.folder, ENVIRONMENTS).resolve(), Path(packages.folder, WHEELS)
    files = _names_of(wheels)
    if not files or not parent.is_dir():
        raise SubmissionError(
            f"{name} requires {', '.join(wanted)}, and the teacher has not prepared the packages "
            "yet: `arena packages contest.toml` does"
        )
    wording = parent / f"{WORDING}{_key([*wanted, '', *files])}"
    try:
        place = wording.resolve() if wording.is_dir() else _install(wanted, wheels, parent)
        os.utime(place)
        if not wording.is_dir():
            wording.unlink(missing_ok=True)
            wording.symlink_to(place.name)
            _remove_unused(parent, place)
    except (OSError, SettingsError) as error:
        raise SubmissionError(
            f"{name} requires {', '.join(wanted)}, which the prepared wheels do not have: {error}"
        ) from None
    return place


def _install(wanted: Sequence[str], wheels: Path, parent: Path) -> Path:
    """Install the wheels that are wanted, unless they are installed, and return their folder.

    Raises:
        SettingsError: pip cannot install them.
        OSError: the folder cannot be written.
    """
    offline = ("--no-index", "--find-links", str(wheels), "--only-binary", ":all:")
    report = _pip("install", "--dry-run", "--ignore-installed", "--report", "-", *offline, *wanted)
    urls = [wheel["download_info"]["url"] for wheel in msgspec.json.decode(report)["install"]]
    names = sorted([Path(urlsplit(url).path).name for url in urls])
    place = parent / _key(names)
    if place.is_dir():
        return place
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=parent))
    try:
        paths = [str(wheels / name) for name in names]
        options = ("--no-compile", "--no-deps", "--target", str(made / "site"))
        _pip("install", *options, *offline, *paths)
        try:
            (made / "site").rename(place)
        except OSError:
            if not place.is_dir():  # else another process has made the same
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return place


def _remove_unused(parent: Path, kept: Path | None) -> None:
    """Remove environments that no process uses: old ones, and the oldest of too many."""
    places = [path for path in parent.iterdir() if path.is_dir() and not path.is_symlink()]
    sizes = {place: _size_of(place) for place in places if not place.name.startswith(".")}
    oldest_first = sorted(sizes, key=lambda place: place.stat().st_mtime)
    for place in oldest_first:
        is_old = place.stat().st_mtime < time.time() - MAX_UNUSED_S
        too_many = len(sizes) > MAX_ENVIRONMENTS or sum(sizes.values()) > MAX_ENVIRONMENT_BYTES
        if place == kept or not (is_old or too_many):
            continue
        if lock.delete_unlocked(place):
            del sizes[place]
    for link in parent.glob(f"{WORDING}*"):
        if not link.is_dir() or len(sizes) > MAX_ENVIRONMENTS:
            link.unlink(missing_ok=True)


def _size_of(folder: Path) -> int:
    return sum([path.lstat().st_size for path in folder.rglob("*")])


def _names_of(wheels: Path) -> list[str]:
    return sorted([wheel.name for wheel in wheels.glob("*.whl")])


def _key(names: Sequence[str]) -> str:
    """Return the name of the folder for some wheels, with the Python of now."""
    key = "\n".join([sys.version, *names])
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
