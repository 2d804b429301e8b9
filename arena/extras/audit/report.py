"""The report of an audit in plain words for a teacher: what the terminal and the page both say."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from arena.extras.audit.findings import Audit, Gain, Likeness, ProgramCoverage, VariantCoverage

Kind = Literal["finding", "open", "note", "clear", "unknown", "text"]
"""`finding`: a reason to look. `open`: a gain that may be help or style. `note`: something that
honest bots show, too. `clear`: no sign. `unknown`: it could not be examined."""
SUBJECTS = ("help", "secret knowledge", "copies")
"""What the findings of each question are called."""
NOTHING = "No sign of it."
TOO_FEW = "There are too few boards to say anything."


class Paragraph(NamedTuple):
    """A paragraph, and the commands that show the games of which it speaks."""

    text: str
    kind: Kind = "text"
    commands: tuple[str, ...] = ()


class Section(NamedTuple):
    """A question and what is said of it."""

    title: str
    paragraphs: tuple[Paragraph, ...]


class Report(NamedTuple):
    """The report on a run."""

    headline: str
    sections: tuple[Section, ...]


def report(audit: Audit, run: str) -> Report:
    """Return the report on the run that commands name `run`."""
    answers = (
        Section(
            "Does a bot help another one?",
            (*_gains(audit, run),) or _nothing([one.pairs for one in audit.variants]),
        ),
        Section(
            "Does a bot know who sits at its table?",
            (*_openings(audit),) or _nothing([one.openings for one in audit.variants]),
        ),
        Section("Are bots copies of each other?", tuple(_copies(audit))),
    )
    return Report(
        _headline(answers),
        (
            *answers,
            Section("What was examined", tuple(_examined(audit))),
            Section("What this means", MEANING),
        ),
    )


MEANING = (
    Paragraph(
        "A finding is a reason to look, not a proof. Replay the games that are named, read both "
        "bots, and ask their authors, before you decide anything. Bots that one author has entered "
        "twice, or that come from the same lesson, may be alike without any intent."
    ),
    Paragraph(
        "No finding does not mean that there is none: help that is rare or small is lost in the "
        "luck of the games, and so is every kind of help in a field in which all bots meet at "
        "every table."
    ),
)


def _headline(answers: Sequence[Section]) -> str:
    kinds = [[one.kind for one in section.paragraphs] for section in answers]
    findings = [each.count("finding") for each in kinds]
    parts = [f"{n} of {subject}" for n, subject in zip(findings, SUBJECTS, strict=True) if n]
    if number := sum([each.count("open") for each in kinds]):
        parts.append(f"{number} open question{'s' if number > 1 else ''}")
    if any(findings):
        return f"Findings: {', '.join(parts)}. Look before you judge."
    if parts:
        return f"No finding, but {parts[0]}."
    examined = sum(["unknown" not in each for each in kinds])
    if examined == len(answers):
        return "No finding in any of the three questions."
    if examined:
        return f"No finding. There are boards enough for {examined} of the three questions."
    return "No finding, but there are too few boards for any of the three questions."


def _nothing(tested: Sequence[int]) -> tuple[Paragraph, ...]:
    """Return what is said of a question without findings, with the number of tests by variant."""
    return (Paragraph(NOTHING, "clear") if any(tested) else Paragraph(TOO_FEW, "unknown"),)


def _gains(audit: Audit, run: str) -> Iterator[Paragraph]:
    for one in audit.gifts:
        yield Paragraph(
            f"{one.other} helps {one.bot} in {one.variant}. {_gain(one)} What {one.other} played "
            f"gave {one.bot} {one.gift:.1f} ± {_half(one.gift_error):.1f} points a game more than "
            "it gave to its other opponents, compared with how others treat the same bot "
            f"({_chance(one.gift_p_value)}).",
            "finding",
            _replays(one, run),
        )
    for one in audit.gains:
        if one.cause == "unknown":
            yield Paragraph(
                f"{one.bot} does better {_with(one)} {one.other} than others do in {one.variant}. "
                f"{_gain(one)} In this variant, help cannot be told from a style that suits or "
                "beats another one, and honest bots show such gains, too.",
                "open",
                _replays(one, run),
            )
    for one in audit.gains:
        if one.cause == "own play":
            yield Paragraph(
                f"{one.bot} does better against {one.other} than others do in {one.variant}, by "
                f"its own play as far as one can see: {one.other} does not measurably favour it. "
                f"{_gain(one)} One style may beat another.",
                "note",
            )


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


def _replays(one: Gain, run: str) -> tuple[str, ...]:
    return tuple([f"arena replay {shlex.quote(run)} {title}" for title in one.games])


def _openings(audit: Audit) -> Iterator[Paragraph]:
    for one in audit.openings:
        yield Paragraph(
            f"The first action of {one.bot} in a game of {one.variant} depends on whether "
            f"{one.other} is at the table ({one.openings} games in which it played first; "
            f"{_chance(one.p_value)}). Nothing in the game can tell it. Look for what the two "
            "exchange outside: files, network, a common clock. Which sandbox did the run have?",
            "finding",
        )


def _copies(audit: Audit) -> Iterator[Paragraph]:
    found = [*_same_code(audit), *_same_decisions(audit)]
    if not any(one.kind == "finding" for one in found):
        yield from _nothing([one.boards for one in audit.variants])
    yield from found


def _same_code(audit: Audit) -> Iterator[Paragraph]:
    for names in audit.same_files:
        yield Paragraph(f"{', '.join(names)} have the same files.", "finding")
    for one in audit.programs:
        if not _has_same_files(audit, one.bots):
            yield Paragraph(
                f"{_both(one.bots)} have like programs. {100 * one.shared:.0f} % of the shorter "
                f"one ({one.passages} passages of 20 words and signs) also stands in the other, if "
                "names, numbers, comments and layout do not count. Programs written apart share "
                "less than 20 %. Read both.",
                "finding",
            )


def _same_decisions(audit: Audit) -> Iterator[Paragraph]:
    told = [one for one in audit.likenesses if not _has_same_files(audit, one.bots)]
    for one in told:
        if one.is_near_copy:
            yield Paragraph(
                f"{_both(one.bots)} are near copies. {_alike(one)} They also decided alike in the "
                f"{one.later} later situations that both were in.",
                "finding",
            )
    if begin_alike := [_both(one.bots) for one in told if not one.is_near_copy]:
        yield Paragraph(
            f"Bots that begin a game alike, as bots with the same first idea do: "
            f"{'; '.join(begin_alike)}. Too few of their later decisions can be compared to say "
            "more.",
            "note",
        )


def _has_same_files(audit: Audit, bots: tuple[str, str]) -> bool:
    return any(set(names).issuperset(bots) for names in audit.same_files)


def _both(names: tuple[str, str]) -> str:
    return " and ".join(names)


def _alike(one: Likeness) -> str:
    return (
        f"In {one.situations} situations in which bots decided differently, these two decided "
        f"alike {one.alike} times ({100 * one.usual:.0f} % is usual here; {_chance(one.p_value)})."
    )


def _examined(audit: Audit) -> Iterator[Paragraph]:
    for one in audit.variants:
        yield Paragraph(_coverage(one))
    yield Paragraph(_programs(audit.program_coverage))


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


def _programs(one: ProgramCoverage | None) -> str:
    if one is None:
        return (
            "Programs were not compared, since an exported file does not contain them. Audit the "
            "run itself for that."
        )
    if not one.compared and not one.left_out:
        return "Programs were not compared, since all bots of the run are installed ones."
    left_out = [f"{name} ({reason})" for name, reason in one.left_out]
    return (
        f"The Python programs of {len(one.compared)} bots were compared, without what they share "
        "with public bots and templates, or with most other bots."
        + (f" Left out: {', '.join(left_out)}." if left_out else "")
        + " Programs in other languages and data files are compared only as whole files."
    )
