"""The levels of each game, and what champion gains by thinking longer: the commands."""

from pathlib import Path

import pytest

from arena.match.in_process import class_of
from arena.plugins import bots
from arena.rating.intervals import Estimate
from benchmarks import doublings, endgames, ladder, levels
from benchmarks.champion import Line, Match, play_one_side
from benchmarks.doublings import Gain, Point
from benchmarks.ladder import LADDERS, PAGE, Measured, Step, rows_of, table, with_tables
from benchmarks.levels import Level, class_at, measure, timed
from bots.champion.champion import ChampionBot
from bots.champion.expert import ExpertBot
from engine import get_variant


def test_expert_is_champion_for_five_milliseconds() -> None:
    assert issubclass(class_of("expert"), ChampionBot)
    assert (ExpertBot.milliseconds, ExpertBot.iterations) == (5, None)
    assert not bots()["expert"].quick


@pytest.mark.parametrize("game", LADDERS)
def test_each_level_meets_the_one_below_it(game: str) -> None:
    first = [step for step in levels.steps(game) if step.variant == levels.variants_of(game)[0]]
    names = ["champion", "expert", *reversed(LADDERS[game])]
    assert [step.better for step in first] == names[:-1]
    assert [step.worse for step in first] == names[1:]


def test_levels_that_search_have_a_fixed_number_of_games() -> None:
    variant = get_variant("bribery/2")
    champion, expert = class_at("champion", variant), class_at("expert", variant)
    assert issubclass(champion, ChampionBot)
    assert issubclass(expert, ChampionBot)
    assert champion.iterations == 20 * (expert.iterations or 0)
    assert class_at("fixer", variant) is class_of("fixer")


def test_the_better_bot_has_every_side_in_turn_and_wins_most_meetings() -> None:
    variant = get_variant("bribery/3")
    fixer, random_bot = timed(class_of("fixer")), class_of("random")
    scores = [play_one_side(variant, fixer, random_bot, number) for number in range(6)]
    assert sum([one.ahead for one in scores]) > 0.6 * sum([one.meetings for one in scores])
    assert all(one.meetings in (2, 4) for one in scores)
    assert fixer.moves > 6 * 12
    assert fixer.seconds > 0


@pytest.mark.parametrize("are_games", [False, True])
def test_champion_plays_itself_with_fewer_simulated_games(are_games: bool) -> None:
    match = Match(Line("pot-de-vin/3", "champion 1", 8), 1, are_games, seed=3)
    played = [match.play(number) for number in range(2)]
    assert [score for score, _ in played] == [match.play(number)[0] for number in range(2)]
    measured = match.measured(played)
    deciding = sum([len(times_s) for _, times_s in played])
    assert (measured.number, measured.verdict) == (2, "open")
    assert measured.row()[5] == ("2 games" if are_games else "2")
    assert deciding > (2 * 6 if are_games else 2 * 3 * 6)


def test_the_same_seed_gives_the_same_shares() -> None:
    step = Step("pot-de-vin/3", "planner", "greedy")
    shares = [measure(step, 4, seed).measured.share for seed in (1, 1, 2)]
    assert shares[0] == shares[1] != shares[2]


def test_a_quick_bot_plays_until_it_is_certain_and_one_that_searches_the_boards_asked() -> None:
    quick = measure(Step("pot-de-vin/3", "greedy", "random"), 2, 0).measured
    assert quick == ladder.measure(Step("pot-de-vin/3", "greedy", "random"), 0)
    assert quick.is_certain
    searching = measure(Step("bribery/2", "expert", "random"), 2, 0).measured
    assert (searching.boards, searching.confidence) == (2, 0.95)


def test_a_row_says_what_is_certain() -> None:
    step = Step("pot-de-vin/3", "champion", "expert")

    def row(share: float, move_ms: float = 1.0) -> tuple[str, ...]:
        return Level(Measured(step, 40, Estimate(share, 0.05, 39), 0.95), move_ms).row()

    assert row(0.7, 101.23) == (
        *("`pot-de-vin/3`", "`champion`", "100", "`expert`"),
        *("70.0% ± 10.1", "40", "certainly better"),
    )
    assert row(0.5)[-1] == "open"
    assert row(0.3)[-1] == "certainly weaker"
    assert len(row(0.5)) == len(levels.HEADS)


def test_rows_of_other_steps_stay_in_the_table_of_levels() -> None:
    def row(variant: str, better: str, boards: int) -> tuple[str, ...]:
        step = Step(variant, better, "worse")
        return Level(Measured(step, boards, Estimate(0.6, 0.1, 9)), 1.0).row()

    before = [row("bribery/2", "fixer", 10), row("bribery/3", "expert", 10)]
    measured = [row("bribery/3", "expert", 20), row("bribery/2", "champion", 20)]
    after = levels.with_others("bribery", measured, before)
    assert after == [measured[1], before[0], measured[0]]


def test_time_is_told_in_simulated_games() -> None:
    quick, long = Point("bribery/2", 25), Point("bribery/2", 1600)
    assert long.iterations == 64 * quick.iterations
    assert quick.against == "fixer"
    assert doublings.points(["bribery/2"], 50, 200) == [
        Point("bribery/2", time) for time in (50, 100, 200)
    ]


def test_the_picture_has_a_line_for_each_variant(tmp_path: Path) -> None:
    gains = [
        Gain(Point(variant, time), 10, Estimate(0.6, 0.1, 9), 30.0)
        for variant in ("bribery/2", "pot-de-vin/3")
        for time in (25, 50)
    ]
    assert len(gains[0].row()) == len(doublings.HEADS)
    doublings.draw([gain.row() for gain in gains], str(tmp_path / "gains.svg"))
    drawn = (tmp_path / "gains.svg").read_text("utf-8")
    assert "bribery/2 against fixer" in drawn
    assert "pot-de-vin/3 against planner" in drawn


def test_a_row_that_is_no_share_is_not_drawn(tmp_path: Path) -> None:
    row = ("`bribery/2`", "`fixer`", "25 ms", "75", "22", "most", "40")
    with pytest.raises(ValueError, match="got 'most'"):
        doublings.draw([row], str(tmp_path / "gains.svg"))


def test_rows_of_other_points_stay_in_the_table() -> None:
    def row(variant: str, milliseconds: int, games: int) -> tuple[str, ...]:
        return Gain(Point(variant, milliseconds), games, Estimate(0.6, 0.1, 9), 30.0).row()

    before = [row("bribery/2", 25, 10), row("bribery/2", 50, 10), row("pot-de-vin/3", 25, 10)]
    page = f"<!-- {doublings.MARK} -->\n{table(doublings.HEADS, before)}\n\n| another | table |\n"
    assert rows_of(page, doublings.MARK) == before
    measured = [row("bribery/2", 1600, 40), row("bribery/2", 25, 40)]
    after = doublings.with_others(measured, before)
    assert after == [before[2], measured[1], before[1], measured[0]]


def test_the_page_has_a_place_for_each_table() -> None:
    marks = [doublings.MARK, endgames.MARK, *[f"levels {game}" for game in LADDERS]]
    page = with_tables(PAGE.read_text("utf-8"), {mark: f"| {mark} |" for mark in marks})
    assert all(f"<!-- {mark} -->\n| {mark} |\n" in page for mark in marks)
