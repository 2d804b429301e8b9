"""The pages of the ladder: the board, bots, replays, the projection and the final."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.extras.serve.ladder.ladder_files import BOARD, FINAL, FinalFile
from arena.extras.serve.ladder.ladder_player import as_final
from arena.extras.serve.people import TEACHER, ContestPerson, public_names
from arena.extras.serve.server_database import time_of
from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.extras.serve.sample_boards import (
    keys_of,
    make_boards,
    play_run,
    settings_of_ladder,
)
from tests.arena.extras.serve.visiting import START, Browser, Clock, make_contest, make_random_bytes

PSEUDONYMS = "[serve]\npseudonyms = true\n"
FAULT_TEXT = "crashed"
"""The text of a bot's fault, which other students must not see."""


@pytest.fixture
def board(site: ContestSite, ann: ContestPerson, bob: ContestPerson, clock: Clock) -> None:
    play_run(site.folder / "results/spring")
    make_boards(site.contest_file, clock).update()


def key_of_game(site: ContestSite, number: int = 0) -> str:
    return keys_of(site.folder / "results/spring")[number]


def test_board_before_the_first_game(visitor: Browser) -> None:
    assert "No game has been played yet" in visitor.get("/").text
    assert visitor.get("/bots/ann").status_code == 404
    assert visitor.get(f"/games/{'0' * 32}").status_code == 404


@pytest.mark.usefixtures("board")
def test_everyone_sees_the_board_and_students_their_rank(visitor: Browser, anns: Browser) -> None:
    page = visitor.get("/").text
    assert ">Ann Lee</a>" in page
    assert "Bob &lt;b&gt;Ray&lt;/b&gt;" in page
    assert "<b>Ray" not in page
    assert "rank" in page.lower()
    assert "Latest games" in page
    own = anns.get("/").text
    assert own.index("Your bot is") < own.index("<h1>Ladder</h1>")
    assert 'href="/bots/ann"' in own


@pytest.mark.usefixtures("board")
def test_frozen_board_stays_until_the_final_is_over(
    site: ContestSite, visitor: Browser, teachers: Browser, clock: Clock
) -> None:
    due = datetime.fromtimestamp(clock.now + 3600, UTC).isoformat()
    text = site.contest_file.read_text().replace("[serve]\n", "[serve]\nfreeze_minutes = 30\n")
    site.contest_file.write_text(f'{text}[deadline]\ndue = "{due}"\n')
    assert "frozen" not in visitor.get("/").text
    boards, before = make_boards(site.contest_file, clock), BOARD.read(site.folder)
    results, final = site.folder / "results", FinalFile(run="spring-final", asked=clock.now + 4000)
    clock.now += 1800
    play_run(results / "spring", settings_of_ladder(version="2"))
    boards.update()
    for page in (visitor.get("/").text, teachers.get("/teacher").text):
        assert f"frozen since {time_of(clock.now)}" in page
        assert f"until the end of the final, which is played after {time_of(START + 3600)}" in page
    with_final = site.contest_file.read_text()
    site.contest_file.write_text(with_final.replace("[serve]\n", "[serve]\nfinal = false\n"))
    page = teachers.get("/teacher").text
    assert (f", until {time_of(START + 3600)}." in page, "only the" in page) == (True, False)
    site.contest_file.write_text(with_final)
    clock.now += 3600
    FINAL.write(site.folder, final)
    play_run(results / final.run, is_over=False)
    boards.update()
    assert BOARD.read(site.folder) == before
    assert "frozen since" in visitor.get("/").text
    play_run(results / final.run)
    boards.update()
    assert "frozen" not in visitor.get("/").text
    after = BOARD.read(site.folder)
    assert after
    assert after.is_final


@pytest.mark.usefixtures("board")
def test_bot_page_explains_losses(anns: Browser, bobs: Browser, teachers: Browser) -> None:
    own = anns.get("/bots/ann").text
    assert "Why did it lose?" in own
    assert FAULT_TEXT in own
    assert 'class="faultcard"' in own
    assert FAULT_TEXT in teachers.get("/bots/ann").text
    replay = re.search(r"/games/\w+", own[own.index('class="faultcard"') :])
    assert replay
    logs = ["ValueError: here" in who.get(f"{replay[0]}.js").text for who in (anns, teachers, bobs)]
    assert logs == [True, True, False]
    of_another = bobs.get("/bots/ann").text
    assert "crash" in of_another
    assert 'class="faultcard"' not in of_another
    assert FAULT_TEXT not in of_another


@pytest.mark.usefixtures("board")
def test_game_has_a_replay(site: ContestSite, visitor: Browser) -> None:
    key = key_of_game(site)
    page = visitor.get(f"/games/{key}")
    assert page.status_code == 200
    assert f'src="{key}.js"' in page.text
    assert 'href="/rules/pot-de-vin"' in page.text
    data = visitor.get(f"/games/{key}.js")
    assert '"took":"' in data.text
    assert data.headers["content-type"].startswith("text/javascript")
    assert data.text.startswith("window.replay = {")
    assert "Ann Lee" in page.text + data.text
    assert visitor.get("/static/replay-pot-de-vin.js").status_code == 200
    assert "Pot de Vin" in visitor.get("/rules/pot-de-vin").text


def test_pseudonyms_hide_owners(tmp_path: Path, clock: Clock) -> None:
    file = make_contest(tmp_path / "contest", PSEUDONYMS)
    site = open_site(file, clock=clock, random_bytes=make_random_bytes())
    ann = site.people.add([Student("ann", "Ann Lee", "ann@example.edu")])[0]
    teacher = site.people.add([TEACHER], "teacher")[0]
    run = site.folder / "results/spring"
    play_run(run)  # Bob is on its roster, and not among the people of the server
    make_boards(file, clock).update()
    key = keys_of(run)[0]
    pseudonym = public_names(site.people.students(), has_pseudonyms=True)["ann"]
    visitor = Browser(site)
    paths = ["/", "/board", f"/bots/{pseudonym.id}", "/bots/greedy"]
    for path in [*paths, f"/games/{key}", f"/games/{key}.js"]:
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert "Ann Lee" not in answer.text
        assert "Ray" not in answer.text
        assert "/bots/ann" not in answer.text
        assert "/bots/bob" not in answer.text
        assert FAULT_TEXT not in answer.text
    assert pseudonym.name in visitor.get("/").text
    assert visitor.get("/bots/ann").status_code == 404
    assert pseudonym.name in Browser(site).sign_in(ann).get("/").text
    assert "Ann Lee" in Browser(site).sign_in(teacher).get("/").text
    site.database.close()


@pytest.mark.usefixtures("board")
def test_teacher_requests_a_final(site: ContestSite, teachers: Browser, anns: Browser) -> None:
    text = site.contest_file.read_text()
    assert "It plays 24 rounds: " in teachers.post("/teacher/final").text
    site.contest_file.write_text(text.replace("[serve]\n", "[serve]\nfinal_rounds = 48\n"))
    assert "It plays 48 rounds: " in teachers.post("/teacher/final").text
    assert as_final(site.contest, "spring-final").rounds == 48
    assert FINAL.read(site.folder) is None
    assert anns.post("/teacher/final", {"confirmed": "yes"}).status_code == 403
    assert teachers.post("/teacher/final", {"confirmed": "yes"}).status_code == 200
    final = FINAL.read(site.folder)
    assert final
    assert (final.run, final.is_rehearsal) == ("spring-final", False)
    teachers.post("/teacher/rehearsal/stop")
    assert FINAL.read(site.folder) == final


def test_button_plays_a_rehearsal_before_the_deadline(tmp_path: Path, clock: Clock) -> None:
    file = make_contest(tmp_path / "contest", '[deadline]\ndue = "2099-01-01 12:00"\n')
    site = open_site(file, clock=clock, random_bytes=make_random_bytes())
    teachers = Browser(site).sign_in(site.people.add([TEACHER], "teacher")[0])
    assert "Play a rehearsal now" in teachers.get("/").text
    assert "never counts" in teachers.post("/teacher/final").text
    teachers.post("/teacher/final", {"confirmed": "yes"})
    final = FINAL.read(site.folder)
    assert final
    assert (final.run, final.is_rehearsal) == ("spring-rehearsal", True)
    page = teachers.get("/").text
    assert 'href="/teacher/grades?run=spring-rehearsal"' in page
    assert "Stop the rehearsal" in page
    assert "rehearsal" not in Browser(site).get("/").text
    teachers.post("/teacher/rehearsal/stop")
    assert FINAL.read(site.folder) is None
    site.database.close()


@pytest.mark.usefixtures("board")
def test_final_has_a_certificate(site: ContestSite, clock: Clock, visitor: Browser) -> None:
    FINAL.write(site.folder, FinalFile(run="spring-final", asked=clock()))
    play_run(site.folder / "results/spring-final", is_over=False)
    make_boards(site.contest_file, clock).update()
    page = visitor.get("/").text
    assert "<h1>Ladder</h1>" in page
    assert "The final is being played" in page
    play_run(site.folder / "results/spring-final")
    make_boards(site.contest_file, clock).update()
    page = visitor.get("/").text
    assert "The final is being played" not in page
    assert "<h1>Final</h1>" in page
    assert "Certificate" in page
    board = site.live.board()
    assert board
    assert board.digest
    assert board.digest.value in page
