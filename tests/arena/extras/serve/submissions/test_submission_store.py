"""Submissions wait, are checked, and wait again when their checker is killed."""

from pathlib import Path

import pytest

from arena.check.examination import Checked
from arena.contest.arrivals import read_attempts
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.submissions.submission_store import GAVE_UP, MAX_TRIES, SubmissionStore
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.sample_submissions import BAD, GOOD, check_all
from tests.arena.extras.serve.visiting import Browser

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


def test_bots_take_turns(
    submissions: SubmissionStore, ann: ContestPerson, bob: ContestPerson
) -> None:
    anns = add(submissions, ann, ann, ann)
    assert begin(submissions) == anns[0]
    (bobs,) = add(submissions, bob)
    assert submissions.checks_before(bobs) == 1
    assert submissions.checks_before(anns[2]) == 3
    assert [begin(submissions) for _ in range(4)] == [bobs, anns[1], anns[2], 0]


def test_what_a_killed_checker_had_begun_begins_again(
    submissions: SubmissionStore, ann: ContestPerson
) -> None:
    (number,) = add(submissions, ann)
    for tries in range(1, 4):
        assert begin(submissions) == number
        assert submissions.progress(number) == ("checking", 0, 0)
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
    (entry,) = read_attempts(anns.site.folder / "submissions")
    assert (entry.outcome, entry.time.timestamp()) == (state, int(submission.came))


def test_a_submission_that_kills_its_checker_is_refused_and_logged(
    monkeypatch: pytest.MonkeyPatch, anns: Browser
) -> None:
    anns.post("/submissions", files={"file": ("bot.py", GOOD)})
    for _ in range(MAX_TRIES):
        kill_in(monkeypatch, "add_step", anns.site)
    assert check_all(anns.site) == 0
    (submission,) = SubmissionStore(anns.site.database).of_bot("ann", 9)
    assert (submission.state, submission.reason) == ("refused", GAVE_UP)
    (entry,) = read_attempts(anns.site.folder / "submissions")
    assert (entry.outcome, entry.reason) == ("refused", GAVE_UP)


def test_a_check_that_fails_by_an_error_of_ours_is_tried_thrice_and_delays_nobody(
    anns: Browser, bobs: Browser
) -> None:
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


def test_a_check_that_the_server_stopped_does_not_count(
    submissions: SubmissionStore, ann: ContestPerson
) -> None:
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


def test_steps_are_numbered_and_keep_their_fault(
    submissions: SubmissionStore, ann: ContestPerson
) -> None:
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
