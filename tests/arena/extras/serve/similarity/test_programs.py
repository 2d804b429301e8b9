"""Results of comparisons, as plain data."""

from arena.extras.serve.similar_programs import (
    ComparedPrograms,
    Shared,
    SimilarityReport,
    SimilarPair,
    StudentProgram,
    pieces,
)


def test_a_text_falls_into_shared_and_other_pieces() -> None:
    assert pieces("abcdefg", [(1, 3), (3, 4), (6, 7)]) == [
        *(("a", False), ("bc", True), ("d", True), ("ef", False), ("g", True)),
    ]
    assert pieces("abc", [(0, 1)]) == [("a", True), ("bc", False)]
    assert pieces("abc", []) == [("abc", False)]
    assert pieces("", []) == []


def test_the_share_of_a_pair_is_the_larger_one() -> None:
    small, large = Shared("ann", 0.4, ()), Shared("bob", 0.7, ())
    assert SimilarPair("python", small, large).share == 0.7
    assert SimilarPair("python", large, small).share == 0.7


def test_a_report_finds_a_program_by_bot_and_language() -> None:
    programs = [
        StudentProgram(bot, kind, f"{bot} {kind}") for bot in ("ann", "bob") for kind in ("c", "go")
    ]
    report = SimilarityReport(ComparedPrograms((), ()), (), tuple(programs))
    assert report.program("bob", "c").text == "bob c"
    assert report.program("ann", "go").text == "ann go"
    assert (programs[0].group, programs[0].version) == ("", 0)
