"""Decisions of Kuhn poker, whose worth is known, are judged by what the bot knew then."""

import importlib.util
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import arena as interface
from arena import Run
from arena.base.record import GameRecord
from arena.extras.review.judging import EVEN, Judge, Judgement, mean_of
from arena.extras.review.review import (
    GameReview,
    JudgedDecision,
    in_a_sentence,
    review_game,
    what_players_do,
    with_mistakes,
)
from arena.extras.review.review_panel import PANEL, read_review
from arena.match.referee import start_game
from arena.plugins import guides, registered
from arena.sdk.search import Guide
from engine import get_variant
from tests.arena.command import arena, refused
from tests.arena.nim import NimVariant
from tests.arena.playing import Games, plug_in

GAME = "kuhn-poker/2"
CARDS = ("jack", "king")
FOLDER = Path(__file__).parents[4] / "examples" / "games"


@pytest.fixture(scope="module", autouse=True)
def kuhn_poker() -> Iterator[None]:
    spec = importlib.util.spec_from_file_location("kuhn_poker", FOLDER / "kuhn_poker.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch, registered(module):
        patch.setitem(sys.modules, "kuhn_poker", module)
        spec.loader.exec_module(module)
        yield


def played(cards: str, *actions: str) -> GameRecord:
    deal = msgspec.Raw(json.dumps({"cards": cards.split()}).encode())
    state = start_game(GAME, deal)
    for action in actions:
        state.apply(action)
    end = state.outcome()
    return GameRecord(
        key="k", variant=GAME, rules_version=1, board=1, rotation=0, entrants=("ann", "bob"),
        seeds=(1, 2), deal=deal, actions=actions, points=end.points, ranks=end.ranks,
        detail=msgspec.Raw(b"null"),
    )  # fmt: skip


def reviewed(record: GameRecord, seat: int) -> GameReview:
    review = review_game(record, seat, random.Random(1))
    assert review.result - EVEN == pytest.approx(review.luck + review.others - review.lost)
    return review


@pytest.mark.parametrize(
    ("cards", "actions", "seat", "best", "share", "loss"),
    [
        # the others play by chance; a queen meets a jack as often as a king
        ("queen jack", ["pass", "pass"], 0, "bet", 0.375, 0.375),
        ("queen king", ["bet", "pass"], 0, "bet", 0.75, 0.0),
        ("jack king", ["bet", "pass"], 1, "bet", 0.0, 1.0),  # gives up with the best card
        ("king jack", ["bet", "bet"], 1, "bet", 0.0, 0.0),  # has lost anyway
    ],
)
def test_values_of_decisions_follow_the_rules(
    cards: str, actions: list[str], seat: int, best: str, share: float, loss: float
) -> None:
    decision, *_ = reviewed(played(cards, *actions), seat).decisions
    assert decision.best == best
    assert decision.share == pytest.approx(share, abs=0.15)
    assert decision.loss == pytest.approx(loss, abs=0.15)
    assert decision.is_mistake == (loss > 0)


def test_judges_by_what_the_bot_knew() -> None:
    first, other = [reviewed(played(f"queen {card}", "pass", "pass"), 0) for card in CARDS]
    assert first.decisions[0].loss == other.decisions[0].loss
    assert first.luck > 0 > other.luck


class OneDeal(NimVariant):
    has_one_deal = True


def test_describes_luck_and_opponents_of_the_game() -> None:
    review = reviewed(played("queen jack", "pass", "pass"), 0)
    for variant, luck, playing in (
        (GAME, "chance and the seat", "at random"),
        ("nim/2", "; the seat", "at random"),
        ("pot-de-vin/3", "luck of the deal", "champion bot's heuristics"),
    ):
        with plug_in(Games(OneDeal())):
            of_game = msgspec.structs.replace(review, variant=variant)
            assert luck in in_a_sentence(of_game)
            assert playing in what_players_do(of_game)


@pytest.mark.parametrize(("best", "mistakes"), [("bet", [3]), ("fold", [1, 3])])
def test_postponing_is_not_a_mistake(best: str, mistakes: list[int]) -> None:
    judged = [
        JudgedDecision("pass", one, 0.0, 0.5, 0.02, 1e-9, move=move, chapter="")
        for move, one in ((1, best), (3, "bet"))
    ]
    assert [one.move for one in with_mistakes(judged) if one.is_mistake] == mistakes


def test_reuses_known_expectations() -> None:
    state = start_game(GAME, played("queen jack", "pass", "pass").deal)
    judge = Judge(state.variant, 0, random.Random(1))
    assert judge.compare(state, "bet", "bet", 0.3) == Judgement("bet", "bet", 0.3)
    assert judge.compare(state, "bet", "pass", 0.3) == Judgement("bet", "bet", 0.3)
    better = judge.compare(state, "pass", "bet", 0.3)
    assert better.best == "bet"
    assert better.share == pytest.approx(0.375, abs=0.15)


def test_equal_results_in_few_worlds_are_uncertain() -> None:
    few, many = [mean_of([0.05] * worlds, [1.0] * worlds) for worlds in (12, 400)]
    assert few.mean == pytest.approx(many.mean) == pytest.approx(0.05)
    assert few.error > 10 * many.error > 0
    assert few.chance(0) > 0.1 > 1e-6 > many.chance(0)


def test_uses_the_guide_of_a_plugin() -> None:
    guide = guides.named("pot-de-vin").guide(get_variant("pot-de-vin/3"))
    assert isinstance(guide, Guide)
    assert guides.find("kuhn-poker") is None


@pytest.fixture(scope="module")
def run(kuhn_poker: None, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return interface.run(
        GAME, ["random", "monte-carlo"], rounds=12, seed=1, in_process=True, workers=1, name="x",
        results=tmp_path_factory.mktemp("review"),
    )  # fmt: skip


@pytest.mark.slow
def test_command_reviews_the_heaviest_defeat(run: Run, tmp_path: Path) -> None:
    options = ["--bot", "random", "--results", run.source.parent]
    shown = arena("review", "x", *options, "--keep")
    assert shown.exit_code == 0, shown.stderr
    review = msgspec.convert(
        json.loads(arena("review", "x", *options, "--json").stdout), GameReview
    )
    assert in_a_sentence(review) in shown.stdout
    (kept,) = (run.source / PANEL).iterdir()
    assert (kept.name.partition("-")[0], read_review(kept.read_bytes())) == (review.key, review)
    exported = tmp_path / "x.jsonl"
    exported.write_text(arena("export", run.source).stdout)
    assert "got the file" in refused("review", exported, "--bot", "random", "--keep")
    assert "randon" in refused("review", "x", "--bot", "randon", "--results", run.source.parent)
