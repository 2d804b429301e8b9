"""Infer the opponents' playing styles and hidden tiles in Brides & Bribes.

Each opponent's placements are compared with those that the bundled bots would have made. The
better a bot explains the placements, the more likely it is that the opponent plays like this
bot. Bots that explain them well are then used to predict the opponent's hidden tiles and next
actions.
"""
# compiled: see setup.py

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bots.brides_and_bribes.hidden_tiles import put_where_placed
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.rehearsal import PLACED, Rehearsal, before_placement
from bots.brides_and_bribes.styles import BuilderBot, CourtierBot, DogeBot, PoisonerBot, SuitorBot
from bots.brides_and_bribes.weights import TUNED, Weights
from engine.state import GameState

OWN: Final = 0
OTHERS: Final = (DogeBot, BuilderBot, PoisonerBot, CourtierBot, SuitorBot)
STYLES: Final[Sequence[Weights]] = (TUNED, *[bot.weights for bot in OTHERS])
UNKNOWN: Final = len(STYLES)
PRIOR: Final = (0.3, 0.3, 0.02, 0.02, 0.02, 0.02, 0.32)
"""Prior probability of each style."""
# Softmax temperatures in points of influence, for known and unknown styles.
TEMPERATURE, UNKNOWN_TEMPERATURE = 0.1, 1.0
MIN_SHARE: Final = 1e-3


class _Placement:
    def __init__(self) -> None:
        self.start: GameState | None = None
        self.is_wanted = False
        self.pending: list[Mapping[str, Any]] = []
        self.likely: dict[int, list[float]] = {}
        self.rehearsals: dict[int, Rehearsal] = {}


class Belief:
    def __init__(self, seats: int, seat: int, models: Sequence[Model]) -> None:
        self._seat = seat
        self._models = models
        self._scores = [[math.log(share) for share in PRIOR] for _ in range(seats)]
        self._placement = _Placement()
        self._earlier: list[_Placement] = []  # the oldest first

    def observe(self, state: GameState, events: Sequence[Mapping[str, Any]]) -> None:
        for event in events:
            if event["event"] == "round":
                if self._placement.is_wanted:
                    self._earlier.append(self._placement)
                self._placement = _Placement()
            elif event["event"] in PLACED:
                self._placement.pending.append(event)
        if self._placement.start is None and state.position.phase == "placement":
            self._placement.start = before_placement(state)

    def learn(self, check: Callable[[], None]) -> None:
        """Update the beliefs about the opponents from all placements since the last call.

        The function `check` can raise an exception to interrupt the update. The next call of
        `learn` then continues the update.
        """
        self._placement.is_wanted = True
        while self._earlier:
            self._rehearse(self._earlier[0], check)
            del self._earlier[0]
        self._rehearse(self._placement, check)

    def shares(self, seat: int) -> list[float]:
        scores = self._scores[seat]
        best = max(scores)
        weights = [math.exp(score - best) for score in scores]
        whole = sum(weights)
        return [weight / whole for weight in weights]

    def certainty(self) -> float:
        """Return the probability that the playing styles of all opponents have been identified
        correctly.
        """
        seats = [seat for seat in range(len(self._scores)) if seat != self._seat]
        return math.prod([max(self.shares(seat)[:UNKNOWN]) for seat in seats])

    def draw(self, state: GameState, rng: random.Random) -> tuple[GameState, list[int]]:
        """Draw a playing style for each seat, and a random state that is consistent with what the
        player knows.
        """
        world = state.determinize(self._seat, rng)
        styles = [OWN] * len(self._scores)
        placed: dict[tuple[int, str], list[int]] = {}
        for seat in range(len(styles)):
            if seat == self._seat:
                continue
            styles[seat] = style = rng.choices(range(UNKNOWN + 1), self.shares(seat))[0]
            rehearsal = self._placement.rehearsals.get(OWN if style == UNKNOWN else style)
            if rehearsal is not None and (style != UNKNOWN or rng.random() < 0.5):
                placed |= {key: row for key, row in rehearsal.placed.items() if key[0] == seat}
        return put_where_placed(world, self._seat, placed, rng), styles

    def _rehearse(self, placement: _Placement, check: Callable[[], None]) -> None:
        if placement.start is None:
            return
        if placement.pending and not placement.rehearsals:
            placement.rehearsals = {
                style: Rehearsal(placement.start, self._seat, model)
                for style, model in enumerate(self._models)
                if style == OWN or self._is_likely(style)
            }
        while placement.pending:
            event = placement.pending[0]
            for style, rehearsal in placement.rehearsals.items():
                if style not in placement.likely:
                    check()
                    likely = rehearsal.follow(event, (TEMPERATURE, UNKNOWN_TEMPERATURE))
                    placement.likely[style] = likely
            self._score(self._scores[event["seat"]], placement.likely)
            placement.likely = {}
            del placement.pending[0]

    def _score(self, scores: list[float], likely: Mapping[int, Sequence[float]]) -> None:
        for style, (known, unknown) in likely.items():
            scores[style] += math.log(known)
            if style == OWN:
                scores[UNKNOWN] += math.log(unknown)

    def _is_likely(self, style: int) -> bool:
        gaps = [
            max(scores) - scores[style]
            for seat, scores in enumerate(self._scores)
            if seat != self._seat
        ]
        return min(gaps) < -math.log(MIN_SHARE)
