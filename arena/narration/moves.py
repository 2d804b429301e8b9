"""Describe moves and their consequences in words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from arena.narration.telling import kind_of, telling_of
from arena.narration.words import Words
from engine import State


class DescribedMove(msgspec.Struct, frozen=True):
    seat: int | None  # None at the start of the game
    text: str
    text_for_others: str
    """The description of the move that other seats see, or an empty string if the move is secret.
    """
    then: tuple[str, ...]

    def to(self, viewer: int | None) -> str:
        """Return what a seat may know about the move. If `viewer` is None, return everything."""
        return self.text if viewer in (None, self.seat) else self.text_for_others


class Failures:
    """Collects the reasons for failed actions. Call `reasons_so_far` after every move."""

    def __init__(self, state: State) -> None:
        self._state, self._telling = state, telling_of(state.variant.game)
        self._event_count = len(state.events(None))
        self._before: Any = None
        self._reasons: list[str] = []

    def reasons_so_far(self) -> Sequence[str]:
        """Return the reasons for all failed actions so far, in chronological order."""
        # The events only say that an action failed: a plugin finds the reason by comparing two
        # views.
        if self._telling.can_fail:
            events = self._state.events(None, self._event_count)
            self._event_count += len(events)
            after: Any = self._state.view(None)
            if self._before is not None:
                self._reasons += self._telling.reasons(self._before, after, events)
            self._before = after
        return self._reasons


def describe_moves(state: State, actions: Iterable[str], words: Words) -> Iterator[DescribedMove]:
    """Replay a game, and describe its start and each of its moves."""
    events = state.events(None)
    count = len(events)
    yield DescribedMove(None, "the game starts", "the game starts", sentences(events, words))
    failures = Failures(state)
    explained = len(failures.reasons_so_far())
    for action in actions:
        seat = state.seat_to_act
        described = words.action(action)
        state.apply(action)
        events = state.events(None, count)
        count += len(events)
        telling = next((event for event in events if _tells(event, described.event, seat)), None)
        others = [event for event in events if event is not telling]
        why = failures.reasons_so_far()[explained:]
        explained += len(why)
        then = sentences(others, words, why)
        yield DescribedMove(seat, described.text, described.told if telling else "", then)


def sentences(
    events: Iterable[msgspec.Struct], words: Words, why: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the descriptions of events, including the reasons `why` actions failed."""
    return tuple(filter(None, _texts(events, words, why)))


def _texts(events: Iterable[msgspec.Struct], words: Words, why: Iterable[str]) -> list[str]:
    reasons_left = iter(why)
    texts = []
    for event in events:
        text = words.event(event)
        if kind_of(event) == "failed" and (reason := next(reasons_left, "")):
            text = f"{text}, as {reason}"
        texts.append(text)
    return texts


def story(
    events: Sequence[msgspec.Struct], since: int, words: Words, why: Iterable[str] = ()
) -> list[tuple[str, bool]]:
    """Describe the events from index `since` on. Return `(description, is_new)` pairs.

    When a trick or another part of the game ends, the result starts with a recap of its main
    events.
    """
    described = []
    texts = _texts(events, words, why)
    for at in range(_start_of_story(events, since, words), len(events)):
        again = at >= since or any(kind_of(events[at]) in part.told for part in words.parts)
        if again and texts[at]:
            described.append((texts[at], at >= since))
    return described


def _start_of_story(events: Sequence[msgspec.Struct], since: int, words: Words) -> int:
    kinds = list(map(kind_of, events))
    starts = [since]
    for part in words.parts:
        if part.ends in kinds[since:]:
            end = kinds.index(part.ends, since)
            starts += [at for at in range(end) if kinds[at] == part.begins][-1:]
    return min(starts)


def _tells(event: msgspec.Struct, kind: str, seat: int | None) -> bool:
    return kind_of(event) == kind and getattr(event, "seat", None) == seat
