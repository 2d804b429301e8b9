"""Export students' results as CSV."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec

from arena.base.errors import SettingsError
from arena.contest.run_roster import StudentRecord, read_run_roster
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard_files import csv_text, text_cell
from arena.tournament.standings import rank
from arena.tournament.store import Store

CERTAIN = 0.95


class Grade(msgspec.Struct, frozen=True):
    """A student's results. If the student's bot has not played, its rank, scores and counts are
    None.
    """

    id: str
    name: str
    email: str
    team: str
    bot: str
    table: str = ""
    rank: int | None = None
    best_rank: int | None = None
    worst_rank: int | None = None
    """Upper end of the 95% confidence interval for the bot's rank."""
    tier: int | None = None  # 1 for the best bots
    bots: int | None = None
    rating: float | None = None
    score: float | None = None
    points_per_game: float | None = None
    win_share: float | None = None
    games: int | None = None
    faults: int | None = None
    withdrawn: bool = False
    versions: int = 0
    submitted: str = ""
    """When the bot was submitted, in ISO 8601 format."""
    late: bool = False
    refused: int = 0
    baselines_beaten: str = ""
    """Names of the baseline bots that the student's bot beats with 95% confidence."""
    baselines: int = 0


COLUMNS = tuple([name.replace("email", "e-mail") for name in Grade.__struct_fields__])
RESULTS = [
    name
    for name in Grade.__struct_fields__
    if name in LeaderboardRow.__struct_fields__ and name != "bot"
]


def grades_of(store: Store) -> list[Grade]:
    """Return the grades of all students in a run, leaving out those whose bots were removed.

    Raise `SettingsError` if there are no students.
    """
    settings = store.settings()
    left = settings.dropped_bots
    students = read_run_roster(store.folder).students
    graded = [student for student in students if student.id not in left]
    if not graded:
        raise SettingsError(
            f"the run {store.name} has no students: play a contest to which students have "
            "submitted, or see `arena leaderboard`"
        )
    own = {student.id for student in graded} | left
    baselines = [entrant.name for entrant in settings.entrants if entrant.name not in own]
    return list(grades(graded, rank(store).leading, baselines))


def grades(
    students: Sequence[StudentRecord],
    tables: Mapping[str, Sequence[LeaderboardRow]],
    baselines: Collection[str],
) -> Iterator[Grade]:
    """Yield one grade per student and leaderboard."""
    playing = {row.bot for rows in tables.values() for row in rows}
    bots = {member.id: _bot_of(member, students, playing) for member in students}
    for member in students:
        bot = next((other for other in students if other.id == bots[member.id]), member)
        grade = Grade(
            member.id,
            member.name,
            member.email,
            member.team,
            bots[member.id],
            versions=bot.versions,
            submitted=bot.submitted.isoformat() if bot.submitted else "",
            late=bot.late,
            refused=bot.refused,
            baselines=len(baselines),
        )
        results = [
            msgspec.structs.replace(
                grade,
                table=table,
                bots=len(rows),
                baselines_beaten=_beaten(row, baselines),
                **{name: getattr(row, name) for name in RESULTS},
            )
            for table, rows in tables.items()
            for row in rows
            if row.bot == bots[member.id] and row.games
        ]
        yield from results or [grade]


def doubt_of(rows: Iterable[Grade]) -> str:
    """Return a warning if fewer than half of the pairs of bots differ significantly in rank."""
    ranges = {
        (row.table, row.bot): (row.table, row.best_rank, row.worst_rank)
        for row in rows
        if row.rank is not None
    }
    pairs = [pair for pair in combinations(ranges.values(), 2) if pair[0][0] == pair[1][0]]
    apart = 0
    for (_, best, worst), (_, other_best, other_worst) in pairs:
        if best is None or worst is None or other_best is None or other_worst is None:
            continue  # too few boards for a range
        apart += worst < other_best or other_worst < best
    if 2 * apart >= len(pairs):
        return ""
    if len(pairs) == 1:
        known = "it is not certain which of the two bots is better"
    else:
        known = f"only {apart}" if apart else "none"
        differ = "differs" if apart == 1 else "differ"
        known = f"{known} of the {len(pairs)} pairs of bots {differ} significantly"
    return (
        f"{known} (95% confidence), so differences in rank and score may be luck: play more "
        "rounds, or grade by the columns `tier` and `baselines_beaten` of the full CSV"
    )


def _bot_of(
    student: StudentRecord, students: Sequence[StudentRecord], playing: Collection[str]
) -> str:
    if student.id in playing:
        return student.id
    team = [mate.id for mate in students if mate.team and mate.team == student.team]
    mates = [mate for mate in team if mate in playing]
    return mates[0] if len(mates) == 1 else ""


def _beaten(row: LeaderboardRow, baselines: Collection[str]) -> str:
    names = [name for name in sorted(baselines) if row.certainty.get(name, 0.0) >= CERTAIN]
    return " ".join(names)


def as_csv(rows: Sequence[Grade]) -> str:
    """Format grades as CSV, with cells escaped so that spreadsheets don't interpret them as
    formulas.
    """
    return csv_text([COLUMNS, *[map(cell, msgspec.structs.astuple(row)) for row in rows]])


PLATFORMS: Mapping[str, Sequence[str]] = {
    "moodle": ("Full name", "ID number", "Email address"),
    "canvas": ("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
}
MAX_POINTS = 100


def platform_csv(rows: Sequence[Grade], platform: str, run: str) -> str:
    """Return students' scores out of 100 points as CSV for import into a learning platform.

    The CSV has a single score column if all bots play the same games, and one score column per
    game if not. Students without a score get an empty cell, so that the learning platform keeps
    their existing grade.
    """
    tables = list(dict.fromkeys(row.table for row in rows if row.table)) or [""]
    titles = [f"{run} {table}" for table in tables] if len(tables) > 1 else [run]
    scores = {(row.id, row.table): row.score for row in rows}
    lines = [[*PLATFORMS[platform], *titles]]
    if platform == "canvas":
        lines.append(["Points Possible", *[""] * 4, *[str(MAX_POINTS)] * len(tables)])
    for row in {row.id: row for row in rows}.values():
        own = (
            (row.name, row.id, row.email)
            if platform == "moodle"
            else (row.name, "", "", row.id, "")
        )
        scores_found = [scores.get((row.id, table)) for table in tables]
        points = ["" if score is None else f"{MAX_POINTS * score:.2f}" for score in scores_found]
        lines.append([*[text_cell(text) for text in own], *points])
    return csv_text(lines)


def cell(value: object) -> object:
    """Format a value for a CSV cell. Numbers are rounded to four decimal places."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, str):
        return text_cell(value)
    return "" if value is None else value
