"""Handing in: a student's own page, the page of a submission, and the same for programs.

curl -H "Authorization: Bearer TOKEN" -F file=@my_bot.py URL/api/submissions
"""

import io
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.check.fault_file import FaultFile
from arena.commands.server_client import RemoteStep, RemoteSubmission
from arena.contest.admission import SubmissionRules, check_daily_limit, hand_in, judge, rules_of
from arena.contest.bot_files import versions
from arena.contest.roster import Student
from arena.contest.settings import Contest, chosen_variants
from arena.extras.serve.current_contest import time_until
from arena.extras.serve.pages.replay_pages import ShownReplay, replay_routes
from arena.extras.serve.pages.review_pages import offered_reviews
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.opponents import quick_opponents
from arena.extras.serve.server_database import address_of, local_time, time_of
from arena.extras.serve.submissions.checker import extended, record_of_fault
from arena.extras.serve.submissions.submission_store import (
    CheckStep,
    State,
    Submission,
    SubmissionStore,
    version_history,
)
from arena.extras.serve.submissions.uploaded_files import UploadedFiles, safe_file_name, shown_name
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.visits import (
    JSON,
    TOO_OLD,
    Visit,
    answering,
    download,
    found,
    get,
    post,
    tell_changes,
)
from arena.narration.telling import counted
from arena.publish.pages import title_of
from arena.publish.rules_page import rules_of as rules_of_game
from engine import get_variant

MAX_SHOWN = 50
"""Submissions that are listed."""
MAX_AGAINST = 4
"""Bots that a trial plays against."""
VERDICTS: Mapping[State, str] = {
    "waiting": "waits for its check",
    "checking": "is being checked",
    "accepted": "accepted",
    "unchanged": "unchanged",
    "refused": "refused",
}
NO_SUBMISSIONS = "This contest takes no submissions."
SIGNED_IN_AGAIN = "You have signed in again since this page was opened: send it once more."
TEMPLATE = files("bots").joinpath("templates", "python", "bot.py")
"""The code with which the box begins."""
FILE_FIELD = "file"
"""The field of the form with the file."""


def me(visit: Visit) -> Response:
    """Show a student's own page."""
    return visit.redirect("teacher") if visit.person.is_staff else _own_page(visit)


def _own_page(visit: Visit, problem: str = "", status: int = 200) -> Response:
    """Show a student's own page, or again with what was typed, after a `problem`."""
    person, site = visit.person, visit.site
    rules = rules_for(site, person)
    deadline = rules.deadline
    return visit.render(
        "me.html",
        status=status,
        problem=problem,
        now=deadline.judge(local_time(site.clock())) if deadline else "on time",
        deadline=deadline,
        when=lambda time: f"{time_of(time)} ({time_until(local_time(site.clock()), time)})",
        grace=counted(int(deadline.grace.total_seconds()) // 60, "minute") if deadline else "",
        versions_a_day=rules.versions_a_day,
        submissions=SubmissionStore(site.database).of_bot(person.owner, MAX_SHOWN),
        versions=version_history(site.database, rules.folder, person.owner),
        members=site.people.members(person.owner),
        verdicts=VERDICTS,
        time_of=time_of,
        reviews=offered_reviews(visit),
        games=[(game, title_of(game)) for game in _games(site.contest) if rules_of_game(game)],
        **_typed(visit),
    )


def _games(contest: Contest) -> list[str]:
    """Return the games that a contest plays."""
    names = chosen_variants(contest.variants, contest.games)
    return list(dict.fromkeys([get_variant(name).game for name in names]))


def _typed(visit: Visit) -> dict[str, object]:
    """Return the content of the form: what was typed, or at first a template."""
    opponents, code = quick_opponents(visit.site.contest), visit.form.get("code")
    return {
        "code": code if isinstance(code, str) else TEMPLATE.read_text("utf-8"),
        "opponents": opponents,
        "against": visit.form.getlist("against") if visit.form else opponents[:2],
        "max_mib": MAX_UPLOAD_BYTES // 1024**2,
        "max_chars": MAX_CODE_CHARS,
    }


def show_again(visit: Visit, refusal: HTTPException) -> Response:
    """Show the form again after a refusal, with the text of its box."""
    if visit.visitor is None:
        response = visit.render("signed_out.html", status=refusal.status_code, **_typed(visit))
    elif visit.visitor.is_staff:
        raise refusal
    else:
        problem = SIGNED_IN_AGAIN if refusal.detail == TOO_OLD else refusal.detail
        response = _own_page(visit, problem, refusal.status_code)
    response.headers.update(refusal.headers or {})
    return response


def take_form(visit: Visit) -> Response:
    """Take a file, or code that was typed in, as a submission, or to try it against bots."""
    name, content = _sent(visit)
    against = []
    if visit.text("try"):
        chosen = visit.form.getlist("against")
        against = [bot for bot in quick_opponents(visit.site.contest) if bot in chosen]
        if not against:
            raise HTTPException(400, "Choose at least one bot to try against.")
    number = acknowledge(visit, name, content, against[:MAX_AGAINST])
    return visit.redirect(f"submissions/{number}")


def hand_in_trial(visit: Visit) -> Response:
    """Hand in what was only tried."""
    tried, site = _own_submission(visit), visit.site
    rules = rules_for(site, visit.person)
    if not tried.against or tried.state != "accepted" or not tried.key:
        raise HTTPException(409, "Only the newest trial that was fit can be handed in.")
    with answering(409):
        path = UploadedFiles(rules.folder, site.random_bytes).path(tried.key)
    with path.open("rb") as file:
        number = acknowledge(visit, path.name, file)
    return visit.redirect(f"submissions/{number}")


def choose(visit: Visit) -> Response:
    """Let an earlier version play again, as the newest one. It is not checked again."""
    text, site, person = visit.text("version"), visit.site, visit.person
    if not text.isascii() or not text.isdecimal():
        raise HTTPException(400, "Choose a version of your bot.")
    rules, now, number = rules_for(site, person), site.clock(), int(text[:10])
    _judge(rules, now)
    own = rules.folder / person.owner
    if number not in versions(own):
        raise HTTPException(404, f"There is no version {number} of your bot.")
    student = Student(person.owner, person.bot_name)
    unlimited = rules._replace(versions_a_day=None)
    hand_in(own / str(number), student, unlimited, local_time(now), None)
    site.ladder.wake()
    return visit.redirect("me#versions")


def _sent(visit: Visit) -> tuple[str, IO[bytes]]:
    """Return the name and the content of a submitted file. Raises `HTTPException` 400 or 413."""
    sent, code = visit.form.get(FILE_FIELD), visit.form.get("code")
    if isinstance(sent, UploadFile) and sent.filename:
        return sent.filename, sent.file
    text = code.replace("\r\n", "\n") if isinstance(code, str) else ""  # as browsers send lines
    is_template = text.strip() == TEMPLATE.read_text("utf-8").strip()
    if not text.strip() or (is_template and not visit.text("try")):
        raise HTTPException(400, "Choose a file, or write a bot into the box.")
    if len(text) > MAX_CODE_CHARS:
        raise HTTPException(413, f"The code has more than {MAX_CODE_CHARS:,} characters.")
    return PASTED, io.BytesIO(text.encode("utf-8", "surrogatepass"))


# -- one submission: its check as it goes on, and its faults -----------------------------------


def show(visit: Visit) -> Response:
    """Show a submission with the steps of its check so far."""
    return visit.render("submission.html", **_context(visit))


def show_steps(visit: Visit) -> Response:
    """Show the part of the page that changes during the check."""
    return visit.render("submission_steps.html", **_context(visit))


def _context(visit: Visit) -> dict[str, Any]:
    submission = _own_submission(visit)
    submissions = SubmissionStore(visit.site.database)
    return {
        "submission": submission,
        "steps": submissions.steps(submission.id),
        "before": submissions.checks_before(submission.id),
        "came": local_time(submission.came),
    }


async def events(visit: Visit) -> Response:
    """Send an event whenever something has changed, until there is a verdict."""
    await run_in_threadpool(_own_submission, visit)

    def progress() -> tuple[State, int, int] | None:
        now = _context(visit)
        submission = now["submission"]
        return None if submission.is_done else (submission.state, len(now["steps"]), now["before"])

    return tell_changes(visit, partial(run_in_threadpool, progress))


def fault_file(visit: Visit) -> Response:
    """Send the file of a fault, for `arena debug`."""
    submission, step = _faulty_step(visit)
    name = f"fault-{submission.bot}-{submission.id}-{step.number}.json"
    return download(step.fault or b"", JSON, name)


def _fault_replay(visit: Visit) -> ShownReplay:
    """Return the game up to a fault. Raises `HTTPException` 404."""
    submission, step = _faulty_step(visit)
    record = record_of_fault(msgspec.json.decode(step.fault or b"", type=FaultFile))
    here = f"submissions/{submission.id}"
    return ShownReplay(record, f"Submission {submission.id}", lambda _: here)


def _faulty_step(visit: Visit) -> tuple[Submission, CheckStep]:
    """Return a submission, and the step of its check with a fault. Raises `HTTPException` 404."""
    submission, number = _own_submission(visit), visit.path("step")
    for step in SubmissionStore(visit.site.database).steps(submission.id):
        if step.number == number and step.fault is not None:
            return submission, step
    raise HTTPException(404, "There is no fault file of this step.")


def _own_submission(visit: Visit) -> Submission:
    """Return the submission that a request names, of the person's bot. A teacher may see all.

    Raises:
        HTTPException: 404 if there is none, or it is another person's.
    """
    submission = SubmissionStore(visit.site.database).get(visit.path("number"))
    if submission and submission.bot != visit.person.owner and not visit.sees_all:
        submission = None
    return found(submission, "There is no such submission of yours.")


# -- for programs, with a token ----------------------------------------------------------------


def take(visit: Visit) -> Response:
    """Take a file as a submission, and answer with its id and where its check is told."""
    sent = visit.form.get(FILE_FIELD)
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise HTTPException(
            400, f"Send a form with the file as its field `{FILE_FIELD}`, as `curl -F` does."
        )
    number = acknowledge(visit, sent.filename, sent.file)
    submission = SubmissionStore(visit.site.database).get(number)
    assert submission
    return _told(visit, submission, 201)


def answer(visit: Visit) -> Response:
    """Answer with the state of a submission and the steps of its check so far."""
    return _told(visit, _own_submission(visit))


def _told(visit: Visit, submission: Submission, status: int = 200) -> Response:
    """Answer with a submission as `arena submit --server` reads it."""
    database = visit.site.database
    submissions = SubmissionStore(database)
    answer = RemoteSubmission(
        id=submission.id,
        bot=submission.bot,
        url=f"{address_of(database)}/submissions/{submission.id}",
        file=submission.file,
        late=submission.is_late,
        state=submission.state,
        version=submission.version,
        reason=submission.reason,
        checks_before=submissions.checks_before(submission.id),
        steps=tuple(
            [
                RemoteStep(step.name, step.outcome, step.text, step.card)
                for step in submissions.steps(submission.id)
            ]
        ),
    )
    return Response(msgspec.json.encode(answer), status, media_type=JSON)


# -- intake of submissions: judged, stored on the disk, and only then acknowledged -------------


MAX_UPLOAD_BYTES = 32 * 1024 * 1024
"""The size of an upload: a bot with the weights of a small network."""
MAX_CODE_CHARS = 512 * 1024
"""Characters of pasted code."""
MAX_UNCHECKED = 5
"""Submissions of a bot that may wait for their check."""
PASTED = "bot.py"
"""The name of the file for pasted code."""


def acknowledge(visit: Visit, name: str, content: IO[bytes], against: Sequence[str] = ()) -> int:
    """Store a submission, which the checker checks later, and return its id.

    It comes at the time at which its upload began. A trial `against` bots is checked and plays with
    them, and is not handed in.

    Args:
        visit: that of the student who hands it in.
        name: what the student calls the file.
        content: is read to its end.

    Raises:
        HTTPException: it is refused: 400 for a wrong file, 403 outside the times of the contest,
            and 429 for too many versions.
        OSError: it cannot be stored, for example because the disk is full.
    """
    site, person, came = visit.site, visit.person, visit.began
    rules = rules_for(site, person)
    submissions = SubmissionStore(site.database)
    is_late = not against and _judge(rules, came)
    unchecked = submissions.unchecked(person.owner)
    if len(unchecked) >= MAX_UNCHECKED:
        raise HTTPException(
            429,
            f"{len(unchecked)} of your submissions wait for their check: hand in the next one "
            "when one of them is checked.",
        )
    at = local_time(came)
    today = [
        waiting
        for waiting in unchecked
        if not waiting.against and local_time(waiting.came).date() == at.date()
    ]
    if not against:
        with answering(429):
            check_daily_limit(rules, person.owner, at, len(today))
    with answering(400):
        safe_file_name(name)
    uploads = UploadedFiles(rules.folder, site.random_bytes)
    key = uploads.keep(content, name)
    try:
        number = submissions.add(person, came, shown_name(name), key, is_late, against)
    except BaseException:
        uploads.delete([key])
        raise
    site.checker.wake()
    return number


def rules_for(site: ContestSite, person: ContestPerson) -> SubmissionRules:
    """Return the rules of the contest for the submissions of a person.

    Raises:
        HTTPException: 403 for the teacher, 404 if the contest takes no submissions.
    """
    if person.is_staff:
        raise HTTPException(
            403, "Students hand in here; the teacher enters bots with `arena submit`."
        )
    rules = found(rules_of(site.contest), NO_SUBMISSIONS)
    return extended(rules, site.people.due_of(person.owner))


def folder_of(contest: Contest) -> Path:
    """Return the folder of submissions. Raises `HTTPException` 404 without one."""
    return Path(found(contest.entrants.submissions, NO_SUBMISSIONS))


def _judge(rules: SubmissionRules, at: float) -> bool:
    """Return whether a submission is late. Raises `HTTPException` 403 if it is refused."""
    with answering(403, "Your submission is refused: {}."):
        return judge(rules, local_time(at))


_FAULT = "/submissions/{number:int}/faults/{step:int}"
routes = [
    get("/me", me, "person"),
    post("/submissions", take_form, max_bytes=MAX_UPLOAD_BYTES, show_again=show_again),
    post("/submissions/{number:int}/hand-in", hand_in_trial),
    post("/versions", choose),
    get("/submissions/{number:int}", show, "person"),
    get("/submissions/{number:int}/steps", show_steps, "person"),
    get("/submissions/{number:int}/events", events, "person"),
    get(_FAULT, fault_file, "person"),
    *replay_routes("/submissions/{number:int}/replays/{step:int}", _fault_replay, "person"),
    post("/api/submissions", take, "token", MAX_UPLOAD_BYTES),
    get("/api/submissions/{number:int}", answer, "token"),
]
