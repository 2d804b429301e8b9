"""OpenSpiel's games as variants of the arena.

In games with chance events, such as dice rolls, a deal is a random seed, so the same deal always
leads to the same chance events. Some games without chance events start with random moves, which
also depend on the seed. Players who decide simultaneously are asked one after another, without
seeing each other's choices.
"""

import random
import tomllib
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Final

import msgspec

from engine import IllegalAction, Outcome, State, Variant, get_variant
from engine.errors import EngineError, GameNotOver
from engine.game import NoChance
from engine.worlds import dump, load

# Maximum number of attempts to draw random opening moves that do not decide the game.
MAX_OPENINGS: Final = 100


class ListedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An OpenSpiel game listed in `games.toml`."""

    about: str
    seats: tuple[int, ...] = (2,)
    teams: bool = False
    parameters: dict[str, bool | int | str] = {}
    opening: int = 0
    worlds: bool = True
    points: float = 1


class _Listing(msgspec.Struct, frozen=True):
    rules: str
    games: dict[str, ListedGame]
    excluded: dict[str, tuple[str, ...]]


@cache
def listing() -> _Listing:
    text = files(__package__).joinpath("games.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Listing)


def rules_of(game: str, listed: ListedGame) -> str:
    settings = ", ".join([f"{name}={value}" for name, value in listed.parameters.items()])
    return listing().rules.format(game=game, settings=settings, listed=listed)


class Seed(msgspec.Struct, frozen=True):
    """A random seed for a game's chance events or opening moves."""

    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class View(msgspec.Struct, frozen=True):
    game: str
    variant: str
    seat: int | None
    to_act: int | None
    observation: str
    """OpenSpiel's observation string. Spectators of a game with hidden information get an empty
    string until the game ends."""
    information: str
    """OpenSpiel's information state string, or an empty string if the game doesn't provide one."""
    history: tuple[str, ...]
    """All moves so far, including dice rolls and random opening moves; empty in games with hidden
    information."""


class SpielVariant(Variant):
    """An OpenSpiel game with a fixed number of seats."""

    on_request = True
    view_type = View

    def __init__(self, game: str, listed: ListedGame, seats: int) -> None:
        self.id = f"{game}/{seats}{'-teams' * listed.teams}"
        self.seats, self.listed, self.has_worlds = seats, listed, listed.worlds
        if listed.teams:
            self.teams = tuple((seat, seat + seats // 2) for seat in range(seats // 2))

    def __reduce__(self) -> tuple[Any, ...]:
        return get_variant, (self.id,)

    @cached_property
    def spiel(self) -> Any:
        import pyspiel  # not above: it takes long, and most commands list games only

        parameters = dict(self.listed.parameters)
        if len(self.listed.seats) > 1:
            parameters["players"] = self.seats
        return pyspiel.load_game(self.game, parameters)

    @cached_property
    def is_open(self) -> bool:
        """Whether simultaneous choices are the only information that is hidden from players."""
        information = self.spiel.get_type().information
        return bool(information != type(information).IMPERFECT_INFORMATION)

    @cached_property
    def max_decisions(self) -> int:  # type: ignore[override]
        return int(self.spiel.max_game_length()) * self.seats

    @cached_property
    def deal_type(self) -> type[msgspec.Struct]:  # type: ignore[override]
        chance = self.spiel.get_type().chance_mode
        has_chance = chance != type(chance).DETERMINISTIC
        return Seed if has_chance or self.listed.opening else NoChance

    def deal(self, rng: random.Random) -> msgspec.Struct:
        return Seed(rng.getrandbits(53)) if self.deal_type is Seed else NoChance()

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        return None if self.deal_type is Seed else [(NoChance(), 1.0)]

    def tensor(self, state: State, seat: int) -> Sequence[float]:
        assert isinstance(state, SpielState)
        kind = self.spiel.get_type()
        if kind.provides_observation_tensor:
            return list(state.spiel.observation_tensor(seat))
        if kind.provides_information_state_tensor:
            return list(state.spiel.information_state_tensor(seat))
        return super().tensor(state, seat)

    def start(self, deal: msgspec.Struct) -> "SpielState":
        seed, opening = getattr(deal, "seed", 0), self.listed.opening
        for attempt in range(MAX_OPENINGS):
            state, rng = SpielState(self, seed), random.Random(f"opening {seed} {attempt}")
            for _ in range(opening):
                if state.seat_to_act is not None:
                    state.apply(rng.choice(state.legal_actions()))
            if not opening or not _is_decided(state.spiel):
                return state
        raise EngineError(f"{self.id}: {MAX_OPENINGS} openings of {opening} moves are lost at once")

    def load(self, raw: bytes) -> "SpielState":
        history, chosen, seed, drawn = load(self, raw)
        state = SpielState(self, seed)
        state.chosen, state.drawn = chosen, drawn
        state.replay(history)
        return state


def _wins(spiel: Any) -> Iterator[bool]:
    player = spiel.current_player()
    for action in spiel.legal_actions():
        child = spiel.child(action)
        yield child.is_terminal() and child.returns()[player] == max(child.returns())


def _is_decided(spiel: Any) -> bool:
    """Return whether the current player can win immediately or can't avoid losing."""
    if spiel.is_terminal() or any(_wins(spiel)):
        return True
    children = (spiel.child(action) for action in spiel.legal_actions())
    return all(not child.is_terminal() and any(_wins(child)) for child in children)


class SpielState(State):
    """A state of an OpenSpiel game after all chance outcomes have been drawn."""

    variant: SpielVariant

    def __init__(self, variant: SpielVariant, seed: int) -> None:
        self.variant, self.seed = variant, seed
        self.spiel = variant.spiel.new_initial_state()
        self.drawn = 0
        self.chosen: tuple[int, ...] = ()
        self.moves: tuple[str, ...] = ()
        self._go_on()

    def replay(self, history: Sequence[int]) -> None:
        """Restart the game and apply the actions in `history`, including chance outcomes."""
        self.spiel, self.moves = self.variant.spiel.new_initial_state(), ()
        left = list(history)
        while left:
            width = self.variant.seats if self.spiel.is_simultaneous_node() else 1
            self._play(left[:width])
            del left[:width]
        self._find_seat()

    def _play(self, actions: Sequence[int]) -> None:
        spiel, is_joint = self.spiel, self.spiel.is_simultaneous_node()
        if self.variant.is_open:
            players = range(len(actions)) if is_joint else [spiel.current_player()]
            self.moves += tuple(map(spiel.action_to_string, players, actions))
        if is_joint:
            spiel.apply_actions(actions)
        else:
            spiel.apply_action(actions[0])

    def _go_on(self) -> None:
        while self.spiel.is_chance_node():
            rng = random.Random(f"{self.seed} {self.drawn}")
            actions, weights = zip(*self.spiel.chance_outcomes(), strict=True)
            self.drawn += 1
            self._play(rng.choices(actions, weights))
        self._find_seat()

    def _find_seat(self) -> None:
        self._legal: dict[str, int] = {}
        player = self.spiel.current_player()
        if self.spiel.is_simultaneous_node():
            player = len(self.chosen)
        self.seat_to_act = None if self.spiel.is_terminal() else player

    def _numbers(self) -> dict[str, int]:
        seat, spiel = self.seat_to_act, self.spiel
        if seat is not None and not self._legal:
            for number in spiel.legal_actions(seat):
                self._legal[spiel.action_to_string(seat, number)] = number
        return self._legal

    def legal_actions(self) -> list[str]:
        return list(self._numbers())

    def apply(self, action: str) -> None:
        numbers = self._numbers()
        if not isinstance(action, str) or action not in numbers:
            raise IllegalAction(action, self.seat_to_act, list(numbers))
        played = (*self.chosen, numbers[action])
        if self.spiel.is_simultaneous_node() and len(played) < self.variant.seats:
            self.chosen = played
            self._find_seat()
        else:
            self.chosen = ()
            self._play(played)
            self._go_on()

    def view(self, seat: int | None) -> View:
        spiel, variant = self.spiel, self.variant
        kind = variant.spiel.get_type()
        observation = information = ""
        if seat is None:
            observation = str(spiel) if variant.is_open or spiel.is_terminal() else ""
        elif kind.provides_observation_string:
            observation = spiel.observation_string(seat)
        if seat is not None and not variant.is_open and kind.provides_information_state_string:
            information = spiel.information_state_string(seat)
        table = variant.game, variant.id, seat, self.seat_to_act
        return View(*table, observation, information, self.moves)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        return []

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        exact = [round(share, 9) for share in self.spiel.returns()]
        sides = [exact[side[0]] for side in self.variant.sides]
        points = [round(share * self.variant.listed.points) for share in exact]
        ranks = [1 + sum(other > share for other in sides) for share in exact]
        return Outcome(tuple(points), tuple(ranks))

    def clone(self) -> "SpielState":
        other = copy(self)
        other.spiel = self.spiel.clone()
        return other

    def determinize(self, seat: int, rng: random.Random) -> "SpielState":
        if not self.variant.has_worlds:
            raise EngineError(f"{self.variant.id} has no worlds, as OpenSpiel can't draw them")
        other = self.clone()
        other.seed, other.drawn = rng.getrandbits(53), 0
        if not self.variant.is_open and self.seat_to_act is not None:
            drawn = self.spiel.resample_from_infostate(seat, rng.random)
            other.replay(drawn.history())  # as `load` does
            if str(other.spiel) != str(drawn):
                raise EngineError(
                    f"{self.variant.id}: the history of a world drawn by OpenSpiel gives another "
                    "world; set `worlds = false` in games.toml"
                )
        chosen = list(self.chosen)
        for player in {*range(len(chosen))} - {seat}:
            chosen[player] = rng.choice(other.spiel.legal_actions(player))
        other.chosen = tuple(chosen)
        other._find_seat()
        return other

    def dump(self) -> bytes:
        """Return the moves so far and the seed of future chance events, as JSON."""
        return dump(self.variant, (self.spiel.history(), self.chosen, self.seed, self.drawn))
