"""Programs and the results of their comparison, as plain data."""

from collections.abc import Sequence

import msgspec

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
        return next(one for one in self.programs if (one.bot, one.language) == (bot, language))


def pieces(text: str, spans: Sequence[Span]) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether the other program has it too."""
    found, at = [], 0
    for start, end in spans:
        found += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [(piece, is_shared) for piece, is_shared in [*found, (text[at:], False)] if piece]
