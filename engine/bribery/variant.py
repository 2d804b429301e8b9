"""The variants of Bribery: two to four seats, basic and advanced rules [2]."""

from engine.bribery import hidden, rules
from engine.bribery.deal import Deal, draw_deal, list_facts
from engine.bribery.encoding import BriberyEncoding
from engine.bribery.events import describe, list_events
from engine.bribery.parameters import GAME, Parameters
from engine.bribery.position import Position
from engine.bribery.rules.board import controllers
from engine.bribery.scoring import evaluate, win_weight
from engine.bribery.view import View, build_view
from engine.fields import read_variants
from engine.game import Game


def _score(position: Position) -> list[int]:
    return evaluate(controllers(position), position.parameters.side_table.count).points


BRIBERY = Game(
    GAME,
    {
        f"{name}-advanced" if advanced else name: Parameters(name, row, advanced)
        for advanced in (False, True)
        for name, row in read_variants(__package__).items()
    },
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
    win_weight=win_weight,
    result=lambda position: describe(_score(position), position.parameters.side_of_seat),
    redraw=hidden.redraw,
    forget=hidden.forget,
    encoding=BriberyEncoding,
)
VARIANTS = BRIBERY.variants
