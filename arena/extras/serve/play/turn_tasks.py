"""Explain a turn and its legal actions to people who are learning a game."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from arena.narration.telling import counted, read_table, section_id
from arena.narration.words import Words

ANY_TASK: Final = "Choose one of the actions."


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str = msgspec.field(name="do")
    why: str = ""
    section: str = ""

    @property
    def place(self) -> str:
        return section_id(self.section)


class GameTurns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    how: tuple[str, ...] = ()
    tasks: Mapping[str, Task] = {}


@cache
def _table() -> Mapping[str, GameTurns]:
    return read_table("turns", dict[str, GameTurns], __package__)


def how_a_turn_goes(game: str) -> Sequence[str]:
    return _table().get(game, GameTurns()).how


def task_of(view: Any, legal: Sequence[str], words: Words) -> Task:
    find = TASKS.get(words.game)
    if find is None:
        return Task(ANY_TASK)
    name, facts = find(view, legal, words)
    task = _table()[words.game].tasks[name]
    text, why = [_filled(part, facts) for part in (task.text, task.why)]
    return Task(text, why, task.section)


def _filled(text: str, facts: Mapping[str, str]) -> str:
    return text.format_map(facts).strip()


_Found = tuple[str, Mapping[str, str]]


def _pot_de_vin(view: Any, legal: Sequence[str], words: Words) -> _Found:
    if view.phase == "discard":
        return "discard", {}
    if not view.trick:
        return "lead", {}
    led = f"play {view.led}-"
    name = "follow" if any(action.startswith(led) for action in legal) else "free"
    if "pass" not in legal:
        name += "-without-gem"
    return name, {"led": words.name(view.led), "winning": _winning(view, words)}


def _winning(view: Any, words: Words) -> str:
    played = [(turn.seat, turn.action.split()) for turn in view.trick]
    cards = [(seat, action[1]) for seat, action in played if action[0] == "play"]
    trump = view.trump.partition("-")[0]

    def strength(played: tuple[int, str]) -> tuple[int, int]:
        character, _, value = played[1].partition("-")
        return (2 if character == trump else character == view.led, int(value))

    seat, card = max(cards, key=strength)
    gems = len(played) - len(cards)
    stake = f", with {counted(gems, 'gem')}" if gems else ""
    return f"So far {words.name(card)} of {words.player(seat)} would win it{stake}."


def _bribery(view: Any, legal: Sequence[str], words: Words) -> _Found:
    if pending := view.pending:
        cards = {field: words.name(getattr(pending, field)) for field in CARD_FIELDS}
        return view.phase, {"by": words.player(pending.seat), "kind": pending.kind, **cards}
    if view.phase == "play":
        if legal[0].startswith("discard"):
            return "forced", {}
        return ("free" if view.control.effects.free_placement == view.side else "play"), {}
    return view.phase, {}


CARD_FIELDS: Final = ("source", "spent", "target")


def _brides_and_bribes(view: Any, legal: Sequence[str], words: Words) -> _Found:
    facts = {}
    if view.actions_left is not None:
        facts["left"] = f"{counted(view.actions_left, 'action')} left in this turn."
    if (now := view.resolution) is not None:
        facts["borough"] = words.name(now.borough)
        if now.active_seat is not None:
            facts["active"] = words.player(now.active_seat)
        if now.declared:
            facts["declared"] = words.choice(now.declared, {})
        if now.pending:
            facts["by"] = words.player(now.pending.seat)
            facts["tile"] = words.name(now.pending.tile)
    return view.window, facts


TASKS: Final[Mapping[str, Callable[[Any, Sequence[str], Words], _Found]]] = {
    "bribery": _bribery,
    "brides-and-bribes": _brides_and_bribes,
    "pot-de-vin": _pot_de_vin,
}
