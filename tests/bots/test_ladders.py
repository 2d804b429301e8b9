"""The ladders of the bundled bots, their page, and the command that measures them."""

import re

import pytest

from arena.plugins import bots
from arena.rating.intervals import Estimate
from arena.rating.leaderboard import Row
from benchmarks import ladder
from benchmarks.ladder import LADDERS, Measured, Step, measure, steps_of, with_tables
from engine import variants

PAGE = ladder.PAGE.read_text("utf-8")
STEPS = [step for game in LADDERS for step in steps_of(game)]
SHORT_LADDERS = ("pot-de-vin/3", "bribery/3", "brides-and-bribes/3")
"""A variant of each game, whose ladder is tried more often than those of the others."""
A_STEP = Step("pot-de-vin/3", "greedy", "random")


def rows_after(mark: str) -> list[list[str]]:
    """Return the cells of the rows of the table that comes next after a text."""
    table = re.search(r"(^\|.*\n)+", PAGE[PAGE.index(mark) :], re.MULTILINE)
    assert table
    _, _, *rows = table.group().splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


# -- the ladders ---------------------------------------------------------------------------------


def test_each_game_has_a_ladder_of_at_least_four_steps() -> None:
    assert set(LADDERS) == {variant.game for variant in variants().values()}
    for game, names in LADDERS.items():
        assert len(names) >= 4
        assert len(set(names)) == len(names)
        assert all(ladder.plays(name, game) for name in names)


@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_the_page_says_that_each_step_is_certain(step: Step) -> None:
    game = step.variant.partition("/")[0]
    pairs = list(dict.fromkeys([(one.better, one.worse) for one in steps_of(game)]))
    cells = {row[0]: row[1:] for row in rows_after(f"<!-- steps {game} -->")}
    cell = cells[f"`{step.variant}`"][pairs.index((step.better, step.worse))]
    found = re.fullmatch(r"(\d+\.\d)% ± (\d+\.\d)", cell)
    assert found, cell
    assert float(found[1]) - float(found[2]) >= 50


def test_the_page_describes_exactly_the_registered_bots() -> None:
    described = [row[0].strip("`") for row in rows_after("# The bundled bots")]
    bundled = [name for name, one in bots().items() if "bots." in " ".join(one.command)]
    assert sorted(described) == sorted(bundled)


def test_the_page_names_the_ladders_as_they_are() -> None:
    rows = rows_after("## The ladders")
    assert [re.findall("`(.+?)`", row[1]) for row in rows] == list(LADDERS.values())


@pytest.mark.parametrize("game", LADDERS)
@pytest.mark.parametrize("kind", ["steps", "ratings"])
def test_each_table_names_every_variant_of_its_game(kind: str, game: str) -> None:
    rows = rows_after(f"<!-- {kind} {game} -->")
    assert [row[0].strip("`") for row in rows] == ladder.variants_of(game)


@pytest.mark.slow
@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, marks=[] if step.variant in SHORT_LADDERS else [pytest.mark.long])
        for step in STEPS
    ],
    ids=" ".join,
)
def test_each_step_is_certain_on_other_deals(step: Step) -> None:
    assert measure(step, seed=1).is_certain


# -- the command ---------------------------------------------------------------------------------


def test_a_step_is_played_until_it_is_certain() -> None:
    clear = measure(A_STEP._replace(better="planner"), seed=0, looks=[20, 1_000])
    assert (clear.boards, clear.is_certain) == (20, True)
    assert "planner > random" in str(clear)
    assert str(clear).endswith("20 boards  certain")


def test_a_step_that_goes_down_is_told() -> None:
    steep = measure(Step("pot-de-vin/3", "random", "planner"), seed=0, looks=[20, 1_000])
    assert (steep.boards, steep.is_over, steep.is_certain) == (20, True, False)
    assert str(steep).endswith("NOT CERTAIN")


def test_equals_are_given_up_after_the_last_look() -> None:
    level = measure(Step("pot-de-vin/3", "random", "random"), seed=0, looks=[2, 4, 6])
    assert (level.boards, level.share.mean, level.is_over) == (6, 0.5, False)


def test_the_same_seed_gives_the_same_and_another_one_other_deals() -> None:
    shares = [measure(A_STEP, seed, looks=[10]).share for seed in (1, 1, 2)]
    assert shares[0] == shares[1] != shares[2]


def test_a_small_tournament_rates_all_quick_bots_in_every_variant() -> None:
    rated = ladder.rate("pot-de-vin", 10, 0, lambda games: map(ladder.play, games))
    assert list(rated) == ladder.variants_of("pot-de-vin")
    names = {"random", "timid", "briber", "greedy", "collector", "planner"}
    assert all({row.bot for row in rows} == names for rows in rated.values())


def test_the_tables_show_shares_ratings_and_what_is_not_certain() -> None:
    steps = steps_of("brides-and-bribes")
    sure, unsure = Estimate(0.75, 0.01, 1e6), Estimate(0.51, 0.01, 1e6)
    measured = [Measured(step, 25, unsure if step == steps[0] else sure) for step in steps]
    lines = ladder.table_of_steps("brides-and-bribes", measured).splitlines()
    heads = "doge > builder | builder > poisoner | poisoner > suitor | suitor > random"
    assert lines[0] == f"| variant | {heads} |"
    cells = " | ".join(["51.0% ± 3.1 (not certain)", *["75.0% ± 3.1"] * 3])
    assert lines[2] == f"| `brides-and-bribes/3` | {cells} |"
    assert len(lines) == 5

    rows = [_row("a", mu=20.0), _row("b", mu=30.0)]
    assert ladder.table_of_ratings({"x/2": rows}).splitlines() == [
        "| variant | b | a |",
        "| --- | --- | --- |",
        "| `x/2` | 30.0 ± 2.0 | 20.0 ± 2.0 |",
    ]


def _row(bot: str, mu: float) -> Row:
    bounds = ("score_low", "score_high", "points_low", "points_high", "wins_low", "wins_high")
    nothing = dict.fromkeys(bounds)
    return Row(
        1, 1, 1, bot, mu, 1.0, mu - 3, None, games=9, points_per_game=0.0, win_share=0.5, faults=0,
        **nothing,
    )  # fmt: skip


def test_a_table_takes_the_place_of_the_old_one() -> None:
    page = "# A\n\n<!-- one -->\n| old |\n| --- |\n\ntext\n\n<!-- two -->\n\n| other |\n"
    once = with_tables(page, {"one": "| new |"})
    assert once == "# A\n\n<!-- one -->\n| new |\n\ntext\n\n<!-- two -->\n\n| other |\n"
    assert with_tables(once, {"one": "| new |"}) == once
    with pytest.raises(ValueError, match="no line '<!-- three -->'"):
        with_tables(page, {"three": "| new |"})
