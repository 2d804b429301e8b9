"""Plans: looks one trick ahead, and weighs what it would bring everybody by the end of the game.

It remembers which cards are out and who lacks which character, so it knows how safe a trick is
with those still to act; it gives the worst to opponents, and spares the cards that win tricks.
"""

import functools

from arena.bot import run
from bots.pot_de_vin import CHARACTER, VALUE, Memory, PotDeVinBot, column_points

# Found by playing many boards with other numbers; all of them may be off by half and more.
FORCED = 0.52
"""Of the cards of a guild that are still to come, a side in a game of as many seats gets this
share whether it likes them or not: divided by the seats."""
CHOSEN = 0.4
"""And this share only if it likes them."""
EAGER = 0.6
"""How likely a seat that can overtake does."""
TO_COME = 0.4
"""What a card that somebody adds later is worth to the winner, in points."""
CONTROL = 0.2
"""What it is worth to keep a card for later, in points by value."""

MOST_SYMBOLS = 8
MOST_CARDS = 7

Forecast = list[list[list[float]]]


@functools.cache
def forecasts(seats: int, teamed: bool) -> Forecast:
    """Return what columns are worth by the end: `[own][partner][cards of the guild to come]`.

    Each card to come grows the own column, the partner's or none. Three symbols are a fine
    column at the end of the game, and a bad one in the middle of it.
    """
    forced, chosen = FORCED / seats, CHOSEN / seats
    sizes = range(MOST_SYMBOLS + 1)
    table: Forecast = [[[float(column_points(a, b))] for b in sizes] for a in sizes]
    for to_come in range(MOST_CARDS):
        for own in sizes:
            for partner in sizes:
                now = table[own][partner][to_come]
                ways = [table[min(own + 1, MOST_SYMBOLS)][partner][to_come]]
                if teamed:
                    ways.append(table[own][min(partner + 1, MOST_SYMBOLS)][to_come])
                value = now
                for grown in ways:
                    value += forced * (grown - now) + chosen * max(0.0, grown - now)
                table[own][partner].append(value)
    return table


class PlannerBot(PotDeVinBot):
    """Maximizes what its side is expected to gain on the average other side."""

    name = "planner"

    memory: Memory
    forecast: Forecast
    to_come: dict[str, int]
    """How many cards of each kind nobody has taken yet."""

    def look(self) -> None:
        """Count the cards."""
        view = self.view
        self.memory = Memory(view)
        self.forecast = forecasts(view.n, teamed=len(view.teams) < view.n)
        self.to_come = dict.fromkeys(self.kind.values(), 0)
        for card in [*self.memory.unseen, *view.hand]:
            self.to_come[self.kind[card]] += 1

    def column(self, guild: str, own: int, partner: int) -> float:
        """Return what symbols of a guild are expected to be worth when the game ends."""
        return self.forecast[own][partner][self.to_come[guild]]

    def taking(self, card: str) -> float:
        """Hope that nobody overtakes."""
        trick = self.trick
        strength, led = trick.strength_of(card), trick.led or CHARACTER[card]
        loot = [*trick.loot, card]
        return self._expect(self.view.seat, strength, led, loot, trick.gems) - self._control(card)

    def ducking(self, card: str) -> float:
        """Add to what somebody else takes: good cards to the partner, bad ones to opponents."""
        return self._leave([*self.trick.loot, card], self.trick.gems) - self._control(card)

    def passing(self) -> float:
        """Keep the cards, at the price of a point to the winner."""
        return self._leave(self.trick.loot, self.trick.gems + 1)

    def _control(self, card: str) -> float:
        """Return what it costs to give up a card; the last one has no future."""
        return CONTROL * VALUE[card] if len(self.view.hand) > 1 else 0.0

    def _leave(self, loot: list[str], gems: int) -> float:
        trick = self.trick
        assert trick.led is not None, "the leader takes"
        return self._expect(trick.winner, trick.strength, trick.led, loot, gems)

    def _expect(self, winner: int, strength: int, led: str, loot: list[str], gems: int) -> float:
        """Return what the trick is expected to bring us, if `winner` has it so far."""
        later = self.trick.later
        expected, stays = 0.0, 1.0
        for seat in later:
            overtakes = EAGER * self.memory.chance_to_beat(seat, strength, led, self.trick.trump)
            expected += stays * overtakes * self._for_us(seat, loot, gems)
            stays *= 1 - overtakes
        return expected + stays * self._for_us(winner, loot, gems)

    def _for_us(self, winner: int, loot: list[str], gems: int) -> float:
        """Return what it is worth to us when a seat takes the trick."""
        gain = self.gain(winner, loot, gems) + TO_COME * len(self.trick.later)
        sides = len(self.view.teams)
        ours = winner % sides == self.view.seat % sides
        return gain if ours else -gain / (sides - 1)


if __name__ == "__main__":
    run(PlannerBot)
