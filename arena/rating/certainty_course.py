"""The course of a variant in a run that ends when the order of its bots is certain.

The boards of the variant are played in portions. A portion begins when the one before is complete,
and a look is taken at the end of each. So the course is a pure function of the complete portions,
and depends neither on the speed of the workers nor on where a run was stopped. `docs/scores.md`,
section 5, has the sizes.
"""

from collections.abc import Callable, Iterable, Sequence

from arena.rating.board_model import fit_boards
from arena.rating.board_shares import BoardShares
from arena.rating.board_sums import BoardSums
from arena.rating.certainty import Certificate, Looks
from arena.rating.stop_rule import StopRule

INITIAL_BOARDS, MAX_BOARDS = 25, 1_600
"""Boards of the smallest portion, and of the largest one."""
GROWTH = 4
"""The boards before a portion, divided by its own boards, once there are many."""


class CertaintyCourse:
    """Follows how certain the order of a variant is, from portion to portion."""

    def __init__(
        self,
        entrants: Iterable[str],
        budget: int,
        rule: StopRule,
        sizes: tuple[int, int] = (INITIAL_BOARDS, MAX_BOARDS),
        choose: Callable[[Sequence[str]], Sequence[str]] | None = None,
    ) -> None:
        """Begin before the first board.

        Args:
            entrants: all who play the variant.
            budget: the most boards that may be played, at least 1.
            rule: says when the order is certain.
            sizes: the boards of the smallest and of the largest portion.
            choose: returns for which of the undecided bots the next portion is played, or none for
                balanced boards; without it, all boards are balanced.
        """
        self.budget = budget
        self.certificate: Certificate | None = None
        """What was certain at the last look; None before the first one."""
        self.challengers: Sequence[str] = ()
        """The bots for which the current portion is played; none if its boards are balanced."""
        self._choose = choose
        self._sums = BoardSums(entrants)
        self._looks = Looks(rule.epsilon, rule.confidence / 100)
        self._smallest, self._largest = sizes
        self._before = 0
        """The boards of the portions before the current one."""
        self._added = 0
        """The boards of the current portion that are over."""

    @property
    def portion_boards(self) -> int:
        """The number of boards of the current portion; 0 when the course is over."""
        if self.certificate and self.certificate.is_certain:
            return 0
        grown = self._before // GROWTH if self._before else len(self._sums.names)
        return min(max(self._smallest, grown), self._largest, self.budget - self._before)

    @property
    def is_over(self) -> bool:
        """Whether the order is certain, or the budget is played."""
        return not self.portion_boards

    @property
    def portions(self) -> int:
        """The number of portions that are over."""
        return self.certificate.looks if self.certificate else 0

    def add(self, board: BoardShares) -> BoardShares:
        """Add the next complete board. After the last one of a portion, a look is taken.

        Returns:
            The board as it counts: an extra board with its challengers.
        """
        names = {name for side in board.sides for name in side}
        board = board._replace(
            challengers=tuple([name for name in self.challengers if name in names])
        )
        self._sums.add(board)
        self._added += 1
        if self._added == self.portion_boards:
            self._before += self._added
            self._added = 0
            self.certificate = self._looks.look(fit_boards(self._sums))
            self.challengers = ()
            if self._choose and not self.certificate.is_certain:
                self.challengers = tuple(self._choose(self.certificate.undecided))
        return board
