"""The advanced game: officials have abilities [8].

A turn begins with the decision on an ability, if there is a legal one. An ability is paid, may be
cancelled by whoever controls the heart of its rank, and then takes effect; a card is played last.
"""

from typing import Final

from engine.bribery.abilities import OTHERS_OF_RANK, SOURCES, Ability, Settled
from engine.bribery.actions import (
    ABILITY,
    ABILITY_OF,
    ALLOW,
    NO_ABILITY,
    PROTECT,
    PROTECT_OF,
    SWINDLE,
    SWINDLE_OF,
)
from engine.bribery.cards import (
    BIT,
    CLUBS,
    COUNTRY,
    HEART,
    JOKER_4,
    NO_SUIT,
    OTHERS,
    SEATS,
    SPADES,
    SUIT_OF,
)
from engine.bribery.control import NOBODY
from engine.bribery.state import ASSASSINATED, OVER, PLAY, SPENT, BriberyState
from engine.errors import IllegalAction

ASK_ABILITY: Final = "ability"
ASK_PROTECT: Final = "protect"
ASK_SWINDLE: Final = "swindle"


class AdvancedState(BriberyState):
    """A position of one advanced game."""

    def legal_actions(self) -> list[str]:
        """Return the legal actions, by ASCII code [9]."""
        return super().legal_actions() if self.phase in (PLAY, OVER) else self.options.copy()

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act; raises `IllegalAction`."""
        phase = self.phase
        if phase in (PLAY, OVER):
            super().apply(action)
            seat = self.seat_to_act
            if seat is not None and (options := self._list_abilities(seat)):
                self.options = options  # only then it is asked [R35]
                self.phase = ASK_ABILITY
            return
        if action not in self.options:
            raise IllegalAction(action, self.seat_to_act, self.options)
        self.log.append(action)
        if action == NO_ABILITY:
            self.phase = PLAY
        elif phase == ASK_ABILITY:
            self._pay(*ABILITY_OF[action])
        elif phase == ASK_PROTECT:
            self._answer(action)
        else:
            self._swindle(*SWINDLE_OF[action])

    def resume(self) -> None:
        """Work out what is legal too."""
        super().resume()
        seat, ability = self.seat_to_act, self.pending
        if self.phase == ASK_ABILITY and seat is not None:
            self.options = self._list_abilities(seat)
        elif self.phase == ASK_PROTECT and ability is not None:
            self.options = self._list_protections(HEART[ability.source])
        elif self.phase == ASK_SWINDLE and ability is not None:
            self.options = self._list_swindles(ability.target)

    # -- what is legal ------------------------------------------------------------------------

    def _list_abilities(self, seat: int) -> list[str]:
        """Return the legal decisions on an ability; none if there is no legal ability [8.2]."""
        side = self.variant.side_of_seat[seat]
        control, of, face_up = self.control, self.variant.side_table.of, self.face_up
        legal: list[str] = []
        for source in [source for source in SOURCES if control[source] == side]:
            others = OTHERS_OF_RANK[source] & face_up
            if not others:
                continue
            suit, texts, pile = COUNTRY[source], ABILITY[source], self.piles[source]
            for spent in pile if len(pile) == 1 else sorted(pile):
                if of[spent] != side:
                    continue
                if suit == CLUBS:
                    targets = others
                elif suit == SPADES:
                    free = control[JOKER_4] == side
                    targets = others if free else others & self.open_to[SUIT_OF[spent]]
                else:
                    targets = self._swindle_targets(source, spent)
                legal += texts[spent // SEATS][targets]
        if legal:
            legal.append(NO_ABILITY)
        return legal

    def _swindle_targets(self, source: int, spent: int) -> int:
        """Return the officials of a source's rank with a bribe that fits somewhere else [8.2].

        When `spent` has been paid, the source may be open to one more suit.
        """
        piles, open_to = self.piles, self.open_to
        loaded = [target for target in OTHERS[source] if piles[target]]
        if all(open_to):  # most often every suit has a place, and so has every bribe
            return sum([BIT[target] for target in loaded])
        opened = SUIT_OF[spent]
        suits = [SUIT_OF[bribe] for bribe in piles[source]]
        if opened == COUNTRY[source] or suits.count(opened) > 1:
            opened = NO_SUIT
        of, free_side = self.variant.side_table.of, self.control[JOKER_4]
        targets = 0
        for target in loaded:
            for bribe in piles[target]:
                suit = SUIT_OF[bribe]
                # An official is never open to a suit that lies on it, so what is open is another
                # one. A bribe that Joker #4 frees can go to the source, if nowhere else.
                if open_to[suit] or suit == opened or of[bribe] == free_side:
                    targets |= BIT[target]
                    break
        return targets

    def _list_protections(self, heart: int) -> list[str]:
        """Return the legal decisions of the side that may protect with this heart [8.3]."""
        of, side = self.variant.side_table.of, self.control[heart]
        spendable = sorted([bribe for bribe in self.piles[heart] if of[bribe] == side])
        return [ALLOW, *[PROTECT[bribe // SEATS] for bribe in spendable]]

    def _list_swindles(self, target: int) -> list[str]:
        """Return the legal moves of a bribe from the target [8.4]."""
        of, free_side = self.variant.side_table.of, self.control[JOKER_4]
        legal: list[str] = []
        for bribe in sorted(self.piles[target]):
            if of[bribe] == free_side:
                fits = self.face_up & ~BIT[target]
            else:
                fits = self.open_to[SUIT_OF[bribe]]
            row = SWINDLE[bribe // SEATS]
            legal += [row[official] for official, bit in enumerate(BIT) if fits & bit]
        return legal

    # -- what is done -------------------------------------------------------------------------

    def _pay(self, source: int, card: int, target: int) -> None:
        """Pay for an ability, and ask those who may protect [8.1, 8.3]."""
        seat = self.seat_to_act
        assert seat is not None
        spent = self._spend(card, source)
        sides, n = self.variant.side_of_seat, self.variant.seats
        heart = HEART[source]
        protector = self.control[heart]
        if protector in (NOBODY, sides[seat]):
            self.pending = Ability(seat, source, spent, target)
            self._take_effect()
            return
        clockwise = [(seat + step) % n for step in range(1, n)]
        to_ask = tuple([other for other in clockwise if sides[other] == protector])
        self.pending = Ability(seat, source, spent, target, to_ask)
        self.phase = ASK_PROTECT
        self.seat_to_act = to_ask[0]
        self.options = self._list_protections(heart)

    def _answer(self, action: str) -> None:
        """Allow an ability, or protect against it [8.3]."""
        ability, seat = self.pending, self.seat_to_act
        assert ability is not None
        assert seat is not None
        self.asked += (seat,)
        if action != ALLOW:
            self._spend(PROTECT_OF[action], HEART[ability.source])
            self._settle(by=seat)
        elif still_to_ask := ability.to_ask[1:]:
            self.pending = ability._replace(to_ask=still_to_ask)
            self.seat_to_act = still_to_ask[0]
        else:
            self.pending = ability._replace(to_ask=())
            self._take_effect()

    def _take_effect(self) -> None:
        """Let the pending ability take effect; a swindle asks for one more decision [8.4]."""
        assert self.pending is not None
        seat, source, spent, target, _ = self.pending
        suit = COUNTRY[source]
        if suit == CLUBS:
            bribes = self.piles[target]
            for bribe in bribes:
                self.discard(bribe, ASSASSINATED)
            self.piles[target] = ()
            self.turn_down(target)
            self.control[target] = NOBODY
            self._settle(discarded=bribes)
        elif suit == SPADES:
            self.discards.pop()  # the spent bribe, which lies on top [R34]
            self.put(spent, target)
            self.watch(target)
            self._settle()
        else:
            self.phase = ASK_SWINDLE
            self.seat_to_act = seat
            self.options = self._list_swindles(target)

    def _swindle(self, card: int, destination: int) -> None:
        assert self.pending is not None
        bribe = self._take(card, self.pending.target)
        self.put(bribe, destination)
        self.watch(destination)
        self._settle()

    def _settle(self, by: int | None = None, discarded: tuple[int, ...] = ()) -> None:
        """End an ability: its seat goes on to its card."""
        assert self.pending is not None
        self.settled += (Settled(len(self.log), self.pending, by, discarded),)
        self.seat_to_act = self.pending.seat
        self.pending = None
        self.phase = PLAY

    def _spend(self, card: int, official: int) -> int:
        """Move a bribe from an official to the discard pile, and return it."""
        bribe = self._take(card, official)
        self.discard(bribe, SPENT)
        return bribe

    def _take(self, card: int, official: int) -> int:
        """Take the bribe of this card away from an official, and return it."""
        left = list(self.piles[official])
        bribe = left.pop([bribe // SEATS for bribe in left].index(card))
        self.piles[official] = tuple(left)
        suit = SUIT_OF[bribe]
        if suit != COUNTRY[official] and suit not in [SUIT_OF[other] for other in left]:
            self.open_to[suit] |= BIT[official]
        self.watch(official)
        return bribe
