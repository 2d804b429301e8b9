"""Pages that show the live leaderboard, single bots, finals and rehearsals."""

import contextlib
from pathlib import Path

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from arena.base.errors import ArenaError
from arena.extras.serve.current_contest import change_setting, file_stamp, text_of
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    FinalFile,
    StandingsFile,
    final_name,
    final_rounds,
    has_begun,
    plan_of_final,
    published_final,
    times_of,
)
from arena.extras.serve.ladder.standings_content import BotNames, StandingsContent, bot_content
from arena.extras.serve.people import public_names
from arena.extras.serve.server_database import iso_time, local_time
from arena.extras.serve.web.contest_site import PSEUDONYM_KEY, ContestSite, root_of
from arena.extras.serve.web.visits import Visit, answering, found, get, post

MAX_ROUNDS = 1_000_000
FRESH_S = 5.0


def board_of(visit: Visit) -> StandingsFile | None:
    return visit.site.live.board(sees_all=visit.sees_all)


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
        rows = (*board.newcomers, *board.board.first_rows)
        row = next((row for row in rows if row.bot == visit.own), None)
        own = (names.link(visit.own), names.name(visit.own), row)
    public, newest = site.live.board(sees_all=False), site.live.board(sees_all=True)
    final = FINAL.read(site.folder)
    is_final_under_way = newest is not None and newest.is_final and not newest.is_over
    return visit.render(
        "board.html",
        board_version=site.live.version(sees_all=visit.sees_all),
        part=Markup(_part(visit)),
        own=own,
        state=site.live.state(),
        sees_all=visit.sees_all,
        public_made=iso_time(public.made) if public else "",
        is_ahead=bool(visit.sees_all and board and (not public or public.made < board.made)),
        final=final,
        is_rehearsal=_is_rehearsal(site),
        plan=_plan(site) if visit.sees_all else "",
        rounds=final_rounds(site.contest),
        has_final_begun=final is not None and has_begun(Path(site.contest.results, final.run)),
        final_under_way=newest if is_final_under_way else None,
        may_forget=visit.sees_all and not _is_final_due(site),
    )


def show_part(visit: Visit) -> Response:
    """Return the leaderboard as an HTML fragment for updating an open page."""
    return HTMLResponse(_part(visit))


def show_version(visit: Visit) -> Response:
    return PlainTextResponse(visit.site.live.version(sees_all=visit.sees_all))


def ask_for_final(visit: Visit) -> Response:
    site = visit.site
    results, is_rehearsal = Path(site.contest.results), _is_rehearsal(site)
    published = published_final(FINAL.read(site.folder), results)
    what = "rehearsal" if is_rehearsal else "final"
    plan = plan_of_final(site.contest, _workers(site))
    effects = [
        f"It plays {plan}.",
        "All accepted versions play a run of their own on fresh deals. Everyone sees its table "
        f"when it is over{', marked as a rehearsal' if is_rehearsal else ''}.",
        "The ladder continues after that.",
    ]
    if is_rehearsal and site.contest.serve.final:
        effects.append("It never counts: the final starts automatically after the deadline.")
    elif is_rehearsal:
        effects.append("It never counts: start the final here after the deadline.")
    elif published:
        effects.append(f"{published} stays published until then, and no longer counts afterwards.")
    if asked := visit.asks(f"Play a {what} now?", effects, f"Play the {what}", ""):
        return asked
    final = FinalFile(
        run=final_name(site.contest, results, is_rehearsal=is_rehearsal),
        asked=site.clock(),
        is_rehearsal=is_rehearsal,
        former=published,
    )
    FINAL.write(site.folder, final)
    site.ladder.wake()
    return visit.redirect("")


def forget_final(visit: Visit) -> Response:
    """Cancel a final before the deadline, so that the ladder is shown again. The final's games are
    kept.
    """
    site = visit.site
    if _is_final_due(site):
        raise HTTPException(409, "The deadline is over: everyone sees the final.")
    FINAL.delete(site.folder)
    site.ladder.wake()
    return visit.redirect("")


def _is_final_due(site: ContestSite) -> bool:
    times = times_of(site.contest)
    return times.is_final_due(local_time(site.clock()))


def change_rounds(visit: Visit) -> Response:
    site, text = visit.site, visit.text("rounds")
    if not text.isascii() or not text.isdecimal() or (rounds := int(text[:10])) > MAX_ROUNDS:
        raise HTTPException(
            400,
            f"Got {text[:20]!r} rounds, expected a whole number, such as 60, up to {MAX_ROUNDS}.",
        )
    with answering(400):
        now = text_of(site.contest_file)
        change_setting(site.contest_file, now, ("serve", "final_rounds"), rounds)
    return visit.redirect("")


def _plan(site: ContestSite) -> str:
    made_of = (site.live.state(), file_stamp(site.contest_file))
    with contextlib.suppress(ArenaError):
        plan = lambda: plan_of_final(site.contest, _workers(site))  # noqa: E731
        return site.live.part("plan of the final", made_of, plan)
    return ""


def _workers(site: ContestSite) -> int:
    state = site.live.state()
    return state.workers if state else 1


def _is_rehearsal(site: ContestSite) -> bool:
    return times_of(site.contest).is_rehearsal(local_time(site.clock()))


def _part(visit: Visit) -> str:
    site, root = visit.site, root_of(visit.request)
    version = site.live.version(sees_all=visit.sees_all)
    made_of = (version, int(site.clock() // FRESH_S))

    def make() -> str:
        board = board_of(visit)
        if board is None:
            return site.templates.get_template("no_board.html").render(state=site.live.state())
        names = names_of(visit, board)
        content = StandingsContent(board, site.live.state(), names)
        return site.templates.get_template("board_part.html").render(
            content=content, root=root, names=names, bot_page=names.link_of_name
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
    post("/teacher/final/rounds", change_rounds, "teacher"),
    post("/teacher/ladder", forget_final, "teacher"),
]
