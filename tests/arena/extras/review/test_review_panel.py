"""A review is kept with its run, and is on the page of its game."""

import re
from pathlib import Path

import msgspec
import pytest

import arena as interface
from arena.base.record import GameRecord
from arena.extras.review.review import TWICE
from arena.extras.review.review_panel import PANEL, make_review, read_review
from arena.publish.layout import replay_page
from tests.arena.command import arena
from tests.arena.extras.review.made_reviews import MISTAKES, make_game_review, stored


class Played:
    """A run of quick bots, and one of its games."""

    def __init__(self, results: Path) -> None:
        self.results = results
        run = interface.run(
            "pot-de-vin/3", ["greedy", "timid", "random"], rounds=3, seed=1, in_process=True,
            workers=1, name="x", results=results,
        )  # fmt: skip
        self.game: GameRecord = next(iter(run.games()))
        self.review = make_game_review(self.game, 1)

    def keep(self, content: bytes, word: str = "1") -> None:
        folder = self.results / "x" / PANEL
        folder.mkdir(exist_ok=True)
        (folder / f"{self.game.key}-{word}.json").write_bytes(content)

    def publish(self) -> tuple[str, str]:
        """Return the page of the game, and what the command says."""
        site = self.results / "site"
        outcome = arena("publish", "x", "--to", site, "--results", self.results)
        assert outcome.exit_code == 0, outcome.stderr
        return (site / replay_page(self.game.key)).read_text(), outcome.stderr


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path)


def test_page_shows_graph_and_mistakes(
    played: Played,
) -> None:
    plain, _ = played.publish()
    assert "review" not in plain
    assert not (played.results / "site/static/review.js").exists()
    played.keep(stored(played.review))
    page, _ = played.publish()
    assert (played.results / "site/static/review.js").is_file()
    mistakes = [played.review.decisions[at] for at in reversed(MISTAKES)]
    listed = page[page.index('<ol class="mistakes">') :]
    moves = re.findall(r'<li><a href="#(\d+)">Move \1</a>', listed)
    assert moves == [str(one.move) for one in mistakes], "the heaviest first"
    assert page.count("<circle") == len(mistakes)
    assert "<b>Better: " in listed
    assert "about 25 points (23 to 27)</div>" in listed
    assert "about 10 points</div>" in listed
    assert "2 mistakes cost 35 points; luck of the deal brought 10 points" in page
    assert "ran out of time" not in page
    assert "in points, from 0 to 100" in page
    assert TWICE not in page
    catalogue = (played.results / "site/index.json").read_text()
    assert '"review"' in catalogue, "it is why the game has a replay"
    (played.results / "x" / PANEL / f"{played.game.key}-1.json").unlink()
    assert "mistakes" not in played.publish()[0]
    played.keep(stored(msgspec.structs.replace(played.review, result=-0.5)))
    page, _ = played.publish()
    assert "in points, from -50 to 100" in page
    assert TWICE in page


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [
        ({"schema": 99}, "it is not a review of this version: Invalid value 99"),
        ({"decisions": 3}, "it is not a review of this version: "),
        ({"key": "0" * 32}, f"it is a review of the game {'0' * 32}, expected "),
    ],
)
def test_skips_invalid_reviews(played: Played, changed: dict[str, object], outcome: str) -> None:
    played.keep(stored(played.review, **changed), "0")
    played.keep(stored(played.review))
    page, notices = played.publish()
    notice = " ".join(notices.split())
    assert f"not shown in the replay of {played.game.title}: {PANEL}/{played.game.key}-0" in notice
    assert outcome in notice
    assert page.count('class="review"') == 1


@pytest.mark.slow
def test_review_respects_its_time_limit(played: Played) -> None:
    content = make_review(played.game, 1, 0)
    review = read_review(content)
    assert (review.is_whole, len(review.decisions)) == (False, 1)
    played.keep(content)
    assert f"ran out of time after move {review.decisions[0].move}" in played.publish()[0]
