"""Tests of which bots can meet."""

from arena.publish.pages import never_met, never_met_text


def test_bots_without_a_common_variant_never_meet() -> None:
    players = {"bribery/2": ["ann", "bob"], "pot-de-vin/3": ["bob", "cy", "dan"]}
    pairs = never_met(players)
    assert pairs == [("ann", "cy"), ("ann", "dan")]
    why = "because they play no common variant."
    assert never_met_text(pairs) == f"ann and cy; ann and dan never met, {why}"
    assert never_met_text(pairs * 2) == (
        f"4 pairs of bots never met, for example ann and cy, {why}"
    )


def test_bots_of_one_variant_can_meet() -> None:
    assert never_met({"bribery/2": ["ann", "bob", "cy"]}) == []
    assert never_met_text([]) == ""
