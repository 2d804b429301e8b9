"""Check that games follow the engine's rules, whether they are built in or added by plugins.

    check_variant(get_variant("pot-de-vin/3"), seed=7)

Each conformance check plays random games of one variant. A failing check raises an
`AssertionError` that names the variant, the number of actions played, the seat to act, and the
function to fix.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from engine.contract import State, Variant
from engine.errors import EndlessGame, GameNotOver, IllegalAction, InvalidDeal
from engine.knowledge import (
    LEGAL,
    all_known,
    assert_same,
    code_of,
    known_to,
    line_of,
    new_knowledge,
    viewers_of,
)
from engine.lookalikes import LookalikeGames, change_value, is_hidden

Check = Callable[[Variant, random.Random], None]
_Doubts = list[tuple[dict[str, Any], dict[str, Any], str]]

# Expensive checks are run at all of the first 64 positions of a game, at every second one of the
# next 64, at every third one of the next 64, and so on.
THINNING_STEP = 64

PLAYED_OUT = 20

HISTORY = 3

CHANGED_DEALS = 40

WORLDS_STEP = 3

MAX_COMPARED = 10

WORLDS = 8

MIN_DOUBTS = 3  # wrong predictions in one game after which `check_worlds` fails

LEAK = "views and encodings must not reveal what is hidden from their seat"
SECRET = "events may reveal only what views show"


def check_variant(variant: Variant, seed: int, checks: Sequence[Check] | None = None) -> None:
    """Run conformance checks on a variant. By default, run all of them.

    Raises:
        AssertionError: A check failed. The remaining checks are not run.
    """
    for check in CHECKS if checks is None else checks:
        check(variant, random.Random(seed))


# -- before a game ------------------------------------------------------------------------------


def check_rotation(variant: Variant, rng: random.Random) -> None:
    """Every seat belongs to one side. Rotating all bots by one seat keeps teammates together."""
    seats = [seat for side in variant.sides for seat in side]
    assert sorted(seats) == list(range(variant.seats)), (
        f"{variant.id}: expected each of {variant.seats} seats once, got {variant.sides}"
    )
    sides = {frozenset(side) for side in variant.sides}
    moved = {frozenset((seat + 1) % variant.seats for seat in side) for side in sides}
    assert moved == sides, (
        f"{variant.id}: shifting all bots by one seat splits the sides {variant.sides}"
    )


def check_deal(variant: Variant, rng: random.Random) -> None:
    """The same seed always gives the same deal. Converting a deal to JSON and back does not change
    it.
    """
    seed = rng.random()
    deal, again = (variant.deal(random.Random(seed)) for _ in range(2))
    assert deal == again, f"{variant.id}: the same seed gave two deals, {deal} and {again}"
    read = variant.read_deal(_as_json(deal))
    assert read == deal, f"{variant.id}: a round trip through JSON turned {deal} into {read}"


def check_listed_deals(variant: Variant, rng: random.Random) -> None:
    """`list_deals` returns every deal once, with probabilities that sum to 1. `deal` draws one of
    these deals.
    """
    if (listed := variant.list_deals()) is None:
        return
    total = math.fsum([weight for _, weight in listed])
    assert abs(total - 1) < 1e-9, f"{variant.id}: the probabilities of its deals sum to {total}"
    assert min([weight for _, weight in listed]) > 0, (
        f"{variant.id}: a listed deal has probability 0"
    )
    texts = [msgspec.json.encode(deal) for deal, _ in listed]
    assert len({*texts}) == len(texts), f"{variant.id}: a deal is listed twice"
    drawn = variant.deal(rng)
    assert msgspec.json.encode(drawn) in texts, (
        f"{variant.id}: deal() drew {drawn}, which is not listed"
    )


def check_wrong_deals(variant: Variant, rng: random.Random) -> None:
    """`read_deal` rejects invalid deals with an `InvalidDeal` error that names the field."""
    deal = _as_json(variant.deal(rng))
    for raw in (None, True, 7, "deal", [], [deal]):
        _expect(InvalidDeal, f"{variant.id}: read_deal({raw!r:.40})", variant.read_deal, raw)
    unknown = "-".join(["no", *deal])
    wrong = [(unknown, deal | {unknown: 0}, "an unknown field")]
    for field in deal:
        missing = {name: value for name, value in deal.items() if name != field}
        wrong.append((field, missing, f"{field} missing"))
        wrong.append((field, deal | {field: {unknown: 0}}, f"{field} of a wrong type"))
    for field, raw, what in wrong:
        text = f"{variant.id}: read_deal with {what}"
        error = _expect(InvalidDeal, text, variant.read_deal, raw)
        assert field in str(error), f"{text}: the error does not name {field!r}: {error}"


def check_changed_deals(variant: Variant, rng: random.Random) -> None:
    """A deal with one changed value either raises `InvalidDeal` or leads to a game that can be
    played to the end.
    """
    for _ in range(CHANGED_DEALS):
        raw = _as_json(variant.deal(rng))
        if not raw:
            return
        text = f"{variant.id}: a deal with {change_value(raw, rng)}"
        try:
            deal = variant.read_deal(raw)
        except InvalidDeal:
            continue
        except Exception as error:
            raise AssertionError(f"{text}: expected InvalidDeal, got {error!r}") from error
        try:
            for state, _, _ in _play(variant, rng, deal, thinned=True):
                all_known(state)
        except Exception as error:
            text = f"{text} is accepted, but cannot be played: {error!r}"
            raise AssertionError(f"{text}{code_of(variant, 'facts')}{line_of(error)}") from error


# -- deciding -----------------------------------------------------------------------------------


def check_legal_actions(variant: Variant, rng: random.Random) -> None:
    """The legal actions contain no duplicates. They are empty only if the game is over."""
    for state, _, where in _play(variant, rng):
        seat, legal = state.seat_to_act, state.legal_actions().copy()
        if seat is None:
            assert legal == [], f"{where}: the game is over, but still has legal actions: {legal}"
        else:
            assert len(set(legal)) == len(legal), (
                f"{where}: an action is listed twice: {legal}{code_of(state, 'legal_actions')}"
            )
        for viewer in viewers_of(variant):
            shown = getattr(state.view(viewer), "legal", None)
            expected = legal if viewer is not None and viewer == seat else []
            assert shown is None or list(shown) == expected, (
                f"{where}: the view of seat {viewer} lists {shown} as legal, expected {expected}"
            )
        state.legal_actions().clear()
        assert state.legal_actions() == legal, (
            f"{where}: changing the returned list changed the state; return a new list each time"
            f"{code_of(state, 'legal_actions')}"
        )


def check_illegal_actions(variant: Variant, rng: random.Random) -> None:
    """An illegal action raises `IllegalAction` and leaves the state unchanged."""
    *_, played = _play(variant, rng)
    known = sorted(set(played.actions))
    for state, _, where in _play(variant, rng, thinned=True):
        legal = state.legal_actions()
        elsewhere = [action for action in known if action not in legal]
        attempts: set[Any] = {"", "no such action"}
        if known:
            attempts |= {f"{rng.choice(known)} ", rng.choice(known).upper()}
        attempts.update(rng.sample(elsewhere, min(3, len(elsewhere))))
        before, spare = all_known(state), state.clone()
        illegal = [*sorted(attempts.difference(legal)), [*legal[:1]], None]
        for action in illegal:
            _expect(IllegalAction, f"{where}: {action!r}", state.apply, action)
        if all_known(state) != before:
            for action in illegal:
                tried = spare.clone()
                _expect(IllegalAction, f"{where}: {action!r}", tried.apply, action)
                text = f"{where}: after {action!r} was rejected"
                assert_same(before, all_known(tried), text, code_of(state, "apply"))


def check_clone(variant: Variant, rng: random.Random) -> None:
    """Actions in a cloned state do not change the original state, and vice versa."""
    clones = []
    for state, _, where in _play(variant, rng, thinned=True):
        before, clone = all_known(state), state.clone()
        assert_same(before, all_known(clone), f"{where}: a clone")
        clones.append((clone, before, where))
        _finish(state.clone(), rng.randrange, f"{where}: cloned")
        assert_same(before, all_known(state), f"{where}: playing a clone")
    for clone, before, where in clones:
        assert_same(before, all_known(clone), f"{where}: playing the cloned state")


def check_play_out(variant: Variant, rng: random.Random) -> None:
    """`play_out` gives the same game as applying the same random actions one by one."""
    for state, actions, where in _play(variant, rng):
        if len(actions) % PLAYED_OUT:
            continue
        seed, stepwise, played = rng.random(), state.clone(), state.clone()
        expected = _finish(stepwise, _share_of(random.Random(seed)), where)
        count = played.play_out(random.Random(seed))
        assert count == expected, f"{where}: play_out returned {count} actions, not {expected}"
        assert_same(all_known(stepwise), all_known(played), f"{where}: played out")


def check_replay(variant: Variant, rng: random.Random) -> None:
    """Applying the same actions to the same deal always gives the same views and outcome."""
    deal = variant.deal(rng)
    replay = variant.start(variant.read_deal(_as_json(deal)))
    for state, actions, where in _play(variant, rng, deal):
        if actions:
            replay.apply(actions[-1])
        assert_same(all_known(state), all_known(replay), f"{where}: the same in a replay")


# -- knowing ------------------------------------------------------------------------------------


def check_views(variant: Variant, rng: random.Random) -> None:
    """Converting a view to JSON and back does not change it. Later actions do not change earlier
    views.
    """
    views = []
    for state, _, where in _play(variant, rng):
        for viewer in viewers_of(variant):
            view, text = state.view(viewer), f"{where}: the view of seat {viewer}"
            written = msgspec.json.encode(view)
            read = msgspec.json.decode(written, type=variant.view_type)
            assert read == view, f"{text}: a round trip through JSON turned it into {read}"
            views.append((view, written, text))
    for view, written, text in views:
        assert msgspec.json.encode(view) == written, f"{text} changed later"


def check_events(variant: Variant, rng: random.Random) -> None:
    """Actions append events and never change earlier events. The argument `since` of `State.events`
    skips that many events.
    """
    events_before: dict[int | None, list[Any]] = {viewer: [] for viewer in viewers_of(variant)}
    for state, _, where in _play(variant, rng):
        for viewer, before in events_before.items():
            text = f"{where}: the events of seat {viewer}"
            events = state.events(viewer)
            written = msgspec.to_builtins(events)
            assert written[: len(before)] == before, f"{text}: earlier events changed"
            since = rng.randrange(len(events) + 2)
            assert state.events(viewer, since=since) == events[since:], (
                f"{text}: wrong events since number {since}"
            )
            events_before[viewer] = written


def check_telling(variant: Variant, rng: random.Random) -> None:
    """A seat's events and legal actions do not reveal anything that its views hide."""
    deal = variant.deal(rng)
    before, counts = variant.start(deal), [0] * variant.seats
    lookalikes = LookalikeGames(before, deal, rng)
    for state, actions, where in _play(variant, rng, deal):
        if state.seat_to_act is None:
            return  # at the end, everything may be revealed
        if actions:
            lookalikes.update(before, actions[-1], state)
        for each in lookalikes.lookalikes:
            for seat in sorted(each.seats):
                known, other = (
                    new_knowledge(seat, counts[seat], game) for game in (state, each.state)
                )
                # Views may omit what was visible earlier, such as the cards of a finished round.
                if known != other and is_hidden(state, each.state, rng):
                    text = f"{where}: a game with the same views of seat {seat}"
                    if not actions:
                        assert_same(known, other, text, f"; {SECRET}{code_of(variant, 'start')}")
                    assert_same(known, other, text, f"; {SECRET}", state)
                if known != other:
                    each.seats.discard(seat)
        before = state.clone()
        counts = [len(state.events(seat)) for seat in range(variant.seats)]


def check_determinize(variant: Variant, rng: random.Random) -> None:
    """`determinize` returns a state with the same view for the seat and does not change its
    argument.
    """
    if not variant.has_worlds:
        return
    for state, _, where in _play(variant, rng, thinned=True):
        before = all_known(state)
        for seat in range(variant.seats):
            drawn, text = state.determinize(seat, rng), f"{where}: determinized for seat {seat}"
            assert_same(known_to(seat, state), known_to(seat, drawn), text, f"; {LEAK}", state)
            _finish(drawn, rng.randrange, text)
        assert_same(before, all_known(state), f"{where}: after playing determinized states")


def check_worlds(variant: Variant, rng: random.Random) -> None:
    """The random states (worlds) returned by `determinize` depend only on the seat's knowledge and
    the random generator. They can be dumped and loaded.

    If a seat knows in advance what an action does, the action must do the same in every world.
    """
    if not variant.has_worlds:
        return
    doubts: _Doubts = []
    for state, lookalikes, where in _play_with_lookalikes(variant, rng):
        if (seat := state.seat_to_act) is None:
            continue
        text, seed = f"{where}: a world for seat {seat}", rng.random()
        world = state.determinize(seat, random.Random(seed))
        sent = world.dump()
        _check_sent(state, seat, world, text, rng)
        same = lookalikes.same(state, seat)
        for other in [*same[-MAX_COMPARED:], state.determinize(seat, rng)]:
            got = other.determinize(seat, random.Random(seed)).dump()
            assert got == sent, (
                f"{text} depends on what is hidden from the seat: with the same generator, a state "
                f"that looks the same gives {_first_difference(sent, got)}; sort what is hidden "
                f"before drawing from it{code_of(state, 'redraw')}"
            )
        if same:
            _check_next(state, same, rng, text, doubts)


def _play_with_lookalikes(
    variant: Variant, rng: random.Random
) -> Iterator[tuple[State, LookalikeGames, str]]:
    deal = variant.deal(rng)
    before = variant.start(deal)
    lookalikes = LookalikeGames(before, deal, rng)
    for state, actions, where in _play(variant, rng, deal):
        if actions:
            lookalikes.update(before, actions[-1], state)
        before = state.clone()
        if not rng.randrange(WORLDS_STEP):
            yield state, lookalikes, where


def _check_sent(state: State, seat: int, drawn: State, where: str, rng: random.Random) -> None:
    sent = drawn.dump()
    loaded = state.variant.load(sent)
    assert loaded.seat_to_act == seat, (
        f"{where}: the seat to act is {loaded.seat_to_act}, expected {seat}"
    )
    assert loaded.dump() == sent, f"{where}: its JSON is different after loading it"
    expected = {"view": msgspec.to_builtins(state.view(seat)), LEGAL: state.legal_actions()}
    for world, how in ((loaded, "loaded"), (loaded.determinize(seat, rng), "loaded and redrawn")):
        got = {"view": msgspec.to_builtins(world.view(seat)), LEGAL: world.legal_actions()}
        assert_same(expected, got, f"{where}, {how}", f"; {LEAK}", state)
    # Loaded worlds may lack past events, so compare only views.
    shown, got = (
        {
            f"view({viewer})": msgspec.to_builtins(world.view(viewer))
            for viewer in viewers_of(state.variant)
        }
        for world in (drawn, loaded)
    )
    assert_same(shown, got, f"{where}, loaded", "; bots must get the world that was drawn")


def _check_next(
    state: State, same: Sequence[State], rng: random.Random, where: str, doubts: _Doubts
) -> None:
    """Check that a random action has the same visible effect in random worlds as in the real game.

    Actions whose effect depends on information hidden from the seat are not checked.
    """
    seat = state.seat_to_act
    assert seat is not None
    action = rng.choice(state.legal_actions())
    shown = _shown_after(state, seat, action)
    if any(_shown_after(other, seat, action) != shown for other in same):
        return  # the seat cannot predict what it will see
    worlds = [state.variant.load(state.determinize(seat, rng).dump()) for _ in range(WORLDS)]
    seen = [_shown_after(world, seat, action) for world in worlds]
    agreed = {
        name for name in shown | seen[0] if all(w.get(name) == seen[0].get(name) for w in seen)
    }
    expected = {name: value for name, value in shown.items() if name in agreed}
    got = {name: value for name, value in seen[0].items() if name in agreed}
    if expected != got:
        text = f"{where}, after {action!r}"
        doubts.append((expected, got, text))
    if len(doubts) == MIN_DOUBTS:
        assert_same(*doubts[0], "; worlds are inconsistent")


def _shown_after(state: State, seat: int, action: str) -> dict[str, Any]:
    after = state.clone()
    count = len(after.events(seat))
    after.apply(action)
    if after.seat_to_act is None:
        return {}  # at the end, everything may be revealed
    shown = {f"view({seat}).{name}": v for name, v in msgspec.to_builtins(after.view(seat)).items()}
    events = msgspec.to_builtins(after.events(seat, count))
    shown |= {f"the next event {number}": event for number, event in enumerate(events)}
    if after.seat_to_act == seat:
        shown[LEGAL] = after.legal_actions()
    return shown


def _first_difference(one: bytes, other: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    first, second = (each[max(0, at - 60) : at + 20].decode() for each in (one, other))
    return f"...{second}... instead of ...{first}..."


def check_encoding(variant: Variant, rng: random.Random) -> None:
    """Two states have the same encoding for a seat if the seat cannot distinguish them."""
    encoding = variant.encoding(history=HISTORY)
    for state, lookalikes, where in _play_with_lookalikes(variant, rng):
        for seat in range(variant.seats):
            events, text = state.events(seat), f"{where}: the encoding for seat {seat}"
            vector = encoding.encode(state, seat, events)
            same = lookalikes.same(state, seat)[-MAX_COMPARED:]
            if variant.has_worlds:
                same.append(drawn := state.determinize(seat, rng))
                if seat == state.seat_to_act:
                    same.append(variant.load(drawn.dump()))
            for other in same:
                got = encoding.encode(other, seat, events)
                pairs = enumerate(zip(vector, got, strict=True))
                wrong = [place for place, (expected, number) in pairs if number != expected]
                for part in encoding.slices:
                    for place in wrong:
                        assert not 0 <= place - part.start < part.length, (
                            f"{text}: {part.name} {part.label(place - part.start)} should be "
                            f"{vector[place]}, is {got[place]} in a state that looks the same; "
                            f"{LEAK}{code_of(state, 'encoding')}"
                        )
        if state.seat_to_act is not None:
            encoding.numbers(state.legal_actions())


# -- the end ------------------------------------------------------------------------------------


def check_outcome(variant: Variant, rng: random.Random) -> None:
    """Teammates in a finished game have the same points and rank. The best rank is 1."""
    for state, _, where in _play(variant, rng):
        if state.seat_to_act is not None:
            _expect(GameNotOver, f"{where}: outcome()", state.outcome)
            continue
        outcome = state.outcome()
        for name, values in (("points", outcome.points), ("ranks", outcome.ranks)):
            assert len(values) == variant.seats, f"{where}: {name} of {variant.seats}: {values}"
            for side in variant.sides:
                shared = {values[seat] for seat in side}
                assert len(shared) == 1, (
                    f"{where}: the seats {side} have different {name}: {values}"
                )
        ranks = [outcome.ranks[side[0]] for side in variant.sides]
        expected = [1 + sum(other < rank for other in ranks) for rank in ranks]
        assert ranks == expected, f"{where}: got the ranks {ranks}, expected {expected}"
        assert isinstance(outcome.detail, msgspec.Struct), (
            f"{where}: outcome().detail is not a msgspec Struct"
        )
        msgspec.json.encode(outcome.detail)


CHECKS: tuple[Check, ...] = (
    check_rotation,
    check_deal,
    check_listed_deals,
    check_wrong_deals,
    check_changed_deals,
    check_legal_actions,
    check_illegal_actions,
    check_clone,
    check_play_out,
    check_replay,
    check_views,
    check_events,
    check_telling,
    check_outcome,
    check_determinize,
    check_encoding,
    check_worlds,
)
"""All conformance checks. Checks that need worlds come last."""

# -- helpers --------------------------------------------------------------------------------------


class _Moment(NamedTuple):
    state: State
    actions: list[str]
    where: str


def _play(
    variant: Variant,
    rng: random.Random,
    deal: msgspec.Struct | None = None,
    *,
    thinned: bool = False,
) -> Iterator[_Moment]:
    """Play a random game and yield its positions. If `thinned` is true, yield only some of them."""
    deal = variant.deal(rng) if deal is None else deal
    # Play the game once without checks, so that an endless game fails quickly.
    _finish(variant.start(deal), rng.randrange, f"{variant.id}, the start")
    state = variant.start(deal)
    actions: list[str] = []
    lean = rng.choice((None, 0, -1))  # some games mostly choose the first or the last action
    while (seat := state.seat_to_act) is not None:
        number = len(actions)
        where = f"{variant.id}, action {number} by seat {seat}"
        legal = _legal_actions(state, seat, actions, where)
        if not thinned or number % (1 + number // THINNING_STEP) == 0:
            yield _Moment(state, actions, where)
        action = rng.choice(legal) if lean is None or rng.random() < 0.3 else legal[lean]
        state.apply(action)
        actions.append(action)
    yield _Moment(state, actions, f"{variant.id}, the end after {len(actions)} actions")


def _finish(state: State, draw: Callable[[int], int], where: str) -> int:
    actions: list[str] = []
    while (seat := state.seat_to_act) is not None:
        legal = _legal_actions(state, seat, actions, f"{where} and played on")
        actions.append(legal[draw(len(legal))])
        state.apply(actions[-1])
    return len(actions)


def _share_of(rng: random.Random) -> Callable[[int], int]:
    return lambda count: int(rng.random() * count)


def _legal_actions(state: State, seat: int, actions: Sequence[str], where: str) -> list[str]:
    variant, legal = state.variant, state.legal_actions()
    assert seat in range(variant.seats), f"{where}: expected a seat 0..{variant.seats - 1}"
    assert len(actions) < variant.max_decisions, (
        f"{EndlessGame(variant.id, seat, actions)}{code_of(state, 'apply')}"
    )
    assert legal, f"{where}: seat {seat} has no legal action{code_of(state, 'legal_actions')}"
    return legal


def _expect(
    error: type[Exception], where: str, call: Callable[..., object], *arguments: object
) -> Exception:
    try:
        call(*arguments)
    except error as expected:
        return expected
    except Exception as other:
        text = f"{where}: expected {error.__name__}, got {other!r}{line_of(other)}"
        raise AssertionError(text) from other
    raise AssertionError(f"{where}: expected {error.__name__}, but nothing was raised")


def _as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
