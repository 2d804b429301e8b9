"""Sentences about who leads."""

import pytest
from msgspec.structs import replace

from arena.rating.columns import LeaderboardRow
from arena.rating.verdicts import brackets, lines_below, verdict
from tests.arena.publish.rows import row


def table(*bots: tuple[str, float, float, str]) -> list[LeaderboardRow]:
    """Return rows by rating, given of each its name, rating, score and ranks."""
    rows = []
    for name, rating, score, ranks in sorted(bots, key=lambda bot: -bot[1]):
        best, worst = map(int, ranks.split("-"))
        place = 1 + sum(other[1] > rating for other in bots)
        rows.append(replace(row(name, best, worst), rank=place, rating=rating, score=score))
    return rows


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (table(("a", 9, 0.8, "1-1"), ("b", 5, 0.2, "2-2")), "a leads."),
        (
            table(("banker", 27, 0.64, "2-3"), ("fixer", 25, 0.84, "1-1"), ("c", 1, 0.5, "2-3")),
            "fixer leads: its score is certainly the best, though banker has the best rating.",
        ),
        (
            table(("a", 9, 0.4, "2-3"), ("b", 8, 0.7, "1-2"), ("c", 7, 0.71, "1-2")),
            "a has the best rating, but certainly not the best score; b and c may be the best.",
        ),
        (table(("banker", 9, 0.5, "1-2"), ("c", 9, 0.5, "1-2")), "banker and c are level."),
        (
            table(("a", 9, 0.5, "1-3"), ("b", 9, 0.5, "1-3"), ("c", 1, 0.4, "1-3")),
            "a and b are level, and c may be as good.",
        ),
        (table(("a", 9, 0.6, "1-2"), ("b", 8, 0.4, "1-2")), "a is ahead, but b may be as good."),
        (
            table(("a", 9, 0.6, "1-2"), ("b", 8, 0.7, "1-2")),
            "a has the best rating, b has the best score; a and b may be the best.",
        ),
        (
            table(*[(name, 9 - at, 0.9 - at / 10, "1-5") for at, name in enumerate("abcde")]),
            "a is ahead, but 4 others may be as good.",
        ),
        ([replace(row("a", 1, 2), score=None)], "No board is complete yet."),
        ([], "No board is complete yet."),
    ],
)  # fmt: skip
def test_verdict_names_leader_and_certainty(rows: list[LeaderboardRow], message: str) -> None:
    assert verdict(rows) == message


def test_brackets_contain_only_uncertain_orders() -> None:
    tiers = [(1, False), (2, True), (2, True), (3, False), (3, False), (4, True), (None, False)]
    rows = [
        replace(row(f"b{place}", 1, 7), tier=tier, open_tier=is_open)
        for place, (tier, is_open) in enumerate(tiers)
    ]
    assert list(brackets(rows)) == [range(1, 3)]
    assert lines_below(rows) == [0, 2, 4]


def test_certain_rank_is_a_number() -> None:
    assert [row("a", *ends).ranks for ends in ((1, 2), (3, 3))] == ["1-2", "3"]
