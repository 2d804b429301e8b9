"""Tests of submitting: bots are stored first, then checked, and shown only to their owner."""

import html
import io
import re
import zipfile

import msgspec
import pytest

from arena.check.fault_file import FaultFile
from arena.contest.roster import Student
from arena.extras.serve.pages.hand_in_pages import MAX_CODE_CHARS, MAX_UNCHECKED, MAX_UPLOAD_BYTES
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.sessions import SESSION_S
from arena.extras.serve.web.visits import SIGNED_OUT_BYTES
from tests.arena.extras.serve.sample_submissions import BAD, GOOD, check_all, inbox_of
from tests.arena.extras.serve.visiting import Browser, Clock


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for name, content in files.items():
            made.writestr(f"{name}.py", content)
    return data.getvalue()


def send(browser: Browser, content: bytes = GOOD, name: str = "my_bot.py") -> str:
    answer = browser.post("/submissions", files={"file": (name, content)})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def files_of(site: ContestSite, number: int) -> dict[str, bytes]:
    submission = inbox_of(site).get(number)
    assert submission
    folder = inbox_of(site).bots / submission.fingerprint
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_page_guides_new_students(anns: Browser) -> None:
    page = anns.get("/me").text
    for path in ("/rules/pot-de-vin", "/play"):
        assert f'href="{path}"' in page[page.index("New here?") :]
        assert anns.get(path).status_code == 200
    assert "Review my last loss" not in page
    send(anns)
    assert "New here?" not in anns.get("/me").text


def test_stores_checks_and_plays_a_file(anns: Browser) -> None:
    page = anns.get(path := send(anns))
    assert "Stored." in page.text
    assert files_of(anns.site, 1) == {"my_bot.py": GOOD}
    assert inbox_of(anns.site).bots.stat().st_mode & 0o777 == 0o700
    assert check_all(anns.site) == 1
    done = anns.get(path).text
    assert "Accepted as version 1." in done
    assert "several games at once" in done
    assert str(anns.site.folder) not in done


def test_accepts_zip_and_pasted_code(anns: Browser) -> None:
    send(anns, zipped(bot=GOOD, more=b"# more\n"), "My Bot.ZIP")
    other = GOOD + b"# pasted\n"
    pasted = other.decode().replace("\n", "\r\n")
    answer = anns.post("/submissions", data={"code": pasted}, files={"file": ("", b"")})
    assert "bot.py, submitted by Ann Lee" in answer.text
    assert check_all(anns.site) == 2
    assert files_of(anns.site, 1).keys() == {"bot.py", "more.py"}
    assert files_of(anns.site, 2) == {"bot.py": other}
    assert "My Bot.ZIP" in anns.get("/me").text


@pytest.mark.parametrize("is_file", [True, False])
def test_trial_is_checked_and_can_be_submitted(anns: Browser, is_file: bool) -> None:
    code = {} if is_file else {"code": GOOD.decode()}
    file = {"file": ("my_bot.py", GOOD)} if is_file else {}
    path = anns.post("/submissions", code | {"try": "yes"}, files=file).url.path
    assert anns.post(f"{path}/hand-in").status_code == 409  # before its check
    assert check_all(anns.site) == 0
    tried = anns.get(path).text
    for part in (
        "This was a trial",
        "timid",
        "plays 4 boards of Pot de Vin, 3 seats",
        "Submit this bot",
    ):
        assert part in tried
    assert not inbox_of(anns.site).lineup()
    handed_in = anns.post(f"{path}/hand-in").url.path
    assert check_all(anns.site) == 1
    assert "Accepted as version 1." in anns.get(handed_in).text


def box_of(page: str) -> str:
    found = re.search(r"<textarea name=\"code\"[^>]*>\n(.*?)</textarea>", page, re.S)
    assert found, page
    return html.unescape(found[1])


def test_text_box_starts_with_the_template(anns: Browser) -> None:
    template = box_of(anns.get("/me").text)
    assert "class MyBot(Bot):" in template
    assert anns.post("/submissions", {"code": template}).status_code == 400
    sent = {"code": template, "try": "yes"}
    assert anns.post("/submissions", sent).status_code == 200


def test_text_box_keeps_code_after_rejection(anns: Browser) -> None:
    code = "# </textarea><script>alert(1)</script>\n".ljust(MAX_CODE_CHARS + 1, "x")
    answer = anns.post("/submissions", {"code": code})
    assert (answer.status_code, box_of(answer.text)) == (413, code)
    assert "The code has more than" in answer.text
    assert "<script>alert" not in answer.text


def test_text_box_shows_the_code_that_was_submitted_last(anns: Browser) -> None:
    anns.post("/submissions", {"code": BAD.decode()})
    check_all(anns.site)
    page = anns.get("/me").text
    assert (box_of(page), "refused" in page) == (BAD.decode(), True)
    assert "code of submission 1." in page
    send(anns, zipped(bot=GOOD, more=b"# more\n"), "bot.zip")
    assert "class MyBot(Bot):" in box_of(anns.get("/me").text)
    send(anns, b"\xff" * 9)
    assert "class MyBot(Bot):" in box_of(anns.get("/me").text)


def test_text_box_keeps_code_if_the_files_are_refused(site: ContestSite) -> None:
    browser = Browser(site).sign_in(site.people.add([Student("random", "R")])[0])
    answer = browser.post("/submissions", {"code": BAD.decode()})
    assert (answer.status_code, box_of(answer.text)) == (400, BAD.decode())
    assert "name of an installed bot" in answer.text


def test_text_box_keeps_code_after_the_session_expired(anns: Browser, clock: Clock) -> None:
    form = {"code": GOOD.decode()}
    clock.now += SESSION_S + 1
    lost = anns.client.post("/submissions", data=form)
    assert (lost.status_code, box_of(lost.text)) == (401, form["code"])
    anns.sign_in(anns.site.people.require("ann"))  # in another tab
    assert anns.client.post("/submissions", data=form).url.path == "/submissions/1"


def test_strangers_and_other_sites_get_no_form_again(anns: Browser, visitor: Browser) -> None:
    large = {"code": "#" * (SIGNED_OUT_BYTES + 1)}
    assert visitor.client.post("/submissions", data=large).status_code == 413
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    answer = anns.client.post("/submissions", data={"code": "evil"}, headers=elsewhere)
    assert (answer.status_code, "evil" in answer.text) == (403, False)


def test_same_files_are_no_new_version(anns: Browser) -> None:
    send(anns)
    again = send(anns)
    assert check_all(anns.site) == 1
    assert "identical to version 1" in anns.get(again).text


def test_failing_version_never_replaces_the_current_one(anns: Browser) -> None:
    send(anns)
    path = send(anns, BAD)
    assert check_all(anns.site) == 1
    page = anns.get(path).text
    assert "Refused:" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert [one.version for one in inbox_of(anns.site).versions("ann")] == [1]


def faulty_step(site: ContestSite) -> int:
    """Return the number of the step with the fault in the check of the first submission."""
    faults = [step.fault is not None for step in inbox_of(site).steps(1)]
    return faults.index(True) + 1


def test_fault_file_reproduces_the_fault(anns: Browser) -> None:
    path = send(anns, BAD)
    check_all(anns.site)
    number = faulty_step(anns.site)
    answer = anns.get(f"{path}/faults/{number}")
    assert "attachment" in answer.headers["Content-Disposition"]
    file = msgspec.json.decode(answer.content, type=FaultFile)
    assert file.fault.kind == "illegal"
    assert (file.bot.folder, file.bot.command[-1]) == (".", "my_bot.py")
    assert str(anns.site.folder) not in answer.text
    assert anns.get(f"{path}/faults/1").status_code == 404
    assert anns.get(f"{path}/faults/999").status_code == 404


def test_student_sees_only_own_submissions(
    anns: Browser, bobs: Browser, teachers: Browser, visitor: Browser
) -> None:
    path = send(anns, BAD)
    check_all(anns.site)
    number = faulty_step(anns.site)
    for part in ("", "/steps", f"/faults/{number}"):
        assert anns.get(path + part).status_code == 200
        assert bobs.get(path + part).status_code == 404
        assert visitor.get(path + part).status_code == 401
    assert teachers.get(path).status_code == 200
    assert "my_bot.py" not in bobs.get("/me").text
    for strange in ("0", "99", str(2**64), "-1", "1%20or%201=1"):
        assert anns.get(f"/submissions/{strange}").status_code == 404


def test_earlier_version_can_play_again(anns: Browser) -> None:
    for number in range(2):
        send(anns, GOOD + b"#" * number)
    check_all(anns.site)
    assert anns.get("/me").text.count("Play again</button>") == 1
    assert "yes, as 3" in anns.post("/me/versions", {"version": "1"}).text
    (newest,) = inbox_of(anns.site).lineup()
    assert files_of(anns.site, newest.id) == {"my_bot.py": GOOD}
    for wrong in ("7", "../bob/1", "", "²"):
        assert anns.post("/me/versions", {"version": wrong}).status_code == 404


def test_rejects_other_uploads(anns: Browser) -> None:
    for sent, expected in (
        ({"data": {"code": " \r\n"}}, "Choose a file"),
        ({"files": {"file": ("bot.txt", GOOD)}}, "expected a .py file or a .zip file"),
    ):
        answer = anns.post("/submissions", **sent)
        assert (answer.status_code, expected in answer.text) == (400, True)
    assert not inbox_of(anns.site).all()


def test_limits_uploads(anns: Browser) -> None:
    large = b"#" * (MAX_UPLOAD_BYTES + 1)
    assert anns.post("/submissions", files={"file": ("a.py", large)}).status_code == 413
    for number in range(MAX_UNCHECKED):
        send(anns, GOOD + b"#" * number)
    answer = anns.post("/submissions", files={"file": ("a.py", GOOD)})
    assert answer.status_code == 429
    assert "are waiting for their check" in answer.text
    assert len(inbox_of(anns.site).all()) == MAX_UNCHECKED


def test_team_shares_one_bot(site: ContestSite, ann: ContestPerson) -> None:
    dora, emil = site.people.add([Student("d", "Dora", "", "Red"), Student("e", "Emil", "", "Red")])
    path = send(Browser(site).sign_in(dora))
    assert check_all(site) == 1
    emils = Browser(site).sign_in(emil)
    assert "Accepted as version 1" in emils.get(path).text
    assert [(one.owner, one.name, one.by) for one in inbox_of(site).lineup()] == [("d", "Red", "d")]
