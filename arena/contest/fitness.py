"""The check that a bot must pass to be submitted to a contest."""

from collections.abc import Callable, Sequence

from arena.check.check import Checked, CheckSettings, check_bot
from arena.errors import SubmissionError
from arena.protocol import printable, shorten
from arena.record import Entrant


def require_fit(
    bot: Entrant,
    variants: Sequence[str],
    settings: CheckSettings,
    tell: Callable[[Checked], object] | None = None,
) -> None:
    """Check a bot with the settings of a contest.

    `tell` is called with each check as it is done.

    Raises:
        SubmissionError: a check fails.
        SandboxError: the sandbox does not work, which is no fault of the bot.
    """
    for checked in check_bot(bot, variants, settings):
        if tell:
            tell(checked)
        if checked.outcome == "failed":
            raise SubmissionError(
                f"{bot.name} is not accepted: it fails the check `{checked.name}` "
                f"({checked.text}{'' if tell else _logged(checked)}); fix the bot, test it with "
                "`arena check`, and submit it again"
            )


def _logged(checked: Checked) -> str:
    """Return the end of the bot's log, for those who do not see the card of the fault."""
    log = checked.failure.evidence.stderr.strip() if checked.failure else ""
    return f"; the end of its stderr: {shorten(printable(log))}" if log else ""
