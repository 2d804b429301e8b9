"""The state of a borough during its resolution [7]."""
# compiled: see setup.py

from typing import Final

from engine.brides_and_bribes.tiles import COLOURS, NONE, SEATS

Tiles = tuple[int, ...]
Play = tuple[int, int, int, int]


class Resolution:
    """The state of the active borough: the delegations of all seats, and the current turn [7.1].

    If no borough is active, `borough` is `NONE`.
    """

    borough: int
    delegates: Tiles  # seats with a delegation here, clockwise from F
    order: Tiles
    queue: Tiles
    # -- by seat
    hand: list[Tiles]  # the borough hand
    chosen: list[int]  # the unrevealed guide, which is still in the borough hand
    guide: list[int]  # a seat is present if and only if it has one
    guide_used: list[bool]
    guide_married: list[bool]
    prestige_change: list[int]
    charm_change: list[int]
    closed: list[Tiles]  # failed declarations, until another seat completes an action [R29]
    edict: list[bool]
    open: list[bool]  # whether a falconer has revealed its borough hand
    # -- the borough
    exposed: frozenset[int]  # tiles in borough hands that all seats have seen
    lord_change: int
    bride_change: int
    marriage_banned: bool
    workers_banned: bool
    # -- the turn
    active: int  # the seat whose turn it is
    declared: int  # its declared action
    charmed: bool  # whether a charmer took effect against the declaration
    charmed_out: Tiles  # actions prevented by a charmer this turn [R30]
    taken: list[int]  # by colour: workers employed this turn and not yet exchanged
    lover: int  # the seat that gets the dowry instead of the active seat
    dowry_given: bool  # whether the dowry of this turn's marriage has been given
    pending: Play | None

    def usable(self, seat: int) -> Tiles:
        """Return the tiles that a seat can still play in the active borough [7.1]."""
        hand = self.hand[seat]
        return hand if self.guide_used[seat] else (*hand, self.guide[seat])

    def copy(self) -> "Resolution":
        other = Resolution()
        other.borough = self.borough
        other.delegates = self.delegates
        other.order = self.order
        other.queue = self.queue
        other.hand = self.hand.copy()
        other.chosen = self.chosen.copy()
        other.guide = self.guide.copy()
        other.guide_used = self.guide_used.copy()
        other.guide_married = self.guide_married.copy()
        other.prestige_change = self.prestige_change.copy()
        other.charm_change = self.charm_change.copy()
        other.closed = self.closed.copy()
        other.edict = self.edict.copy()
        other.open = self.open.copy()
        other.exposed = self.exposed
        other.lord_change = self.lord_change
        other.bride_change = self.bride_change
        other.marriage_banned = self.marriage_banned
        other.workers_banned = self.workers_banned
        other.active = self.active
        other.declared = self.declared
        other.charmed = self.charmed
        other.charmed_out = self.charmed_out
        other.taken = self.taken.copy()
        other.lover = self.lover
        other.dowry_given = self.dowry_given
        other.pending = self.pending
        return other


def new_resolution(seats: int, borough: int = NONE) -> Resolution:
    new = Resolution()
    new.borough = borough
    new.delegates = new.order = new.queue = new.charmed_out = ()
    new.hand = [()] * seats
    new.chosen = [NONE] * seats
    new.guide = [NONE] * seats
    new.guide_used = [False] * seats
    new.guide_married = [False] * seats
    new.prestige_change = [0] * seats
    new.charm_change = [0] * seats
    new.closed = [()] * seats
    new.edict = [False] * seats
    new.open = [False] * seats
    new.exposed = frozenset()
    new.lord_change = new.bride_change = 0
    new.marriage_banned = new.workers_banned = new.charmed = new.dowry_given = False
    new.active = new.declared = new.lover = NONE
    new.taken = [0] * len(COLOURS)
    new.pending = None
    return new


# For positions without an active borough, by number of seats. These objects are shared, so they
# must not be modified.
NO_HANDS: Final = tuple([((),) * seats for seats in range(SEATS + 1)])
NO_RESOLUTION: Final = tuple([new_resolution(seats) for seats in range(SEATS + 1)])
