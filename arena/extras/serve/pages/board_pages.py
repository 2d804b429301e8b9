"""Pages for the leaderboard, individual bots, and the final."""

from pathlib import Path

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    FinalFile,
    StandingsFile,
    final_name,
    freeze_in_words,
    is_before_the_end,
    is_over,
    plan_of_final,
    requested_final,
)
from arena.extras.serve.ladder.standings_content import BotNames, StandingsContent, bot_content
from arena.extras.serve.people import public_names
from arena.extras.serve.server_database import local_time
from arena.extras.serve.web.contest_site import PSEUDONYM_KEY, ContestSite, root_of
from arena.extras.serve.web.visits import Visit, found, get, post
from arena.tournament.runs import settings_of_run

FRESH_S = 5.0


def board_of(visit: Visit) -> StandingsFile | None:
    return visit.site.live.board()


def require_board(visit: Visit) -> StandingsFile:
    return found(board_of(visit), "No game has been played yet.")


def names_of(visit: Visit, board: StandingsFile) -> BotNames:
    site = visit.site
    has_pseudonyms = site.contest.serve.pseudonyms and not visit.sees_all
    secret = site.database.value(PSEUDONYM_KEY) if has_pseudonyms else None
    return BotNames(
        board, public_names(site.people.students(), has_pseudonyms=has_pseudonyms), secret
    )


def show(visit: Visit) -> Response:
    board, site = board_of(visit), visit.site
    own = None
    if board and visit.own in board.bots:
        names = names_of(visit, board)
        row = next((row for row in board.board.first_rows if row.bot == visit.own), None)
        own = (names.link(visit.own), names.name(visit.own), row)
    final = requested_final(site.contest, site.folder)
    run = Path(site.contest.results, final.run) if final else None
    settings = settings_of_run(run) if run else None
    return visit.render(
        "board.html",
        board_version=site.live.version(),
        part=Markup(_part(visit)),
        own=own,
        sees_all=visit.sees_all,
        final=final,
        is_rehearsal=_is_rehearsal(site),
        is_under_way=run is not None and not is_over(run),
        secret_hash=settings.secret.hash if settings and settings.secret else "",
    )


def show_part(visit: Visit) -> Response:
    """Return the leaderboard as an HTML fragment for updating an open page."""
    return HTMLResponse(_part(visit))


def show_version(visit: Visit) -> Response:
    return PlainTextResponse(visit.site.live.version())


def ask_for_final(visit: Visit) -> Response:
    site = visit.site
    results, is_rehearsal = Path(site.contest.results), _is_rehearsal(site)
    what = "rehearsal" if is_rehearsal else "final"
    state = site.live.state()
    plan = plan_of_final(site.contest, state.workers if state else 1)
    effects = [
        f"It plays {plan}. To reduce the influence of luck, increase the number of rounds on "
        "the Class page.",
        "All accepted bot versions play a new set of deals in a separate run.",
        "The ladder continues after that.",
    ]
    if is_rehearsal:
        effects.append(
            "A rehearsal never counts, and only you can see its results, on the grades page."
        )
    else:
        effects.append("Everyone sees the results when it is over.")
    if confirmation := visit.asks(f"Play a {what} now?", effects, f"Play the {what}", ""):
        return confirmation
    name = final_name(site.contest, results, is_rehearsal=is_rehearsal)
    FINAL.write(site.folder, FinalFile(run=name, asked=site.clock(), is_rehearsal=is_rehearsal))
    site.ladder.wake()
    return visit.redirect("")


def stop_rehearsal(visit: Visit) -> Response:
    site = visit.site
    final = FINAL.read(site.folder)
    if final and final.is_rehearsal:
        FINAL.delete(site.folder)
        site.ladder.wake()
    return visit.redirect("")


def _is_rehearsal(site: ContestSite) -> bool:
    return is_before_the_end(site.contest, local_time(site.clock()))


def _part(visit: Visit) -> str:
    site, root = visit.site, root_of(visit.request)
    made_of = (site.live.version(), int(site.clock() // FRESH_S))

    def make() -> str:
        board = board_of(visit)
        if board is None:
            return site.templates.get_template("no_board.html").render(
                state=site.live.state(), sees_all=visit.sees_all
            )
        names = names_of(visit, board)
        content = StandingsContent(board, site.live.state(), names)
        return site.templates.get_template("board_part.html").render(
            content=content,
            frozen=freeze_in_words(site.contest, site.folder, local_time(site.clock())),
            root=root,
            names=names,
            bot_page=names.link_of_name,
        )

    return site.live.part(f"board {visit.sees_all}", made_of, make)


def show_bot(visit: Visit) -> Response:
    board = require_board(visit)
    names = names_of(visit, board)
    bot = names.id_of(visit.path("bot"))
    content = bot_content(board, bot, names) if bot else None
    if bot is None or content is None:
        raise HTTPException(404, "There is no such bot on the board.")
    return visit.render(
        "bot_of_ladder.html",
        bot=content,
        is_own=bot == visit.own,
        sees_cards=visit.sees_all or bot == visit.own,
        hides_author=visit.site.contest.serve.pseudonyms and not visit.sees_all,
        names=names,
    )


routes = [
    get("/", show),
    get("/board", show_part),
    get("/board/version", show_version),
    get("/bots/{bot}", show_bot),
    post("/teacher/final", ask_for_final, "teacher"),
    post("/teacher/rehearsal/stop", stop_rehearsal, "teacher"),
]
