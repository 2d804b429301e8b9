"""Results of comparisons, as plain data."""

from arena.extras.serve.similar_programs import (
    pieces,
)


def test_a_text_falls_into_shared_and_other_pieces() -> None:
    assert pieces("abcdefg", [(1, 3), (3, 4), (6, 7)]) == [
        *(("a", False), ("bc", True), ("d", True), ("ef", False), ("g", True)),
    ]
    assert pieces("abc", [(0, 1)]) == [("a", True), ("bc", False)]
    assert pieces("abc", []) == [("abc", False)]
    assert pieces("", []) == []
