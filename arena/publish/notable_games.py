"""Find each bot's most notable games and heaviest defeats."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.base.record import GameRecord
from engine import Variant

# -- notable games ---------------------------------------------------------------------------------


class BotGame(NamedTuple):
    margin: int
    points: int
    upset: float  # rating of the strongest opponent minus the bot's; 0 if the bot didn't win
    key: str
    title: str
    variant: str


class Scale(NamedTuple):
    """The mean and standard deviation of bots' points in a variant. The deviation is never 0."""

    mean: float
    deviation: float


PLAIN = Scale(0.0, 1.0)
CLOSEST, UPSET = "closest game", "biggest upset"
HIGHEST, DEFEAT = "highest score", "heaviest defeat"
MEASURES: Mapping[str, Callable[[BotGame, Scale], float]] = {
    HIGHEST: lambda game, scale: -(game.points - scale.mean) / scale.deviation,
    UPSET: lambda game, scale: -game.upset,
    CLOSEST: lambda game, scale: abs(game.margin / scale.deviation),
    DEFEAT: lambda game, scale: game.margin / scale.deviation,
}
"""A measure for each kind of notable game. The most notable game has the lowest value."""
# Only games with a negative measure are notable.
ONLY_BELOW_ZERO = (UPSET, DEFEAT)
OF_A_RUN = (CLOSEST, UPSET, HIGHEST)


class Extremes(dict[str, BotGame]):
    # Of several equally notable games, the first one is kept.

    def add(self, game: BotGame) -> None:
        for why, measure in MEASURES.items():
            value = measure(game, PLAIN)
            if why in ONLY_BELOW_ZERO and value >= 0:
                continue
            known = self.get(why)
            if known is None or value < measure(known, PLAIN):
                self[why] = game


class Notable(NamedTuple):
    why: str
    game: BotGame


def games_of_bots(
    record: GameRecord, variant: Variant, strengths: Mapping[str, float] = {}
) -> Iterator[tuple[str, BotGame]]:
    """Yield each bot's name and result in a game. Without `strengths`, no game is an upset."""
    sides = variant.sides
    strong = [sum([strengths.get(record.entrants[seat], 0.0) for seat in side]) for side in sides]
    strength = {side: total / len(side) for side, total in zip(sides, strong, strict=True)}
    for side in sides:
        own = record.points[side[0]]
        others = [other for other in sides if other is not side]
        best = max([record.points[other[0]] for other in others])
        has_won = all(record.ranks[other[0]] > record.ranks[side[0]] for other in others)
        upset = max([strength[other] for other in others]) - strength[side] if has_won else 0.0
        game = BotGame(own - best, own, upset, record.key, record.title, variant.id)
        for seat in side:
            yield record.entrants[seat], game


def point_scales(points: Mapping[str, Counter[int]]) -> dict[str, Scale]:
    scales = {}
    for variant, counts in points.items():
        total = counts.total()
        mean = sum([points * times for points, times in counts.items()]) / total
        squares = [times * (points - mean) ** 2 for points, times in counts.items()]
        scales[variant] = Scale(mean, math.sqrt(math.fsum(squares) / total) or 1.0)
    return scales


def notable_games(
    extremes: Iterable[Extremes], scales: Mapping[str, Scale], whys: Iterable[str] = MEASURES
) -> list[Notable]:
    """Return the most notable game of each kind, such as the biggest upset, across all variants."""
    # Standard deviations make variants comparable.
    own = list(extremes)
    notable = []
    for why in whys:
        if games := [games[why] for games in own if why in games]:
            best = min(games, key=lambda game: MEASURES[why](game, scales[game.variant]))
            notable.append(Notable(why, best))
    return notable


# -- worst boards, with all rotations side by side -------------------------------------------------


WORST_BOARDS = 3


class RotationResult(NamedTuple):
    seat: int
    points: int
    rank: int


class Rotation(NamedTuple):
    number: int
    key: str
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]

    def result_of(self, name: str) -> RotationResult:
        seat = self.entrants.index(name)
        return RotationResult(seat, self.points[seat], self.ranks[seat])


class BotBoard(NamedTuple):
    margin: float  # mean lead over the best opponent, in points
    variant: str
    board: int
    rotations: tuple[Rotation, ...]

    @property
    def title(self) -> str:
        return f"{self.variant} board {self.board}"

    def heaviest(self, name: str, opponent: str = "") -> Rotation:
        """Return the game with the bot's heaviest defeat."""

        def ahead(rotation: Rotation) -> int:
            points = dict(zip(rotation.entrants, rotation.points, strict=True))
            own = points.pop(name)
            return own - (points[opponent] if opponent else max(points.values()))

        return min(self.rotations, key=ahead)

    @property
    def lines(self) -> list[tuple[str, list[RotationResult]]]:
        return [
            (name, [rotation.result_of(name) for rotation in self.rotations])
            for name in self.rotations[0].entrants
        ]


class WorstBoards:
    def __init__(self) -> None:
        self.boards: list[BotBoard] = []

    def add(self, margin: float, records: Sequence[GameRecord]) -> None:
        """Keep a board if it is one of the bot's three heaviest defeats so far."""
        if margin >= 0 or (len(self.boards) == WORST_BOARDS and margin >= self.boards[-1].margin):
            return
        rotations = [
            Rotation(game.rotation, game.key, game.entrants, game.points, game.ranks)
            for game in records
        ]
        first = records[0]
        self.boards.append(BotBoard(margin, first.variant, first.board, tuple(rotations)))
        self.boards.sort(key=lambda board: (board.margin, board.board))
        del self.boards[WORST_BOARDS:]


def margins_of_bots(records: Iterable[GameRecord], variant: Variant) -> dict[str, float]:
    margins: dict[str, list[int]] = {}
    for record in records:
        for name, game in games_of_bots(record, variant):
            margins.setdefault(name, []).append(game.margin)
    return {name: sum(own) / len(own) for name, own in margins.items()}


def worst_boards(by_variant: Iterable[WorstBoards], scales: Mapping[str, Scale]) -> list[BotBoard]:
    """Return a bot's three heaviest defeats across all variants."""
    # Standard deviations make variants comparable.
    boards = [board for worst in by_variant for board in worst.boards]
    boards.sort(key=lambda board: (board.margin / scales[board.variant].deviation, board.title))
    return boards[:WORST_BOARDS]
