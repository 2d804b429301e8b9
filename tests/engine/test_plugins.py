"""Variants are found by name, and anybody's plugin can add some."""

import pluggy
import pytest

from engine import EngineError, UnknownVariant, Variant, get_variant, hookimpl, variants
from engine.plugins import PROJECT, EngineHooks, collect_variants, variants_of
from tests.engine.high_card import HighCard, HighCardTeams


class Plugin:
    """A third party's plugin."""

    def __init__(self, *added: Variant) -> None:
        self.added = added

    @hookimpl
    def register_variants(self) -> tuple[Variant, ...]:
        return self.added


def collect(*plugins: Plugin) -> dict[str, Variant]:
    """Return what these plugins register."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(EngineHooks)
    for plugin in plugins:
        manager.register(plugin)
    manager.check_pending()
    return collect_variants(manager)


@pytest.mark.parametrize(
    ("variant_id", "seats", "teams"),
    [
        ("pot-de-vin/3", 3, None),
        ("pot-de-vin/4", 4, None),
        ("pot-de-vin/5", 5, None),
        ("pot-de-vin/4-teams", 4, ((0, 2), (1, 3))),
        ("pot-de-vin/6-teams", 6, ((0, 3), (1, 4), (2, 5))),
    ],
)
def test_variant_has_teams(
    variant_id: str, seats: int, teams: tuple[tuple[int, ...], ...] | None
) -> None:
    variant = get_variant(variant_id)
    assert (variant.seats, variant.teams) == (seats, teams)
    assert variant.sides == (teams or tuple((seat,) for seat in range(seats)))


@pytest.mark.parametrize("variant_id", ["pot-de-vin/7", "pot-de-vin", "pot-de-vin/2"])
def test_unknown_variant_lists_variants_of_the_game(
    variant_id: str,
) -> None:
    with pytest.raises(UnknownVariant) as caught:
        get_variant(variant_id)
    of_game = ", ".join(variants_of("pot-de-vin"))
    assert str(caught.value) == (
        f"unknown variant {variant_id!r}: the variants of pot-de-vin are {of_game}"
    )


@pytest.mark.parametrize("variant_id", ["Pot-de-vin/3", "tafl/2", ""])
def test_unknown_id_lists_known_ones(variant_id: str) -> None:
    with pytest.raises(UnknownVariant) as caught:
        get_variant(variant_id)
    assert repr(variant_id) in str(caught.value)
    for known in variants():
        assert known in str(caught.value)


def test_part_of_a_name_suggests_the_whole() -> None:
    with pytest.raises(UnknownVariant, match="did you mean 'brides-and-bribes/3'"):
        get_variant("brides")


def test_table_of_variants_is_read_only() -> None:
    with pytest.raises(TypeError):
        variants()["high-card/3"] = HighCard()  # type: ignore[index]


def test_plugin_variants_keep_registration_order() -> None:
    three, four = HighCard(), HighCardTeams()
    assert collect(Plugin(three), Plugin(four)) == {"high-card/3": three, "high-card/4-teams": four}
    assert list(collect(Plugin(four), Plugin(three))) == ["high-card/4-teams", "high-card/3"]
    assert collect(Plugin(three, four)) == {"high-card/3": three, "high-card/4-teams": four}
    assert collect() == {}


def test_rejects_duplicate_ids() -> None:
    with pytest.raises(EngineError, match="two plugins register the variant high-card/3"):
        collect(Plugin(HighCard()), Plugin(HighCard()))


def test_id_begins_with_the_game() -> None:
    class Misnamed(HighCard):
        id = "low-card/3"

    with pytest.raises(EngineError, match=r"'low-card/3', expected `high-card/\.\.\.`"):
        collect(Plugin(Misnamed()))
