"""A toy game for tests, declared with `engine.Game`: two seats guess each other's coin."""

from dataclasses import dataclass, field
from typing import Literal

import msgspec

from engine import Game, Position, Variant
from engine.fields import of_length


class CoinDeal(msgspec.Struct, frozen=True):
    coins: tuple[Literal["heads", "tails"], ...]


class CoinView(msgspec.Struct, frozen=True):
    seat: int | None
    to_act: int | None
    round: int
    coin: str | None
    guess: str | None


@dataclass
class Coins(Position):
    coins: tuple[str, ...]
    shown: int = 0
    guesses: list[str] = field(default_factory=list)


def guess_coins(*leaks: str) -> Variant:
    """Return a game whose views forget a round, as honest ones may; `leaks` are told too early."""

    def start(_: int, deal: CoinDeal) -> Coins:
        table = Coins(deal.coins)
        if "dealt" in leaks:
            table.log.note("dealt", coins=deal.coins[:2])
        return table

    def apply(table: Coins, action: str) -> None:
        table.guesses.append(action)
        if "guessed" in leaks:
            table.log.note("guessed", seat=table.seat_to_act, guess=action)
        if len(table.guesses) == 2:
            coins = table.coins[table.shown : table.shown + 2]
            table.log.note("shown", coins=coins, guesses=table.guesses)
            table.shown, table.guesses = table.shown + 2, []
        table.seat_to_act = len(table.guesses) if table.shown < 6 else None

    def view(table: Coins, seat: int | None) -> CoinView:
        place, over = seat or 0, table.seat_to_act is None
        coin = None if seat is None or over else table.coins[table.shown + seat]
        guess = None if seat is None else [*table.guesses, None, None][place]
        return CoinView(seat, table.seat_to_act, table.shown // 2, coin, guess)

    game = Game(
        "coins",
        {"2": 2},
        CoinView,
        deal_type=CoinDeal,
        deal=lambda _, rng: CoinDeal(tuple(rng.choices(["heads", "tails"], k=6))),
        facts=lambda _, deal: [("coins", of_length(deal.coins, 6))],
        start=start,
        actions=["heads", "tails"],
        apply=apply,
        score=lambda _: [0, 0],
        result=lambda table: CoinDeal(table.coins),
        view=view,
    )
    return game.variants[0]
