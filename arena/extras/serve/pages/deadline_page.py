"""The page where teachers change a contest's deadline."""

import hashlib
import time
from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.admission import rules_of
from arena.contest.settings import Contest
from arena.extras.serve.current_contest import change_setting, text_of, time_until
from arena.extras.serve.enrolment import keep_in_runs
from arena.extras.serve.ladder.ladder_files import FINAL, closing_time, counts
from arena.extras.serve.server_database import local_time, time_of
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.visits import Visit, answering, get, post


def show(visit: Visit) -> Response:
    site = visit.site
    return visit.render(
        "deadline.html",
        due=site.contest.deadline.due or "",
        seen=_fingerprint(text_of(site.contest_file)),
        zone=" or ".join(dict.fromkeys(time.tzname)),
    )


def change(visit: Visit) -> Response:
    site, due = visit.site, visit.text("due") or None
    text, before = text_of(site.contest_file), site.contest
    if site.current.problem:
        raise HTTPException(409, f"Correct {site.contest_file.name} first: {site.current.problem}")
    if visit.text("seen") != _fingerprint(text):
        raise HTTPException(
            409,
            f"{site.contest_file.name} was changed after you opened this page. Its deadline is now "
            f"{before.deadline.due or 'none'}: check yours, then try again.",
        )
    with answering(400):
        after = replace(before, deadline=replace(before.deadline, due=due))
        consequences = list(effects(site, after))
        question = "Move the deadline?"
        if confirmation := visit.asks(question, consequences, "Move it", "teacher/deadline"):
            return confirmation
        change_setting(site.contest_file, text, "deadline", "due", due)
    keep_in_runs(site.people, site.contest)
    site.checker.wake()
    site.ladder.wake()
    return visit.redirect("teacher")


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def effects(site: ContestSite, after: Contest) -> Iterator[str]:
    now = local_time(site.clock())
    deadline = after.deadline.deadline()
    if deadline:
        yield f"The new deadline is {time_of(deadline.due)}, {time_until(now, deadline.due)}."
    else:
        yield "After this change, there is no deadline."
    if rules := rules_of(after):
        extended = rules.inbox.extensions()
        if names := ", ".join(
            [student.name for student in site.people.students() if student.owner in extended]
        ):
            yield f"Students with extensions: {names}. The later of the two deadlines applies."
        versions = rules.inbox.lineup()
        late = rules.late(versions)
        if names := ", ".join(sorted([version.name for version in versions if version.id in late])):
            yield f"Late by this deadline: {names}."
    yield from _final_of(site, after, now)


def _final_of(site: ContestSite, after: Contest, now: datetime) -> Iterator[str]:
    final, closes = FINAL.read(site.folder), closing_time(after)
    if final and final.is_rehearsal:
        yield f"{final.run} is a rehearsal, and never counts."
        final = None
    if final and counts(final, after):
        yield f"The final {final.run} counts."
    elif not after.serve.final or closes is None:
        yield "The final does not start automatically. Start it on the ladder page."
    else:
        which = "Another final" if final else "The final"
        when = "now" if now > closes else f"after {time_of(closes)}"
        yield f"{which} is played {when}, and counts. Until it is over, everyone sees the ladder."


routes = [
    get("/teacher/deadline", show, "teacher"),
    post("/teacher/deadline", change, "teacher", show_again=show),
]
