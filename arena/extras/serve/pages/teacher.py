"""The teacher's pages for the class: the overview, grades, and an export of everything."""

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from arena.contest.grades import as_csv
from arena.extras.serve.class_overview import (
    MEDIA_TYPE,
    ClassGrades,
    as_xlsx,
    class_grades,
    overview,
)
from arena.extras.serve.contest_export import export_contest
from arena.extras.serve.ladder.ladder_files import FINAL, FinalFile, read_file
from arena.extras.serve.ladder.standings_content import status_of
from arena.extras.serve.server_database import local_time
from arena.extras.serve.web.guards import download, site_of, teacher_only

CSV = "text/csv; charset=utf-8"
BYTE_ORDER_MARK = "\ufeff"
"""Without it, Excel does not read a CSV file as UTF-8."""


async def show(request: Request) -> Response:
    """Show the overview, with links to all pages for the teacher."""
    teacher_only(request)
    site = site_of(request)
    now = await run_in_threadpool(overview, site)
    context: dict[str, Any] = {
        "now": now,
        "progress": status_of(now.board, now.state) if now.board else "",
        "time_of": _time,
        "folder": site.folder,
    }
    return site.render(request, "overview.html", **context)


async def show_grades(request: Request) -> Response:
    """Show the grades of a run, with the files to download."""
    teacher_only(request)
    return site_of(request).render(request, "grades.html", found=await _grades(request))


async def grades_csv(request: Request) -> Response:
    """Send the grades of a run as CSV."""
    teacher_only(request)
    found = await _grades(request)
    return download((BYTE_ORDER_MARK + as_csv(found.rows)).encode(), CSV, f"{_title(found)}.csv")


async def grades_xlsx(request: Request) -> Response:
    """Send the grades of a run as a file for Excel."""
    teacher_only(request)
    found = await _grades(request)
    content = await run_in_threadpool(as_xlsx, found.rows)
    return download(content, MEDIA_TYPE, f"{_title(found)}.xlsx")


async def export(request: Request) -> Response:
    """Send everything of the contest but its secrets, as a zip."""
    teacher_only(request)
    site = site_of(request)
    folder = tempfile.TemporaryDirectory(prefix="arena-export-")
    file = Path(folder.name, "export.zip")
    try:
        await run_in_threadpool(export_contest, site.contest_file, file)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        file,
        media_type="application/zip",
        filename=f"{site.name}.zip",
        background=BackgroundTask(folder.cleanup),
    )


def _time(time: datetime | float) -> str:
    """Return a time in the zone of this machine."""
    if isinstance(time, int | float):
        time = local_time(time)
    return time.astimezone().strftime("%Y-%m-%d %H:%M %Z")


async def _grades(request: Request) -> ClassGrades:
    """Return the grades of the run that a request names, or of the final, or of the last run."""
    site = site_of(request)
    wanted = request.query_params.get("run")
    final = read_file(site.folder, FINAL, FinalFile)
    found = await run_in_threadpool(
        class_grades, site.people, site.contest, wanted, final.run if final else ""
    )
    if found is None:
        raise HTTPException(404, "There is no such run: choose one on the page of grades.")
    return found


def _title(found: ClassGrades) -> str:
    return f"grades-{found.run}" if found.run else "grades"


routes = [
    Route("/teacher", show, methods=["GET"]),
    Route("/teacher/grades", show_grades, methods=["GET"]),
    Route("/teacher/grades.csv", grades_csv, methods=["GET"]),
    Route("/teacher/grades.xlsx", grades_xlsx, methods=["GET"]),
    Route("/teacher/export.zip", export, methods=["GET"]),
]
