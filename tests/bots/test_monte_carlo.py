"""The searching bot: its command line, and what it sees by searching."""

import pytest

from arena.match.in_process import play_in_process
from bots.any_game.monte_carlo import DEFAULT_ITERATIONS, from_command_line
from tests.bots.boards import make_game


def test_the_command_line_says_how_long_it_thinks() -> None:
    assert from_command_line([]).iterations == DEFAULT_ITERATIONS
    assert from_command_line([]).milliseconds is None
    asked = from_command_line(["--iterations", "50", "--milliseconds", "20"])
    assert (asked.iterations, asked.milliseconds) == (50, 20)


@pytest.mark.parametrize("wrong", ["0", "-1", "many"])
def test_a_wrong_number_is_refused(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        from_command_line(["--iterations", wrong])
    assert "--iterations" in capsys.readouterr().err


def test_it_answers_when_the_time_is_over_before_everything_was_tried() -> None:
    hurried = from_command_line(["--iterations", "1000000", "--milliseconds", "1"])
    record = play_in_process(make_game("pot-de-vin/3", 1), [hurried] * 3)
    assert record.faults == ()
