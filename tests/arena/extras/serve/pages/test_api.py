"""Tests of the API, with which programs submit bots."""

import pytest
from httpx2 import Response

from arena.extras.serve.pages.hand_in_pages import MAX_UPLOAD_BYTES
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.sample_submissions import BAD, GOOD, check_all, inbox_of
from tests.arena.extras.serve.visiting import Browser

PATH = "/api/submissions"


class StudentProgram:
    def __init__(self, site: ContestSite, person: ContestPerson) -> None:
        self.client = Browser(site).client
        self.head = {"Authorization": f"Bearer {site.people.make_key(person.id, 'token')}"}

    def send(self, content: bytes = GOOD, name: str = "my_bot.py") -> Response:
        return self.client.post(PATH, files={"file": (name, content)}, headers=self.head)

    def look(self, number: int) -> Response:
        return self.client.get(f"{PATH}/{number}", headers=self.head)


@pytest.fixture
def program(site: ContestSite, ann: ContestPerson) -> StudentProgram:
    return StudentProgram(site, ann)


def test_program_submits_and_sees_the_check(site: ContestSite, program: StudentProgram) -> None:
    answer = program.send(BAD)
    assert answer.status_code == 201
    stored = answer.json()
    assert (stored["state"], stored["steps"]) == ("waiting", [])
    assert stored["url"].endswith(f"/submissions/{stored['id']}")
    check_all(site)
    done = program.look(stored["id"]).json()
    assert done["state"] == "refused"
    assert done["reason"].startswith("the bot was not accepted: it failed the check")
    assert "ann: illegal" in done["steps"][-1]["card"]


def test_program_sees_only_own_submissions(
    site: ContestSite, program: StudentProgram, bob: ContestPerson
) -> None:
    number = program.send().json()["id"]
    assert StudentProgram(site, bob).look(number).status_code == 404
    assert StudentProgram(site, bob).look(number).json() == {
        "error": "You have no such submission."
    }


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer  ", "Bearer 00", "Basic 00", "00"])
def test_rejects_invalid_token(site: ContestSite, program: StudentProgram, header: str) -> None:
    program.head = {"Authorization": header}
    for answer in (program.send(), program.look(1)):
        assert answer.status_code == 401
        assert "The token is not valid" in answer.json()["error"]
    assert not inbox_of(site).all()


def test_session_is_not_a_token(anns: Browser) -> None:
    assert anns.client.post(PATH, files={"file": ("a.py", GOOD)}).status_code == 401


def test_explains_request_without_file(program: StudentProgram) -> None:
    client, head = program.client, program.head
    assert "Send a form" in client.post(PATH, content=GOOD, headers=head).json()["error"]
    for more in ({"files": {"bot": ("a.py", GOOD)}}, {"files": {"file": ("", b"")}}):
        answer = client.post(PATH, headers=head, **more)  # type: ignore[arg-type]
        assert (answer.status_code, "`file`" in answer.json()["error"]) == (400, True)
    broken = {**head, "Content-Type": "multipart/form-data; boundary=x"}
    assert client.post(PATH, content=b"--y\r\n", headers=broken).status_code == 400
    assert "expected a .py file" in program.send(name="bot.rar").json()["error"]


def test_rejects_large_body_before_reading_it(program: StudentProgram) -> None:
    head = {**program.head, "Content-Length": str(10 * 1024**3)}
    head["Content-Type"] = "multipart/form-data; boundary=x"
    answer = program.client.post(PATH, content=b"", headers=head)
    assert answer.status_code == 413
    assert str(MAX_UPLOAD_BYTES // 1024**2) in answer.json()["error"]


def test_teacher_cannot_submit(site: ContestSite, teacher: ContestPerson) -> None:
    answer = StudentProgram(site, teacher).send()
    assert (answer.status_code, "Only students can submit" in answer.json()["error"]) == (403, True)
