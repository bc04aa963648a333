"""The command that sets, changes or removes the exit prices of a position."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from nautilus_bridge.commands.command import Command, Handler, Outcome, completed, failed
from nautilus_bridge.commands.orders import checked_price, find_holding, find_instrument
from nautilus_bridge.exits import is_reached, market_of

KINDS = {"stop_loss": "stop-loss", "take_profit": "take-profit"}


def check(bridge: Any, command: Command) -> None:
    read_prices(bridge, command)


def read_prices(bridge: Any, command: Command) -> dict[str, str | None]:
    """The prices that are given; null removes one, an omitted one stays."""
    instrument = find_instrument(bridge, find_holding(bridge, command.text("position_id")).instrument_id)
    prices: dict[str, str | None] = {}
    for name in KINDS:
        if name in command.args:
            price = command.optional_decimal(name)
            prices[name] = None if price is None else str(checked_price(instrument, price))
    return prices


async def set_exits(bridge: Any, command: Command) -> Outcome:
    """A new price must be one that the market has not reached; one that stays is not checked again."""
    given = read_prices(bridge, command)
    holding = find_holding(bridge, command.text("position_id"))
    record = bridge.exits.find(holding)
    before = {name: None if record is None else getattr(record, name) for name in KINDS}
    instrument = find_instrument(bridge, holding.instrument_id)
    market = market_of(bridge, holding)
    for name, price in given.items():
        if price is None or price == before[name]:
            continue
        if market is None:
            return failed("BAD_STATE", f"There is no quote for {instrument.id.symbol} yet.")
        if is_reached(holding, KINDS[name], instrument.make_price(price).as_decimal(), market):
            is_long = holding.quantity > 0
            message = f"{name} must be one that the market has not reached; {price} was given, the market is {market}."
            data = {"exit": KINDS[name], "is_long": is_long, "price": price, "market": str(market)}
            return failed("INVALID", message, data)
    await bridge.exits.change(holding, before | given)
    return completed()


def is_done(bridge: Any, command: Command) -> bool:
    record = bridge.durable.state.exits.get(command.args["position_id"])
    for name in KINDS:
        stored = None if record is None else getattr(record, name)
        if name in command.args and command.optional_decimal(name) != (None if stored is None else Decimal(stored)):
            return False
    return True


HANDLERS = {"position.set_exits": Handler(set_exits, check, is_done=is_done)}
