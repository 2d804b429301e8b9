"""Show a game review on the game's replay page."""

import random
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.extras.review.judging import EVEN, SLIGHT
from arena.extras.review.review import (
    TWICE,
    GameReview,
    in_a_sentence,
    review_game,
    what_players_do,
)
from arena.publish.render import page_environment
from arena.publish.replays import ReplayData

PANEL = "review"
TEMPLATES = Path(__file__).with_name("templates")


def show_review(content: bytes, record: GameRecord, replay: ReplayData) -> str:
    """Return a stored review as HTML. Raise `StoreError` if the content isn't a valid review of the
    game.
    """
    review = read_review(content)
    if review.key != record.key:
        raise StoreError(f"it is a review of the game {review.key}, expected {record.key}")
    template = page_environment(TEMPLATES).get_template("review_panel.html")
    return template.render(
        review=review, replay=replay, sentence=in_a_sentence(review), slight=SLIGHT,
        playing=what_players_do(review),
        graph=_Graph(review, replay),
        twice=TWICE if review.counts_twice else "",
    )  # fmt: skip


def read_review(content: bytes) -> GameReview:
    try:
        return msgspec.json.decode(content, type=GameReview)
    except ValueError as error:
        raise StoreError(f"it is not a review of this version: {error}; make it again") from None


def keep_review(run: Path, review: GameReview) -> None:
    """Save a game review in the run's folder. An earlier review is overwritten.

    Raise `StoreError` if the file can't be written.
    """
    path = run / PANEL / f"{review.key}-{review.seat}.json"
    with os_error_as(StoreError, f"cannot write {path}"):
        path.parent.mkdir(exist_ok=True)
        with atomic_file(path) as file:
            file.write(msgspec.json.encode(review))


class _Graph:
    def __init__(self, review: GameReview, replay: ReplayData) -> None:
        self._replay = replay
        self.last = max(1, len(replay.moves) - 1)
        shares = [
            (0, EVEN),
            *[(self.step(decision.move), decision.share) for decision in review.decisions],
        ]
        if review.is_whole:
            shares.append((self.last, review.result))
        drawn = [0.0, 1.0, *[share for _, share in shares]]
        drawn += [mistake.share + mistake.loss for mistake in review.mistakes]
        self.low, self.high = min(drawn), max(drawn)
        self.path = "M" + "L".join([f"{step} {self.y(share)}" for step, share in shares])
        self.even = self.y(EVEN)

    def step(self, move: int) -> int:
        return next(step for step, shown in enumerate(self._replay.moves) if shown.at >= move)

    def x(self, step: int) -> float:
        return round(100 * step / self.last, 2)

    def y(self, share: float) -> float:
        return round(100 * (self.high - share) / (self.high - self.low), 1)

    def words(self, step: int) -> Mapping[str, str]:
        shown = self._replay.moves[step]
        return dict([self._replay.choices[at] for at in (*shown.did, *shown.could)])


# -- reviews on a contest server ---------------------------------------------------------------


def make_review(record: GameRecord, seat: int, seconds: float) -> bytes:
    """Review a game within the given number of seconds, and return the review as JSON."""
    end = time.monotonic() + seconds
    is_late = lambda _: time.monotonic() > end  # noqa: E731
    return msgspec.json.encode(review_game(record, seat, random.Random(record.key), is_late))
