"""The checker: it checks the submissions that wait, one after the other."""

import contextlib
import os
import re
import shutil
import signal
import sqlite3
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.base.contracts import AUTO, SandboxSettings
from arena.base.errors import (
    ArenaError,
    BotError,
    SettingsError,
    StoreError,
    SubmissionError,
)
from arena.base.protocol import SeatFault
from arena.base.record import Entrant, Game, GameRecord
from arena.check.bot_check import Checked
from arena.check.fault_file import FaultFile
from arena.check.fault_report import CardStyle, card
from arena.check.trial import TrialReport, report_trial, seat_opponents, trial_games
from arena.contest.admission import (
    Receipt,
    SubmissionRules,
    checker,
    find_receipt,
    hand_in,
    preparer,
    refuse,
    rules_of,
    sandbox_of,
)
from arena.contest.archive import SUBMISSION_LIMITS
from arena.contest.bot_files import COPIED
from arena.contest.entrants import find_entrants, introduce
from arena.contest.reader_process import INCOMING_PREFIX
from arena.contest.roster import Student
from arena.contest.settings import RISK, Contest, check_risk, chosen_variants, override
from arena.contest.submissions import Incoming, incoming
from arena.extras.serve.background import watch_input
from arena.extras.serve.current_contest import CurrentContest
from arena.extras.serve.server_database import DATABASE, ServerDatabase, local_time
from arena.extras.serve.submissions.submission_store import (
    GAVE_UP,
    MAX_TRIES,
    Submission,
    SubmissionStore,
)
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.referee import Ending, record_of, start_game
from arena.match.settings import MatchSettings
from arena.process.host import stop_signals_as_ctrl_c
from arena.publish.pages import variant_title
from engine import get_variant

READS, BUILDS = "can be read", "builds"
"""The steps before those of the check."""
CARD_COLUMNS = 96
WAITS = "The server cannot check it now, and goes on by itself: {}"
"""The reason of a check that waits for the machine."""
_SCRATCH = re.compile(rf"/\S*/{re.escape(INCOMING_PREFIX)}[^/\s]+/{COPIED}/?")
"""The folder of a check that was killed, of which the log has the verdict."""


def extended(rules: SubmissionRules, due: float | None) -> SubmissionRules:
    """Return the rules for a student whose deadline was extended to `due`.

    It is in seconds since 1970; None stands for the deadline of the contest.
    """
    deadline = rules.deadline
    if due is None or deadline is None or deadline.due is None:
        return rules
    return rules._replace(deadline=deadline._replace(due=max(deadline.due, local_time(due))))


ISOLATED = "isolated"
"""The sandbox of submissions, unless the contest accepts the risk."""


def with_server_sandbox(contest: Contest) -> Contest:
    """Return a contest whose submissions run isolated, or as it says if it accepts the risk.

    Raises:
        SettingsError: it names a weaker sandbox, and does not accept the risk.
    """
    if contest.serve.accepted_risk:
        check_risk(contest.serve.accepted_risk)
        return contest
    if contest.sandbox.level not in (AUTO, ISOLATED):
        raise SettingsError(
            f"got the sandbox level {contest.sandbox.level!r}, expected {ISOLATED!r}, since the "
            f"server runs programs of strangers: change it, or accept the risk under [serve] with "
            f'`accepted_risk = "{RISK}"`'
        )
    return override(contest, {"sandbox.level": ISOLATED})


class CheckSteps:
    """Stores the steps of the check of one submission."""

    def __init__(self, submissions: SubmissionStore, number: int) -> None:
        """Take the id of the submission."""
        self._submissions = submissions
        self._number = number
        self._paths: dict[str, str] = {}
        """By path of this machine, what students see in its place."""

    def preparing(
        self, contest: Contest, sandbox: SandboxSettings
    ) -> Callable[[Incoming], Incoming]:
        """Return a function that builds a submission, and reports that it was read and built."""
        prepare = preparer(lambda: sandbox)

        def prepare_and_tell(incoming: Incoming) -> Incoming:
            folder = incoming.bot.folder
            self._paths = {f"{folder}/": "", folder: "its folder", sys.executable: "python"}
            if source := incoming.bot.source:
                self._paths |= {str(Path(source).absolute()): Path(source).name}
            command = " ".join(incoming.bot.command)
            told = "; ".join([f"it is started by `{command}`", *incoming.notes])
            self.tell(Checked(READS, "passed", told))
            prepared = prepare(incoming)
            if incoming.build:
                self.tell(Checked(BUILDS, "passed", f"by `{incoming.build}`"))
            return prepared

        return prepare_and_tell

    def tell(self, checked: Checked) -> None:
        """Add a step to those that the student sees."""
        failure = checked.failure
        self._submissions.add_step(
            self._number,
            msgspec.structs.replace(checked, text=self.plain(checked.text)),
            self._card(failure) if failure else "",
            self._file(failure) if failure else None,
        )

    def plain(self, text: str) -> str:
        """Return a text without paths of this machine."""
        for path, word in self._paths.items():
            text = text.replace(path, word)
        text = re.sub(r"^\S+ is not accepted", "the bot is not accepted", text)
        return _SCRATCH.sub("", text)

    def _card(self, failure: FaultFile) -> str:
        style = CardStyle(width=CARD_COLUMNS, hint="the fault file has all")
        return self.plain(
            card(failure.bot.name, failure.where, failure.fault, failure.evidence, style)
        )

    def _file(self, failure: FaultFile) -> bytes:
        """Return the fault file as JSON. A student replays it with `--bot`."""
        bot = failure.bot
        command = tuple([self.plain(word) for word in bot.command])
        own = msgspec.structs.replace(bot, folder=".", source="", command=command)
        file = msgspec.structs.replace(failure, bot=own)
        return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


class Checker:
    """Checks the submissions of a contest."""

    def __init__(
        self,
        contest: Callable[[], Contest],
        database: ServerDatabase,
        files: UploadedFiles,
    ):
        """Take a function that returns the contest as it is now, which takes submissions."""
        self._current = contest
        self._files = files
        self._submissions = SubmissionStore(database)

    @cached_property
    def _sandbox(self) -> SandboxSettings:
        return sandbox_of(self._contest, _note)

    def resume(self) -> None:
        """Go on where a checker was killed."""
        self._submissions.resume()

    def check_all(self) -> None:
        """Check all submissions that wait.

        A submission whose check fails by an error of the arena waits again, behind those of others.

        Raises:
            ArenaError: nothing can be checked now: the contest has a mistake, the sandbox does not
                work, or the disk is full. The submissions wait, and say why.
        """
        try:
            self._read_contest()
            self._submissions.explain_wait("")
            while submission := self._submissions.begin_next():
                self._check_or_wait(submission)
                self._read_contest()
        except ArenaError as error:
            self._submissions.explain_wait(WAITS.format(error))
            raise

    def _read_contest(self) -> None:
        """Read the contest as it is now. Raises `ArenaError` if bots cannot be checked by it."""
        self._contest = with_server_sandbox(self._current())
        rules = rules_of(self._contest)
        if rules is None:
            raise SettingsError("the contest has no folder of submissions any more")
        self._rules = rules._replace(deadline=None)  # it is judged when something comes

    def _check_or_wait(self, submission: Submission) -> None:
        """Check a submission, or let it wait again if the arena or the machine fails."""
        try:
            self._check(submission)
        except (ArenaError, OSError, sqlite3.Error, KeyboardInterrupt):  # no fault of the bot
            with contextlib.suppress(sqlite3.Error):
                self._submissions.wait_again(submission.id)
            raise
        except Exception:
            print(f"the check of {submission.bot} failed:", file=sys.stderr)
            traceback.print_exc()
            self._submissions.resume()
        else:
            self._files.delete(self._submissions.forget_files(submission.bot))

    def _check(self, submission: Submission) -> None:
        report = CheckSteps(self._submissions, submission.id)
        try:
            if submission.against:
                self._try(submission, report)
                number, is_new = 0, True
            else:
                receipt = self._receipt(submission, report)
                number, is_new = int(receipt.version.name), receipt.is_new
        except BotError as error:
            self._require_machine(error)
            self._submissions.refuse(submission.id, report.plain(str(error)))
        else:
            self._submissions.accept(submission.id, number, is_new=is_new)

    def _receipt(self, submission: Submission, report: CheckSteps) -> Receipt:
        """Return what becomes of a submission, or what a killed checker has made of it.

        Raises:
            BotError: it is refused.
        """
        student = Student(submission.bot, submission.name)
        if known := find_receipt(self._rules, student, submission.key):
            return known
        at = local_time(submission.came)
        if submission.tries > MAX_TRIES:
            refuse(self._rules, student, at, submission.file, submission.key, GAVE_UP)
        self._submissions.clear_steps(submission.id)
        return hand_in(
            self._files.path(submission.key),
            student,
            self._rules,
            at,
            checker(self._contest, self._sandbox, report.tell),
            prepare=report.preparing(self._contest, self._sandbox),
            is_late=submission.is_late,
            submission=submission.key,
        )

    def _try(self, submission: Submission, report: CheckSteps) -> None:
        """Check the bot of a trial, and let it play. Raises `BotError` if it is not fit."""
        if submission.tries > MAX_TRIES:
            raise SubmissionError(GAVE_UP)
        self._submissions.clear_steps(submission.id)
        folder, source = self._rules.folder, self._files.path(submission.key)
        with incoming(source, submission.bot, folder, self._rules.interpreters) as tried:
            bot = report.preparing(self._contest, self._sandbox)(tried).bot
            checker(self._contest, self._sandbox, report.tell)(bot)
            against = submission.against.split()
            for played in play_trial(bot, against, self._contest, self._sandbox):
                report.tell(played)

    def _require_machine(self, error: BotError) -> None:
        """Raise `StoreError` if a bot may be refused since the disk or the log does not work."""
        if isinstance(error.__context__, sqlite3.Error):
            raise StoreError(str(error))
        free = shutil.disk_usage(self._rules.folder).free
        if free < SUBMISSION_LIMITS.size:
            raise StoreError(
                f"only {free:,} bytes are free in {self._rules.folder}; checks go on when there "
                f"are {SUBMISSION_LIMITS.size:,}"
            )


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# -- the process that checks submissions, so that pages do not wait for it ---------------------


def main(contest_file: Path) -> None:
    """Check submissions until the input ends.

    Raises:
        ArenaError: the contest cannot be read, or its sandbox does not hold.
    """
    contest = CurrentContest(contest_file)
    folder = contest().entrants.submissions
    if folder is None:
        return
    database = ServerDatabase(contest_file.parent / DATABASE)
    woken = threading.Event()
    watch_input(lambda: os.kill(os.getpid(), signal.SIGINT), woken.set)
    work = Checker(contest, database, UploadedFiles(Path(folder), os.urandom))
    work.resume()
    while True:
        work.check_all()
        woken.wait()
        woken.clear()


# -- trials: boards against bots of the student's choice, before a bot is handed in ------------


MAX_TRIAL_VARIANTS = 3
"""The variants that a trial plays."""
TRIAL_BOARDS = 4
"""The boards of each."""


def play_trial(
    bot: Entrant, against: Sequence[str], contest: Contest, sandbox: SandboxSettings
) -> Iterator[Checked]:
    """Yield the result in each variant, as a step of the check.

    Args:
        bot: the bot, which has passed the check.
        against: the names of installed bots, which take turns.
        contest: has the variants and the limits.
        sandbox: that of the bot.

    Raises:
        BotError: a bot does not start.
    """
    entrants = [bot, *find_entrants(against, contest.entrants.interpreters)]
    own, *others = introduce(entrants, contest.limits, sandbox)
    settings = MatchSettings(contest.limits, sandbox, tables=1, always_charge=True)
    chosen = [get_variant(name) for name in chosen_variants(contest.variants, contest.games)]
    for variant in [variant for variant in chosen if own.plays(variant.game)][:MAX_TRIAL_VARIANTS]:
        able = [other for other in others if other.plays(variant.game)]
        if able:
            bots = seat_opponents(own, able, variant)
            games = list(trial_games(variant, bots, TRIAL_BOARDS, seed=0))
            with Driver(Dispatcher({each.name: each for each in bots}, settings)) as driver:
                records = [record for record, _ in driver.play_all(games)]
            names = [each.name for each in bots]
            yield _played_step(report_trial(records, variant, names, contest.ranked_by))


def _played_step(report: TrialReport) -> Checked:
    bots = [
        f"{bot.bot} {bot.points_per_game:.1f} points a game, {bot.wins} wins of {bot.games}"
        for bot in report.bots
    ]
    title = variant_title(get_variant(report.variant))
    return Checked(f"plays {report.boards} boards of {title}", "passed", "; ".join(bots))


def record_of_fault(file: FaultFile) -> GameRecord:
    """Return the record of the game of a fault, which stand-ins play on to its end.

    Raises:
        EngineError: the game cannot be played again.
    """
    game = file.games[file.faulty]
    state = start_game(game.variant, game.deal)
    actions = list(game.actions)
    for action in actions:
        state.apply(action)
    while state.seat_to_act is not None:
        actions.append(state.legal_actions()[0])
        state.apply(actions[-1])
    names = [f"script {seat}" for seat in range(state.variant.seats)]
    names[game.seat] = file.bot.name
    played = Game("", game.variant, 1, 0, game.deal, tuple(names), (game.seed,) * len(names))
    fault: SeatFault = replace(file.fault, seat=game.seat)
    return record_of(played, state, Ending(tuple(actions), (fault,), ()))


if __name__ == "__main__":
    with stop_signals_as_ctrl_c():
        try:
            main(Path(sys.argv[1]))
        except KeyboardInterrupt:
            pass
        except (ArenaError, sqlite3.Error) as error:
            sys.exit(f"Error: {error}")
