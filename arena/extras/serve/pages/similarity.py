"""The teacher's pages about similar submissions."""

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.extras.serve.server_database import local_time
from arena.extras.serve.similar_programs import SCHEMA, SimilarityReport, pieces
from arena.extras.serve.similarity_report import ReportState, ReportStore
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import read_form, site_of, teacher_only

PATH = "/teacher/similarity"


async def show(request: Request) -> Response:
    """Show the pairs of similar submissions of the last comparison."""
    teacher_only(request)
    site = site_of(request)
    kept = ReportStore(site.database).read()
    report = await run_in_threadpool(_report, kept)
    return site.render(
        request,
        "similarity.html",
        kept=kept,
        report=report,
        names=_names(site),
        made=local_time(kept.made) if kept.made and report else None,
    )


async def ask(request: Request) -> Response:
    """Request a comparison of the newest submissions."""
    teacher_only(request)
    await read_form(request)
    site = site_of(request)
    ReportStore(site.database).ask(site.clock())
    site.similarity.wake()
    return RedirectResponse(PATH, 303)


async def show_pair(request: Request) -> Response:
    """Show two programs side by side, with what they share."""
    teacher_only(request)
    site = site_of(request)
    report = await run_in_threadpool(_report, ReportStore(site.database).read())
    number = request.path_params["number"]
    if report is None or not 1 <= number <= len(report.comparison.pairs):
        raise HTTPException(404, "There is no such pair: the submissions were compared again.")
    pair = report.comparison.pairs[number - 1]
    sides = [
        (one, program, pieces(program.text, one.spans))
        for one in (pair.first, pair.second)
        for program in [report.program(one.bot, pair.language)]
    ]
    return site.render(
        request, "similar_pair.html", pair=pair, sides=sides, names=_names(site), number=number
    )


def _report(kept: ReportState) -> SimilarityReport | None:
    """Return the last comparison; None if there is none, or one of another version of the arena."""
    if kept.report is None:
        return None
    report = msgspec.json.decode(kept.report, type=SimilarityReport)
    return report if report.schema == SCHEMA else None


def _names(site: ContestSite) -> dict[str, str]:
    """Return by the id of a bot the name of its student or team."""
    return {one.owner: one.bot_name for one in site.people.all() if not one.is_teacher}


routes = [
    Route(PATH, show, methods=["GET"]),
    Route(PATH, ask, methods=["POST"]),
    Route(PATH + "/{number:int}", show_pair, methods=["GET"]),
]
