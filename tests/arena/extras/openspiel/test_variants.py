"""OpenSpiel's games as variants."""

import random
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

import arena
from arena.base.contracts import SandboxSettings
from arena.base.errors import ArenaError, BotError, SettingsError
from arena.base.protocol import Limits, Ready
from arena.bot import Bot
from arena.contest.entrants import find_entrant, introduce
from arena.contest.settings import Contest, chosen_variants
from arena.extras.openspiel.variants import ListedGame, SpielState, SpielVariant, listing
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Decision
from arena.rating.leaderboard import ONE_DEAL
from engine import UnknownVariant, get_variant, variants
from engine.conformance import check_variant
from engine.plugins import PROJECT, all_variants, variants_of
from tests.arena.nim import NimVariant
from tests.arena.playing import Games, plug_in

pyspiel = pytest.importorskip(
    "pyspiel", reason="need the extra openspiel: pip install -e '.[openspiel]'"
)

assert "arena.extras.openspiel.plugin" in entry_points(group=PROJECT).names, (
    "the installed project is older than its entry point: run `pip install -e .` again"
)

LISTED = [name for name, variant in all_variants().items() if isinstance(variant, SpielVariant)]
QUICK = ["connect_four/2", "goofspiel/2", "kuhn_poker/3", "leduc_poker/2", "battleship/2"]


LONG = {"chess", "lines_of_action", "maedn", "pig", "xiangqi"}


def marks(name: str) -> Sequence[pytest.MarkDecorator]:
    if get_variant(name).game in LONG:
        return [pytest.mark.long]
    return [] if name in QUICK else [pytest.mark.slow]


@pytest.mark.parametrize("name", [pytest.param(one, marks=marks(one)) for one in LISTED])
def test_listed_games_conform(name: str) -> None:
    check_variant(get_variant(name), seed=7)


def test_world_is_not_the_true_deal() -> None:
    """The conformance suite can't check this, as it does not know which games hide anything."""
    listed = [variant for variant in all_variants().values() if isinstance(variant, SpielVariant)]
    for variant in [each for each in listed if each.has_worlds and not each.is_open]:
        rng, shown = random.Random(variant.id), []
        for _ in range(30):
            state = variant.start(variant.deal(rng))
            for _ in range(rng.randrange(3)):
                if state.seat_to_act is not None:
                    state.apply(rng.choice(state.legal_actions()))
            if (seat := state.seat_to_act) is not None:
                sent = variant.load(state.determinize(seat, rng).dump())
                pair = [[each.view(s) for s in range(variant.seats)] for each in (state, sent)]
                shown.append(pair)
        assert any(real != world for real, world in shown), variant.id


def test_game_is_played_only_on_request() -> None:
    assert {get_variant(name).game for name in chosen_variants((), ())} == {
        "pot-de-vin",
        "bribery",
        "brides-and-bribes",
    }
    assert chosen_variants((), ["connect_four"]) == ("connect_four/2",)
    both = chosen_variants((), ["kuhn_poker", "bribery"])
    assert {"kuhn_poker/2", "kuhn_poker/3", "bribery/2"} <= {*both}
    assert "connect_four/2" not in variants()
    assert [*variants_of("connect_four")] == ["connect_four/2"]


def test_plugin_game_replaces_game_of_the_same_name() -> None:
    assert isinstance(get_variant("nim/2"), SpielVariant)
    with plug_in(Games(NimVariant())):
        assert isinstance(get_variant("nim/2"), NimVariant)


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownVariant, match="did you mean 'connect_four/2'") as error:
        get_variant("conect_four/2")
    assert "othello" not in str(error.value)
    with pytest.raises(SettingsError, match="did you mean 'connect_four'") as unknown:
        chosen_variants((), ["connect_for"])
    assert "othello" not in str(unknown.value)
    with pytest.raises(SettingsError, match=r"or \d\d more; `arena games` lists all of them"):
        chosen_variants((), ["nosuch"])


def test_excluded_game_gives_the_reason() -> None:
    with pytest.raises(
        SettingsError, match="tarok is excluded because OpenSpiel draws its chance inside"
    ):
        chosen_variants((), ["tarok"])
    named = [game for games in listing().excluded.values() for game in games]
    assert {*named, *listing().games} <= {*pyspiel.registered_names()}
    assert not {*named} & {*listing().games}


def test_openings_differ_and_are_not_lost() -> None:
    variant = SpielVariant("tic_tac_toe", ListedGame("", opening=4), 2)
    rng, openings = random.Random(1), set()
    for _ in range(30):
        state = variant.start(variant.deal(rng))
        openings.add(state.view(0).history)
        for action in state.legal_actions():
            after = state.clone()
            after.apply(action)
            assert after.seat_to_act is not None, "the first player wins at once"
    assert len(openings) > 10


def test_deal_determines_all_chance() -> None:
    variant = get_variant("leduc_poker/2")
    for seed in range(20):
        deal = variant.deal(random.Random(seed))
        public = set()
        for first in ("Call", "Raise"):
            state = variant.start(deal)
            for action in (first, "Call"):
                state.apply(action)
            public.add(state.view(0).observation.partition("[Public: ")[2][:1])
        assert len(public) == 1


class Searcher(Bot):
    worlds = True

    def act(self, view: Any, legal: list[str]) -> str:
        return legal[0]


class Network(Bot):
    tensors = True
    seen: ClassVar[list[Sequence[float]]] = []

    def act(self, view: Any, legal: list[str]) -> str:
        self.seen.append(self.tensor)
        return legal[0]


def test_rejects_bot_that_needs_missing_worlds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    both = ["connect_four/2", "liars_dice/2"]
    sandbox = SandboxSettings()
    found = [find_entrant(name) for name in ("monte-carlo", "random")]
    searching, other = introduce(found, Limits(), sandbox, variants=both)
    assert searching.plays(both[0])
    assert not searching.plays(both[1])
    assert other.plays(both[1])
    with pytest.raises(BotError, match=r"monte-carlo asks for worlds.* liars_dice/2"):
        introduce(found, Limits(), sandbox, variants=both[1:])
    with pytest.raises(BotError, match="asks for worlds"):
        arena.run("liars_dice/2", [Searcher, "random"], rounds=1, in_process=True)
    with pytest.raises(ArenaError, match="asks for worlds"):
        arena.run("liars_dice/2", ["monte-carlo", "random"], rounds=1)


def test_sends_tensors_of_openspiel() -> None:
    arena.play("tic_tac_toe/2", [Network, "random"])
    assert {len(tensor) for tensor in Network.seen} == {27}
    variant = get_variant("tic_tac_toe/2")
    state = variant.start(variant.deal(random.Random(1)))
    assert isinstance(state, SpielState)
    decision = Decision(0, 1, state, [], state.legal_actions())
    turn = SeatMessages(1, Ready(1, tensor=True), Limits()).turn(decision)
    assert turn.tensor == tuple(state.spiel.observation_tensor(0))
    assert SeatMessages(1, Ready(1), Limits()).turn(decision).tensor is msgspec.UNSET


def test_one_deal_tables_say_that_boards_are_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bots = ["random", Network]
    copied = arena.run("matrix_rps/2", bots, rounds=20, in_process=True, name="copied")
    assert copied.leaderboard().board.no_intervals == {"matrix_rps/2": ONE_DEAL}
    assert all(row.score_low is None for row in copied.leaderboard().board.overall)
    opened = arena.run("connect_four/2", bots, rounds=20, in_process=True, name="opened")
    assert not opened.leaderboard().board.no_intervals
    assert all(row.score_low is not None for row in opened.leaderboard().board.overall)
    with pytest.raises(SettingsError, match="matrix_rps/2, which has only one deal"):
        Contest(until="certain", games=("matrix_rps",)).stop_rule()
    copied.publish(tmp_path / "site")
    assert "No intervals for matrix_rps/2: there is" in (tmp_path / "site/index.html").read_text()
