"""Submissions wait, are checked, and wait again when their checker is killed."""

import pytest

from arena.check.check import Checked
from arena.extras.serve.people.person import Person
from arena.extras.serve.submissions.submission_store import MAX_TRIES, SubmissionStore
from arena.extras.serve.web.site import Site

PASSED = Checked("starts", "passed", "well")


@pytest.fixture
def submissions(site: Site) -> SubmissionStore:
    return SubmissionStore(site.database)


def add(submissions: SubmissionStore, *people: Person) -> list[int]:
    """Add a submission of each person, and return their ids."""
    return [submissions.add(one, 0.0, "bot.py", f"key{one.id}", False) for one in people]


def begin(submissions: SubmissionStore) -> int:
    """Begin the next check, and return the id of the submission; 0 if none waits."""
    found = submissions.begin_next()
    return found.id if found else 0


def test_bots_take_turns(submissions: SubmissionStore, ann: Person, bob: Person) -> None:
    anns = add(submissions, ann, ann, ann)
    assert begin(submissions) == anns[0]
    (bobs,) = add(submissions, bob)
    assert submissions.checks_before(bobs) == 1
    assert submissions.checks_before(anns[2]) == 3
    assert [begin(submissions) for _ in range(4)] == [bobs, anns[1], anns[2], 0]


def test_what_a_killed_checker_had_begun_begins_again(
    submissions: SubmissionStore, ann: Person
) -> None:
    (number,) = add(submissions, ann)
    for tries in range(1, MAX_TRIES + 1):
        assert begin(submissions) == number
        assert not submissions.steps(number), "those of the former try are gone"
        submissions.add_step(number, PASSED, "", None)
        assert submissions.progress(number) == ("checking", 1, 0)
        submissions.resume()
        found = submissions.get(number)
        assert found
        assert found.tries == tries
    assert found.state == "refused"
    assert "ended 3 times during this check" in found.reason
    assert not begin(submissions)


def test_a_check_that_the_server_stopped_does_not_count(
    submissions: SubmissionStore, ann: Person
) -> None:
    (number,) = add(submissions, ann)
    for _ in range(2 * MAX_TRIES):
        assert begin(submissions) == number
        submissions.wait_again(number)
    found = submissions.get(number)
    assert found
    assert (found.state, found.tries) == ("waiting", 0)


def test_files_are_kept_while_they_are_of_use(
    submissions: SubmissionStore, ann: Person, bob: Person
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


def test_steps_are_numbered_and_keep_their_fault(submissions: SubmissionStore, ann: Person) -> None:
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
