"""Tests of the searching bots: command lines, and decisions without time."""

from typing import Any

import pytest

from arena.tournament.in_process import play_in_process
from bots.any_game import monte_carlo
from bots.champion import champion
from tests.bots.boards import make_game


@pytest.mark.parametrize(
    ("module", "defaults"),
    [
        (monte_carlo, (monte_carlo.DEFAULT_ITERATIONS, None)),
        (champion, (None, champion.MAX_MILLISECONDS)),
    ],
    ids=["monte-carlo", "champion"],
)
def test_command_line_limits_thinking_time(
    module: Any, defaults: tuple[int | None, int | None], capsys: pytest.CaptureFixture[str]
) -> None:
    default = module.from_command_line([])
    assert (default.iterations, default.milliseconds) == defaults
    asked = module.from_command_line(["--iterations", "50", "--milliseconds", "20"])
    assert (asked.iterations, asked.milliseconds) == (50, 20)
    for wrong in ("0", "-1", "many"):
        with pytest.raises(SystemExit):
            module.from_command_line(["--iterations", wrong])
        assert "--iterations" in capsys.readouterr().err


def test_answers_if_time_runs_out_early() -> None:
    hurried = monte_carlo.from_command_line(["--iterations", "1000000", "--milliseconds", "1"])
    record = play_in_process(make_game("pot-de-vin/3", 1), [hurried] * 3)
    assert record.faults == ()
