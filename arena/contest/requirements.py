"""Requirements of submissions: the packages that a `requirements.txt` or a program names."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.contest.archive import open_plain
from arena.errors import SubmissionError
from arena.protocol import printable

REQUIREMENTS = "requirements.txt"
MAX_BYTES = 64 * 1024
"""Of a file in which requirements are looked for."""
MAX_REQUIREMENTS = 100
MAX_REQUIREMENT_CHARS = 200
_BEGIN, _END = "# /// script", "# ///"
"""The lines around the block of PEP 723."""
_VERSION = r"(?:===?|[<>!~]=|<|>) ?[\w.*+!-]+"
_REQUIREMENT = re.compile(
    rf"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?) ?(\[[\w ,.-]*\])? ?({_VERSION}(?: ?, ?{_VERSION})*)?",
    re.ASCII,
)


def normal_requirement(requirement: str) -> str:
    """Return a requirement such as `numpy >= 2` without spaces, with its name in the usual form.

    Raises:
        SubmissionError: it is something else, such as an option, a path or an address.
    """
    is_short = len(requirement) <= MAX_REQUIREMENT_CHARS
    found = _REQUIREMENT.fullmatch(" ".join(requirement.split())) if is_short else None
    if not found:
        raise SubmissionError(
            f"{printable(requirement[:100])!r} is no package that can be required: expected a name "
            "with versions at most, such as 'numpy' or 'numpy>=2'"
        )
    name, extras, versions = found.groups("")
    chosen = f"[{_listed(extras[1:-1])}]" if extras else ""
    return f"{re.sub(r'[-_.]+', '-', name).lower()}{chosen}{_listed(versions)}"


def _listed(parts: str) -> str:
    return ",".join(sorted(parts.replace(" ", "").split(",")))


def requirement_name(requirement: str) -> str:
    """Return the name of the package in a requirement, in its usual form.

    Raises:
        SubmissionError: as `normal_requirement` does.
    """
    return re.split(r"[\[=<>!~]", normal_requirement(requirement), maxsplit=1)[0]


def requirements_in(folder: Path, program: str) -> tuple[str, ...]:
    """Return what a bot requires, in `requirements.txt` and by PEP 723 in its Python `program`.

    Each requirement is in its normal form.

    Raises:
        SubmissionError: the requirements cannot be read, or are too many.
    """
    wanted = [line.partition("#")[0].strip() for line in _text(folder / REQUIREMENTS).splitlines()]
    for block in _script_blocks(_text(folder / program)) if program else ():
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
    block: list[str] | None = None
    for line in map(str.rstrip, text.splitlines()):
        if block is None:
            block = [] if line == _BEGIN else None
        elif line == _END and block:
            yield "\n".join(block)
            block = None
        elif line == "#" or line.startswith("# "):
            block.append(line[2:])
        else:
            block = None


def _text(path: Path) -> str:
    """Return the text of a file, empty if there is none. Raises `SubmissionError`."""
    try:
        with open_plain(path) as file:
            return file.read(MAX_BYTES).decode("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SubmissionError(f"cannot read {path.name}: {error.strerror}") from None
