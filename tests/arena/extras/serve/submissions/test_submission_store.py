"""Submissions in the database: the order of their checks, their steps, files and versions."""

import random
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.check.bot_check import Checked
from arena.contest.admission import SubmissionRules, hand_in
from arena.contest.roster import Student
from arena.contest.submission_log import SubmissionLog
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.submissions.submission_store import (
    GAVE_UP,
    MAX_TRIES,
    SubmissionStore,
    note_ratings,
    version_history,
)
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.contest.submitted import PLAIN, write
from tests.arena.extras.serve.sample_submissions import BAD, GOOD, check_all
from tests.arena.extras.serve.visiting import Browser
from tests.arena.publish.rows import row

PASSED = Checked("starts", "passed", "well")


@pytest.fixture
def submissions(site: ContestSite) -> SubmissionStore:
    return SubmissionStore(site.database)


def add(submissions: SubmissionStore, *people: ContestPerson) -> list[int]:
    """Add a submission of each person, and return their ids."""
    return [submissions.add(one, 0.0, "bot.py", f"key{one.id}", False) for one in people]


def begin(submissions: SubmissionStore) -> int:
    """Begin the next check, and return the id of the submission; 0 if none waits."""
    found = submissions.begin_next()
    return found.id if found else 0


def test_a_killed_check_begins_again(submissions: SubmissionStore, ann: ContestPerson) -> None:
    (number,) = add(submissions, ann)
    for tries in range(1, 4):
        assert begin(submissions) == number
        submissions.resume()
        found = submissions.get(number)
        assert found
        assert (found.tries, found.state) == (tries, "waiting")


class Killed(BaseException):
    """Ends a checker as SIGKILL does: no code of ours handles it."""


def kill_in(monkeypatch: pytest.MonkeyPatch, name: str, site: ContestSite) -> None:
    """Have a checker killed when it begins to write to the database."""

    def kill(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(SubmissionStore, name, kill)
        with pytest.raises(Killed):
            check_all(site)


@pytest.mark.parametrize(("code", "state"), [(GOOD, "accepted"), (BAD, "refused")])
def test_a_checker_killed_after_the_verdict_does_not_judge_twice(
    monkeypatch: pytest.MonkeyPatch, anns: Browser, code: bytes, state: str
) -> None:
    anns.post("/submissions", files={"file": ("bot.py", code)})
    kill_in(monkeypatch, "accept" if state == "accepted" else "refuse", anns.site)
    assert check_all(anns.site) == (state == "accepted")
    (submission,) = SubmissionStore(anns.site.database).of_bot("ann", 9)
    assert (submission.state, submission.version) == (state, int(state == "accepted"))
    assert str(anns.site.folder) not in submission.reason
    assert SubmissionStore(anns.site.database).steps(submission.id)
    (entry,) = SubmissionLog(anns.site.folder / "submissions").attempts()
    assert (entry.outcome, entry.time.timestamp()) == (state, int(submission.came))


def test_what_kills_its_checker_is_refused(monkeypatch: pytest.MonkeyPatch, anns: Browser) -> None:
    anns.post("/submissions", files={"file": ("bot.py", GOOD)})
    for _ in range(MAX_TRIES):
        kill_in(monkeypatch, "add_step", anns.site)
    assert check_all(anns.site) == 0
    (submission,) = SubmissionStore(anns.site.database).of_bot("ann", 9)
    assert (submission.state, submission.reason) == ("refused", GAVE_UP)
    (entry,) = SubmissionLog(anns.site.folder / "submissions").attempts()
    assert (entry.outcome, entry.reason) == ("refused", GAVE_UP)


def test_an_error_of_ours_is_tried_thrice_and_delays_nobody(anns: Browser, bobs: Browser) -> None:
    store, begun = SubmissionStore(anns.site.database), []
    for browser in (anns, bobs):
        browser.post("/submissions", files={"file": ("bot.py", GOOD)})
    (anns_key,) = [submission.key for submission in store.of_bot("ann", 9)]

    class FailingFiles(UploadedFiles):
        def path(self, key: str) -> Path:
            begun.append(key)
            if key == anns_key:
                raise RuntimeError("a mistake of ours")
            return super().path(key)

    assert check_all(anns.site, FailingFiles) == 1
    (bobs_own,), (refused,) = store.of_bot("bob", 9), store.of_bot("ann", 9)
    assert [key == anns_key for key in begun] == [True, False, *[True] * (MAX_TRIES - 1)]
    assert (bobs_own.state, refused.state, refused.reason) == ("accepted", "refused", GAVE_UP)


def test_a_stopped_check_does_not_count(submissions: SubmissionStore, ann: ContestPerson) -> None:
    (number,) = add(submissions, ann)
    for _ in range(2 * MAX_TRIES):
        assert begin(submissions) == number
        submissions.wait_again(number)
    found = submissions.get(number)
    assert found
    assert (found.state, found.tries) == ("waiting", 0)


def test_files_are_kept_while_they_are_of_use(
    submissions: SubmissionStore, ann: ContestPerson, bob: ContestPerson
) -> None:
    accepted, refused, newest, waiting = add(submissions, ann, ann, ann, ann)
    for number in (accepted, refused, newest):
        begin(submissions)
        if number == accepted:
            submissions.accept(number, 1, is_new=True)
        else:
            submissions.refuse(number, "it fails")
    add(submissions, bob)
    assert submissions.forget_files("ann") == ["keyann", "keyann"]
    assert not submissions.forget_files("ann")
    with_files = [one.id for one in submissions.of_bot("ann", 9) if one.key]
    assert with_files == [waiting, newest]
    assert submissions.keys() == {"keyann", "keybob"}


def test_steps_have_numbers_and_faults(submissions: SubmissionStore, ann: ContestPerson) -> None:
    (number,) = add(submissions, ann)
    submissions.add_step(number, PASSED, "", None)
    submissions.add_step(number, Checked("plays", "failed", "badly"), "a card", b"{}")
    first, second = submissions.steps(number)
    assert (first.number, first.name, first.card, first.fault) == (1, "starts", "", None)
    assert (second.number, second.outcome, second.card, second.fault) == (
        *(2, "failed"),
        *("a card", b"{}"),
    )
    assert submissions.get(99) is None


# -- the order of checks -------------------------------------------------------------------------


def test_the_bot_checked_longest_ago_is_next_and_each_page_says_so(
    submissions: SubmissionStore, ann: ContestPerson, bob: ContestPerson, site: ContestSite
) -> None:
    people = [ann, bob, *site.people.add([Student("cy", "Cy"), Student("dan", "Dan")])]
    rng = random.Random(1)
    waiting: dict[int, str] = {}
    turns: dict[str, int] = {}
    for turn in range(1, 90):
        if turn < 40:
            for one in rng.choices(people, [9, 3, 2, 1], k=rng.randrange(3)):
                waiting |= dict.fromkeys(add(submissions, one), one.owner)
        if not waiting:
            continue
        expected = min(waiting, key=lambda number: (turns.get(waiting[number], 0), number))
        places = {number: submissions.checks_before(number) for number in waiting}
        assert sorted(places.values()) == list(range(len(waiting)))
        assert places[expected] == 0
        for bot in waiting.values():
            own = [places[number] for number in waiting if waiting[number] == bot]
            assert own == sorted(own)
        assert begin(submissions) == expected
        turns[waiting.pop(expected)] = turn
        for number in waiting:  # nothing else has come
            assert submissions.checks_before(number) == places[number]
        submissions.accept(expected, 1, is_new=True)
    assert waiting == {}


# -- versions ------------------------------------------------------------------------------------


ANN = Student("ann", "Ann Lee")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_versions_have_the_rating_of_their_code(site: ContestSite, tmp_path: Path) -> None:
    folder = site.folder / "submissions"
    source = tmp_path / "my_bot.py"
    for text in (PLAIN, f"{PLAIN}#", PLAIN):
        hand_in(write(source, text), ANN, SubmissionRules(folder), NOON, None)
    codes = [
        one.fingerprint for one in SubmissionLog(folder).attempts() if one.outcome == "accepted"
    ]
    note_ratings(site.database, [row("ann", 3, 4), row("ben", 1, 2)], {"ann": codes[0]}, 10.0)
    note_ratings(site.database, [row("ann", 2, 3)], {"ann": codes[0]}, 20.0)
    note_ratings(site.database, [replace(row("ann", 9, 9), games=0)], {"ann": codes[1]}, 30.0)
    third, second, first = version_history(site.database, folder, "ann")
    assert [one.number for one in (third, second, first)] == [3, 2, 1]
    assert third.same_as == 1
    assert third.rating == first.rating
    assert first.rating
    assert (first.rating.rank, first.rating.worst_rank, first.rating.at) == (2, 3, 20.0)
    assert first.rating.score_text == "50.0% ±10"
    assert second.rating is None
    assert (first.came, first.file, first.is_late) == (NOON, "my_bot.py", False)


@pytest.mark.parametrize("rated", [0, 1, 3])
def test_scores_of_versions_have_intervals(anns: Browser, tmp_path: Path, rated: int) -> None:
    site, submissions = anns.site, anns.site.folder / "submissions"
    for number in range(3):
        file = write(tmp_path / "my_bot.py", f"{PLAIN}{'#' * number}")
        hand_in(file, ANN, SubmissionRules(submissions), NOON, None)
    for attempt in SubmissionLog(submissions).attempts()[:rated]:
        note_ratings(site.database, [row("ann", 1, 2)], {"ann": attempt.fingerprint}, 10.0)
    page = anns.get("/me").text
    drawing = re.findall(r'<svg viewBox="0 0 640 180" role="img" aria-label="(.*?)">', page)
    told = ", ".join([f"v{number} 50.0% ±10" for number in (1, 2, 3)])
    assert drawing == ([f"Score by version, {told}"] if rated > 1 else [])
    assert page.count("<line x1=") == (3 if rated > 1 else 0)


def test_a_version_that_is_not_in_the_log_is_shown(site: ContestSite) -> None:
    folder = site.folder / "submissions"
    write(folder / "ann" / "1" / "bot.py")
    (only,) = version_history(site.database, folder, "ann")
    assert (only.number, only.came, only.file, only.rating) == (1, None, "", None)
    assert version_history(site.database, folder, "ben") == []
