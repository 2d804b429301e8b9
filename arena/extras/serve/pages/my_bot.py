"""A student's own page: handing in, submissions, versions."""

import io
from collections.abc import Mapping
from typing import IO, Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.extras.serve.pages.intake import (
    MAX_CODE_CHARS,
    MAX_UPLOAD_BYTES,
    PASTED,
    acknowledge,
    choose_version,
    rules_for,
    submission_times,
)
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import local_time
from arena.extras.serve.submissions.submission_store import State, SubmissionStore
from arena.extras.serve.submissions.version_history import version_history
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import read_form, signed_in, site_of

MAX_SHOWN = 50
"""Submissions that are listed."""
VERDICTS: Mapping[State, str] = {
    "waiting": "waits for its check",
    "checking": "is being checked",
    "accepted": "accepted",
    "unchanged": "unchanged",
    "refused": "refused",
}


async def me(request: Request) -> Response:
    """Show a person's own page."""
    person = signed_in(request)
    site = site_of(request)
    context = {} if person.is_teacher else await run_in_threadpool(_context, site, person)
    return site.render(request, "me.html", **context)


async def hand_in(request: Request) -> Response:
    """Take a file, or code that was typed in, as a submission."""
    person = signed_in(request)
    form = await read_form(request, max_bytes=MAX_UPLOAD_BYTES, max_files=1)
    try:
        name, content = _sent(form)
        stored = await run_in_threadpool(acknowledge, site_of(request), person, name, content)
    finally:
        await request.close()
    return RedirectResponse(f"/submissions/{stored.id}", 303)


async def choose(request: Request) -> Response:
    """Let an earlier version play again."""
    person = signed_in(request)
    form = await read_form(request)
    number = form.get("version")
    if not isinstance(number, str) or not number.isascii() or not number.isdecimal():
        raise HTTPException(400, "Choose a version of your bot.")
    await run_in_threadpool(choose_version, site_of(request), person, int(number[:10]))
    return RedirectResponse("/me#versions", 303)


def _sent(form: FormData) -> tuple[str, IO[bytes]]:
    """Return the name and the content of a submitted file. Raises `HTTPException` 400 or 413."""
    sent, code = form.get("file"), form.get("code")
    if isinstance(sent, UploadFile) and sent.filename:
        return sent.filename, sent.file
    if not isinstance(code, str) or not code.strip():
        raise HTTPException(400, "Choose a file, or paste the code of a bot.")
    if len(code) > MAX_CODE_CHARS:
        raise HTTPException(413, f"The code has more than {MAX_CODE_CHARS:,} characters.")
    lines = code.replace("\r\n", "\n")  # as browsers send them
    return PASTED, io.BytesIO(lines.encode("utf-8", "surrogatepass"))


def _context(site: ContestSite, person: ContestPerson) -> dict[str, Any]:
    """Return what the page of a student shows."""
    rules = rules_for(site, person)
    return {
        "times": submission_times(rules, site.clock()),
        "submissions": SubmissionStore(site.database).of_bot(person.owner, MAX_SHOWN),
        "versions": version_history(site.database, rules.folder, person.owner),
        "members": site.people.members(person.owner),
        "verdicts": VERDICTS,
        "local_time": local_time,
        "max_mib": MAX_UPLOAD_BYTES // 1024**2,
    }


routes = [
    Route("/me", me, methods=["GET"]),
    Route("/submissions", hand_in, methods=["POST"]),
    Route("/versions", choose, methods=["POST"]),
]
