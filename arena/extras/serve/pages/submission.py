"""The page of one submission: its check as it goes on, and its faults."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import local_time
from arena.extras.serve.submissions.submission_store import DONE, Submission, SubmissionStore
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import JSON, download, signed_in, site_of

LOOK_S = 0.5
"""How often the server looks for a new step while a browser watches a check."""
MAX_EVENTS_S = 300
"""How long an answer with events lasts. A browser then connects again by itself."""


async def show(request: Request) -> Response:
    """Show a submission with the steps of its check so far."""
    return await _page(request, "submission.html")


async def show_steps(request: Request) -> Response:
    """Show the part of the page that changes during the check."""
    return await _page(request, "submission_steps.html")


async def events(request: Request) -> Response:
    """Send an event whenever something has changed, until there is a verdict."""
    submission = await run_in_threadpool(own_submission, request, signed_in(request))
    site = site_of(request)
    return StreamingResponse(_events(site, submission.id), media_type="text/event-stream")


async def fault_file(request: Request) -> Response:
    """Send the file of a fault, for `arena replay-fault`."""
    submission = await run_in_threadpool(own_submission, request, signed_in(request))
    steps = await run_in_threadpool(SubmissionStore(site_of(request).database).steps, submission.id)
    number = request.path_params["step"]
    for step in steps:
        if step.number == number and step.fault is not None:
            name = f"fault-{submission.bot}-{submission.id}-{number}.json"
            return download(step.fault, JSON, name)
    raise HTTPException(404, "There is no fault file of this step.")


def own_submission(request: Request, person: ContestPerson) -> Submission:
    """Return the submission that a request names, of the person's bot. A teacher may see all.

    Raises:
        HTTPException: 404 if there is none, or it is another person's.
    """
    submissions = SubmissionStore(site_of(request).database)
    found = submissions.get(request.path_params["number"])
    if found is None or (found.bot != person.owner and not person.is_teacher):
        raise HTTPException(404, "There is no such submission of yours.")
    return found


async def _page(request: Request, template: str) -> Response:
    person = signed_in(request)
    context = await run_in_threadpool(_context, request, person)
    return site_of(request).render(request, template, **context)


def _context(request: Request, person: ContestPerson) -> dict[str, Any]:
    submission = own_submission(request, person)
    submissions = SubmissionStore(site_of(request).database)
    return {
        "submission": submission,
        "steps": submissions.steps(submission.id),
        "before": submissions.checks_before(submission.id),
        "came": local_time(submission.came),
    }


async def _events(site: ContestSite, number: int) -> AsyncIterator[str]:
    submissions = SubmissionStore(site.database)
    before: object = None
    for _ in range(int(MAX_EVENTS_S / LOOK_S)):
        now = await run_in_threadpool(submissions.progress, number)
        if now.state in DONE:
            yield "event: end\ndata: the check is over\n\n"
            return
        if now != before:
            before = now
            yield "data: there is something new\n\n"
        await asyncio.sleep(LOOK_S)


routes = [
    Route("/submissions/{number:int}", show, methods=["GET"]),
    Route("/submissions/{number:int}/steps", show_steps, methods=["GET"]),
    Route("/submissions/{number:int}/events", events, methods=["GET"]),
    Route("/submissions/{number:int}/faults/{step:int}", fault_file, methods=["GET"]),
]
