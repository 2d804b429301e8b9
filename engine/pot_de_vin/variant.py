"""The variants of Pot de Vin, for three to six seats. Some of them have teams [2]."""

from engine.fields import read_variants
from engine.game import Game
from engine.pot_de_vin import hidden, rules
from engine.pot_de_vin.deal import Deal, draw_deal, list_facts
from engine.pot_de_vin.encoding import PotDeVinEncoding
from engine.pot_de_vin.events import list_events
from engine.pot_de_vin.parameters import GAME, Parameters
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.result import describe
from engine.pot_de_vin.scoring import Score, score_side
from engine.pot_de_vin.view import View, build_view


def _score(position: Position) -> list[Score]:
    tallies = position.tallies
    return [score_side([tallies[seat] for seat in side]) for side in position.parameters.sides]


POT_DE_VIN = Game(
    GAME,
    {name: Parameters(name, row) for name, row in read_variants(__package__).items()},
    View,
    deal_type=Deal,
    deal=draw_deal,
    facts=list_facts,
    start=rules.start,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    checks_actions=True,
    play_out=rules.play_out,
    view=build_view,
    events=list_events,
    score=_score,
    result=lambda position: describe(position.parameters.sides, *position.winnings()),
    redraw=hidden.redraw,
    forget=hidden.forget,
    encoding=PotDeVinEncoding,
)
VARIANTS = POT_DE_VIN.variants
