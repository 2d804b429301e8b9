"""A Brides & Bribes borough during its resolution, with the tiles that each seat has there."""
# compiled: see setup.py

from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.terms import EASING, Budget, Terms
from bots.brides_and_bribes.tiles import as_place, kind_of
from bots.brides_and_bribes.view import Delegation, Resolution, bride_at


class Situation:
    def __init__(self, evaluation: Evaluation, resolution: Resolution) -> None:
        self.evaluation = evaluation
        self.resolution = resolution
        self.borough = evaluation.boroughs[resolution.borough]
        self.by_seat = {delegation.seat: delegation for delegation in resolution.delegations}
        self.own = self.by_seat[evaluation.seat]
        verb, _, place = (resolution.declared or "").partition(" ")
        self.verb = verb
        self.place = as_place(place)
        self.bride = bride_at(self.borough.brides, self.place) if verb == "marry" else None

    def terms_of(self, seat: int) -> Terms:
        resolution, delegation = self.resolution, self.by_seat[seat]
        prestige, charm = delegation.prestige or 0, delegation.charm or 0
        return Terms(resolution.lord_prestige, prestige, charm, resolution.bride_charm_change)

    def budget_of(self, seat: int) -> Budget:
        player = self.evaluation.view.players[seat]
        return Budget(player.coins, player.influence)

    def usable_tiles(self) -> list[str]:
        own = self.own
        return [*own.known, own.guide] if own.guide and not own.guide_used else [*own.known]

    def best_terms(self) -> Terms:
        terms = self.terms_of(self.evaluation.seat)
        for tile in self.usable_tiles():
            if kind_of(tile) in EASING:
                terms = terms.shifted(kind_of(tile))
        return terms

    def best_budget(self) -> Budget:
        me = self.evaluation.me
        kinds = [kind_of(tile) for tile in self.usable_tiles()]
        sells = any(me.workers.values()) and "merchant" in kinds
        return Budget(me.coins + 3 * sells, me.influence)

    def rivals(self) -> list[Delegation]:
        own = self.own.seat
        return [
            delegation
            for delegation in self.resolution.delegations
            if delegation.guide and delegation.seat != own
        ]
