"""A version of a bot: its files, to look at and to download, and what has changed in it."""

import difflib
import io
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.archive import is_code
from arena.contest.bot_files import versions
from arena.contest.untrusted_files import UntrustedFolder
from arena.extras.serve.pages.hand_in_pages import folder_of
from arena.extras.serve.pages.student_pages import student_of
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.visits import Visit, download, get

MAX_FILES, MAX_FILE_BYTES = 200, 256 * 1024
"""The files of a version whose texts are shown, and their size."""
ZIP = "application/zip"


class ShownVersion(NamedTuple):
    """A version that a request names."""

    student: ContestPerson
    number: int
    folder: Path
    """The folder of all versions of the bot."""
    before: int | None
    """The number of the version before it."""

    def texts(self) -> dict[str, list[str]]:
        """Return the lines of its files by their names."""
        return dict(_texts(self.folder / str(self.number)))


def _version(visit: Visit) -> ShownVersion:
    """Return the version that a request names: one of the visitor, or of a student for the teacher.

    Raises:
        HTTPException: 404 if there is none.
    """
    student = student_of(visit) if "person" in visit.request.path_params else visit.person
    folder, number = folder_of(visit.site.contest) / student.owner, visit.path("number")
    known = versions(folder)
    if number not in known:
        raise HTTPException(404, f"There is no version {number} of {student.bot_name}.")
    return ShownVersion(
        student, number, folder, max([0, *[n for n in known if n < number]]) or None
    )


def show(visit: Visit) -> Response:
    """Show the files of a version, and what has changed in it."""
    version = _version(visit)
    texts = version.texts()
    former = dict(_texts(version.folder / str(version.before))) if version.before else {}
    return visit.render(
        "version.html",
        version=version,
        lines=list(_difference(former, texts)) if version.before else [],
        files=texts,
    )


def send(visit: Visit) -> Response:
    """Send the files of a version."""
    version = _version(visit)
    file, folder = io.BytesIO(), version.folder / str(version.number)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(folder):
            archive.writestr(name, content.read())
    return download(file.getvalue(), ZIP, f"{version.student.owner}-{version.number}.zip")


def _files(folder: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of a version by name, each open until the next one."""
    with UntrustedFolder(folder) as inside:
        names = [name for name, is_folder in inside.entries(is_code) if not is_folder]
        for name in sorted(names):
            with inside.open(name) as file:
                yield name, file


def _texts(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the files of a version with their lines, as far as they are text."""
    for name, file in islice(_files(folder), MAX_FILES):
        content = file.read(MAX_FILE_BYTES + 1)
        is_text = len(content) <= MAX_FILE_BYTES and b"\0" not in content
        lines = content.decode(errors="replace").splitlines() if is_text else ["(not shown)"]
        yield name, lines


def _difference(
    former: dict[str, list[str]], current: dict[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the lines of a unified difference, each with its kind: `+`, `-`, `@` or a space."""
    for name in sorted({*former, *current}):
        found = difflib.unified_diff(
            former.get(name, []), current.get(name, []), name, name, lineterm=""
        )
        for line in list(found)[2:]:
            yield line[:1] or " ", line if not line.startswith("@") else f"{name} {line}"


_STUDENT = "/teacher/students/{person}/versions"
routes = [
    get("/versions/{number:int}", show, "person"),
    get("/versions/{number:int}.zip", send, "person"),
    get(f"{_STUDENT}/{{number:int}}", show, "staff"),
    get(f"{_STUDENT}/{{number:int}}.zip", send, "staff"),
]
