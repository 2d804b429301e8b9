"""The benchmark of the quick bots' own time."""

from pathlib import Path

import pytest

from benchmarks.quick_bots import DRIVER, ROOT, Tree, measure, record


@pytest.mark.parametrize("variant_id", ["bribery/2", "brides-and-bribes/3"])
def test_a_game_is_recorded_the_same_again(variant_id: str) -> None:
    first, again = record(variant_id, 1), record(variant_id, 1)
    assert [one.answers for one in first] == [one.answers for one in again]
    assert sum([one.turns for one in first]) > 20


def test_a_tree_gives_the_recorded_answers_in_a_process_of_its_own(tmp_path: Path) -> None:
    tree = Tree(ROOT, DRIVER)
    try:
        for requests in record("bribery/3", 1):
            times = measure([tree], requests, tmp_path, rounds=1)
            assert len(times.by_tree[0]) == len(times.reference) == 1
    finally:
        tree.close()


def test_other_answers_than_the_recorded_ones_end_the_measurement(tmp_path: Path) -> None:
    requests = record("bribery/2", 1)[-1]
    requests.add(b"", b"another answer")
    tree = Tree(ROOT, DRIVER)
    try:
        with pytest.raises(SystemExit, match="answers of this tree differ"):
            measure([tree], requests, tmp_path, rounds=1)
    finally:
        tree.close()
