"""The report of an audit, in plain words for a teacher."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from arena.rating.audit.findings import Audit, Gain, Likeness, VariantCoverage

WIDTH = 100
INDENT = "  "


def report(audit: Audit, run: str) -> Iterator[str]:
    """Yield the lines of the report on the run with this name."""
    yield from _section("What was examined", [_coverage(one) for one in audit.variants])
    yield from _section(
        "Does a bot help another one?",
        [*_gains(audit, run)] or _nothing([one.pairs for one in audit.variants]),
    )
    yield from _section(
        "Does a bot know who sits at its table?",
        [
            f"The first action of {one.bot} in a game of {one.variant} depends on whether "
            f"{one.other} is at the table ({one.openings} games in which it played first; "
            f"{_chance(one.p_value)}). Nothing in the game can tell it. Look for what the two "
            "exchange outside: files, network, a common clock. Which sandbox did the run have?"
            for one in audit.openings
        ]
        or _nothing([one.openings for one in audit.variants]),
    )
    yield from _section(
        "Are bots copies of each other?",
        [*_copies(audit)] or _nothing([one.boards for one in audit.variants]),
    )
    yield from _section("What this means", MEANING)


MEANING = (
    "A finding is a reason to look, not a proof. Replay the games that are named, read both bots, "
    "and ask their authors, before you decide anything. Bots that one author has entered twice, "
    "or that come from the same lesson, may be alike without any intent.",
    "No finding does not mean that there is none: help that is rare or small is lost in the luck "
    "of the games, and so is every kind of help in a field in which all bots meet at every table.",
)


def _section(title: str, paragraphs: Sequence[str]) -> Iterator[str]:
    yield title
    for text in paragraphs:
        yield from textwrap.wrap(
            text,
            WIDTH,
            initial_indent=INDENT,
            subsequent_indent=INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
    yield ""


def _nothing(tested: Sequence[int]) -> list[str]:
    """Return what is said of a question without findings, with the number of tests by variant."""
    return ["No sign of it."] if any(tested) else ["There are too few boards to say anything."]


def _coverage(one: VariantCoverage) -> str:
    known = f"{one.variant}: {one.boards} complete boards of {one.bots} bots."
    if not one.pairs:
        return (
            f"{known} Gains from other bots could not be examined. They need more bots than seats, "
            "and more boards: a bot must have met each other bot on some, and not on others."
        )
    return (
        f"{known} The points of each bot with and without each other one at its table "
        f"({one.pairs} pairs{f', and {one.partners} of partners' if one.partners else ''}). "
        f"A gain of {one.detectable:.1f} points a game is found in about half of the cases, a "
        "larger one more surely."
    )


def _gains(audit: Audit, run: str) -> Iterator[str]:
    for one in audit.gifts:
        yield (
            f"{one.other} helps {one.bot} in {one.variant}. {_gain(one)} What {one.other} played "
            f"gave {one.bot} {one.gift:.1f} ± {_half(one.gift_error):.1f} points a game more than "
            "it gave to its other opponents, compared with how others treat the same bot "
            f"({_chance(one.gift_p_value)})."
        )
        yield f"Look at: {_replays(one, run)}"
    for one in audit.gains:
        if one.cause == "own play":
            yield (
                f"{one.bot} does better against {one.other} than others do in {one.variant}, by "
                f"its own play as far as one can see: {one.other} does not measurably favour it. "
                f"{_gain(one)} One style may beat another."
            )
        elif one.cause == "unknown":
            yield (
                f"{one.bot} does better {_with(one)} {one.other} than others do in {one.variant}. "
                f"{_gain(one)} In this variant, help cannot be told from a style that suits or "
                "beats another one."
            )
            yield f"Look at: {_replays(one, run)}"


def _with(one: Gain) -> str:
    return "as partner of" if one.relation == "partner" else "against"


def _gain(one: Gain) -> str:
    return (
        f"With it at the table, {one.bot} wins {one.gain:.1f} ± {_half(one.error):.1f} points a "
        f"game more than the strength of both explains ({one.boards} boards; "
        f"{_chance(one.p_value)})."
    )


def _half(error: float | None) -> float:
    """Return half the width of a 95 % interval."""
    return 2 * (error or 0.0)


def _chance(p_value: float | None) -> str:
    """Return in words how often a run without a reason has such a finding."""
    if p_value is None:
        return "not tested"
    if p_value < 1e-6:
        return "by chance in less than 1 of 1,000,000 runs"
    return f"by chance in 1 of {round(1 / p_value, -len(str(round(1 / p_value))) + 2):,.0f} runs"


def _replays(one: Gain, run: str) -> str:
    return "; ".join([f"arena replay {shlex.quote(run)} {title}" for title in one.games])


def _copies(audit: Audit) -> Iterator[str]:
    for names in audit.same_files:
        yield f"{', '.join(names)} have the same files."
    for one in audit.likenesses:
        if one.is_near_copy:
            yield (
                f"{_both(one)} are near copies. {_alike(one)} They also decided alike in the "
                f"{one.later} later situations that both were in."
            )
    for one in audit.likenesses:
        if not one.is_near_copy:
            yield (
                f"{_both(one)} begin alike. {_alike(one)} Too few later situations can be compared "
                "to tell a copy from a shared first idea."
            )


def _both(one: Likeness) -> str:
    return " and ".join(one.bots)


def _alike(one: Likeness) -> str:
    return (
        f"In {one.situations} situations in which bots decided differently, these two decided "
        f"alike {one.alike} times ({100 * one.usual:.0f} % is usual here; {_chance(one.p_value)})."
    )
