"""Tests of tables at which bots wait for a person, with and without processes."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec
import pytest

from arena.base.errors import BotError, SandboxError
from arena.bot import Bot, Start
from arena.contest.entrants import find_entrant
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import BrowserGame, state_of
from arena.extras.serve.play.game_store import GameStore, StoredBrowserGame
from arena.extras.serve.play.live_tables import LiveTables
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.shared.process_agent import ProcessAgent
from arena.tournament.agents import Agent, ClassAgent, Seated
from arena.tournament.in_process import class_of
from tests.arena.extras.serve.play.test_browser_game import game_of
from tests.arena.playing import WAIT_S, wait_for


class Bots:
    def __init__(self) -> None:
        self.agents: list[CountedAgent] = []

    def __call__(self, bot: str) -> Agent:
        self.agents.append(CountedAgent())
        return self.agents[-1]

    @property
    def open(self) -> int:
        return sum([not agent.is_closed for agent in self.agents])


class CountedAgent(ClassAgent):
    """A random bot that can be closed only once."""

    is_closed = False

    def __init__(self) -> None:
        super().__init__(class_of("random"))

    def close(self) -> None:
        assert not self.is_closed
        self.is_closed = True


@pytest.fixture
def bots() -> Bots:
    return Bots()


@pytest.fixture
def tables(site: ContestSite, bots: Bots) -> Iterator[LiveTables]:
    made = LiveTables(site.games, bots, max_tables=2)
    yield made
    made.stop()
    assert bots.open == 0


def begin(store: GameStore, person: ContestPerson, variant_id: str = "pot-de-vin/3") -> str:
    return store.begin(person.id, game_of(variant_id))


def stored(store: GameStore, game_id: str) -> StoredBrowserGame:
    found = store.get(game_id)
    assert found is not None
    return found


def decide(store: GameStore, tables: LiveTables, game_id: str) -> StoredBrowserGame:
    """Play the person's first legal action, and let the bots answer."""
    game = stored(store, game_id).game
    action = state_of(game).legal_actions()[0]
    now = msgspec.structs.replace(game, actions=(*game.actions, action))
    assert store.extend(game_id, game, now)
    tables.go_on(game_id, "ann").result(WAIT_S)
    return stored(store, game_id)


def is_to_move(game: BrowserGame) -> bool:
    return state_of(game).seat_to_act == game.seat


def test_bots_decide_until_it_is_the_persons_turn(
    site: ContestSite, ann: ContestPerson, tables: LiveTables, bots: Bots
) -> None:
    game_id = begin(site.games, ann)
    tables.go_on(game_id, "ann").result(WAIT_S)
    now = stored(site.games, game_id)
    while not now.is_over:
        assert is_to_move(now.game)
        now = decide(site.games, tables, game_id)
    assert state_of(now.game).seat_to_act is None
    assert len(bots.agents) == 2
    assert bots.open == 0


def test_rebuilds_table_of_a_changed_game(
    site: ContestSite, ann: ContestPerson, tables: LiveTables, bots: Bots
) -> None:
    game_id = begin(site.games, ann)
    tables.go_on(game_id, "ann").result(WAIT_S)
    before = len(bots.agents)
    others = LiveTables(site.games, Bots())
    try:
        decide(site.games, others, game_id)
    finally:
        others.stop()
    now = decide(site.games, tables, game_id)
    assert is_to_move(now.game) or now.is_over
    assert len(bots.agents) == before + 2


def test_keeps_a_limited_number_of_tables(
    site: ContestSite, ann: ContestPerson, tables: LiveTables, bots: Bots
) -> None:
    game_id = begin(site.games, ann)
    for person in ("bob", "cy", "ann"):
        tables.go_on(game_id, person).result(WAIT_S)
    wait_for(lambda: bots.open == 2 * 2, "the oldest table is closed")
    assert is_to_move(decide(site.games, tables, game_id).game)
    assert len(bots.agents) == 2 * 3


def test_closes_bots_of_replaced_game(
    site: ContestSite, ann: ContestPerson, tables: LiveTables, bots: Bots
) -> None:
    for _ in range(2):
        tables.go_on(begin(site.games, ann), "ann").result(WAIT_S)
        assert bots.open == 2


class Held(Bot):
    goes = threading.Event()
    requests = threading.Semaphore(0)
    """Released each time a bot is asked."""

    def act(self, view: Any, legal: Sequence[str]) -> str:
        self.requests.release()
        assert self.goes.wait(WAIT_S)
        return legal[0]


@pytest.fixture
def held(site: ContestSite) -> Iterator[LiveTables]:
    """Tables at which all bots wait until `Held.goes` is set."""
    Held.goes.clear()
    Held.requests = threading.Semaphore(0)
    made = LiveTables(site.games, lambda _: ClassAgent(Held))
    yield made
    Held.goes.set()
    made.stop()


def begin_before_bots(store: GameStore, person: ContestPerson) -> str:
    """Start a game in which a bot acts first."""
    game_id = begin(store, person, "bribery/4")
    game = stored(store, game_id).game
    if is_to_move(game):
        action = state_of(game).legal_actions()[0]
        assert store.extend(game_id, game, msgspec.structs.replace(game, actions=(action,)))
    return game_id


def test_replaced_game_stays_deleted(
    site: ContestSite, ann: ContestPerson, held: LiveTables
) -> None:
    game_id = begin_before_bots(site.games, ann)
    playing = held.go_on(game_id, "ann")
    assert Held.requests.acquire(timeout=WAIT_S)
    begin(site.games, ann)
    Held.goes.set()
    playing.result(WAIT_S)
    assert site.games.get(game_id) is None


def test_game_continues_after_the_server_stops(
    site: ContestSite, ann: ContestPerson, held: LiveTables, tables: LiveTables
) -> None:
    game_id = begin_before_bots(site.games, ann)
    before = stored(site.games, game_id).game
    playing = held.go_on(game_id, "ann")
    assert Held.requests.acquire(timeout=WAIT_S)
    stopping = threading.Thread(target=held.stop)
    stopping.start()
    while held.is_open:
        pass
    Held.goes.set()
    stopping.join(WAIT_S)
    playing.result(WAIT_S)
    assert stored(site.games, game_id).game == before
    assert not Held.requests.acquire(blocking=False)
    tables.go_on(game_id, "ann").result(WAIT_S)
    now = stored(site.games, game_id).game
    assert is_to_move(now)
    assert now.faults == ()


def test_stand_in_replaces_bot_that_fails_to_start(site: ContestSite, ann: ContestPerson) -> None:
    def absent(bot: str) -> Agent:
        raise BotError("it is not there any more")

    tables = LiveTables(site.games, absent)
    game_id = begin(site.games, ann)
    tables.go_on(game_id, "ann").result(WAIT_S)
    now = decide(site.games, tables, game_id)
    tables.stop()
    assert {fault.kind for fault in now.game.faults} == {"start"}
    assert {fault.text for fault in now.game.faults} == {"it is not there any more"}


def test_reports_machine_trouble_and_keeps_the_game(
    site: ContestSite, ann: ContestPerson, tables: LiveTables
) -> None:
    def fail(bot: str) -> Agent:
        raise SandboxError("no sandbox here")

    troubled = LiveTables(site.games, fail)
    game_id = begin(site.games, ann)
    for _ in range(2):
        with pytest.raises(SandboxError, match="no sandbox here"):
            troubled.go_on(game_id, "ann").result(WAIT_S)
    troubled.stop()
    tables.go_on(game_id, "ann").result(WAIT_S)
    assert is_to_move(stored(site.games, game_id).game)


class Watched(ProcessAgent):
    """Keeps its agents, so that tests can check whether their processes are frozen."""

    seen: ClassVar[list["Watched"]] = []
    is_frozen = False

    def sit(self, table: Start) -> Seated:
        self.seen.append(self)
        return super().sit(table)

    def freeze(self) -> None:
        super().freeze()
        self.is_frozen = True

    def thaw(self) -> None:
        super().thaw()
        self.is_frozen = False


def test_freezes_processes_while_the_person_thinks(site: ContestSite, ann: ContestPerson) -> None:
    Watched.seen = []
    tables = LiveTables(site.games, lambda _: Watched(find_entrant("random")))
    game_id = begin(site.games, ann)
    tables.go_on(game_id, "ann").result(WAIT_S)
    assert [agent.is_frozen for agent in Watched.seen] == [True, True]
    decide(site.games, tables, game_id)
    assert [agent.is_frozen for agent in Watched.seen] == [True, True]
    assert [agent.pid is not None for agent in Watched.seen] == [True, True]
    tables.stop()
    assert [agent.pid for agent in Watched.seen] == [None, None]
