"""Handing in by programs, with a token: `arena submit --server`, curl.

curl -H "Authorization: Bearer TOKEN" -F file=@my_bot.py URL/api/submissions
"""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.extras.serve.pages.intake import MAX_UPLOAD_BYTES, acknowledge
from arena.extras.serve.pages.submission import own_submission
from arena.extras.serve.server_database import address_of
from arena.extras.serve.submissions.submission_store import Submission, SubmissionStore
from arena.extras.serve.web.guards import bearer, limit_body, site_of

FILE_FIELD = "file"
"""The field of the form with the file."""


async def hand_in(request: Request) -> Response:
    """Take a file as a submission, and answer with its id and where its check is told."""
    person = bearer(request)
    limit_body(request, MAX_UPLOAD_BYTES)
    if not request.headers.get("Content-Type", "").startswith("multipart/form-data"):
        raise HTTPException(
            400, f"Send a form with the file as its field `{FILE_FIELD}`, as `curl -F` does."
        )
    site = site_of(request)
    async with request.form(max_files=1, max_fields=1) as form:
        sent = form.get(FILE_FIELD)
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise HTTPException(400, f"The form has no file in its field `{FILE_FIELD}`.")
        stored = await run_in_threadpool(acknowledge, site, person, sent.filename, sent.file)
    submission = await run_in_threadpool(SubmissionStore(site.database).get, stored.id)
    assert submission
    return JSONResponse(await run_in_threadpool(_as_json, request, submission), 201)


async def show(request: Request) -> Response:
    """Answer with the state of a submission and the steps of its check so far."""
    person = bearer(request)
    submission = await run_in_threadpool(own_submission, request, person)
    return JSONResponse(await run_in_threadpool(_as_json, request, submission))


def _as_json(request: Request, submission: Submission) -> dict[str, Any]:
    site = site_of(request)
    submissions, address = SubmissionStore(site.database), address_of(site.database)
    return {
        "id": submission.id,
        "bot": submission.bot,
        "url": f"{address}/submissions/{submission.id}",
        "file": submission.file,
        "late": submission.is_late,
        "state": submission.state,
        "version": submission.version,
        "reason": submission.reason,
        "checks_before": submissions.checks_before(submission.id),
        "steps": [
            {"name": one.name, "outcome": one.outcome, "text": one.text, "card": one.card}
            for one in submissions.steps(submission.id)
        ],
    }


routes = [
    Route("/api/submissions", hand_in, methods=["POST"]),
    Route("/api/submissions/{number:int}", show, methods=["GET"]),
]
