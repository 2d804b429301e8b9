"""The contents of the pages of the ladder, as plain data for the templates."""

from typing import NamedTuple

from arena.extras.serve.database import iso_time
from arena.extras.serve.ladder.bot_names import BotNames
from arena.extras.serve.ladder.bot_results import BotResults, PlayedGame
from arena.extras.serve.ladder.ladder_files import LadderState, StandingsFile
from arena.publish.pages import Legend, Line, legend_of, lines, never_met, never_met_text, verdict
from arena.tournament.run_names import with_names


class SeatOfGame(NamedTuple):
    """A seat of a game in a list."""

    name: str
    link: str
    points: int
    is_winner: bool
    fault: str
    """The kind of its fault, or an empty text."""
    is_own: bool


class GameLine(NamedTuple):
    """A game in a list."""

    title: str
    link: str
    seats: tuple[SeatOfGame, ...]


class StandingsContent(NamedTuple):
    """What the page of the board shows."""

    title: str
    status: str
    is_playing: bool
    verdict: str
    never_met: str
    """Which bots have no variant in common, as a sentence; empty if all may meet."""
    lines: list[Line]
    newcomers: list[Line]
    """Provisional lines of new versions, whose games are not on the board yet."""
    legend: Legend
    variants: list[tuple[str, list[Line], Legend]]
    """The tables of the variants, if there is more than one."""
    games: list[GameLine]
    board: StandingsFile
    made: str
    """The time of the board, in ISO 8601."""


class VariantRow(NamedTuple):
    """The results of a bot in a variant."""

    variant: str
    line: Line
    of: int
    """The number of bots that play the variant."""
    mean_ms: float | None
    worst_ms: float | None


class BotContent(NamedTuple):
    """What the page of a bot shows."""

    id: str
    name: str
    line: Line
    of: int
    variants: list[VariantRow]
    results: BotResults
    games: list[GameLine]
    board: StandingsFile


def standings_content(
    board: StandingsFile, state: LadderState | None, names: BotNames, own: str = ""
) -> StandingsContent:
    """Return what the page of the board shows. `own` is the id of the viewer's bot."""
    named = with_names(board.board, names.in_run)
    tables = []
    if len(named.variants) > 1:
        for variant, rows in named.variants.items():
            legend = legend_of(named, variant)
            tables.append((variant, lines(rows, {}, legend.certificate), legend))
    legend = legend_of(named)
    return StandingsContent(
        title="Final" if board.is_final else "Ladder",
        status=status_of(board, state),
        is_playing=_is_playing(board, state),
        verdict=verdict(named.overall),
        never_met=never_met_text(
            never_met({one: [row.bot for row in rows] for one, rows in named.variants.items()})
        ),
        lines=lines(named.overall, {}, legend.certificate),
        newcomers=lines(with_names(board.newcomers, names.in_run), {}),
        legend=legend,
        variants=tables,
        games=[game_line(one, names, own) for one in board.latest],
        board=board,
        made=iso_time(board.made),
    )


def bot_content(
    board: StandingsFile, bot: str, names: BotNames, own: str = ""
) -> BotContent | None:
    """Return what the page of a bot shows; None if the board does not have it."""
    named = with_names(board.board, names.in_run)
    name = names.name(bot)
    rows = (*named.overall, *with_names(board.newcomers, names.in_run))
    overall = {line.row.bot: line for line in lines(rows, {})}
    if bot not in board.bots or name not in overall:
        return None
    results = board.bots[bot]
    variants = []
    for variant, rows in named.variants.items():
        by_name = {line.row.bot: line for line in lines(rows, {})}
        if name in by_name:
            times = results.times.get(variant)
            variants.append(
                VariantRow(
                    variant,
                    by_name[name],
                    len(by_name),
                    times.mean_ms if times else None,
                    times.worst_ms if times else None,
                )
            )
    return BotContent(
        id=bot,
        name=name,
        line=overall[name],
        of=len(named.overall),
        variants=variants,
        results=results,
        games=[game_line(one, names, own) for one in results.latest],
        board=board,
    )


def status_of(board: StandingsFile, state: LadderState | None) -> str:
    """Return how far a board is, in a sentence."""
    games = f"{board.board.games:,} games"
    if board.is_over:
        if _is_certain(board):
            return f"The order is certain after {games}."
        return f"All {games} are played."
    if _is_playing(board, state):
        most = "at most " if board.may_end_early else ""
        return f"{games} of {most}{board.scheduled:,} are played; more are under way."
    return f"{games} are played."


def _is_playing(board: StandingsFile, state: LadderState | None) -> bool:
    return bool(state and state.activity == "playing" and state.run == board.run)


def _is_certain(board: StandingsFile) -> bool:
    certificates = board.board.certificate or {}
    return bool(certificates) and all(one.is_certain for one in certificates.values())


def game_line(game: PlayedGame, names: BotNames, own: str) -> GameLine:
    """Return a line of a list of games. `own` is the id of the viewer's bot."""
    seats = [
        SeatOfGame(
            names.name(bot),
            names.link(bot),
            game.points[seat],
            game.ranks[seat] == 1,
            game.faults[seat],
            bot == own,
        )
        for seat, bot in enumerate(game.entrants)
    ]
    return GameLine(game.title, f"/games/{game.key}", tuple(seats))
