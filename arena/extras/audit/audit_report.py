"""The report of an audit in plain words for a teacher: what the terminal and the page both say."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from arena.extras.audit.findings import Audit, Gain, ProgramCoverage, VariantCoverage
from arena.narration.telling import counted

Kind = Literal["finding", "open", "note", "clear", "unknown", "text"]
"""`finding`: a reason to look. `open`: a gain that may be help or style. `note`: something that
honest bots show, too. `clear`: no sign. `unknown`: it could not be examined."""
SUBJECTS = ("help", "secret knowledge", "copies")
"""The names of the findings of each question."""
SAYS: dict[str, Any] = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_text("utf-8"), type=dict[str, str | list[str]]
)
"""The sentences of the report."""
MAX_WIDTH = 100
"""Columns of the widest lines in a terminal. Longer ones are hard to read."""
INDENT = "  "
MARKS = {"finding": "! ", "open": "? "}
"""Marks before a paragraph in a terminal, by kind, in place of the indent."""


class Paragraph(NamedTuple):
    """A paragraph, and the commands that show the games of which it speaks."""

    text: str
    kind: Kind = "text"
    commands: tuple[str, ...] = ()


class AuditSection(NamedTuple):
    """A question and what is said of it."""

    title: str
    paragraphs: tuple[Paragraph, ...]


class AuditReport(NamedTuple):
    """The report on a run."""

    headline: str
    sections: tuple[AuditSection, ...]

    def lines(self, width: int = MAX_WIDTH) -> Iterator[str]:
        """Yield the lines of a report for a terminal of `width` columns.

        Commands are never divided, so that they can be copied.
        """
        width = min(width, MAX_WIDTH)
        yield from textwrap.wrap(self.headline, width)
        for section in self.sections:
            yield ""
            yield section.title
            for paragraph in section.paragraphs:
                yield from textwrap.wrap(
                    paragraph.text,
                    width,
                    initial_indent=MARKS.get(paragraph.kind, INDENT),
                    subsequent_indent=INDENT,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                if paragraph.commands:
                    yield f"{INDENT}Look at:"
                    yield from [f"{INDENT * 2}{command}" for command in paragraph.commands]


TOO_FEW = Paragraph(SAYS["too_few"], "unknown")


def report(audit: Audit, run: str) -> AuditReport:
    """Return the report on the run that commands name `run`."""
    tested = audit.variants
    gains = [*_gains(audit, run)] or [_nothing([coverage.pairs for coverage in tested])]
    openings = [*_openings(audit)] or [_nothing([coverage.openings for coverage in tested])]
    copies = [*_copies(audit)]
    if not any(paragraph.kind == "finding" for paragraph in copies):
        copies.insert(0, _nothing([coverage.boards for coverage in tested]))
    answers = [
        AuditSection("Does a bot help another one?", tuple(gains)),
        AuditSection("Does a bot know who sits at its table?", tuple(openings)),
        AuditSection("Are bots copies of each other?", tuple(copies)),
    ]
    examined = [*map(_coverage, audit.variants), _programs(audit.program_coverage)]
    facts = {"What was examined": examined, "What this means": SAYS["meaning"]}
    texts = [AuditSection(title, tuple(map(Paragraph, said))) for title, said in facts.items()]
    return AuditReport(_headline(answers), (*answers, *texts))


def _headline(answers: Sequence[AuditSection]) -> str:
    kinds = [[paragraph.kind for paragraph in section.paragraphs] for section in answers]
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


def _nothing(tested: Sequence[int]) -> Paragraph:
    """Return what is said of a question without findings, with the number of tests by variant."""
    return Paragraph(SAYS["nothing"], "clear") if any(tested) else TOO_FEW


def _say(name: str, finding: object = None, **more: object) -> str:
    """Return a sentence, with the fields of `finding` and `more`."""
    known = msgspec.structs.asdict(finding) if isinstance(finding, msgspec.Struct) else {}
    return str(SAYS[name]).format_map(known | more)


SENTENCES: dict[str, tuple[str, Kind]] = {
    "gift": ("gift", "finding"),
    "unknown": ("unknown_cause", "open"),
    "own play": ("own_play", "note"),
}
"""By the cause of a gain, in the order of the report."""


def _gains(audit: Audit, run: str) -> Iterator[Paragraph]:
    for gain in sorted(audit.gains, key=lambda gain: list(SENTENCES).index(gain.cause)):
        sentence, kind = SENTENCES[gain.cause]
        commands = [f"arena replay {shlex.quote(run)} {title}" for title in gain.games]
        yield Paragraph(_gain(sentence, gain), kind, tuple(commands) if kind != "note" else ())


def _gain(sentence: str, gain: Gain) -> str:
    gained = _say("gained", gain, half=2 * gain.error, chance=_chance(gain.p_value))
    return _say(
        sentence,
        gain,
        gained=gained,
        relation="as partner of" if gain.relation == "partner" else "against",
        gift_half=2 * (gain.gift_error or 0.0),
        gift_chance=_chance(gain.gift_p_value),
    )


def _chance(p_value: float | None) -> str:
    """Return in words how often a run without a reason has such a finding."""
    if p_value is None:
        return "not tested"
    if p_value < 1e-6:
        return "by chance in less than 1 of 1,000,000 runs"
    return f"by chance in 1 of {round(1 / p_value, -len(str(round(1 / p_value))) + 2):,.0f} runs"


def _openings(audit: Audit) -> Iterator[Paragraph]:
    for opening in audit.openings:
        yield Paragraph(_say("opening", opening, chance=_chance(opening.p_value)), "finding")


def _copies(audit: Audit) -> Iterator[Paragraph]:
    def told_already(bots: tuple[str, str]) -> bool:
        return any(set(names).issuperset(bots) for names in audit.same_files)

    for names in audit.same_files:
        yield Paragraph(_say("same_files", bots=", ".join(names)), "finding")
    for like in audit.programs:
        if not told_already(like.bots):
            both, percent = " and ".join(like.bots), 100 * like.shared
            yield Paragraph(_say("like_programs", like, bots=both, percent=percent), "finding")
    begin_alike = []
    for alike in audit.likenesses:
        both = " and ".join(alike.bots)
        if alike.is_near_copy and not told_already(alike.bots):
            more = {"percent": 100 * alike.usual, "chance": _chance(alike.p_value)}
            yield Paragraph(_say("near_copies", alike, **more | {"bots": both}), "finding")
        elif not told_already(alike.bots):
            begin_alike.append(both)
    if begin_alike:
        yield Paragraph(_say("begin_alike", pairs="; ".join(begin_alike)), "note")


def _coverage(coverage: VariantCoverage) -> str:
    partners = _say("of_partners", coverage) if coverage.partners else ""
    gains = "tested_gains" if coverage.pairs else "no_gains"
    boards = counted(coverage.boards, "complete board")
    said = _say("boards", coverage, boards=boards, bots=counted(coverage.bots, "bot"))
    return f"{said} {_say(gains, coverage, of_partners=partners)}"


def _programs(coverage: ProgramCoverage | None) -> str:
    if coverage is None:
        return _say("no_programs")
    if not coverage.compared and not coverage.left_out:
        return _say("installed_programs")
    bots = ", ".join([f"{out.bot} ({out.reason})" for out in coverage.left_out])
    left_out = _say("left_out", bots=bots) if bots else ""
    return _say("programs", number=len(coverage.compared), left_out=left_out)
