"""A teacher and a student use a real server in Chromium.

Each page must be accessible according to axe-core, and fit a phone and a desktop.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.arena.extras.serve.in_chromium import problems_of, watched_page
from tests.arena.extras.serve.sample_submissions import BAD, GOOD
from tests.arena.extras.serve.serving import Server, serving
from tests.arena.extras.serve.visiting import make_contest
from tests.arena.playing import wait_for
from tests.arena.publish.browsing import needs_chromium

pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(make_contest(tmp_path / "contest")) as one:
        yield one
        assert one.stop() == 0


class Visit:
    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.problems: list[str] = []
        self._url = url

    def sign_in(self, link: str) -> None:
        self.page.goto(link)
        self.check()
        self.page.click("main button")

    def follow(self, text: str) -> None:
        """Click a navigation link, and check the page."""
        self.page.click(f"nav >> text={text}")
        self.check()

    def open(self, path: str) -> None:
        self.page.goto(self._url + path)
        self.check()

    def check(self) -> None:
        """Check the page after its scripts have started."""
        self.page.wait_for_load_state()
        self.problems += problems_of(self.page)

    def hand_in(self, code: bytes) -> None:
        self.follow("My bot")
        self.page.fill("[name=code]", code.decode())
        self.page.click("#upload button >> nth=0")

    def play_out(self) -> None:
        """Choose the first action until the game is finished."""
        page = self.page
        while page.get_attribute("#game", "data-state") == "asked":
            move = page.input_value("#choices [name=move]")
            page.locator("#choices button").first.click()
            page.wait_for_function(
                """move => {
                    const state = document.getElementById("game")?.dataset.state;
                    const now = document.querySelector("#choices [name=move]");
                    return state === "done" || (state === "asked" && now.value !== move);
                }""",
                arg=move,
            )


def test_class_uses_the_server(browser: Browser, server: Server) -> None:
    with (
        watched_page(browser, server.url) as teachers,
        watched_page(browser, server.url) as students,
    ):
        teacher = Visit(teachers, server.url)
        student = Visit(students, server.url)
        teacher.sign_in(server.teacher_link)
        expect(teachers.locator("h1")).to_have_text("Roster")
        teacher.check()
        teachers.fill("input[name=name]", "Ann Łukasiewicz-Lee")
        teachers.fill("input[name=email]", "ann@example.edu")
        teachers.click("text=Add the person")
        link = teachers.locator("td.secret").inner_text()
        teacher.check()

        student.open("/")
        student.sign_in(link)
        student.hand_in(BAD)
        expect(students.locator("#check")).to_contain_text("Refused:")
        expect(students.locator("pre.card").first).to_be_visible()
        student.check()
        student.hand_in(GOOD)
        expect(students.locator("#check")).to_contain_text("Accepted as version 1.")
        student.check()
        student.follow("My bot")
        student.follow("Account")
        students.click("text=Create a token")
        student.check()

        student.follow("Ladder")
        own = students.locator("table.leaderboard a", has_text="Ann Łukasiewicz-Lee")
        expect(own).to_be_visible()  # the page moves while one watches
        student.check()
        own.click()
        student.check()
        games = students.locator("a[href^='/games/']")
        wait_for(
            lambda: bool(games.count() or not students.reload()), "a game on the page of a bot"
        )
        games.first.click()
        expect(students.locator("#replay")).to_be_visible()
        student.check()

        student.follow("Play")
        own = students.locator("select[name=opponent] option[value^='student:']")
        students.select_option("select[name=opponent]", own.get_attribute("value"))
        students.click("main form button")
        expect(students.locator("#game")).to_have_attribute("data-state", "asked")
        student.check()
        student.play_out()
        student.check()
        students.click("text=Watch the replay")
        expect(students.locator("#replay")).to_be_visible()
        student.check()
        students.click("text=Sign out")
        student.check()

        links = teachers.locator("nav[aria-label=Pages] a")
        for path in links.evaluate_all("links => links.map(link => link.getAttribute('href'))"):
            teacher.open(path)
        teacher.open("/teacher/grades")
        teacher.open("/")
        expect(teachers.locator("body")).to_contain_text("Ann Łukasiewicz-Lee")
        problems = dict.fromkeys([*teacher.problems, *student.problems])
        assert not problems, "\n".join(problems)
