"""Tests of every bundled bot in every variant that it plays, regardless of strength."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.protocol import (
    PROTOCOL,
    Act,
    Bye,
    Hello,
    Limits,
    Ready,
    Start,
    Turn,
    raw,
    read_from_bot,
    write,
)
from arena.base.record import Game
from arena.bot import Bot, play
from arena.contest.entrants import find_entrants
from arena.match.referee import referee
from arena.match.seats import Decision, Reply
from arena.plugins import RegisteredBot, bots
from arena.tournament.in_process import play_in_process
from bots.plugin import register_bots
from engine import get_variant, variants
from tests.arena.playing import Bots, plug_in
from tests.bots.boards import PATIENT, SEARCHING, classes, make_game, variants_of
from tests.engine.games import LONG_GAMES

CLASSES = classes()
BUNDLED = {bot.name: bot for bot in register_bots()}
each_bot = pytest.mark.parametrize("name", CLASSES)
QUICK_GAMES = ("pot-de-vin/3", "pot-de-vin/4-teams", "bribery/2", "bribery/4-teams")
"""Variants in which searching bots are fast. In other variants, their tests are marked as long."""


def bots_and_variants() -> Iterator[object]:
    for name, bot in CLASSES.items():
        for variant_id in variants_of(bot):
            is_long = bot in SEARCHING and variant_id not in QUICK_GAMES
            is_slow = is_long or variant_id in LONG_GAMES
            yield pytest.param(name, variant_id, marks=[pytest.mark.long] if is_slow else [])


each_bot_and_variant = pytest.mark.parametrize(("name", "variant_id"), [*bots_and_variants()])


def actions_of(game: Game, bot_class: type[Bot]) -> tuple[str, ...]:
    """Return the actions of a game in which the bot plays every seat."""
    record = play_in_process(game, [bot_class] * len(game.seeds), PATIENT)
    assert record.faults == ()
    return record.actions


@each_bot_and_variant
def test_plays_legal_and_reproducible_games(name: str, variant_id: str) -> None:
    game = make_game(variant_id, 1)
    assert actions_of(game, CLASSES[name]) == actions_of(game, CLASSES[name])


@each_bot
def test_tables_in_one_process_are_independent(name: str) -> None:
    bot_class = CLASSES[name]
    games = [make_game(variant_id, 2) for variant_id in variants_of(bot_class)[:2]]
    games.append(make_game(games[0].variant, 3))
    assert interleaved(bot_class, games) == [actions_of(game, bot_class) for game in games]


def interleaved(bot_class: type[Bot], games: list[Game]) -> list[tuple[str, ...]]:
    """Return the actions of interleaved games, in which every seat is a table of one process."""
    replies: list[bytes] = []
    actions: dict[int, tuple[str, ...]] = {}

    def referees() -> Iterator[bytes]:
        yield write(Hello(PROTOCOL, "0", bot_class.name, Limits()))
        assert isinstance(read_from_bot(replies.pop()), Ready)
        refereeing = []
        for number, game in enumerate(games):
            variant = get_variant(game.variant)
            n, teams = variant.seats, variant.teams
            for seat, seed in enumerate(game.seeds):
                table = 100 * number + seat
                yield write(Start(table, variant.game, variant.id, seat, n, teams, seed))
            deal = variant.read_deal(msgspec.json.decode(game.deal))
            refereeing.append(referee(variant.start(deal)))
        decisions = {number: next(refereed) for number, refereed in enumerate(refereeing)}
        while decisions:
            for number, decision in list(decisions.items()):
                yield write(_turn(100 * number + decision.seat, decision))
                act = read_from_bot(replies.pop())
                assert isinstance(act, Act)
                assert (act.table, act.turn) == (100 * number + decision.seat, decision.turn)
                try:
                    decisions[number] = refereeing[number].send(Reply(act.action))
                except StopIteration as stop:
                    actions[number] = stop.value.actions
                    del decisions[number]
        yield write(Bye())

    play(bot_class, referees(), replies.append)
    return [actions[number] for number in range(len(games))]


def _turn(table: int, decision: Decision) -> Turn:
    turn = Turn(
        table,
        decision.turn,
        raw(decision.view),
        raw(decision.events),
        decision.legal,
        PATIENT.move_ms,
    )
    return msgspec.structs.replace(turn, world=msgspec.Raw(decision.world))


# -- the list of bots --------------------------------------------------------------------------


def test_quick_bots_can_fill_each_table() -> None:
    registered = bots()
    assert {name: registered[name].games for name in CLASSES} == {
        name: tuple(bot.games) for name, bot in CLASSES.items()
    }
    quick = [name for name, bot in registered.items() if bot.quick and name in CLASSES]
    for variant_id, variant in variants().items():
        playing = [name for name in quick if variant_id in variants_of(CLASSES[name])]
        assert len(playing) >= variant.seats


# -- fingerprints ------------------------------------------------------------------------------

LOADED = """
import {module}, sys
if hasattr({module}, "prepare"):  # it imports the guides of games
    {module}.prepare()
for name, module in [*sys.modules.items()]:
    if name.partition(".")[0] == "bots":
        print(module.__file__)
"""


def module_of(bot: RegisteredBot) -> str:
    return next(word for word in bot.command if word.startswith("bots."))


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_bots_import_only_their_own_code(name: str) -> None:
    bot = BUNDLED[name]
    command = (sys.executable, "-P", "-c", LOADED.format(module=module_of(bot)))
    loaded = subprocess.run(command, cwd=bot.folder, capture_output=True, text=True, check=True)
    files = [Path(line) for line in loaded.stdout.splitlines()]
    assert Path(bot.folder, "__init__.py") in files
    code = [Path(bot.folder, part) for part in bot.code]
    assert all(any(file.is_relative_to(part) for part in code) for file in files)


def test_changing_a_game_folder_changes_only_fingerprints_of_its_bots(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "bots"
    shutil.copytree(BUNDLED["random"].folder, folder)
    copies = [
        msgspec.structs.replace(bot, name=f"copied-{name}", folder=str(folder))
        for name, bot in BUNDLED.items()
    ]
    with plug_in(Bots(*copies)):
        before = find_entrants([bot.name for bot in copies])
        with (folder / "bribery" / "cards.py").open("a") as cards:
            cards.write("# changed\n")
        after = find_entrants([bot.name for bot in copies])
    changed = [
        new.name
        for old, new in zip(before, after, strict=True)
        if old.fingerprint != new.fingerprint
    ]
    # The champion expects others to play as `fixer`.
    names = ("spoiler", "banker", "fixer", "champion")
    assert changed == [f"copied-{name}" for name in names]
