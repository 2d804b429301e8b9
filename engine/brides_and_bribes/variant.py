"""The variants of Brides & Bribes, for three to five seats [2]."""

from engine.brides_and_bribes import hidden, rules
from engine.brides_and_bribes.deal import Deal, draw_deal, list_facts
from engine.brides_and_bribes.encoding import BridesAndBribesEncoding
from engine.brides_and_bribes.events import list_events
from engine.brides_and_bribes.parameters import GAME, Parameters
from engine.brides_and_bribes.scoring import scores_of
from engine.brides_and_bribes.view import View, build_view
from engine.brides_and_bribes.view.structs import describe
from engine.fields import read_variants
from engine.game import Game

BRIDES_AND_BRIBES = Game(
    GAME,
    {name: Parameters(name, row) for name, row in read_variants(__package__).items()},
    View,
    deal_type=Deal,
    deal=draw_deal,
    facts=list_facts,
    rules_version=2,
    start=rules.start,
    legal_actions=rules.legal_actions,
    apply=rules.apply,
    checks_actions=True,
    play_out=rules.play_out,
    view=build_view,
    events=list_events,
    score=scores_of,
    points=lambda position: position.influence,
    result=lambda position: describe(scores_of(position)),
    redraw=hidden.redraw,
    forget=hidden.forget,
    encoding=BridesAndBribesEncoding,
)
VARIANTS = BRIDES_AND_BRIBES.variants
