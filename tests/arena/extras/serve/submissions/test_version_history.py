"""A student sees the versions of the bot, with how good each was when it last played."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.contest.admission import SubmissionRules, hand_in
from arena.contest.arrivals import read_attempts
from arena.contest.roster import Student
from arena.extras.serve.submissions.submission_store import note_ratings, version_history
from arena.extras.serve.web.contest_site import ContestSite
from arena.rating.columns import LeaderboardRow
from tests.arena.contest.submitted import PLAIN, write
from tests.arena.extras.serve.visiting import Browser

ANN = Student("ann", "Ann Lee")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def row(bot: str, rank: int, games: int = 6) -> LeaderboardRow:
    """Return the row of a bot in a leaderboard."""
    ranges = {"best_rank": rank, "worst_rank": rank + 1}
    score = {"score": 0.5, "score_low": 0.4, "score_high": 0.6}
    points = {"points_per_game": 1.0, "points_low": None, "points_high": None}
    wins = {"win_share": 0.5, "wins_low": None, "wins_high": None}
    return LeaderboardRow(
        rank, bot=bot, mu=25.0, sigma=8.0, rating=1.0, games=games, faults=2,
        **ranges, **score, **points, **wins,
    )  # fmt: skip


def test_versions_have_the_rating_of_their_code(site: ContestSite, tmp_path: Path) -> None:
    folder = site.folder / "submissions"
    source = tmp_path / "my_bot.py"
    for text in (PLAIN, f"{PLAIN}#", PLAIN):
        hand_in(write(source, text), ANN, SubmissionRules(folder), NOON, None)
    codes = [one.fingerprint for one in read_attempts(folder) if one.outcome == "accepted"]
    note_ratings(site.database, [row("ann", 3), row("ben", 1)], {"ann": codes[0]}, 10.0)
    note_ratings(site.database, [row("ann", 2)], {"ann": codes[0]}, 20.0)
    note_ratings(site.database, [row("ann", 9, games=0)], {"ann": codes[1]}, 30.0)
    third, second, first = version_history(site.database, folder, "ann")
    assert [one.number for one in (third, second, first)] == [3, 2, 1]
    assert [one.is_newest for one in (third, second, first)] == [True, False, False]
    assert third.same_as == 1
    assert third.rating == first.rating
    assert first.rating
    assert (first.rating.rank, first.rating.worst_rank, first.rating.at) == (2, 3, 20.0)
    assert first.rating.score_text == "50.0% ±10"
    assert second.rating is None
    assert (first.came, first.file, first.is_late) == (NOON, "my_bot.py", False)


@pytest.mark.parametrize("rated", [0, 1, 3])
def test_the_scores_of_versions_are_drawn_with_their_intervals(
    anns: Browser, tmp_path: Path, rated: int
) -> None:
    site, submissions = anns.site, anns.site.folder / "submissions"
    for number in range(3):
        file = write(tmp_path / "my_bot.py", f"{PLAIN}{'#' * number}")
        hand_in(file, ANN, SubmissionRules(submissions), NOON, None)
    for attempt in read_attempts(submissions)[:rated]:
        note_ratings(site.database, [row("ann", 1)], {"ann": attempt.fingerprint}, 10.0)
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
