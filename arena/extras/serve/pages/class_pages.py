"""The teacher's pages for the class overview and the grades."""

import re

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.extras.serve.class_overview import ClassGrades, Overview, class_grades
from arena.extras.serve.current_contest import change_setting, text_of
from arena.extras.serve.ladder.standings_content import status_of
from arena.extras.serve.server_database import time_of
from arena.extras.serve.web.visits import Visit, download, found, get, post
from arena.extras.shared.grades import PLATFORMS, as_csv, platform_csv

MAX_ROUNDS = 1_000_000
CSV = "text/csv; charset=utf-8"
BYTE_ORDER_MARK = "\ufeff"  # without it, Excel does not read CSV files as UTF-8


def show(visit: Visit) -> Response:
    now = Overview(visit.site)
    return visit.render(
        "overview.html",
        now=now,
        progress=status_of(now.board, now.state) if now.board else "",
        time_of=time_of,
        max_rounds=MAX_ROUNDS,
        folder=visit.site.folder,
    )


def change_rounds(visit: Visit) -> Response:
    site, text = visit.site, visit.text("rounds")
    if not re.fullmatch(r"[0-9]{1,7}", text) or not 0 < int(text) <= MAX_ROUNDS:
        raise HTTPException(
            400, f"Got {text[:20]!r} rounds, expected a whole number from 1 to {MAX_ROUNDS}."
        )
    if not Overview(site).plan_of_final:
        raise HTTPException(409, "The final has begun, so its rounds can no longer be changed.")
    written = text_of(site.contest_file)
    if site.current.problem:
        raise HTTPException(409, f"Correct {site.contest_file.name} first: {site.current.problem}")
    change_setting(site.contest_file, written, "serve", "final_rounds", int(text))
    return visit.redirect("teacher")


def show_grades(visit: Visit) -> Response:
    return visit.render("grades.html", found=grades_of_class(visit))


def send_grades(visit: Visit) -> Response:
    grades = grades_of_class(visit)
    title = f"grades-{grades.run}" if grades.run else "grades"
    if platform := visit.request.query_params.get("for"):
        if platform not in PLATFORMS:
            raise HTTPException(
                404, "This format is not supported. Choose a format on the grades page."
            )
        scores = platform_csv(grades.rows, platform, grades.run or "grades")
        return download(scores.encode(), CSV, f"{title}-{platform}.csv")
    return download((BYTE_ORDER_MARK + as_csv(grades.rows)).encode(), CSV, f"{title}.csv")


def grades_of_class(visit: Visit) -> ClassGrades:
    site = visit.site
    wanted = visit.request.query_params.get("run")
    grades = class_grades(site.people, site.contest, wanted)
    return found(grades, "This run does not exist. Choose a run on the grades page.")


routes = [
    get("/teacher", show, "teacher"),
    post("/teacher/rounds", change_rounds, "teacher", show_again=show),
    get("/teacher/grades", show_grades, "teacher"),
    get("/teacher/grades.csv", send_grades, "teacher"),
]
