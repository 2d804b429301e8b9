"""The teacher's page of dates: title, opening, deadline, lateness and freeze of a contest."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.settings import LATE_RULES, Contest
from arena.extras.serve.class_overview import write_settings
from arena.extras.serve.contest_dates import (
    Values,
    contest_with,
    dates_of,
    time_until,
)
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    counts,
    published_final,
    times_of,
)
from arena.extras.serve.server_database import local_time, time_of
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.visits import Visit, answering, get, post

STATES = {
    "too early": "Nobody can hand in yet.",
    "on time": "Students can hand in, and are on time.",
    "late": "Students can hand in, and are marked as late.",
    "too late": "Nobody can hand in any more.",
}


def show(visit: Visit) -> Response:
    """Show the dates in a form."""
    dates = {name: value for (_, name), value in dates_of(visit.site.contest).items()}
    zone = f"{local_time(visit.site.clock()):%Z (UTC%z)}"
    return visit.render("dates.html", dates=dates, zone=zone, late_rules=LATE_RULES)


def change(visit: Visit) -> Response:
    """Show whom the dates of a form concern, or write them once they are confirmed."""
    site, before = visit.site, dates_of(visit.site.contest)
    dates = {
        (table, name): _minutes(visit, name) if isinstance(former, int) else visit.text(name)
        for (table, name), former in before.items()
    }
    dates["deadline", "late"] = dates["deadline", "late"] or LATE_RULES[0]
    with answering(400):
        if not visit.text("confirmed"):
            after = contest_with(site.contest_file, dates)
            return visit.render(
                "dates_preview.html",
                dates=dates,
                changes=list(_changes(before, dates_of(after))),
                effects=list(effects(site, after)),
            )
        write_settings(site, dates)
    told = "; ".join(_changes(before, dates_of(site.contest)))
    visit.note(told or "no date was changed")
    site.checker.wake()
    site.ladder.wake()
    return visit.redirect("teacher")


def _minutes(visit: Visit, name: str) -> int:
    text = visit.text(name) or "0"
    if not text.isascii() or not text.isdecimal():
        raise HTTPException(400, f"Got {text[:20]!r} minutes, expected a whole number, such as 15.")
    return int(text[:10])


def _changes(before: Values, after: Values) -> Iterator[str]:
    """Yield a phrase for each date that differs, with both values."""
    for key, now in after.items():
        if (old := before[key]) != now:
            yield f"{key[1].replace('_', ' ')}: {old or 'none'} → {now or 'none'}"


def effects(site: ContestSite, after: Contest) -> Iterator[str]:
    """Yield sentences that say whom other dates concern, as it is now.

    Args:
        site: that of the contest, with its present dates.
        after: the contest with the other dates.
    """
    now = local_time(site.clock())
    deadline = after.deadline.deadline()
    if deadline and deadline.due:
        yield f"The deadline is {time_of(deadline.due)}, {time_until(now, deadline.due)}."
    else:
        yield "There is no deadline."
    yield STATES[deadline.judge(now) if deadline else "on time"]
    extended = [person for person in site.people.students() if person.due is not None]
    if extended:
        names = ", ".join([person.name for person in extended])
        yield f"Students with another deadline keep it if it is later: {names}."
    late = site.database.rows(
        "SELECT DISTINCT name FROM submissions WHERE is_late AND against = '' ORDER BY name"
    )
    if late:
        names = ", ".join([row["name"] for row in late])
        yield f"What was handed in late before stays marked as late: {names}."
    yield from _final_of(site, after, now)


def _final_of(site: ContestSite, after: Contest, now: datetime) -> Iterator[str]:
    """Yield sentences that say which final will count with other dates."""
    final, times = FINAL.read(site.folder), times_of(after, site.folder)
    if final and final.is_rehearsal:
        yield f"{final.run} is a rehearsal, and never counts."
        final = None
    if final and counts(final, after, site.folder):
        yield f"The final {final.run} counts."
    elif not times.has_final:
        yield "No final is played by itself: you begin it on the ladder."
    elif times.closes is None:
        yield "No final is played by itself without a deadline: you begin it on the ladder."
    else:
        which = "Another final" if final else "The final"
        when = "now" if times.is_final_due(now) else f"after {time_of(times.closes)}"
        published = published_final(final, Path(after.results))
        stays = f" {published} stays published until that one is over." if published else ""
        yield f"{which} is played {when}, and counts.{stays}"


routes = [
    get("/teacher/dates", show, "teacher"),
    post("/teacher/dates", change, "teacher"),
]
