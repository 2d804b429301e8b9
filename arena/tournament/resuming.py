"""A run that is resumed with other settings: they grow, or an error names the line to change."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.contest.contest_file import decode, lines_to_change
from arena.contest.settings import Contest
from arena.errors import SettingsError
from arena.plugins import bots
from arena.record import Entrant
from arena.tournament.settings import Settings
from arena.tournament.settings_diff import conflicts, contest_values


class Given(NamedTuple):
    """Where the settings of a command come from."""

    contest_file: Path | None
    options: Collection[str]
    """Keys of the settings that were given on the command line."""

    def advice(self, values: dict[str, Any]) -> str:
        """Return what to change in the contest file so that it has `values`, or ""."""
        if self.contest_file is None:
            return ""
        wanted = {key: value for key, value in values.items() if key not in self.options}
        return "; ".join(lines_to_change(self.contest_file, wanted))


def grow(
    contest: Contest, variants: tuple[str, ...], former: Settings, given: Given
) -> tuple[Contest, tuple[str, ...], list[str]]:
    """Let the settings of a contest grow to those of its run, if it was grown by an option once.

    Returns:
        The contest with the rounds of the run, the variants of both, and a sentence for each
        change. Rounds and variants that are given on the command line stay.
    """
    notices = []
    if former.rounds > contest.rounds and "rounds" not in given.options:
        told = f"the run has {former.rounds} rounds and keeps them, instead of {contest.rounds}"
        notices.append(_with(told, given.advice({"rounds": former.rounds})))
        contest = msgspec.structs.replace(contest, rounds=former.rounds)
    missing = [variant for variant in former.variants if variant not in variants]
    if missing and not {"games", "variants"} & set(given.options):
        told = f"the run has {', '.join(missing)} too, and keeps them"
        advice = given.advice({"variants": [*contest.variants, *missing]})
        notices.append(_with(told, advice))
        is_grown = set(variants) <= set(former.variants)
        variants = former.variants if is_grown else (*variants, *missing)
    return contest, variants, notices


def check_resumable(name: str, before: Settings, now: Settings, given: Given) -> None:
    """Refuse settings that the run does not have, and say what to change in the contest file.

    Raises:
        SettingsError: the run exists with other settings, some of them from the contest file.
    """
    if given.contest_file is None or not (reasons := list(conflicts(before, now))):
        return
    values = contest_values(before, now)
    if added := list(_bots_added(before, now, given.contest_file)):
        contest = decode(given.contest_file.read_text("utf-8-sig"), str(given.contest_file))
        values["entrants.bots"] = [*contest.entrants.bots, *added]
    if advice := given.advice(values):
        raise SettingsError(
            f"the run {name} exists with other settings ({'; '.join(reasons)}): to resume it, "
            f"{advice}; or choose another name with --name"
        )


def _bots_added(before: Settings, now: Settings, contest_file: Path) -> Iterator[str]:
    """Yield the bots of the run that are neither in the contest nor among its submissions."""
    folder = contest_file.parent
    contest = decode(contest_file.read_text("utf-8-sig"), str(contest_file))
    submissions = contest.entrants.submissions
    names = {entrant.name for entrant in now.entrants}
    for entrant in before.entrants:
        if entrant.guest or entrant.name in names:
            continue
        handed_in = submissions and Path(entrant.origin).is_relative_to(
            (folder / submissions).resolve()
        )
        if not handed_in:
            yield (
                entrant.name
                if entrant.name in bots()
                else os.path.relpath(_path_of(entrant), folder)
            )


def _path_of(bot: Entrant) -> Path:
    """Return the path by which a bot was entered: its file or its folder."""
    is_file = len(bot.files) == 1
    return Path(bot.origin, bot.files[0]) if is_file else Path(bot.origin)


def _with(told: str, advice: str) -> str:
    return f"{told}: {advice}" if advice else told
