"""The teacher's pages: the class, and grades."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError
from arena.extras.serve.class_overview import (
    MEDIA_TYPE,
    ClassGrades,
    Overview,
    as_xlsx,
    changed_settings,
    class_grades,
)
from arena.extras.serve.contest_dates import change_settings, replace_text
from arena.extras.serve.ladder.ladder_files import played_settings
from arena.extras.serve.ladder.standings_content import status_of
from arena.extras.serve.server_database import time_of
from arena.extras.serve.web.visits import Visit, answering, download, found, get, post
from arena.extras.shared.grades import PLATFORMS, as_csv, platform_csv

REPLACED = "contest.toml.replaced"
"""The name under which the contest file is kept when a teacher goes back to a former one."""
CSV = "text/csv; charset=utf-8"
BYTE_ORDER_MARK = "\ufeff"
"""Without it, Excel does not read a CSV file as UTF-8."""


def show(visit: Visit) -> Response:
    """Show the class at a glance, with links to all pages for the teacher."""
    now = Overview(visit.site)
    return visit.render(
        "overview.html",
        now=now,
        progress=status_of(now.board, now.state) if now.board else "",
        time_of=time_of,
        folder=visit.site.folder,
    )


def try_again(visit: Visit) -> Response:
    """Let the checker and the ladder try again at once, if they wait."""
    visit.site.checker.wake()
    visit.site.ladder.wake()
    return visit.redirect("teacher")


def use_former_settings(visit: Visit) -> Response:
    """Go back to the contest file with which the ladder has played last."""
    site, back = visit.site, "teacher"
    does = {"-": "goes", "+": "comes back"}
    lines = [line for line in changed_settings(site.contest_file) if line[1:].strip()]
    changes = [f"`{line[1:]}` {does[line[0]]}." for line in lines]
    effects = [*changes, f"The present file is kept as {REPLACED}."]
    if asked := visit.asks("Go back to these settings?", effects, "Go back to them", back):
        return asked
    with answering(400), os_error_as(SettingsError, "cannot keep the present file"):
        former = played_settings(site.folder).read_text("utf-8-sig")
        site.folder.joinpath(REPLACED).write_bytes(site.contest_file.read_bytes())
        replace_text(site.contest_file, former)
    return _changed(visit, "went back to the settings with which the ladder has played last")


def fill_seats(visit: Visit) -> Response:
    """Let bots of the arena fill the seats for which there are not enough bots."""
    with answering(400):
        change_settings(visit.site.contest_file, {("entrants", "fill"): True})
    return _changed(visit, "let bots of the arena fill empty seats")


def _changed(visit: Visit, text: str) -> Response:
    """Note a change of the settings, and let all try again."""
    visit.note(text)
    return try_again(visit)


def show_grades(visit: Visit) -> Response:
    """Show the grades of a run, with the files to download."""
    return visit.render("grades.html", found=grades_of_class(visit))


def send_grades(visit: Visit) -> Response:
    """Send the grades of a run as CSV, for Excel, or as a learning platform imports them."""
    grades = grades_of_class(visit)
    title = f"grades-{grades.run}" if grades.run else "grades"
    if platform := visit.request.query_params.get("for"):
        if platform not in PLATFORMS:
            raise HTTPException(404, "There is no such format: choose one on the page of grades.")
        scores = platform_csv(grades.rows, platform, grades.run or "grades")
        return download(scores.encode(), CSV, f"{title}-{platform}.csv")
    if visit.request.url.path.endswith(".xlsx"):
        return download(as_xlsx(grades.rows), MEDIA_TYPE, f"{title}.xlsx")
    return download((BYTE_ORDER_MARK + as_csv(grades.rows)).encode(), CSV, f"{title}.csv")


def grades_of_class(visit: Visit) -> ClassGrades:
    """Return the grades of the run that a request names, or of the final, or of the last run."""
    site = visit.site
    wanted = visit.request.query_params.get("run")
    grades = class_grades(site.people, site.contest, wanted)
    return found(grades, "There is no such run: choose one on the page of grades.")


routes = [
    get("/teacher", show, "staff"),
    post("/teacher/try-again", try_again, "staff"),
    post("/teacher/former-settings", use_former_settings, "teacher"),
    post("/teacher/fill-seats", fill_seats, "teacher"),
    get("/teacher/grades", show_grades, "staff"),
    get("/teacher/grades.csv", send_grades, "staff"),
    get("/teacher/grades.xlsx", send_grades, "staff"),
]
