"""Build replay pages and the data that they load.

To keep files small, a replay stores the full state of the game only at the start, followed by the
changes in each step. Players' views are stored as differences from the spectators' view.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, repeat
from types import MappingProxyType
from typing import Any, Final

import msgspec

from arena.base.protocol import printable
from arena.base.record import NO_OBSERVATIONS, QUICK_MS, AnyResult, GameRecord, Observations, Timing
from arena.match.referee import start_game
from arena.narration.moves import DescribedMove, describe_moves
from arena.narration.points import explain_ranks
from arena.narration.telling import SidePoints, Telling, telling_of
from arena.narration.words import Words, menu
from arena.publish.layout import game_id, replay_page
from arena.publish.render import Renderer
from arena.publish.replay_panels import ShownPanel
from arena.publish.rules_page import rules_of
from arena.rating.verdicts import and_list
from engine import State

# -- differences between two JSON values, which keep the steps of a replay small -------------------


# The delta between different values is never None.
SAME: Final = None

_Delta = dict[str, Any] | list[Any] | None


def delta(old: object, new: object) -> _Delta:
    """Return the delta between two JSON values, or `SAME` if the values are equal."""
    if old == new:
        return SAME
    before, after = _fields(old), _fields(new)
    if before is not None and after is not None and before.keys() == after.keys():
        return _changes(before, after)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        if len(old) == len(new) and all(map(_is_nested, old)) and all(map(_is_nested, new)):
            return _changes(dict(enumerate(old)), dict(enumerate(new)))
        return _splice(old, new)
    return [msgspec.to_builtins(new)]


def _fields(value: object) -> dict[Any, Any] | None:
    if isinstance(value, msgspec.Struct):
        return {field: getattr(value, field) for field in value.__struct_fields__}
    return value if isinstance(value, dict) else None


def _is_nested(value: object) -> bool:
    return isinstance(value, msgspec.Struct | dict | list | tuple)


def _changes(old: dict[Any, Any], new: dict[Any, Any]) -> dict[str, Any]:
    deltas = {str(key): delta(value, new[key]) for key, value in old.items()}
    return {key: change for key, change in deltas.items() if change is not SAME}


def _splice(old: Sequence[object], new: Sequence[object]) -> list[Any]:
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    added = [msgspec.to_builtins(item) for item in new[head : len(new) - tail]]
    return [head, len(old) - tail - head, *added]


# -- printed values of cards and tiles -------------------------------------------------------------


def card_data_of(game: str) -> Mapping[str, Any] | None:
    """Return the texts and printed values of a game's cards, or None if the game has no cards.

    The key "tips" maps each card to a description of its effect. Each other key contains one
    kind of printed value, such as the guilds of all cards.
    """
    telling = telling_of(game)
    if not telling.cards:
        return None
    return {"tips": {slug: telling.about(slug) for slug in telling.cards}, **telling.card_tables()}


# -- replays ---------------------------------------------------------------------------------------


LEFT_OUT: Final = frozenset(["actions_left", "game", "legal", "seat", "variant", "window"])
TRACEBACK: Final = "Traceback (most recent call last):"


class ShownFault(msgspec.Struct, frozen=True, omit_defaults=True):
    kind: str
    text: str
    log: str = ""


class ReplayStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """The start of the game, or a decision."""

    at: int  # actions played by the end of the step; links to the step contain this number
    seat: int | None  # None at the start of the game
    text: str
    told: str | None = None  # to the other seats, if their text is different
    then: tuple[str, ...] = ()
    # Indexes of the chosen and the other legal actions in `ReplayData.choices`.
    did: tuple[int, ...] = ()
    could: tuple[int, ...] = ()
    note: str = ""
    took: str = ""
    """The response time, such as `120 ms`, or an empty string if it wasn't measured."""
    fault: ShownFault | None = None
    stand_in: bool = False  # played for the bot after a fault


class Chapter(msgspec.Struct, frozen=True):
    step: int
    title: str


class ReplayData(msgspec.Struct, frozen=True):
    game: str
    variant: str
    title: str
    headline: str
    names: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    why: tuple[str, ...]  # explains the rank of each seat, unless points alone decide it
    accounts: tuple[SidePoints, ...]
    """The itemized points of each side. Empty if the game doesn't itemize points."""
    facts: Mapping[str, Any] | None
    moves: tuple[ReplayStep, ...]
    choices: tuple[tuple[str, str], ...]
    """The distinct actions and their texts."""
    course: tuple[tuple[int, ...] | None, ...]  # points after each step, if changed
    chapters: tuple[Chapter, ...]
    start: Any
    changes: tuple[Any, ...]  # to the view, in each step

    @property
    def ranking(self) -> list[int]:
        return sorted(range(len(self.names)), key=self.ranks.__getitem__)

    @property
    def ranked_accounts(self) -> list[SidePoints]:
        return sorted(self.accounts, key=lambda side: self.ranks[side.seats[0]])

    @property
    def faults(self) -> dict[int, ReplayStep]:
        return {step.seat: step for step in self.moves if step.seat is not None and step.fault}


def make_replay(record: GameRecord, seen: Observations = NO_OBSERVATIONS) -> ReplayData:
    """Return the replay of a recorded game.

    Raises:
        EngineError: The game record is invalid.
    """
    state = start_game(record.variant, record.deal)
    names = tuple(map(printable, record.entrants))
    words = Words(state.variant.game, names)
    played = _ReplaySteps(record, seen, state, words)
    faulty = {fault.seat for fault in record.faults}
    return ReplayData(
        game=state.variant.game,
        variant=record.variant,
        title=record.title,
        headline=headline(record, state.variant.sides),
        names=names,
        sides=state.variant.sides,
        points=record.points,
        ranks=record.ranks,
        why=tuple(explain_ranks(state, record.ranks, faulty, words)),
        accounts=tuple(telling_of(state.variant.game).points(state)),
        facts=card_data_of(state.variant.game),
        moves=tuple(played.steps),
        choices=tuple(played.choices),
        course=tuple(_without_repeats(played.points)),
        chapters=tuple(_chapters(played.tables, telling_of(state.variant.game))),
        start=played.tables[0],
        changes=tuple([delta(old, new) for old, new in pairwise(played.tables)]),
    )


def headline(game: AnyResult, sides: Sequence[Sequence[int]]) -> str:
    """Describe the result of a game in words, such as "planner beats random 17 to 14"."""
    ranked = sorted(sides, key=lambda side: game.ranks[side[0]])
    named = [" and ".join([printable(game.entrants[seat]) for seat in side]) for side in ranked]
    points = [game.points[side[0]] for side in ranked]
    winners = sum(game.ranks[side[0]] == game.ranks[ranked[0][0]] for side in sides)
    if all(any(fault.seat in side for fault in game.faults) for side in sides):
        return f"no side has won, as all had a fault: {', '.join(named)}"
    if winners > 1:
        same = len({*points[:winners]}) == 1
        own = (
            f"each with {points[0]}" if same else f"with {and_list([*map(str, points[:winners])])}"
        )
        return f"{and_list(named[:winners])} share the first place, {own}"
    s = "" if len(ranked[0]) > 1 else "s"
    if any(fault.seat in ranked[1] for fault in game.faults):
        return f"{named[0]} win{s}, as {named[1]} had a fault"
    how = f"{points[0]} to {points[1]}"
    if points[0] == points[1]:
        how = f"by the tie-break, {points[0]} each"
    elif points[0] < points[1]:
        how = f"in spite of {how}"  # other measures may come before points
    passed_over = [
        f"{name} ({own})"
        for at, (name, side, own) in enumerate(zip(named, ranked, points, strict=True))
        if own > min(points[:at], default=own) and not any(f.seat in side for f in game.faults)
    ]
    shortcoming = telling_of(game.variant.partition("/")[0]).shortcoming
    if passed_over and shortcoming:
        verb = "is" if len(passed_over) == 1 else "are"
        how += f"; {and_list(passed_over)} {verb} {shortcoming}"
    return f"{named[0]} beat{s} {named[1]} {how}"


def files_of(
    record: GameRecord,
    seen: Observations,
    renderer: Renderer,
    rotations: Mapping[int, str] = MappingProxyType({}),
    show: Callable[[GameRecord, ReplayData], Sequence[ShownPanel]] = lambda *_: (),
) -> Iterator[tuple[str, str | bytes]]:
    """Yield the path and content of each file in a game's replay.

    `rotations` maps rotation numbers to the pages of the other games on the board. `show`
    renders the panels of the replay.

    Raises:
        EngineError: The game record is invalid.
    """
    # The data is stored in a script, because a page opened from disk can't load JSON.
    replay = make_replay(record, seen)
    page = replay_page(record.key)
    name = game_id(record.key)
    yield f"games/{name}.js", replay_script(replay)
    values = page_values(replay, record, name, show(record, replay))
    yield page, renderer.page("game.html", page, **values, rotations=rotations)


def page_values(
    replay: ReplayData, record: GameRecord, name: str, panels: Sequence[ShownPanel] = ()
) -> dict[str, Any]:
    return {
        "replay": replay,
        "record": record,
        "name": name,
        "entrants": record.entrants,
        "has_rules": rules_of(replay.game) is not None,
        "legend": telling_of(replay.game).legend,
        "panels": panels,
    }


def replay_script(replay: ReplayData) -> bytes:
    return b"window.replay = " + msgspec.json.encode(replay) + b";\n"


class _ReplaySteps:
    def __init__(self, record: GameRecord, seen: Observations, state: State, words: Words) -> None:
        self._words = words
        self._telling = telling_of(words.game)
        self._actions = record.actions
        self._state = state
        self._notes = {note.action: printable(note.text) for note in record.notes}
        self._faults = {fault.action: fault for fault in record.faults}
        self._logs = {own.seat: own.stderr for own in seen.evidence}
        self._times = [_times(own) for own in seen.timings]
        self._replaced: set[int] = set()
        self.steps: list[ReplayStep] = []
        self.tables: list[dict[str, Any]] = []
        self.points: list[Sequence[int] | None] = []
        self.choices: dict[tuple[str, str], int] = {}
        first = -1  # first action of the step
        legal: list[tuple[str, str]] = []
        for number, move in enumerate(describe_moves(state, record.actions, words), -1):
            if number < 0 or not self._is_half(record.actions[number]):
                self._add(move, range(first, number + 1), legal)
                first, legal = number + 1, []
            legal += self._legal()

    def _is_half(self, action: str) -> bool:
        seat = self._state.seat_to_act
        return seat is not None and self._telling.is_announced(action, self._state.view(seat))

    def _legal(self) -> list[tuple[str, str]]:
        if (seat := self._state.seat_to_act) is None:
            return []
        options = menu(self._state.view(seat), self._state.legal_actions(), self._words)
        return [(option.action, option.text) for option in options]

    def _add(self, move: DescribedMove, actions: range, legal: Sequence[tuple[str, str]]) -> None:
        shown = self._state.view(None)
        seats = range(self._state.variant.seats)
        table = shown_fields(shown)
        own = [delta(table, shown_fields(self._state.view(seat))) for seat in seats]
        self.tables.append({"open": table, "own": own})
        self.points.append(self._telling.points_now(shown))
        if move.seat is None:
            self.steps.append(ReplayStep(0, None, move.text, then=move.then))
            return
        fault = next((self._faults[at] for at in actions if at in self._faults), None)
        chosen = self._actions[actions.start : actions.stop]
        shown_fault = None
        if fault is not None:
            self._replaced.add(fault.seat)
            log = traceback_in(self._logs.get(fault.seat, ""))
            shown_fault = ShownFault(fault.kind, printable(fault.text), log)
        step = ReplayStep(
            at=actions.stop,
            seat=move.seat,
            text=self._telling.settled(move.text),
            told=None if move.text_for_others == move.text else move.text_for_others,
            then=move.then,
            did=self._places([option for option in legal if option[0] in chosen]),
            could=self._places([option for option in legal if option[0] not in chosen]),
            note="; ".join([self._notes[at] for at in actions if at in self._notes]),
            took=" + ".join(islice(self._times[move.seat], len(chosen))) if self._times else "",
            fault=shown_fault,
            stand_in=move.seat in self._replaced,
        )
        self.steps.append(step)

    def _places(self, options: Iterable[tuple[str, str]]) -> tuple[int, ...]:
        return tuple([self.choices.setdefault(option, len(self.choices)) for option in options])


def traceback_in(stderr: str) -> str:
    _, found, text = stderr.rpartition(TRACEBACK)
    return "\n".join(map(printable, f"{found}{text}".splitlines())) if found else ""


def _times(timing: Timing) -> Iterator[str]:
    if timing.each_ms:
        yield from [f"{taken} ms" if taken else "below 1 ms" for taken in timing.each_ms]
    else:
        yield from repeat(f"below {QUICK_MS} ms", timing.answers)


def _without_repeats(points: Iterable[Sequence[int] | None]) -> Iterator[tuple[int, ...] | None]:
    last = None
    for now in points:
        own = None if now is None else tuple(now)
        yield None if own == last else own
        last = own


# -- tables ----------------------------------------------------------------------------------------


def shown_fields(view: msgspec.Struct) -> dict[str, Any]:
    fields = view.__struct_fields__
    return {field: getattr(view, field) for field in fields if field not in LEFT_OUT}


# -- chapters --------------------------------------------------------------------------------------


def _chapters(tables: Sequence[Mapping[str, Any]], telling: Telling) -> Iterator[Chapter]:
    title = None
    for step, table in enumerate(tables):
        if (now := telling.chapter(table["open"])) not in (None, title):
            title = now
            yield Chapter(step, title)
