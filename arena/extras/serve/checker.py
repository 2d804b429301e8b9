"""The process that checks submissions, one at a time."""

import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from arena.base.contracts import AUTO, SandboxSettings
from arena.base.errors import ArenaError, BotError, SettingsError, StoreError
from arena.base.record import Entrant
from arena.check.bot_check import CheckResult
from arena.check.fault_file import FaultFile
from arena.check.fault_report import CardStyle, card
from arena.check.trial import TrialReport, report_trial, seat_opponents, trial_games
from arena.contest.admission import Judge, SubmissionRules, checker, rules_of, sandbox_of
from arena.contest.archive import MAX_SIZE
from arena.contest.bot_files import FoundBot
from arena.contest.entrants import find_entrants, introduce
from arena.contest.inbox import CheckStep, Submission
from arena.contest.settings import RISK, Contest, check_risk, chosen_variants, override
from arena.extras.serve.background import watch_input
from arena.extras.serve.current_contest import CurrentContest
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from arena.process.host import stop_signals_as_ctrl_c
from arena.publish.pages import variant_title
from engine import get_variant

READS, BUILDS = "can be read", "builds"
CARD_COLUMNS = 96
WAITS = "The server cannot check submissions now, and will continue automatically: {}"


ISOLATED = "isolated"


def with_server_sandbox(contest: Contest) -> Contest:
    """Set a contest's sandbox level to `isolated`, unless the contest has the setting
    `accepted_risk`.

    Raise `SettingsError` if the contest sets another sandbox level without `accepted_risk`.
    """
    if contest.serve.accepted_risk:
        check_risk(contest.serve.accepted_risk)
        return contest
    if contest.sandbox.level not in (AUTO, ISOLATED):
        raise SettingsError(
            f"got the sandbox level {contest.sandbox.level!r}, expected {ISOLATED!r}, since the "
            f"server runs untrusted programs: change it, or accept the risk under [serve] with "
            f'`accepted_risk = "{RISK}"`'
        )
    return override(contest, {"sandbox.level": ISOLATED})


class ServerJudge(Judge):
    def __init__(
        self,
        submission: Submission,
        contest: Contest,
        rules: SubmissionRules,
        sandbox: SandboxSettings,
    ) -> None:
        super().__init__(rules, lambda: sandbox, checker(contest, sandbox, self.record_step))
        self._submission = submission
        self._contest = contest
        self._used_sandbox = sandbox
        self._paths: dict[str, str] = {}

    def examine(self, submission: Submission) -> FoundBot:
        stored = self.inbox.bot_of(submission)
        folder = stored.entrant.folder
        self._paths = {f"{folder}/": "", folder: "its folder", sys.executable: "python"}
        command = " ".join(stored.entrant.command)
        text = "; ".join([f"it is started by `{command}`", *stored.notes])
        self.record_step(CheckResult(READS, "passed", text))
        stored = super().examine(submission)
        if against := submission.against.split():
            bot = stored.entrant
            for played in play_trial(bot, against, self._contest, self._used_sandbox):
                self.record_step(played)
        return stored

    def prepared(self, submission: Submission) -> FoundBot:
        is_new = self.inbox.bot_of(submission).has_to_be_built
        stored = super().prepared(submission)
        if is_new:
            self.record_step(CheckResult(BUILDS, "passed", f"by `{stored.build}`"))
        return stored

    def reason_of(self, error: BotError) -> str:
        free = shutil.disk_usage(self.inbox.folder).free
        if free < MAX_SIZE:
            raise StoreError(
                f"only {free:,} bytes are free in {self.inbox.folder}; checks continue when there "
                f"are {MAX_SIZE:,}"
            )
        return self._plain(str(error))

    def record_step(self, checked: CheckResult) -> None:
        failure = checked.failure
        step = CheckStep(
            checked.name,
            checked.outcome,
            self._plain(checked.text),
            self._card(failure) if failure else "",
            self._file(failure) if failure else None,
        )
        self.inbox.add_step(self._submission.id, step)

    def _plain(self, text: str) -> str:
        for path, word in self._paths.items():
            text = text.replace(path, word)
        return text

    def _card(self, failure: FaultFile) -> str:
        style = CardStyle(width=CARD_COLUMNS)
        return self._plain(
            card(failure.bot.name, failure.where, failure.fault, failure.evidence, style)
        )

    def _file(self, failure: FaultFile) -> bytes:
        bot = failure.bot
        command = tuple([self._plain(word) for word in bot.command])
        own = msgspec.structs.replace(bot, folder=".", source="", command=command)
        file = msgspec.structs.replace(failure, bot=own)
        return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


class Checker:
    def __init__(self, contest: Callable[[], Contest]) -> None:
        self._current = contest
        self._contest = contest()

    @cached_property
    def _sandbox(self) -> SandboxSettings:
        return sandbox_of(self._contest, _note)

    def check_all(self) -> None:
        """Check all waiting submissions.

        Raise `ArenaError` if submissions cannot be checked, for example because the sandbox
        doesn't work.
        """
        known = rules_of(self._contest)
        try:
            rules = self._read_contest()
            rules.inbox.explain_wait("")
            with rules.inbox as inbox:
                while submission := inbox.next_waiting():
                    self._check(submission, rules)
                    rules = self._read_contest()._replace(inbox=inbox)
        except ArenaError as error:
            if known:
                known.inbox.explain_wait(WAITS.format(error))
            raise

    def _read_contest(self) -> SubmissionRules:
        self._contest = with_server_sandbox(self._current())
        rules = rules_of(self._contest)
        if rules is None:
            raise SettingsError("the contest no longer has an inbox")
        return rules

    def _check(self, submission: Submission, rules: SubmissionRules) -> None:
        try:
            judge = ServerJudge(submission, self._contest, rules, self._sandbox)
        except BaseException:
            rules.inbox.wait_again(submission.id, counts=False)
            raise
        try:
            judge.judge(submission)
        except (ArenaError, OSError):  # no fault of the bot
            raise
        except Exception:
            print(f"the check of {submission.owner} failed:", file=sys.stderr)
            traceback.print_exc()


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# -- the process that checks submissions, so that pages do not wait for it ---------------------


def main(contest_file: Path) -> None:
    contest = CurrentContest(contest_file)
    if contest().entrants.inbox is None:
        return
    woken = threading.Event()
    watch_input(lambda: os.kill(os.getpid(), signal.SIGINT), woken.set)
    work = Checker(contest)
    while True:
        work.check_all()
        woken.wait()
        woken.clear()


# -- trials: boards against bots of the student's choice, before a bot is handed in ------------


MAX_TRIAL_VARIANTS = 3
TRIAL_BOARDS = 4


def play_trial(
    bot: Entrant, against: Sequence[str], contest: Contest, sandbox: SandboxSettings
) -> Iterator[CheckResult]:
    """Play test games against installed bots, and yield one result per game variant.

    Raise `BotError` if a bot does not start.
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
            with Driver({each.name: each for each in bots}, settings) as driver:
                records = [record for record, _ in driver.play_all(games)]
            names = [each.name for each in bots]
            yield _played_step(report_trial(records, variant, names, contest.ranked_by))


def _played_step(report: TrialReport) -> CheckResult:
    bots = [
        f"{bot.bot} {bot.points_per_game:.1f} points a game, {bot.wins} of {bot.games} games won"
        for bot in report.bots
    ]
    title = variant_title(get_variant(report.variant))
    return CheckResult(f"plays {report.boards} boards of {title}", "passed", "; ".join(bots))


if __name__ == "__main__":
    with stop_signals_as_ctrl_c():
        try:
            main(Path(sys.argv[1]))
        except KeyboardInterrupt:
            pass
        except ArenaError as error:
            sys.exit(f"Error: {error}")
