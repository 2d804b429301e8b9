"""Tests of reviews: a student requests one of a lost game, and a separate process makes it."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import StoreError
from arena.extras.serve import game_reviews
from arena.extras.serve.game_reviews import (
    GRACE_S,
    ReviewRequest,
    ReviewStore,
    make_reviews,
)
from arena.extras.serve.ladder.bot_results import BotResults, PlayedGame
from arena.extras.serve.pages.review_pages import last_loss
from arena.extras.serve.server import REVIEWS
from arena.extras.serve.web.contest_site import ContestSite
from arena.plugins import ReplayPanel, hookimpl, registered
from tests.arena.extras.serve.sample_boards import make_boards, play_run
from tests.arena.extras.serve.visiting import Browser, Clock, Woken
from tests.arena.playing import WAIT_S


@pytest.fixture
def contest_file(contest_file: Path, clock: Clock) -> Path:
    """A contest with the board of Ann's and Bob's bots. Ann's bot sometimes crashes.

    The board exists before the site is opened, because another process writes it on a real
    server.
    """
    contest_file.write_text(f"{contest_file.read_text()}review_seconds = 1\n")
    play_run(contest_file.parent / "results/spring")
    make_boards(contest_file, clock).update()
    return contest_file


@pytest.fixture
def site(site: ContestSite, woken: Woken) -> ContestSite:
    return replace(site, reviews=woken)


def start_process(site: ContestSite) -> subprocess.Popen[bytes]:
    """Start the server's review process, which ends with its input."""
    command = [sys.executable, "-P", "-m", REVIEWS, str(site.contest_file)]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


@pytest.mark.slow
def test_review_is_visible_to_its_student_only(
    site: ContestSite,
    anns: Browser,
    bobs: Browser,
    teachers: Browser,
    woken: Woken,
    clock: Clock,
) -> None:
    assert "at most 1 second." in anns.get("/me").text
    assert anns.get("/me/review").status_code == 404
    waiting = anns.post("/me/review").text
    assert "is in progress" in waiting
    assert woken.times
    store = ReviewStore(site.database)
    asked = store.of_bot("ann")
    assert asked
    clock.now += 1
    anns.post("/me/review")
    assert store.of_bot("ann") == asked, "one at a time"
    with start_process(site) as process:
        assert process.wait(WAIT_S) == 0, "its input is open until here"
    assert 'href="/me/review"' in anns.get("/me").text
    shown = anns.get("/me/review")
    assert 'class="review"' in shown.text
    assert "Ann Lee" in shown.text
    assert anns.get("/static/review.js").status_code == 200
    assert anns.get("/me/review.js").text.startswith("window.replay = ")
    for others in (bobs, teachers):
        assert others.get("/me/review").status_code == 404


def test_last_loss_ignores_games_with_faults(site: ContestSite) -> None:
    board = site.live.board()
    assert board
    games = [
        PlayedGame(str(number), "", ("bob", "ann"), (1, 1), ranks, faults)
        for number, ranks, faults in [
            (5, (2, 1), ("crash", "")),
            (4, (1, 2), ("", "crash")),
            (3, (1, 2), ("", "")),
            (2, (1, 2), ("", "")),
        ]
    ]
    bots = {"ann": BotResults(latest=tuple(games))}
    lost = last_loss(msgspec.structs.replace(board, bots=bots), "ann")
    assert lost
    assert lost.key == "3"
    assert last_loss(board, "nobody") is None


def rewrite(old: str, new: str) -> Callable[[ContestSite], object]:
    def change(site: ContestSite) -> None:
        file = site.contest_file
        file.write_text(file.read_text().replace(old, new))

    return change


@pytest.mark.parametrize(
    ("change", "status", "message", "on_page"),
    [
        (rewrite("review_seconds = 1", "review_seconds = 0"), 403, "offers no reviews", None),
        (lambda site: None, 404, "no lost game to review", "Review my last loss"),
    ],
    ids=["off", "no loss"],
)
def test_rejects_review_requests(
    site: ContestSite,
    anns: Browser,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[ContestSite], object],
    status: int,
    message: str,
    on_page: str | None,
) -> None:
    change(site)
    page = anns.get("/me").text
    assert on_page in page if on_page else "Where did your bot lose?" not in page
    monkeypatch.setattr("arena.extras.serve.pages.review_pages.last_loss", lambda *_: None)
    assert "Where did your bot lose?" not in anns.get("/me").text
    answer = anns.post("/me/review")
    assert answer.status_code == status
    assert message in answer.text
    assert ReviewStore(site.database).of_bot("ann") is None


# -- the process that makes reviews ------------------------------------------------------------


@pytest.fixture
def store(site: ContestSite, anns: Browser) -> ReviewStore:
    """A store in which Ann has requested a review."""
    assert anns.post("/me/review").status_code == 200
    return ReviewStore(site.database)


def read(store: ReviewStore) -> ReviewRequest:
    review = store.of_bot("ann")
    assert review
    return review


def test_interrupted_review_can_be_requested_again(
    make_all: Callable[[], None], store: ReviewStore, anns: Browser
) -> None:
    assert store.begin_next()  # and then its process is killed
    make_all()
    assert "interrupted" in anns.get("/me").text
    anns.post("/me/review")
    make_all()
    assert read(store).content == b"{}"


class Toy:
    @hookimpl
    def register_replay_panels(self) -> list[ReplayPanel]:
        here = __name__
        return [ReplayPanel("toy", f"{here}:show", "arena.publish", f"{here}:Toy.make")]

    @staticmethod
    def make(*_: object) -> bytes:
        return b"{}"


@pytest.fixture
def make_all(
    site: ContestSite, store: ReviewStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], None]]:
    """Return a function that makes all reviews in this process with the toy's `make`."""
    monkeypatch.setattr(game_reviews, "PANEL", "toy")
    with registered(Toy()):
        yield partial(make_reviews, site.current, store)


def test_shows_failed_review(
    make_all: Callable[[], None], store: ReviewStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(*_: object) -> bytes:
        raise StoreError("no world agrees")

    monkeypatch.setattr(Toy, "make", make)
    make_all()
    assert read(store).failure == "no world agrees"


def test_review_process_is_killed_when_it_takes_longer(
    make_all: Callable[[], None], store: ReviewStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    alarms: list[int] = []
    monkeypatch.setattr(signal, "alarm", alarms.append)
    make_all()
    assert alarms == [1 + GRACE_S, 0]
    assert read(store).content == b"{}"
