"""Programs, and what pairs of them share."""

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
from copydetect import CodeFingerprint, compare_files
from copydetect.utils import get_token_coverage
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Name, Number, String, Text

Span = tuple[int, int]
"""Start and end in a text, in characters."""


class StudentProgram(msgspec.Struct, frozen=True):
    """The text of a student's bot in one language."""

    bot: str
    language: str
    """The name of its lexer in Pygments."""
    text: str
    group: str = ""
    """Programs of one group are not compared: the members of a team hand in one bot."""
    version: int = 0
    """The number of the student's version, 0 for a bot without versions."""


class Shared(msgspec.Struct, frozen=True):
    """The part of a program that another one has too."""

    bot: str
    share: float
    """The shared part of what is its own, from 0 to 1."""
    spans: tuple[Span, ...]


class SimilarPair(msgspec.Struct, frozen=True):
    """Two programs that are alike."""

    language: str
    first: Shared
    second: Shared

    @property
    def share(self) -> float:
        """The larger share, which is that of the shorter program."""
        return max(self.first.share, self.second.share)


class ComparedPrograms(msgspec.Struct, frozen=True):
    """The result of comparing programs."""

    pairs: tuple[SimilarPair, ...]
    """The most alike first."""
    compared: tuple[str, ...]
    """The bots with enough code of their own."""


SCHEMA = 1


class SimilarityReport(msgspec.Struct, frozen=True):
    """A comparison, with all that its pages show."""

    comparison: ComparedPrograms
    left_out: tuple[tuple[str, str], ...]
    """Bots that could not be compared, and why."""
    programs: tuple[StudentProgram, ...]
    """The programs of these pairs."""
    schema: int = SCHEMA

    def program(self, bot: str, language: str) -> StudentProgram:
        """Return a program of the comparison."""
        return next(
            program
            for program in self.programs
            if (program.bot, program.language) == (bot, language)
        )


def pieces(text: str, spans: Sequence[Span]) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether the other program has it too."""
    found, at = [], 0
    for start, end in spans:
        found += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [(piece, is_shared) for piece, is_shared in [*found, (text[at:], False)] if piece]


# -- the comparison ----------------------------------------------------------------------------


PASSAGE = 40
"""The length of a passage in signs: characters, where a name, number or string counts as one.
Independent programs share only shorter passages."""
WINDOW = 6
"""Of so many passages in a row, at least one fingerprint is kept."""
MIN_SHARED = 0.4
"""The share of the shorter program from which a pair is reported. Of 1,275 pairs of
programs of this project, which the same people wrote, none shares more than 0.33."""
MIN_OWN = 200
"""A program with fewer signs of its own is not compared."""
MIN_COMMON = 6
"""With this many programs of a language, passages in more than half of them do not count."""
MAX_PAIRS = 200
"""Pairs of a report, the most alike first."""
_STRING = "S"
_STANDS_FOR = ((Name, "V"), (String, _STRING), (Number, "0"))
"""The sign for each name, string and number."""


class _Signs(NamedTuple):
    """The signs of a program, without comments and layout."""

    text: list[str]
    starts: list[int]
    """Where each sign starts in the program, in characters."""
    ends: list[int]


def _signs_of(program: StudentProgram) -> _Signs:
    """Return the signs of a program. Each name, number and string is one, keywords stay."""
    signs = _Signs([], [], [])
    for start, kind, value in get_lexer_by_name(program.language).get_tokens_unprocessed(
        program.text
    ):
        if kind in Text or kind in Comment or kind in String.Doc:
            continue
        stands = next((sign for type_, sign in _STANDS_FOR if kind in type_), value)
        is_rest = stands == _STRING and signs.text[-1:] == [_STRING]
        if is_rest:
            signs.ends[-1] = start + len(value)
            continue
        for at, sign in enumerate(stands):
            signs.text.append(sign)
            signs.starts.append(start + at)
            signs.ends.append(start + (at + 1 if stands is value else len(value)))
    return signs


class Marked:
    """A program and its fingerprints."""

    def __init__(self, program: StudentProgram) -> None:
        """Read the text of a program, which takes far longer than comparing it."""
        self.program = program
        self._signs = _signs_of(program)
        signs = io.StringIO("".join(self._signs.text))
        self.mark: Any = CodeFingerprint(program.bot, PASSAGE, WINDOW, filter=False, fp=signs)

    def spans(self, slices: Any) -> tuple[Span, ...]:
        """Return where passages are in the text of the program, in order and without overlap.

        `slices` are starts and ends in signs, as copydetect returns them.
        """
        spans: list[Span] = []
        for first, end in sorted(zip(slices[0].tolist(), slices[1].tolist(), strict=True)):
            start = self._signs.starts[int(first)]
            spans.append((max(start, spans[-1][1] if spans else 0), self._signs.ends[int(end) - 1]))
        return tuple(spans)

    @property
    def hashes(self) -> set[int]:
        """The hashes of its passages."""
        return self.mark.hashes

    @property
    def own(self) -> int:
        """The signs of the program in these passages."""
        return int(self.mark.token_coverage)

    def leave_out(self, known: Set[int]) -> None:
        """Let the passages that are `known` no longer count."""
        places = {mark: own for mark, own in self.mark.hash_idx.items() if mark not in known}
        self.mark.hash_idx, self.mark.hashes = places, set(places)
        length = len(self._signs.text)
        self.mark.token_coverage = get_token_coverage(places, PASSAGE, length)


def compare_programs(programs: Iterable[Marked], public: Iterable[Marked]) -> ComparedPrograms:
    """Return the pairs of programs of one language that share at least `MIN_SHARED`.

    Args:
        programs: those of the students, at most one of a bot in each language. Passages that do not
            count are left out of them.
        public: programs that all students know, such as templates. Their passages do not count.
    """
    by_language: dict[str, list[Marked]] = defaultdict(list)
    for program in programs:
        by_language[program.program.language].append(program)
    seen: dict[str, set[int]] = defaultdict(set)
    for program in public:
        seen[program.program.language] |= program.hashes
    pairs: list[SimilarPair] = []
    compared: set[str] = set()
    for language, group in sorted(by_language.items()):
        own = _with_own(group, seen[language])
        compared |= {program.program.bot for program in own}
        for first, second in combinations(own, 2):
            if pair := _pair(first, second):
                pairs.append(pair)
    pairs.sort(key=lambda pair: (-pair.share, pair.first.bot, pair.second.bot))
    return ComparedPrograms(tuple(pairs[:MAX_PAIRS]), tuple(sorted(compared)))


def _with_own(programs: Sequence[Marked], public: Set[int]) -> list[Marked]:
    """Leave out what is public or common, and return the programs with enough of their own."""
    counts = Counter([mark for program in programs for mark in program.hashes])
    common = {mark for mark, many in counts.items() if many > len(programs) / 2}
    known = public | (common if len(programs) >= MIN_COMMON else set())
    for program in programs:
        program.leave_out(known)
    return [program for program in programs if program.own >= MIN_OWN]


def _pair(first: Marked, second: Marked) -> SimilarPair | None:
    """Return the passages that two programs share, or None if they share too little."""
    if first.program.group and first.program.group == second.program.group:
        return None
    shared = len(first.hashes & second.hashes)
    if shared < MIN_SHARED / 2 * min(len(first.hashes), len(second.hashes)):  # far too few
        return None
    _, shares, slices = compare_files(first.mark, second.mark)
    if max(shares) < MIN_SHARED:
        return None
    one, other = [
        Shared(each.program.bot, min(1.0, float(share)), each.spans(own))
        for each, share, own in zip((first, second), shares, slices, strict=True)
    ]
    return SimilarPair(first.program.language, one, other)
