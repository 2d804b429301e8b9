"""Processor time of the quick bots, which answer the recorded requests of fixed-seed games.

    python -m benchmarks.quick_bots
    python -m benchmarks.quick_bots --before HEAD~1 --game bribery

A bot gets the lines that its process would get, without process and pipes. The reference decodes
the same lines with msgspec as plain data and answers the first legal action. With `--before`, two
processes, one for each tree, answer the same lines in turn. Each answer must be the recorded one,
in both trees: then the decisions are the same.
"""

import argparse
import hashlib
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from arena import __version__
from arena.bot_games import ask, new_bot
from arena.match.decision import Reply
from arena.match.in_process import class_of
from arena.match.referee import referee, start_game
from arena.match.seat_messages import SeatMessages
from arena.plugins import bots
from arena.protocol import DEFAULT_LIMITS, PROTOCOL, Bye, End, Hello, Start, raw, read_turn, write
from benchmarks.pairs import Tree, checked_out, median_interval
from engine import get_variant, variants

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = "reference"

DRIVER = """
import hashlib, json, sys, time
import msgspec
from arena.bot import play
from arena.match.in_process import class_of

def reference(lines, send):
    for line in lines:
        message = msgspec.json.decode(line)
        if message["type"] == "turn":
            send(msgspec.json.encode({"type": "act", "action": message["legal"][0]}))

for order in sys.stdin:
    name, path = json.loads(order)
    with open(path, "rb") as file:
        lines = list(file)
    replies = []
    begin = time.process_time()
    if name == "reference":
        reference(lines, replies.append)
    else:
        play(class_of(name), lines, replies.append)
    seconds = time.process_time() - begin
    answers = hashlib.sha256(b"".join(replies[1:])).hexdigest()  # the first one is `ready`
    print(json.dumps([seconds, answers]), flush=True)
"""


class Requests:
    """The lines that a bot is sent in the recorded games of its seats, and what it answered."""

    def __init__(self, bot: str) -> None:
        self.bot = bot
        self.seats = 0
        """The number of seats that the bot had, over all games."""
        self.turns = 0
        self._lines = [write(Hello(PROTOCOL, __version__, bot, DEFAULT_LIMITS))]
        self._answers = hashlib.sha256()

    def add(self, line: bytes, answer: bytes = b"") -> None:
        """Add a line and, if the line is a turn, its answer."""
        self._lines.append(line)
        self.turns += bool(answer)
        self._answers.update(answer)

    @property
    def answers(self) -> str:
        """The digest of all answers."""
        return self._answers.hexdigest()

    def write(self, path: Path) -> None:
        """Write the lines as a file."""
        path.write_bytes(b"".join([*self._lines, write(Bye())]))


def record(variant_id: str, games: int) -> list[Requests]:
    """Play games of a variant with its quick bots at all seats; return the requests of each bot.

    Game i depends on `variant_id`, i and the bots only.
    """
    game = get_variant(variant_id).game
    found = [
        Requests(name)
        for name, bot in bots().items()
        if bot.quick and (not bot.games or game in bot.games)
    ]
    for number in range(games):
        _record_game(variant_id, number, found)
    return found


def _record_game(variant_id: str, number: int, found: Sequence[Requests]) -> None:
    """Play the game of this number; the bot at seat 0 is another one from game to game."""
    variant = get_variant(variant_id)
    rng = random.Random(f"{variant_id} {number}")
    seated = [found[(number + seat) % len(found)] for seat in range(variant.seats)]
    tables = [number * variant.seats + seat for seat in range(variant.seats)]
    playing, messages = [], []
    for seat, (table, requests) in enumerate(zip(tables, seated, strict=True)):
        bot_class = class_of(requests.bot)
        start = Start(
            table, variant.game, variant_id, seat, variant.seats, variant.teams, rng.getrandbits(32)
        )
        requests.seats += 1
        requests.add(write(start))
        playing.append(new_bot(bot_class, start))
        messages.append(SeatMessages(table, bot_class.detail, DEFAULT_LIMITS))
    state = start_game(variant_id, raw(variant.deal(rng)))
    refereeing = referee(state)
    asked = next(refereeing)
    while state.seat_to_act is not None:
        line = messages[asked.seat].line(asked)
        act = ask(playing[asked.seat], read_turn(line))
        seated[asked.seat].add(line, write(act))
        try:
            asked = refereeing.send(Reply(act.action))
        except StopIteration:
            break
    outcome = state.outcome()
    for table, requests in zip(tables, seated, strict=True):
        requests.add(write(End(table, tuple(outcome.points), tuple(outcome.ranks), ())))


class Times:
    """The processor times of one bot with the same lines: of each tree and of the reference."""

    def __init__(self, trees: int) -> None:
        self.by_tree: list[list[float]] = [[] for _ in range(trees)]
        """In seconds; the last tree is this one."""
        self.reference: list[float] = []

    def __add__(self, other: "Times") -> "Times":
        added = Times(len(self.by_tree))
        added.by_tree = [_sums(*both) for both in zip(self.by_tree, other.by_tree, strict=True)]
        added.reference = _sums(self.reference, other.reference)
        return added

    def columns(self, seats: int) -> str:
        """Return the cells of a line: time for each of `seats`, and ratios of medians."""
        now = self.by_tree[-1]
        cells = f"{median(now) / seats * 1e3:9.2f}  {median(_ratios(now, self.reference)):9.2f}"
        if len(self.by_tree) == 1:
            return cells
        ratio = median_interval(_ratios(now, self.by_tree[0]))
        return f"{cells}  {ratio.median:.3f} ({ratio.low:.3f}-{ratio.high:.3f})"


def _sums(some: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one + other for one, other in zip(some, others, strict=True)]


def _ratios(some: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(some, others, strict=True)]


def measure(trees: Sequence[Tree], requests: Requests, folder: Path, rounds: int) -> Times:
    """Return the times of some rounds after one to warm up.

    Raises:
        SystemExit: a tree does not answer as recorded.
    """
    lines = folder / "lines"
    requests.write(lines)
    times = Times(len(trees))
    for number in range(rounds + 1):
        # Which goes first changes from round to round, so that neither profits from it.
        for place in sorted(range(len(trees)), reverse=bool(number % 2)):
            seconds, answers = trees[place].ask(requests.bot, str(lines))
            if answers != requests.answers:
                which = "this tree" if place == len(trees) - 1 else "the tree before"
                sys.exit(f"{requests.bot}: the answers of {which} differ from the recorded ones")
            times.by_tree[place] += [seconds] if number else []
        seconds, _ = trees[-1].ask(REFERENCE, str(lines))
        times.reference += [seconds] if number else []
    return times


def report(
    trees: Sequence[Tree], variant_ids: Sequence[str], games: int, rounds: int
) -> Iterator[str]:
    """Yield the lines of the table: each bot in each variant, and all seats of its games."""
    yield f"{'variant':24} {'bot':11}   ms/game  x reference  after/before (95 % interval)"
    for variant_id in variant_ids:
        whole = Times(len(trees))
        for seconds in (*whole.by_tree, whole.reference):
            seconds += [0.0] * rounds
        with tempfile.TemporaryDirectory() as folder:
            for requests in record(variant_id, games):
                if not requests.seats:  # of too few games to seat each bot
                    continue
                times = measure(trees, requests, Path(folder), rounds)
                whole += times
                yield f"{variant_id:24} {requests.bot:11} {times.columns(requests.seats)}"
        yield f"{variant_id:24} {'all seats':11} {whole.columns(games)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("variants", nargs="*", help="all by default")
    parser.add_argument("--game", help="all variants of one game")
    parser.add_argument("--games", type=int, default=12, help="games of each variant")
    parser.add_argument("--rounds", type=int, default=7, help="how often they are answered")
    parser.add_argument("--before", metavar="REV", help="git revision or folder to compare with")
    chosen = parser.parse_args()
    chosen_ids = chosen.variants or [
        variant.id for variant in variants().values() if chosen.game in (None, variant.game)
    ]
    with ExitStack() as stack:
        folders = [ROOT]
        if chosen.before:
            folders.insert(0, stack.enter_context(checked_out(chosen.before, compiled=False)))
        trees = [Tree(folder, DRIVER) for folder in folders]
        for tree in trees:
            stack.callback(tree.close)
        for line in report(trees, chosen_ids, chosen.games, chosen.rounds):
            print(line, flush=True)


if __name__ == "__main__":
    main()
