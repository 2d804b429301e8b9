"""`arena compare`: compare two versions of a bot, or two bots of a run."""

import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.cells import cell_len, set_cell_size

from arena.base.protocol import indented
from arena.commands.common import (
    json_option,
    open_source,
    refuse_given,
    results_option,
    sandbox_notice,
    say_json,
    variant_option,
)
from arena.commands.completion import complete_bot_lists, complete_bots
from arena.commands.setting_options import OF_A_BOT, given, set_option, setting_option
from arena.commands.table_options import DEFAULT_VARIANT
from arena.contest.contest_file import CONTEST_FILE
from arena.interface import compare
from arena.narration.telling import counted
from arena.plugins import bots
from arena.process.host import stop_signals_as_ctrl_c
from arena.rating.leaderboard import ADAPTED
from arena.rating.pairs import PairGap
from arena.rating.scores import Score
from arena.rating.sequential_test import DELTA, THRESHOLD
from arena.terminal.console import notice, say, say_data, warning
from arena.terminal.shown_run import ShownRun
from arena.tournament.comparison import ComparisonResult
from arena.tournament.display_names import names_of, with_names
from arena.tournament.runs import is_file, is_run
from arena.tournament.standings import gap

DEFAULT_BUDGET = 1000
OPTIONS_OF_A_RUN = ("words", "variant_id", "as_json", "results")
EXIT_CODES = {"better": 0, "not better": 3, "undecided": 4}
BETS_AGAINST = f"{float(DELTA):.0%}"


@click.command("compare")
@click.argument(
    "words",
    metavar="OLD NEW | RUN|FILE BOT BOT",
    nargs=-1,
    required=True,
    shell_complete=complete_bots,
)
@click.option(
    "--against",
    "against",
    multiple=True,
    metavar="BOT,...",
    shell_complete=complete_bot_lists,
    help="Opponents of both versions: names or paths, separated by commas; may be repeated. "
    "Default: all quick bundled bots that play the game.",
)
@variant_option(
    None,
    help=f"The variant. Default: {DEFAULT_VARIANT} for two versions, all variants for a run.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=DEFAULT_BUDGET,
    show_default=True,
    help="Maximum number of boards. The comparison then ends without a verdict.",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder in which to keep the comparison. Run the same command to resume it.",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Keep the comparison and its games in a new folder under --results.",
)
@json_option
@setting_option("seed")
@setting_option("machine.workers")
@setting_option("sandbox.level")
@set_option("secret", "seed", "machine", *OF_A_BOT)
@results_option
@click.pass_context
def compare_command(
    context: click.Context,
    /,
    words: Sequence[str],
    against: Sequence[str],
    variant_id: str | None,
    budget: int,
    folder: Path | None,
    keep: bool,
    as_json: bool,
    results: Path,
    **_: object,
) -> None:
    """Find out whether a new version of a bot is better.

    OLD and NEW are two versions of a bot. Each can be a name from `arena games`, a .py file, a
    .zip file or a folder. Both versions play the same boards from the same seats against the
    same opponents, until the result is statistically significant (95% confidence). The exit code
    is 0 if NEW is better, 3 if it isn't, 4 if the result is still undecided after `--budget`
    boards, and 1 on errors.

    With a run and two of its bots, no games are played. The scores of the two bots are compared
    using the run's game records.
    """
    if len(words) == 3:
        options = {parameter.name or "" for parameter in context.command.params}
        reason = (
            "is only for two versions (OLD NEW): leave it out, because no games are played to "
            "compare two bots of a run"
        )
        refuse_given(context, options - {*OPTIONS_OF_A_RUN}, reason)
        _compare_in_run(words, variant_id, results, as_json=as_json)
        return
    if len(words) != 2:
        raise click.UsageError(
            f"got {shlex.join(words)}, expected two versions of a bot (OLD NEW), or a run and two "
            "of its bots (RUN BOT BOT)"
        )
    if run := next((word for word in words if _is_run_only(results, word)), None):
        named = shlex.quote(run)
        raise click.UsageError(
            f"{run!r} is a run, expected a bot: compare two versions of a bot (OLD NEW), or two "
            f"bots of one run (`arena compare {named} BOT BOT`). Two runs cannot be compared, "
            f"because their bots met different opponents; `arena leaderboard {named}` shows one"
        )
    context.with_resource(stop_signals_as_ctrl_c())
    again = sys.argv[1:]
    if folder is None and keep:
        folder = results / time.strftime("compare-%Y-%m-%d-%H%M%S")
        again += ["--out", str(folder)]
    is_kept = folder is not None
    if folder is None:
        folder = Path(context.with_resource(TemporaryDirectory(prefix="arena-")), "comparison")
    names = [name for part in against for name in part.split(",") if name]
    resume = f"`arena {shlex.join(again)}`" if is_kept else ""
    observer = ShownRun(resume, notice, warning)
    observer.on_sandbox = sandbox_notice(full=False)
    result = compare(
        words[0], words[1], variant_id or DEFAULT_VARIANT,
        against=names or None, budget=budget, folder=folder,
        settings=given(context), observer=observer,
    )  # fmt: skip
    if as_json:
        say_data(indented(result))
    else:
        _print_result(result, folder if is_kept else None)
    context.exit(EXIT_CODES[result.verdict])


def _is_run_only(results: Path, word: str) -> bool:
    if word in bots() or is_file(word):
        return False
    is_contest = Path(word, CONTEST_FILE).is_file()
    return is_contest or (is_run(results, word) and not Path(word).exists())


def _print_result(result: ComparisonResult, folder: Path | None) -> None:
    old, new = result.old, result.new
    margin = max(result.high - result.difference, result.difference - result.low)
    share = f"{50 + 50 * result.difference:.1f}% ± {50 * margin:.1f}"
    after = f"{share} after {counted(result.boards, 'board')}"
    if result.verdict == "undecided":
        say(f"undecided whether {new.bot} is better than {old.bot}: {after}")
    else:
        say(f"{new.bot} is {result.verdict} than {old.bot}: {after}")
    bounds = f"95% bounds {result.low:+.1%} to {result.high:+.1%}"
    say(f"  score difference in {result.variant}, {bounds}")
    evidence = f"{result.evidence_better:.2f} better, {result.evidence_not_better:.2f} not better"
    say(f"  evidence: {evidence}; {THRESHOLD:.0f} decides")
    if result.verdict == "not better":
        say(f"  not better means worse, equal, or better by less than {BETS_AGAINST}")
    if result.verdict == "undecided":
        where = f"and --out {shlex.quote(str(folder))} resume it" if folder else "plays more boards"
        say(f"  a larger --budget {where}")
    if old.faults or new.faults:
        say(f"  games with faults: {new.bot} {new.faults}, {old.bot} {old.faults}")
        see = f"`arena logs {shlex.quote(_named(folder))}`" if folder else "--keep"
        notice(f"see the faults with {see}")
    if folder:
        notice(f"kept in {folder}")


def _named(folder: Path) -> str:
    return str(folder) if folder.parent != Path() else f"./{folder}"


# -- two bots of a run -------------------------------------------------------------------------


def _compare_in_run(
    words: Sequence[str], variant_id: str | None, results: Path, *, as_json: bool
) -> None:
    source, first, second = words
    with open_source(results, source) as store:
        names = names_of(store)
        pair = names.find(first), names.find(second)
        found = gap(store, pair, [variant_id] if variant_id else [])
        why = ADAPTED if store.settings().adapts else "too few boards, or only one deal"
    if as_json:
        say_json(found)
    else:
        _print_gap(with_names(found, names), why)


def _print_gap(found: PairGap, why_no_interval: str) -> None:
    first, second = found.bots
    width = max(cell_len(first.bot), cell_len(second.bot))
    for side in found.bots:
        say(f"{set_cell_size(side.bot, width)}  {_score(side)}, {counted(side.boards, 'board')}")
    say(f"{counted(found.boards_together, 'board')} in common")
    if found.gap is None:
        say("their scores cannot be compared, because no complete boards connect the two bots")
    elif found.low is None or found.high is None or found.certainty is None:
        say(f"score difference {found.gap:+.1%}; no interval: {why_no_interval}")
    else:
        interval = f"95% interval {found.low:+.1%} to {found.high:+.1%}"
        say(f"score difference {found.gap:+.1%}, {interval}")
        say(f"certainty that {first.bot} is better: {found.certainty:.3f}")


def _score(side: Score) -> str:
    if side.score is None:
        return "no score"
    if side.low is None or side.high is None:
        return f"score {side.score:.1%}"
    return f"score {side.score:.1%} ({side.low:.1%} to {side.high:.1%})"
