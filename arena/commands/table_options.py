"""Command-line options that select the variant and the bots for `arena try`, `debug` and `play`."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import click
from click.core import ParameterSource

from arena.base.contracts import SandboxSettings
from arena.base.record import Entrant
from arena.check.trial import opponents_on, seat_opponents
from arena.commands.common import (
    DEFAULT_VARIANT,
    against_option,
    bots_in,
    sandbox_notice,
    variant_option,
)
from arena.commands.setting_options import OF_A_BOT, given, set_option, setting_option
from arena.contest.admission import sandbox_of
from arena.contest.entrants import introduce, named_bots, only_bot
from arena.contest.settings import Contest, override
from engine import Variant, get_variant
from engine.plugins import all_variants


@dataclass
class ChosenTable:
    variant: Variant
    against: Sequence[str]
    contest: Contest
    is_default: bool
    full: bool

    @cached_property
    def sandbox(self) -> SandboxSettings:
        """The tested sandbox. Raise `SandboxError` if the sandbox doesn't work."""
        return sandbox_of(self.contest, sandbox_notice(full=self.full))

    def find(self, bot: str) -> Entrant:
        """Find a bot by name or path without starting it. Raise `BotError` if it doesn't exist."""
        found = named_bots([bot], self.contest.entrants.interpreters)
        return only_bot(click.get_current_context().with_resource(found), bot)

    def seat(self, own: Entrant, *, introduced: bool = False) -> list[Entrant]:
        """Start each bot once. Return the user's bot first, followed by its opponents.

        If the user's bot doesn't play the default variant, choose the first variant that the bot
        plays.
        """
        found = named_bots(self.against, self.contest.entrants.interpreters)
        others = click.get_current_context().with_resource(found)
        start = partial(introduce, limits=self.contest.limits, sandbox=self.sandbox)
        if not introduced:
            (own,) = start([own], variants=[self.variant.id])
            self.choose_fitting_variant(own)
        others = start(others, variants=[self.variant.id])
        return seat_opponents(own, others, self.variant)

    def choose_fitting_variant(self, own: Entrant) -> None:
        """Replace the default variant if the user's bot doesn't play it."""
        if self.is_default and not own.plays(self.variant.id):
            fit = (other for other in all_variants().values() if own.plays(other.id))
            self.variant = next(fit, self.variant)

    def seated(self, own: Entrant, seat: int, turn: int) -> list[Entrant]:
        """Return the bots of one game in seat order.

        Raise `BadParameter` if the seat number or the number of opponents is too high for the
        variant.
        """
        if seat >= self.variant.seats:
            last = self.variant.seats - 1
            raise click.BadParameter(f"got --seat {seat}, expected 0 to {last}")
        if (got := len(self.against)) >= self.variant.seats:
            raise click.BadParameter(
                f"got {got} opponents in --against, expected at most {self.variant.seats - 1} for "
                f"one game of {self.variant.id}"
            )
        others = opponents_on(turn, self.seat(own, introduced=True), self.variant)
        return [*others[:seat], own, *others[seat:]]


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with options for choosing the variant and the opponents.

    The command receives a `ChosenTable`.
    """

    @functools.wraps(command)
    def with_table(
        *arguments: Any,
        against: str,
        variant_id: str,
        **others: Any,
    ) -> Any:
        del others["sandbox__level"], others["settings"]
        context = click.get_current_context()
        table = ChosenTable(
            get_variant(variant_id),
            bots_in(against),
            override(Contest(), given(context)),
            context.get_parameter_source("variant_id") == ParameterSource.DEFAULT,
            bool(others.get("full")),
        )
        return command(*arguments, table=table, **others)

    text = (
        "If there are more free seats than opponents, some opponents take several seats. "
        "Default: random."
    )
    options = [
        against_option("random", text),
        variant_option(DEFAULT_VARIANT),
        setting_option("sandbox.level"),
        set_option(*OF_A_BOT),
    ]
    return functools.reduce(lambda made, option: option(made), reversed(options), with_table)
