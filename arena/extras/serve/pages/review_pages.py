"""Pages for reviewing the last game that a student's bot lost."""

from collections.abc import Mapping
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.extras.serve.game_reviews import ReviewStore, review_panel
from arena.extras.serve.ladder.bot_results import PlayedGame
from arena.extras.serve.ladder.ladder_files import StandingsFile
from arena.extras.serve.pages.board_pages import board_of, names_of, require_board
from arena.extras.serve.pages.replay_pages import (
    ShownReplay,
    find_game,
    replay_routes,
    shown_record,
)
from arena.extras.serve.web.visits import Visit, found, post
from arena.narration.telling import counted
from arena.publish.replay_panels import StoredPanel

NO_REVIEW = "Your bot has no finished review."


def offered_reviews(visit: Visit) -> Mapping[str, object] | None:
    """Return the template variables for the section about game reviews on a student's page."""
    board, last = board_of(visit), ReviewStore(visit.site.database).of_bot(visit.own)
    has_lost = board is not None and last_loss(board, visit.own) is not None
    if review_panel(visit.site.contest) is None or not (last or has_lost):
        return None
    return {
        "time": counted(visit.site.contest.serve.review_seconds, "second"),
        "last": last,
    }


def ask(visit: Visit) -> Response:
    """Request a review of the visitor's last lost game. Games in which the bot had a fault are
    skipped.
    """
    site = visit.site
    if review_panel(site.contest) is None:
        raise HTTPException(403, "This contest offers no reviews.")
    board = require_board(visit)
    text = "There is no lost game to review. Games in which your bot had a fault can't be reviewed."
    lost = found(last_loss(board, visit.own), text)
    game = find_game(Path(site.contest.results, board.run), lost.key)
    record, _ = found(
        game, "The leaderboard has changed. Reload the page and request the review again."
    )
    ReviewStore(site.database).ask(visit.own, record, site.clock())
    site.reviews.wake()
    return visit.redirect("me#review")


def last_loss(board: StandingsFile, bot: str) -> PlayedGame | None:
    for game in board.bots[bot].latest if bot in board.bots else ():
        seat = game.entrants.index(bot)
        if game.ranks[seat] > 1 and not game.faults[seat]:
            return game
    return None


def _game(visit: Visit) -> ShownReplay:
    review = ReviewStore(visit.site.database).of_bot(visit.own)
    review, panel = found(review, NO_REVIEW), review_panel(visit.site.contest)
    content = found(review.content, NO_REVIEW)
    panels = [StoredPanel(found(panel, "This contest offers no reviews."), content)]
    board = require_board(visit)
    names = names_of(visit, board)
    shown = shown_record(visit, review.record, names)
    return ShownReplay(shown, board.run, names.link_of_name, panels=panels)


routes = [
    post("/me/review", ask),
    *replay_routes("/me/review", _game, "person"),
]
