"""A person plays in the terminal: here a script types."""

import io
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from arena.cli import main
from arena.commands.play import Player, event_in_words, rules_of
from arena.match.decision import Ask
from engine import get_variant, variants
from tests.arena.runs import make_bots

DOCS = Path(__file__).parents[3] / "docs" / "rules"
GAMES = sorted({variant.game for variant in variants().values()})


def typed(keys: str, *arguments: str) -> Result:
    """Run `arena play` in this process and type these lines."""
    return CliRunner().invoke(main, ["play", *arguments], input=keys, prog_name="arena")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_typing_numbers(tmp_path: Path, game: str) -> None:
    variant = next(one for one in variants().values() if one.game == game)
    against = ",".join(map(str, make_bots(tmp_path, 1)))
    played = typed("1\n" * 400, "--variant", variant.id, "--against", against, "--seed", "5")
    assert played.exit_code == 0, played.stderr
    ends = played.stdout.splitlines()[-variant.seats :]
    assert all(re.fullmatch(r"seat \d \((you|bot-1.*)\): -?\d+ points, place \d", e) for e in ends)
    assert sum("(you)" in end for end in ends) == 1


def test_leaving_does_no_harm(tmp_path: Path) -> None:
    against = ",".join(map(str, make_bots(tmp_path, 1)))
    for keys in ("q\n", "", "1\nq\n"):
        left = typed(keys, "--variant", "bribery/2", "--against", against)
        assert left.exit_code == 0
        assert "Traceback" not in left.stderr
        assert left.stdout.splitlines()[-1].endswith("you left the game")


def test_a_seat_that_there_is_not_is_refused() -> None:
    refused = typed("", "--variant", "bribery/2", "--seat", "2")
    assert refused.exit_code == 2
    assert "got 2, expected 0 to 1" in refused.stderr


def player(*keys: str) -> tuple[Player, io.StringIO, Ask]:
    """Return a player who types these lines, what is printed, and what it is asked."""
    variant = get_variant("pot-de-vin/3")
    state = variant.start(variant.deal(random.Random(2)))
    seat = state.seat_to_act
    assert seat is not None
    shown = io.StringIO()
    waiting = iter(keys)
    names = ["a", "b", "c"]
    console = Console(file=shown, width=80)
    ask = Ask(seat, 1, state, state.events(seat, 0), state.legal_actions())
    return Player(variant, names, console, lambda: next(waiting, None)), shown, ask


def test_an_action_is_chosen_by_number_or_by_name() -> None:
    for key in ("3", "play"):
        one, _, ask = player("0", "99", "nonsense", ask_key(key))
        assert one.ask(ask).action == ask.legal[2]


def ask_key(key: str) -> str:
    """Return what is typed for the third action."""
    return key if key.isdecimal() else player()[2].legal[2]


def test_nonsense_is_told_what_can_be_typed() -> None:
    one, shown, ask = player("0", "nonsense", "1")
    one.ask(ask)
    for key in ("0", "nonsense"):
        assert f"got {key!r}, expected 1 to {len(ask.legal)}" in shown.getvalue()


def test_help_shows_the_rules() -> None:
    one, shown, ask = player("h", "1")
    one.ask(ask)
    assert "Pot de Vin" in shown.getvalue()


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_is_the_minute_of_its_rules(game: str) -> None:
    rules = (DOCS / f"{game}.md").read_text(encoding="utf-8")
    (minute,) = re.findall(r"^## The game in a minute\n\n(.*?)\n(?=^## )", rules, re.S | re.M)
    assert rules_of(game).markup.strip() == minute.strip()


def test_events_are_lines_that_do_not_steer_the_terminal() -> None:
    _, _, ask = player()
    lines = [event_in_words(event, ["a", "\x1b[2J", "c"]) for event in ask.events]
    assert lines
    assert all(line.isprintable() and len(line) <= 203 for line in lines)
