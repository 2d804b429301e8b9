"""The leaderboard as people and programs read it."""

import csv
import io

import msgspec
import pytest
from rich.console import Console

from arena.rating import Leaderboard, Row
from arena.report import COLUMNS, as_csv, as_json, print_leaderboard


def row(bot: str, rank: int = 1, **fields: float) -> Row:
    """Return a row with some plausible numbers."""
    usual = {
        "mu": 27.123456789012345,
        "sigma": 1.1,
        "rating": 23.823456789012345,
        "games": 120,
        "points_per_game": 17.25,
        "win_share": 1 / 3,
        "faults": 2,
    }
    return msgspec.convert({"rank": rank, "bot": bot, **usual, **fields}, Row)


ONE = (row("greedy"), row("random", 2, mu=-3.5, rating=-7.0))
OTHER = (row("random"),)
SINGLE = Leaderboard(ONE, {"pot-de-vin/3": ONE}, 120, 0)
SEVERAL = Leaderboard(ONE, {"pot-de-vin/3": ONE, "pot-de-vin/4": OTHER}, 120, 3)


def printed(board: Leaderboard, width: int = 100) -> str:
    """Return what is printed where there is no terminal."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    print_leaderboard(board, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def lines_with(text: str, *words: str) -> list[str]:
    """Return the lines in which all of these words stand."""
    return [line for line in text.splitlines() if set(words) <= set(line.split())]


# -- for programs ------------------------------------------------------------------------------


@pytest.mark.parametrize("board", [SINGLE, SEVERAL, Leaderboard((), {}, 0, 0)])
def test_json_holds_all_of_the_leaderboard(board: Leaderboard) -> None:
    text = as_json(board)
    assert text.endswith("}\n")
    assert msgspec.json.decode(text, type=Leaderboard) == board


def test_csv_has_a_line_for_each_bot_in_each_table() -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv(SEVERAL))))
    assert [(line["variant"], line["bot"]) for line in lines] == [
        ("overall", "greedy"),
        ("overall", "random"),
        ("pot-de-vin/3", "greedy"),
        ("pot-de-vin/3", "random"),
        ("pot-de-vin/4", "random"),
    ]
    assert as_csv(SEVERAL).splitlines()[0] == ",".join(("variant", *COLUMNS))


def test_csv_keeps_every_digit() -> None:
    first, *_ = csv.DictReader(io.StringIO(as_csv(SINGLE)))
    for column in COLUMNS:
        value = getattr(ONE[0], column)
        assert type(value)(first[column]) == value


def test_csv_does_not_say_the_same_twice_when_there_is_one_variant() -> None:
    assert as_csv(SINGLE).count("greedy") == 1


def test_csv_quotes_what_would_break_it() -> None:
    odd = 'a,b "c"'
    (line,) = csv.DictReader(io.StringIO(as_csv(Leaderboard((row(odd),), {}, 1, 0))))
    assert line["bot"] == odd


# -- for people --------------------------------------------------------------------------------


def test_the_table_shows_every_number_of_a_row() -> None:
    (line,) = lines_with(printed(SINGLE), "greedy")
    assert line.split() == ["1", "greedy", "27.12", "1.10", "23.82", "120", "17.25", "33.3%", "2"]


def test_there_is_a_table_for_each_variant_and_the_overall_one_is_last() -> None:
    text = printed(SEVERAL)
    titles = [line.strip() for line in text.splitlines() if line.startswith(("pot", "overall"))]
    assert titles == ["pot-de-vin/3", "pot-de-vin/4", "overall"]


def test_with_one_variant_there_is_one_table() -> None:
    assert len(lines_with(printed(SINGLE), "greedy")) == 1


def test_games_that_do_not_count_yet_are_named() -> None:
    assert lines_with(printed(SEVERAL), "120", "games;")
    assert lines_with(printed(SEVERAL), "3", "more", "games,", "not", "complete,")
    assert "more games" not in printed(SINGLE)


@pytest.mark.parametrize("name", ["[red]", "[/red]", "[bold]a[/bold]", ":smiley:", "a\\[b]"])
def test_a_name_that_looks_like_markup_is_printed_as_it_is(name: str) -> None:
    assert lines_with(printed(Leaderboard((row(name),), {}, 1, 0)), name)


LONG = row(
    "a-bot-with-the-longest-name-that-may-be.",
    10, mu=45.67, sigma=8.33, rating=-12.34, games=123_456, points_per_game=-12.34,
    win_share=1.0, faults=123_456,
)  # fmt: skip
NUMBERS = ["45.67", "8.33", "-12.34", "123456", "-12.34", "100.0%", "123456"]


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_fits_and_the_longest_name_costs_no_digits(width: int) -> None:
    """There may be less of the name, but nobody is led astray by half a number."""
    text = printed(Leaderboard((LONG, *ONE), {}, 1_234_567, 0), width)
    assert max(map(len, text.splitlines())) <= width
    assert lines_with(text, "10", *NUMBERS)
    assert lines_with(text, "1", "greedy", "27.12", "1.10", "23.82", "120", "17.25", "33.3%", "2")


def test_the_usual_table_fits_a_terminal_of_80_columns() -> None:
    assert max(map(len, printed(SEVERAL, 80).splitlines())) <= 80
    assert "…" not in printed(SEVERAL, 80)


def test_a_leaderboard_without_games_can_be_printed() -> None:
    assert "0 games" in printed(Leaderboard((), {"pot-de-vin/3": ()}, 0, 0))
