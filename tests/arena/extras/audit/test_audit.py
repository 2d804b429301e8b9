"""The audit of whole fields: it names colluders, and no honest bot."""

import pytest

from arena.base.record import GameRecord
from arena.extras.audit.findings import Audit
from arena.extras.audit.run_audit import audit
from engine import get_variant
from tests.arena.rating.played_fields import PlayedField, kind_of

COLLUDERS = PlayedField(
    "bribery/4", 152, 13, "boss feeder-1 feeder-2 fixer banker spoiler random banker-2"
)
"""304 games. The boss begins with a sign, by which the feeders know it."""
HONEST = {
    "honest_bribery": PlayedField(
        "bribery/4", 300, 51, "fixer banker spoiler random spoiler-2 banker-2 random-2"
    ),
    "honest_pot_de_vin": PlayedField(
        "pot-de-vin/3", 200, 22, "timid greedy collector planner briber random"
    ),
    "honest_teams": PlayedField(
        "bribery/4-teams", 200, 27, "fixer banker spoiler random fixer-2 banker-2"
    ),
}
THROWN = {
    "two_seats_thrown": PlayedField("bribery/2", 150, 31, "boss feeder banker spoiler random"),
    "teams_thrown": PlayedField(
        "pot-de-vin/4-teams", 300, 31, "boss feeder timid greedy collector briber"
    ),
}
"""Boss and feeder played like `fixer` or `planner`, but the feeder played at random against it."""
BRIBERY = "fixer banker spoiler random"
POT_DE_VIN = "timid greedy collector planner briber random"
BRIDES = "builder courtier doge poisoner suitor random"
HONEST_RUNS = [
    PlayedField("bribery/2", 120, 101, f"{BRIBERY} banker-2"),
    PlayedField("bribery/2-advanced", 60, 102, BRIBERY),
    PlayedField("bribery/3", 201, 103, f"{BRIBERY} random-2 banker-2"),
    PlayedField("bribery/3-advanced", 99, 104, f"{BRIBERY} spoiler-2"),
    PlayedField("bribery/4", 200, 105, f"{BRIBERY} fixer-2 banker-2 spoiler-2 random-2"),
    PlayedField("bribery/4", 200, 106, f"{BRIBERY} random-2"),
    PlayedField("bribery/4-advanced", 160, 107, f"{BRIBERY} random-2 fixer-2"),
    PlayedField("bribery/4-teams", 200, 108, f"{BRIBERY} random-2 spoiler-2"),
    PlayedField("pot-de-vin/3", 201, 109, POT_DE_VIN),
    PlayedField("pot-de-vin/3", 300, 110, f"{POT_DE_VIN} greedy-2 briber-2"),
    PlayedField("pot-de-vin/4", 200, 111, POT_DE_VIN),
    PlayedField("pot-de-vin/4", 400, 112, f"{POT_DE_VIN} timid-2 planner-2"),
    PlayedField("pot-de-vin/5", 400, 113, f"{POT_DE_VIN} random-2"),
    PlayedField("pot-de-vin/5", 400, 114, f"{POT_DE_VIN} timid-2 greedy-2"),
    PlayedField("pot-de-vin/4-teams", 200, 115, POT_DE_VIN),
    PlayedField("pot-de-vin/4-teams", 300, 116, f"{POT_DE_VIN} random-2 planner-2"),
    PlayedField("pot-de-vin/6-teams", 300, 117, f"{POT_DE_VIN} planner-2 collector-2"),
    PlayedField("brides-and-bribes/3", 60, 118, BRIDES),
    PlayedField("brides-and-bribes/4", 120, 119, BRIDES),
    PlayedField("brides-and-bribes/5", 180, 120, BRIDES),
]


def audit_of(field: PlayedField, name: str | None = None) -> Audit:
    """Return the audit of the kept games of a field, or of games that are played now."""
    games = field.kept(name) if name else field.play()
    fingerprints = {entrant.name: entrant.fingerprint for entrant in field.settings.entrants}
    return audit(games, {field.variant: get_variant(field.variant)}, fingerprints)


@pytest.fixture(scope="module")
def colluders() -> Audit:
    """Return the audit of a boss with two feeders among five honest bots."""
    return audit_of(COLLUDERS, "colluders")


@pytest.mark.slow  # 72,000 games are played out
def test_both_feeders_are_named_and_nobody_else(colluders: Audit) -> None:
    assert {(gift.bot, gift.other) for gift in colluders.gifts} == {
        ("boss", "feeder-1"),
        ("boss", "feeder-2"),
    }
    assert colluders.gains == colluders.gifts
    records = {game.title: game for game in COLLUDERS.kept("colluders")}

    def points(game: GameRecord) -> int:
        return game.points[game.entrants.index("boss")]

    for gift in colluders.gifts:
        met = [one for one in records.values() if {gift.bot, gift.other} <= set(one.entrants)]
        shown = [points(records[title]) for title in gift.games]
        assert shown == sorted(map(points, met))[:-4:-1]
        assert gift.gain > 3
        assert gift.p_value < 1e-6
        assert gift.gift is not None
        assert gift.gift_p_value is not None
        assert gift.gift > 2
        assert gift.gift_p_value < 0.01


@pytest.mark.parametrize("name", HONEST)
def test_no_honest_bot_is_named(name: str) -> None:
    found = audit_of(HONEST[name], name)
    assert not found.gifts
    assert not [gain for gain in found.gains if gain.cause == "unknown"]
    assert not found.openings
    for likeness in found.likenesses:
        first, second = likeness.bots
        assert not likeness.is_near_copy or kind_of(first) == kind_of(second)
    (coverage,) = found.variants
    assert coverage.pairs == len(HONEST[name].bots.split()) * (len(HONEST[name].bots.split()) - 1)


def test_with_two_seats_a_thrown_game_is_seen_and_its_cause_left_open() -> None:
    found = audit_of(THROWN["two_seats_thrown"], "two_seats_thrown")
    (gain,) = found.gains
    assert (gain.bot, gain.other, gain.cause, gain.gift) == ("boss", "feeder", "unknown", None)
    assert gain.gain > 5
    assert gain.p_value < 1e-6
    assert {(opening.bot, opening.other) for opening in found.openings} == {("feeder", "boss")}, (
        "it plays otherwise from the first action on"
    )


def test_games_thrown_to_the_other_team_are_smaller_than_what_is_found() -> None:
    found = audit_of(THROWN["teams_thrown"], "teams_thrown")
    assert found.gains == ()
    (coverage,) = found.variants
    assert coverage.pairs == coverage.partners == 30
    assert coverage.detectable is not None
    assert coverage.detectable > 4


def test_copies_are_named() -> None:
    found = audit_of(HONEST["honest_teams"], "honest_teams")
    copies = (("banker", "banker-2"), ("fixer", "fixer-2"))
    assert found.same_files == copies
    assert (
        tuple([likeness.bots for likeness in found.likenesses if likeness.is_near_copy]) == copies
    )


def test_few_boards_say_nothing() -> None:
    field = COLLUDERS._replace(rounds=8)
    found = audit(
        list(COLLUDERS.kept("colluders"))[:15], {field.variant: get_variant(field.variant)}, {}
    )
    (coverage,) = found.variants
    assert (coverage.boards, coverage.pairs, coverage.detectable) == (3, 0, None)
    assert (found.gains, found.openings, found.likenesses) == ((), (), ())
    (coverage,) = audit([], {field.variant: get_variant(field.variant)}, {}).variants
    assert coverage.boards == 0


@pytest.mark.long
@pytest.mark.parametrize("field", HONEST_RUNS, ids=lambda one: f"{one.variant} {one.seed}")
def test_no_honest_bot_is_named_in_twenty_runs(field: PlayedField) -> None:
    """Open questions are allowed: `poisoner` really does better against `random` than others."""
    found = audit_of(field)
    assert not found.gifts
    assert not found.openings
    for likeness in found.likenesses:
        assert not likeness.is_near_copy or kind_of(likeness.bots[0]) == kind_of(likeness.bots[1])


@pytest.mark.long
def test_the_colluders_play_as_they_were_kept() -> None:
    field = COLLUDERS._replace(rounds=8)
    played = [record.actions for record in field.play()]
    assert played == [record.actions for record in COLLUDERS.kept("colluders")][: len(played)]
