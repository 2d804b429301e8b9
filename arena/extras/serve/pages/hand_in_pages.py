"""Pages and an API for submitting bots.

curl -H "Authorization: Bearer TOKEN" -F file=@my_bot.py URL/api/submissions
"""

import io
import shutil
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

import msgspec
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.base.errors import BotError, HostError, StoreError, SubmissionError
from arena.base.protocol import printable
from arena.check.bot_stack import split_stack
from arena.check.fault_file import FaultFile
from arena.contest.admission import SubmissionRules, require_open, rules_of
from arena.contest.bot_files import PACKED
from arena.contest.inbox import (
    STATES,
    CheckStep,
    Inbox,
    Sent,
    Submission,
    Terms,
    TooManySubmissions,
)
from arena.contest.roster import Student, safe_id
from arena.contest.settings import Contest, chosen_variants
from arena.extras.serve.current_contest import time_until
from arena.extras.serve.pages.review_pages import offered_reviews
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.opponents import trial_opponents
from arena.extras.serve.server_database import address_of, local_time, time_of
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.visits import (
    JSON,
    Visit,
    answering,
    download,
    found,
    get,
    post,
)
from arena.publish.pages import title_of
from arena.publish.rules_page import rules_of as rules_of_game
from engine import get_variant

MAX_SHOWN = 50
NO_SUBMISSIONS = "This contest accepts no submissions."
NOT_STORED = "Your submission could not be stored. The disk may be full. Tell the teacher."
TEMPLATE = files("bots").joinpath("templates", "python", "bot.py")
FILE_FIELD = "file"


def me(visit: Visit) -> Response:
    return visit.redirect("teacher") if visit.person.is_teacher else _own_page(visit)


def _own_page(visit: Visit) -> Response:
    person, site = visit.person, visit.site
    rules, now = rules_for(site, person), local_time(site.clock())
    deadline = rules.deadline_of(person.owner)
    timeliness = deadline.judge(now) if deadline else "on time"
    submissions = rules.inbox.of_owner(person.owner, MAX_SHOWN)
    versions = rules.inbox.versions(person.owner)
    return visit.render(
        "me.html",
        now="too early" if rules.opens and now < rules.opens else timeliness,
        opens=rules.opens,
        deadline=deadline,
        when=lambda time: f"{time_of(time)} ({time_until(now, time)})",
        versions_a_day=rules.terms.versions_a_day,
        submissions=submissions,
        late=rules.late([*submissions, *versions]),
        versions=versions[::-1],
        members=site.people.members(person.owner),
        verdicts=STATES,
        time_of=time_of,
        reviews=offered_reviews(visit),
        games=[(game, title_of(game)) for game in _games(site.contest) if rules_of_game(game)],
        **_typed(visit, _newest_code(rules.inbox, submissions)),
    )


def _newest_code(inbox: Inbox, submissions: Sequence[Submission]) -> tuple[str, int] | None:
    """Return the source code and the id of the newest submission.

    Return None if the newest submission is not a single Python file.
    """
    with suppress(BotError, OSError, UnicodeDecodeError):
        for newest in submissions[:1]:
            bot = inbox.bot_of(newest).entrant
            files = [Path(bot.folder, name) for name in bot.files]
            if len(files) == 1 and files[0].stat().st_size <= MAX_CODE_CHARS:
                return files[0].read_text("utf-8"), newest.id
    return None


def _games(contest: Contest) -> list[str]:
    names = chosen_variants(contest.variants, contest.games)
    return list(dict.fromkeys([get_variant(name).game for name in names]))


def _typed(visit: Visit, submitted: tuple[str, int] | None = None) -> dict[str, object]:
    code = visit.form.get("code")
    if isinstance(code, str):
        submitted = code, 0
    code, number = submitted or (TEMPLATE.read_text("utf-8"), 0)
    return {
        "code": code,
        "code_of": number,
        "max_mib": MAX_UPLOAD_BYTES // 1024**2,
        "max_chars": MAX_CODE_CHARS,
    }


def show_again(visit: Visit) -> Response:
    if visit.visitor is None:
        return visit.render("signed_out.html", problem="", **_typed(visit))
    if visit.visitor.is_teacher and visit.refusal:
        raise visit.refusal
    return _own_page(visit)


def take_form(visit: Visit) -> Response:
    name, content = _sent(visit)
    against = trial_opponents(visit.site.contest) if visit.text("try") else ()
    submission = acknowledge(visit, name, content, against)
    if submission.state == "refused":
        raise HTTPException(400, submission.reason)
    return visit.redirect(f"submissions/{submission.id}")


def hand_in_trial(visit: Visit) -> Response:
    tried, site = _own_submission(visit), visit.site
    if not tried.is_trial or tried.state != "accepted":
        raise HTTPException(409, "Only a trial that passed can be submitted.")
    rules, sent = rules_for(site, visit.person), _sent_by(visit, tried.file)
    _require_open(rules, sent)
    with answering(429):
        number = rules.inbox.hand_in_trial(tried, sent, _terms(rules)).id
    site.checker.wake()
    return visit.redirect(f"submissions/{number}")


def play_again(visit: Visit) -> Response:
    rules, wanted = rules_for(visit.site, visit.person), visit.text("version")
    stored = [
        version for version in rules.inbox.versions(visit.person.owner) if version.fingerprint
    ]
    version = found(
        {str(version.version): version for version in stored}.get(wanted), "No such version."
    )
    sent = _sent_by(visit, version.file)
    _require_open(rules, sent)
    rules.inbox.play_again(version, sent)
    visit.site.ladder.wake()
    return visit.redirect("me#versions")


def _sent(visit: Visit) -> tuple[str, IO[bytes]]:
    sent, code = visit.form.get(FILE_FIELD), visit.form.get("code")
    if isinstance(sent, UploadFile) and sent.filename:
        return sent.filename, sent.file
    text = code.replace("\r\n", "\n") if isinstance(code, str) else ""  # browsers send CRLF
    is_template = text.strip() == TEMPLATE.read_text("utf-8").strip()
    if not text.strip() or (is_template and not visit.text("try")):
        raise HTTPException(400, "Choose a file, or write a bot in the text box.")
    if len(text) > MAX_CODE_CHARS:
        raise HTTPException(413, f"The code has more than {MAX_CODE_CHARS:,} characters.")
    return PASTED, io.BytesIO(text.encode("utf-8", "surrogatepass"))


# -- one submission: its check as it goes on, and its faults -----------------------------------


def show(visit: Visit) -> Response:
    return visit.render("submission.html", **_context(visit))


def show_steps(visit: Visit) -> Response:
    return visit.render("submission_steps.html", **_context(visit))


class ShownStep(NamedTuple):
    number: int
    step: CheckStep

    @property
    def last_output(self) -> str:
        rest, frames = split_stack(self.file.evidence.stderr if self.file else "")
        for frame in frames:
            if not frame.is_library:
                return printable(f"it was running {frame.function}, {frame.file} line {frame.line}")
        lines = rest.strip().splitlines()
        return printable(lines[-1]) if lines else ""

    @property
    def file(self) -> FaultFile | None:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(self.step.fault or b"", type=FaultFile)
        return None


def _context(visit: Visit) -> dict[str, Any]:
    submission, rules = _own_submission(visit), _rules(visit)
    return {
        "submission": submission,
        "is_late": bool(rules.late([submission])),
        "steps": _steps(visit, submission),
        "before": rules.inbox.checks_before(submission.id),
        "came": local_time(submission.received),
    }


def _steps(visit: Visit, submission: Submission) -> list[ShownStep]:
    return [ShownStep(*step) for step in enumerate(_rules(visit).inbox.steps(submission.id), 1)]


def _rules(visit: Visit) -> SubmissionRules:
    return found(rules_of(visit.site.contest), NO_SUBMISSIONS)


def fault_file(visit: Visit) -> Response:
    submission, step = _faulty_step(visit)
    name = f"fault-{submission.owner}-{submission.id}-{step.number}.json"
    return download(step.step.fault or b"", JSON, name)


def _faulty_step(visit: Visit) -> tuple[Submission, ShownStep]:
    submission, number = _own_submission(visit), visit.path("step")
    for step in _steps(visit, submission):
        if step.number == number and step.step.fault is not None:
            return submission, step
    raise HTTPException(404, "There is no fault file for this step.")


def _own_submission(visit: Visit) -> Submission:
    submission = _rules(visit).inbox.get(visit.path("number"))
    if submission and submission.owner != visit.person.owner and not visit.sees_all:
        submission = None
    return found(submission, "You have no such submission.")


# -- for programs, with a token ----------------------------------------------------------------


def take(visit: Visit) -> Response:
    sent = visit.form.get(FILE_FIELD)
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise HTTPException(
            400, f"Send a form with the file in the field `{FILE_FIELD}`, as `curl -F` does."
        )
    submission = acknowledge(visit, sent.filename, sent.file)
    return _status_response(visit, submission, 201)


def answer(visit: Visit) -> Response:
    return _status_response(visit, _own_submission(visit))


def _status_response(visit: Visit, submission: Submission, status: int = 200) -> Response:
    rules = _rules(visit)
    answer = {
        "id": submission.id,
        "bot": submission.owner,
        "url": f"{address_of(visit.site.database)}/submissions/{submission.id}",
        "late": bool(rules.late([submission])),
        "state": submission.state,
        "version": submission.version,
        "reason": submission.reason,
        "steps": [
            {"name": step.name, "outcome": step.outcome, "text": step.text, "card": step.card}
            for step in rules.inbox.steps(submission.id)
        ],
    }
    return Response(msgspec.json.encode(answer), status, media_type=JSON)


# -- intake of submissions: judged, stored on the disk, and only then acknowledged -------------


MAX_UPLOAD_BYTES = 32 * 1024 * 1024
MAX_CODE_CHARS = 512 * 1024
MAX_UNCHECKED = 5
PASTED = "bot.py"
COPY_BYTES = 256 * 1024
_reading = threading.BoundedSemaphore(2)


def acknowledge(
    visit: Visit, name: str, content: IO[bytes], against: Sequence[str] = ()
) -> Submission:
    """Store a submission and queue it for checking.

    `against` lists the opponents of a trial, and is empty for other submissions. Raise
    `HTTPException` with status 400 for an invalid file, 403 if the contest is closed, 429 for too
    many submissions, and 503 if the file can't be stored.
    """
    site = visit.site
    rules = rules_for(site, visit.person)
    inbox, terms = rules.inbox, _terms(rules)
    sent = _sent_by(visit, name, against)
    if not against:
        _require_open(rules, sent)
    with answering(429):
        inbox.require_room(sent, terms)
    with answering(400):
        safe = safe_file_name(name)
    with inbox.stored.incoming() as scratch:
        with (scratch / safe).open("xb") as file:
            shutil.copyfileobj(content, file, COPY_BYTES)
        try:
            with _reading:
                submission = inbox.receive(scratch / safe, sent, terms)
        except TooManySubmissions as error:
            raise HTTPException(429, str(error)) from None
        except (HostError, StoreError) as error:
            print(f"a submission cannot be stored: {error}", file=sys.stderr, flush=True)
            raise HTTPException(503, NOT_STORED) from None
    site.checker.wake()
    return submission


def _sent_by(visit: Visit, file: str, against: Sequence[str] = ()) -> Sent:
    owner = Student(visit.person.owner, visit.person.bot_name)
    return Sent(owner, local_time(visit.began), visit.person.id, file, against)


def _terms(rules: SubmissionRules) -> Terms:
    return rules.terms._replace(most_waiting=MAX_UNCHECKED)


def safe_file_name(name: str) -> str:
    """Return an uploaded file's name. Raise `SubmissionError` unless the file is a .py or .zip
    file.
    """
    last = PurePosixPath(name.replace("\\", "/")).name
    stem, dot, ending = last.rpartition(".")
    if not stem or f"{dot}{ending.lower()}" not in PACKED:
        raise SubmissionError(
            f"got the file {printable(name[:100])!r}, expected a .py file or a .zip file; put a "
            "bot that has several files or a bot.toml into a .zip file"
        )
    return f"{safe_id(stem)}.{ending.lower()}"


def rules_for(site: ContestSite, person: ContestPerson) -> SubmissionRules:
    """Return the contest's submission rules.

    Raise `HTTPException` with status 403 if the person is the teacher, or 404 if the contest
    accepts no submissions.
    """
    if person.is_teacher:
        raise HTTPException(
            403, "Only students can submit here. Teachers can add bots with `arena submit`."
        )
    return found(rules_of(site.contest), NO_SUBMISSIONS)


def _require_open(rules: SubmissionRules, sent: Sent) -> None:
    with answering(403, "Your submission was refused: {}."):
        require_open(rules, sent.owner.id, sent.received)


_FAULT = "/submissions/{number:int}/faults/{step:int}"
routes = [
    get("/me", me, "person"),
    post("/submissions", take_form, max_bytes=MAX_UPLOAD_BYTES, show_again=show_again),
    post("/submissions/{number:int}/hand-in", hand_in_trial),
    post("/me/versions", play_again),
    get("/submissions/{number:int}", show, "person"),
    get("/submissions/{number:int}/steps", show_steps, "person"),
    get(_FAULT, fault_file, "person"),
    post("/api/submissions", take, "token", MAX_UPLOAD_BYTES),
    get("/api/submissions/{number:int}", answer, "token"),
]
