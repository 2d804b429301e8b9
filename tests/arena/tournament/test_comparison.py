"""Comparisons of two versions of a bot: what the records say, and how they are played."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.contracts import Batch, Played
from arena.base.errors import RunStopped, SettingsError
from arena.base.record import Game, GameRecord
from arena.rating.complete_boards import BoardShares, read_boards
from arena.rating.sequential_test import compare
from arena.tournament.comparison import (
    COMPARISON_FILE,
    ComparisonResult,
    SequentialComparison,
    boards_in,
    comparison_of,
)
from arena.tournament.comparison_run import open_comparison
from arena.tournament.digest import RunDigest
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import check_settings
from arena.tournament.standings import noted_digest
from arena.tournament.store import Store
from engine import get_variant
from tests.arena.runs import (
    NEW,
    OLD,
    Crew,
    FaultyCrew,
    made_up_settings,
    play_out,
    played,
    recoded,
    schedule_of,
    silent,
    versions_settings,
)

VARIANT = "pot-de-vin/3"


def old_crashes(name: str, game: Game) -> bool:
    """Return whether a bot crashes: the old version always does."""
    return name == OLD


def play(folder: Path, boards: int, crew: Crew) -> ComparisonResult:
    """Play a comparison to its end, or resume it."""
    with open_comparison(folder, versions_settings(boards), None) as store:
        play_missing(store, store.settings(), crew, silent)
        finish(store)
        return comparison_of(store.settings(), store.results())


def content(folder: Path) -> tuple[str, list[bytes], RunDigest | None]:
    """Return what a comparison has left: its result, its records, and their digest."""
    with Store.open(folder) as store:
        return (store.folder / COMPARISON_FILE).read_text(), played(store), noted_digest(store)


class Stopped(FaultyCrew):
    """A crew that is stopped after some batches."""

    def __init__(self, batches: int) -> None:
        super().__init__(old_crashes)
        self.left = batches

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        for some in super().play_batches(take):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield some


def with_other_ranks(record: GameRecord, dice: random.Random) -> GameRecord:
    """Return a record with the ranks of another game, since dice play both versions alike."""
    sides = get_variant(record.variant).sides
    of_side = dice.sample(range(1, len(sides) + 1), len(sides))
    ranks = {seat: rank for side, rank in zip(sides, of_side, strict=True) for seat in side}
    return msgspec.structs.replace(record, ranks=tuple([ranks[seat] for seat in sorted(ranks)]))


def has(board: BoardShares, name: str) -> bool:
    """Return whether an entrant is on a board."""
    return any(name in side for side in board.sides)


# -- what the records say ----------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["bribery/2", VARIANT, "pot-de-vin/4-teams"])
def test_checks_follow_board_order(variant: str) -> None:
    settings = versions_settings(3, variant)
    check_settings(settings)
    dice = random.Random(0)
    records = [with_other_ranks(play_out(game), dice) for game in schedule_of(settings)]
    shares = list(read_boards(records, {variant: get_variant(variant)}))
    of_old = {one.number: one.share_of(OLD) for one in shares if has(one, OLD)}
    of_new = {one.number: one.share_of(NEW) for one in shares if has(one, NEW)}
    pairs = zip(sorted(of_old), sorted(of_new), strict=True)
    expected = compare([of_new[new] - of_old[old] for old, new in pairs])
    comparison = SequentialComparison(settings)
    for record in dice.sample(records, len(records)):
        comparison.add(record)
    assert comparison.evidence.comparison() == expected
    assert (comparison.evidence.boards, comparison.games) == (3, len(records))


def test_run_without_versions_is_not_a_comparison() -> None:
    assert versions_settings(1).is_comparison
    settings = msgspec.structs.replace(versions_settings(1), challengers=("e1", "e2"))
    for other in (settings, made_up_settings(3, VARIANT)):
        assert not other.is_comparison
        with pytest.raises(SettingsError):
            comparison_of(other, [])


# -- how they are played -----------------------------------------------------------------------


def test_comparison_ends_at_its_verdict(tmp_path: Path) -> None:
    results = [play(tmp_path / str(width), 400, FaultyCrew(old_crashes, width)) for width in (1, 3)]
    result = results[0]
    assert result.verdict == "better"
    assert result.boards < 40
    assert (result.old.bot, result.new.bot) == (OLD, NEW)
    assert (result.old.faults, result.new.faults) == (3 * result.boards, 0)
    assert result.against == ("e1", "e2", "e3", "e4")
    assert content(tmp_path / "1") == content(tmp_path / "3")
    with Store.open(tmp_path / "1") as store:
        settings = store.settings()
        assert boards_in(settings) == result.boards
        assert store.count() == 6 * result.boards
        assert store.count_aside() > 0
        assert comparison_of(settings, store.records()) == result


def test_resumed_comparison_is_identical(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole", 400, FaultyCrew(old_crashes))
    for batches in (0, 4, 7):
        with pytest.raises(RunStopped):
            play(tmp_path / "stopped", 400, Stopped(batches))
    assert play(tmp_path / "stopped", 400, FaultyCrew(old_crashes)) == whole
    assert content(tmp_path / "stopped") == content(tmp_path / "whole")
    again = Crew()
    assert play(tmp_path / "stopped", 500, again) == whole
    assert not again.given()


def test_undecided_comparison_can_be_extended(tmp_path: Path) -> None:
    assert play(tmp_path / "a", 2, Crew()).verdict == "undecided"
    with pytest.raises(SettingsError, match=r"--budget 1\b.*2"):
        play(tmp_path / "a", 1, Crew())
    crew = Crew()
    result = play(tmp_path / "a", 3, crew)
    assert (result.boards, len(crew.given())) == (3, 6)
    assert result == play(tmp_path / "b", 3, Crew())
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_rejects_resuming_another_comparison(tmp_path: Path) -> None:
    play(tmp_path / "a", 1, Crew())
    for other in (
        recoded(versions_settings(1), NEW),
        msgspec.structs.replace(versions_settings(1), entrants=versions_settings(1).entrants[:-1]),
        versions_settings(1, "pot-de-vin/4"),
    ):
        with pytest.raises(SettingsError, match=str(tmp_path / "a")):
            open_comparison(tmp_path / "a", other, None)
    open_or_create(tmp_path / "run", made_up_settings(3, VARIANT), silent).close()
    with pytest.raises(SettingsError):
        open_comparison(tmp_path / "run", versions_settings(1), None)
