"""A person plays in the terminal: here a script types."""

import io
import random
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from arena.base.errors import StoreError
from arena.check.game_file import find_game_file, read_game
from arena.cli import main
from arena.extras.play.person import GameLeft, TerminalPerson, rules_of
from arena.extras.play.play_command import save_game
from arena.match.referee import referee
from arena.match.seats import Decision, Reply
from arena.plugins import registered
from engine import get_variant, variants
from tests import presented_game
from tests.arena.playing import make_game
from tests.arena.runs import make_bots, play_out

ENGINE = Path(__file__).parents[4] / "engine"
NAMES = ("ann", "bob", "cy", "dee")
GAMES = sorted({variant.game for variant in variants().values()})


def typed(keys: str, *arguments: str, results: Path) -> Result:
    """Run `arena play` in this process and type these lines."""
    arguments = ("play", *arguments, "--results", str(results))
    return CliRunner().invoke(main, arguments, input=keys, prog_name="arena")


def in_a_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "game", [*[pytest.param(game, marks=pytest.mark.slow) for game in GAMES[:-1]], GAMES[-1]]
)
def test_plays_a_game_by_numbers(game: str, tmp_path: Path) -> None:
    against = ",".join(map(str, make_bots(tmp_path, 1)))
    results = tmp_path / "results"
    variant_id = next(each.id for each in variants().values() if each.game == game)
    words = ("--variant", variant_id, "--against", against, "--seed", "5")
    played = typed("1\n" * 400, *words, results=results)
    assert played.exit_code == 0, played.stderr
    text = played.stdout
    assert not re.search(r'[{}\[\]"]', text), "neither raw events nor JSON"
    record = read_game(next((results / "played").iterdir()))
    variant = get_variant(record.variant)
    assert variant.game == game
    end = text[text.index("the end ─") :]
    assert "the game is over" in end
    assert "how the points came about" in end
    places = re.findall(r"^(\d)\. (you|bot-1\S*), seat \d: -?\d+ points?(?:;|$)", end, re.M)
    assert sorted(place for place, _ in places) == sorted(map(str, record.ranks))
    assert sum(name == "you" for _, name in places) == 1
    assert "arena replay last" in in_a_line(end)


def test_replays_a_saved_game(tmp_path: Path) -> None:
    results = ("--results", str(tmp_path))
    record = play_out(make_game("bribery/2", 3, ("person", "bot")))
    save_game(play_out(make_game("bribery/3", 3, ("person", "bot", "other"))), tmp_path)
    path = save_game(record, tmp_path)
    assert path.name == "0002-bribery-2.json"
    assert read_game(path) == record
    for words in (["last"], [str(path)], ["last", record.title]):
        shown = CliRunner().invoke(main, ["replay", *words, *results], input="e\n")
        assert shown.exit_code == 0, shown.stderr
        assert f"{record.title}: {len(record.actions)} moves" in in_a_line(shown.stdout)
        assert re.search(r"[123]\. person, seat \d", shown.stdout)


def test_rejects_files_that_are_not_saved_games(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="contains no saved games"):
        find_game_file(tmp_path, "last")
    later = tmp_path / "later.json"
    later.write_text('{"format":2,"arena":"9","played":{}}')
    assert find_game_file(tmp_path, str(later)) == later
    with pytest.raises(StoreError, match="not a game saved by `arena play` of this version"):
        read_game(later)
    other = tmp_path / "other.json"
    other.write_text('{"type":"run"}')
    assert find_game_file(tmp_path, str(other)) is None
    assert find_game_file(tmp_path, "spring") is None


def test_rejects_invalid_seats_and_opponents(tmp_path: Path) -> None:
    refused = typed("", "--variant", "bribery/2", "--seat", "2", results=tmp_path)
    assert refused.exit_code == 2
    assert "got --seat 2, expected 0 to 1" in refused.stderr


@pytest.mark.slow
def test_quitting_saves_nothing(tmp_path: Path) -> None:
    against = ",".join(map(str, make_bots(tmp_path, 1)))
    for keys in ("q\n", "", "1\nq\n"):
        left = typed(
            keys, "--variant", "bribery/2", "--against", against, results=tmp_path / "results"
        )
        assert left.exit_code == 0
        assert "Traceback" not in left.stderr
        assert left.stdout.splitlines()[-1].endswith("you left the game; it is not saved")
        assert not (tmp_path / "results").exists()


# -- the person ------------------------------------------------------------------------------------


def person(*keys: str, width: int = 80) -> tuple[TerminalPerson, io.StringIO, Decision]:
    """Return a person who types these lines, what is printed, and what they are asked."""
    variant = get_variant("pot-de-vin/3")
    state = variant.start(variant.deal(random.Random(2)))
    seat = state.seat_to_act
    assert seat is not None
    shown = io.StringIO()
    waiting = iter(keys)
    names = ["a", "\x1b[2J", "c"]
    console = Console(file=shown, width=width)
    decision = Decision(seat, 1, state, state.events(seat, 0), state.legal_actions())
    return (
        TerminalPerson(variant, names, seat, console, lambda: next(waiting, None)),
        shown,
        decision,
    )


def answers(*keys: str) -> str:
    """Return what is printed after the menu until the person chooses the first action."""
    one, shown, decision = person(*keys, "1")
    one.ask(decision)
    menu = shown.getvalue()
    first = person("1")
    first[0].ask(first[2])
    return menu.removeprefix(first[1].getvalue())


def test_accepts_actions_by_number_name_or_words() -> None:
    _, _, decision = person()
    name, number = decision.legal[2].removeprefix("play ").split("-")
    for key in (
        "3",
        decision.legal[2],
        f"play {name} {number}",
        f"play {name.capitalize()} {number}",
    ):
        one, _, _ = person("0", "99", "nonsense", key)
        assert one.ask(decision).action == decision.legal[2]


def test_explains_keys_and_invalid_input() -> None:
    for key in ("m  ", "h  ", "q  ", "?  ", "? ugo 13  "):
        assert re.search(rf"^{re.escape(key)}", answers("?"), re.M)
    for key in ("0", "nonsense"):
        assert f"got {key!r}; type a number from 1 to " in answers(key)
    assert "the name of a card or tile" in answers("? nonsense")
    assert answers("? aldo 2") == answers("? aldo-2") == "Aldo 2: bonus: +2 points\n"
    _, _, decision = person()
    assert answers("? 1").startswith(f"{decision.legal[0].replace('-', ' ')[:5]}")


@pytest.mark.parametrize("game", GAMES)
def test_help_shows_cards_and_short_rules(game: str) -> None:
    rules = (ENGINE / game.replace("-", "_") / "rules.md").read_text(encoding="utf-8")
    (minute,) = re.findall(r"^## The game in a minute\n\n(.*?)\n(?=^## )", rules, re.S | re.M)
    assert rules_of(game).markup.strip() == minute.strip()
    variant = next(one for one in variants().values() if one.game == game)
    shown = told_while_playing(variant.id, 1, ["?", "q"])
    (card,) = re.findall(r"^\? (\w.*?)  +what a card or tile does", shown, re.M)
    explained = told_while_playing(variant.id, 1, [f"? {card}", "q"]).splitlines()[-1]
    assert re.match(r"[A-Z0-9][^:]*: .*[a-z]", explained)


def test_shows_rules_of_plugin_games() -> None:
    assert rules_of("high-card").markup.startswith("There is no page about high-card")
    with registered(sys.modules[presented_game.__name__]):
        assert rules_of("high-card").markup == presented_game.RULES


def told_while_playing(variant_id: str, seed: int, keys: Iterable[str]) -> str:
    """Return what a person at seat 0 is shown, who types `keys`, while others play at random."""
    variant, rng = get_variant(variant_id), random.Random(seed)
    shown, waiting = io.StringIO(), iter(keys)
    names = NAMES[: variant.seats]
    console = Console(file=shown, width=1000)
    one = TerminalPerson(variant, names, 0, console, lambda: next(waiting, None))
    state = variant.start(variant.deal(rng))
    refereeing = referee(state, one.game)
    try:
        decision = next(refereeing)
        while True:
            reply = one.ask(decision) if decision.seat == 0 else Reply(rng.choice(decision.legal))
            decision = refereeing.send(reply)
    except GameLeft:
        return shown.getvalue()
    except StopIteration:
        one.game.print_events(state.events(0, len(one.game.events)), one.words, console)
    return shown.getvalue()
