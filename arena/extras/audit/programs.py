"""Programs that are alike, by the passages that two of them share and most others lack."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from arena.extras.audit.findings import ProgramCoverage, ProgramLikeness

MIN_SHARED = 0.5
"""The part of the shorter program that like programs share. Bundled bots share at most a fifth."""
MIN_PASSAGES = 60
"""Passages of its own below which nothing is said of a program."""
MIN_COMMON_BOTS = 6
"""Programs from which a passage in more than half of them is taken for that of a lesson."""


class Programs(NamedTuple):
    """The programs of the bots of a run."""

    passages: Mapping[str, frozenset[int]]
    """By bot: hashes of passages, without those of public programs."""
    left_out: Mapping[str, str]
    """By bot: why its program cannot be compared."""

    def own(self) -> dict[str, frozenset[int]]:
        """Return by bot the passages that are not common, of bots with enough of them."""
        counts = Counter([one for passages in self.passages.values() for one in passages])
        number = len(self.passages)
        common = {
            passage
            for passage, bots in counts.items()
            if number >= MIN_COMMON_BOTS and bots > number / 2
        }
        own = {name: passages - common for name, passages in self.passages.items()}
        return {name: passages for name, passages in own.items() if len(passages) >= MIN_PASSAGES}

    def coverage(self) -> ProgramCoverage:
        """Return which programs are compared."""
        compared = self.own().keys()
        left_out = dict(self.left_out)
        left_out |= dict.fromkeys(self.passages.keys() - compared, "too little that is its own")
        return ProgramCoverage(tuple(sorted(compared)), tuple(sorted(left_out.items())))

    def likenesses(self) -> tuple[ProgramLikeness, ...]:
        """Return the pairs of bots with like programs, the most alike first."""
        found = []
        for (one, first), (other, second) in combinations(sorted(self.own().items()), 2):
            shorter = min(len(first), len(second))
            shared = len(first & second) / shorter
            if shared >= MIN_SHARED:
                found.append(ProgramLikeness((one, other), shared, shorter))
        return tuple(sorted(found, key=lambda like: (-like.shared, like.bots)))
