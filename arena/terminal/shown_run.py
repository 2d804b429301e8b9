"""Show the progress of a run in the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from arena.terminal.console import Progress, progress_bar
from arena.tournament.contest_run import RunObserver, StartedRun
from arena.tournament.games import count_games

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.tournament.comparison import SequentialComparison

TEXT_FORM = "{n_fmt} games [{elapsed}]{postfix}"
# This format fits into 80 columns.
EVIDENCE_FORM = "{n_fmt}/{total_fmt} boards [{elapsed}]{postfix}"


class ShownRun(RunObserver):
    def __init__(
        self,
        again: str,
        say: Callable[[str], object],
        warn: Callable[[str], object],
        is_shown: bool | None = None,
        detail: Callable[[str], object] | None = None,
    ) -> None:
        """`again` is the shell command that resumes the run."""
        self.again = again
        self._say, self._warn, self._detail = say, warn, detail or say
        self.on_sandbox = say
        if is_shown is None:
            is_shown = sys.stderr.isatty() or "ipykernel" in sys.modules
        self._is_shown = is_shown
        self._progress = Progress(None)
        self._variants = self._boards = 0
        self._certain: set[str] = set()

    def notice(self, text: str) -> None:
        self._say(text)

    def detail(self, text: str) -> None:
        self._detail(text)

    def sandbox(self, text: str) -> None:
        self.on_sandbox(text)

    def warning(self, text: str) -> None:
        self._warn(text)

    @contextmanager
    def playing(self, run: StartedRun) -> Iterator[None]:
        store, settings = run.store, run.settings
        self._variants = len(settings.variants)
        total, done = count_games(settings), store.count()
        form = None if settings.stop_rule is msgspec.UNSET else TEXT_FORM
        if settings.is_comparison:
            from arena.tournament.comparison import boards_in

            total, done, form = boards_in(settings), 0, EVIDENCE_FORM
        with progress_bar(total, done, form, is_shown=self._is_shown) as self._progress:
            yield
            self._progress.complete()  # with a stop rule it may be less

    def advance(self, games: int) -> None:
        self._progress.update(games)

    def on_ranking(self, variant: str, certificate: "Certificate") -> None:
        from arena.rating.certificate import certainty_text

        text = certainty_text(certificate)
        if certificate.is_certain:
            self._certain.add(variant)
            self._say(f"{variant}: certain after {certificate.boards} boards: {text}")
        elif not self._progress.is_shown:
            self._say(f"{variant}: after {certificate.boards} boards {text}")
        if self._variants > 1:  # there is room for only one of them
            text = f"{len(self._certain)} of {self._variants} certain; {variant}: {text}"
        self._progress.add_text(text)

    def on_comparison(self, comparison: "SequentialComparison") -> None:
        evidence = comparison.evidence
        ahead = evidence.mean
        leader = "new is ahead" if ahead > 0 else "old is ahead" if ahead < 0 else "level"
        certain = "certain" if comparison.is_decided else "not certain yet"
        self._progress.add_text(f"{leader}, {ahead:+.1%}, {certain}; {comparison.games} games")
        self._progress.update(evidence.boards - self._boards)
        self._boards = evidence.boards
