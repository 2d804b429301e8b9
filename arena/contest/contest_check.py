"""How a contest checks and builds submissions."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.check.sandbox_probe import choose
from arena.contest.packages import equip, using_packages
from arena.contest.reader import Reader
from arena.contest.settings import Contest, chosen_variants
from arena.contest.submissions import Incoming
from arena.contracts import SandboxSettings
from arena.errors import SubmissionError
from arena.protocol import printable, shorten
from arena.record import Entrant

if TYPE_CHECKING:
    from arena.check.examination import Checked

Check = Callable[[Entrant], object]
"""Checks a bot. Raises `BotError` if it is not fit for the contest."""
Prepare = Callable[[Incoming], Incoming]
"""Returns a submission after its build. Raises `BotError` if that fails."""


def sandbox_of(contest: Contest, notice: Callable[[str], object]) -> SandboxSettings:
    """Return the sandbox of a contest, which is tried.

    Args:
        contest: the contest.
        notice: called with a sentence about the level that was chosen for `auto`.

    Raises:
        SandboxError: the sandbox does not hold on this machine.
    """
    wanted = contest.sandbox
    return choose(wanted.level, wanted.bounds, wanted.readable, notice)


def checker(
    contest: Contest, sandbox: SandboxSettings, tell: Callable[["Checked"], object] | None = None
) -> Check:
    """Return the check of a contest. `tell` is called with each step of it.

    The check raises `SubmissionError` if a step fails, and `SandboxError` if the sandbox does not
    work, which is no fault of the bot.
    """

    def check(bot: Entrant) -> None:
        # Not above: most runs start without checks, and their first game comes earlier.
        from arena.check.examination import CheckSettings, check_bot

        variants = chosen_variants(contest.variants, contest.games)
        with Reader() as reader:
            equipped = equip(bot, contest.packages, reader)
        with using_packages(equipped):
            for step in check_bot(equipped, variants, CheckSettings(contest.limits, sandbox)):
                if tell:
                    tell(step)
                if step.outcome == "failed":
                    raise SubmissionError(
                        f"{bot.name} is not accepted: it fails the check `{step.name}` "
                        f"({step.text}{'' if tell else _logged(step)}); fix the bot, test it with "
                        "`arena check`, and submit it again"
                    )

    return check


def preparer(contest: Contest, sandbox: Callable[[], SandboxSettings]) -> Prepare:
    """Return what refuses a submission whose packages are not allowed, and builds the others.

    `sandbox` returns that of builds. It is called if there is something to build.
    """

    def prepare(handed_in: Incoming) -> Incoming:
        equip(handed_in.bot, contest.packages, handed_in.reader)
        return handed_in.built(sandbox()) if handed_in.build else handed_in

    return prepare


def _logged(checked: "Checked") -> str:
    """Return the end of the bot's log, for those who do not see the card of the fault."""
    log = checked.failure.evidence.stderr.strip() if checked.failure else ""
    return f"; the end of its stderr: {shorten(printable(log))}" if log else ""
