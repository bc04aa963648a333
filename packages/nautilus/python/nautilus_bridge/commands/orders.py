"""Orders and positions."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

from nautilus_trader.model.enums import OrderSide, OrderStatus, OrderType, TimeInForce
from nautilus_trader.model.events import OrderCancelRejected, OrderModifyRejected
from nautilus_trader.model.identifiers import ClientOrderId, InstrumentId, StrategyId
from nautilus_trader.trading.strategy import Strategy, StrategyConfig

from nautilus_bridge.commands.command import Command, CommandError, Handler, Outcome, completed, failed, unknown
from nautilus_bridge.ledger import Holding
from nautilus_bridge.views import denial_text

MANUAL_ID = "MANUAL-000"

SIDES = ("BUY", "SELL")
TYPES = ("MARKET", "LIMIT", "STOP")
TIFS = ("GTC", "DAY", "IOC", "FOK")


def check_submit(bridge: Any, command: Command) -> None:
    build_terms(bridge, command)


def build_terms(bridge: Any, command: Command) -> dict[str, Any]:
    """Validated arguments, in NautilusTrader's types."""
    instrument = find_instrument(bridge, command.text("instrument_id"))
    side = command.choice("side", SIDES)
    kind = command.choice("type", TYPES)
    tif = command.choice("tif", TIFS) if command.args.get("tif") is not None else "GTC"
    price = command.optional_decimal("price")
    if kind == "MARKET" and price is not None:
        raise CommandError("INVALID", "price must be left out for a MARKET order.")
    if kind != "MARKET" and price is None:
        raise CommandError("INVALID", f"price must be given for a {kind} order.")
    if kind == "STOP" and tif in ("IOC", "FOK"):
        raise CommandError("INVALID", f"A STOP order cannot be {tif}.")
    return {
        "instrument": instrument,
        "side": OrderSide[side],
        "type": kind,
        "tif": TimeInForce[tif],
        "quantity": checked_quantity(instrument, command.decimal("quantity")),
        "price": None if price is None else checked_price(instrument, price),
        "reduce_only": command.flag("reduce_only"),
    }


def checked_quantity(instrument: Any, value: Decimal) -> Any:
    lot = instrument.size_increment.as_decimal()
    least = (instrument.min_quantity or instrument.size_increment).as_decimal()
    if value < least or value % lot != 0:
        raise CommandError("INVALID", f"quantity must be a multiple of {lot} and at least {least}; {value} was given.")
    if instrument.max_quantity is not None and value > instrument.max_quantity.as_decimal():
        raise CommandError("INVALID", f"quantity must be at most {instrument.max_quantity}; {value} was given.")
    return instrument.make_qty(value)


def checked_price(instrument: Any, value: Decimal) -> Any:
    tick = instrument.price_increment.as_decimal()
    if value <= 0 or value % tick != 0:
        raise CommandError("INVALID", f"price must be a positive multiple of {tick}; {value} was given.")
    if instrument.max_price is not None and value > instrument.max_price.as_decimal():
        raise CommandError("INVALID", f"price must be at most {instrument.max_price}; {value} was given.")
    return instrument.make_price(value)


def find_instrument(bridge: Any, instrument_id: str) -> Any:
    try:
        instrument = bridge.cache.instrument(InstrumentId.from_str(instrument_id))
    except ValueError:
        instrument = None
    if instrument is None:
        raise CommandError("NOT_FOUND", f"There is no instrument '{instrument_id}'.")
    return instrument


def find_order(bridge: Any, order_id: str) -> Any:
    order = bridge.cache.order(ClientOrderId(order_id))
    if order is None:
        raise CommandError("NOT_FOUND", f"There is no order '{order_id}'.")
    return order


def find_holding(bridge: Any, position_id: str) -> Holding:
    holding = bridge.ledger.holdings.get(position_id)
    if holding is None:
        raise CommandError("NOT_FOUND", f"There is no open position '{position_id}'.")
    return holding


def find_owner(bridge: Any, strategy_id: str) -> Any:
    """The strategy of that id. Where it is gone, an idle one takes its id, so that it can act for its positions."""
    for strategy in bridge.trader.strategies():
        if strategy.id.value == strategy_id:
            return strategy
    name, _, tag = strategy_id.rpartition("-")
    owner = Strategy(StrategyConfig(strategy_id=name, order_id_tag=tag))
    bridge.trader.add_strategy(owner)
    return owner


def create_order(owner: Any, order_id: str, terms: dict[str, Any], tags: list[str] | None = None) -> Any:
    common = {
        "instrument_id": terms["instrument"].id,
        "order_side": terms["side"],
        "quantity": terms["quantity"],
        "time_in_force": terms["tif"],
        "reduce_only": terms["reduce_only"],
        "client_order_id": ClientOrderId(order_id),
        "tags": tags,
    }
    if terms["type"] == "MARKET":
        return owner.order_factory.market(**common)
    if terms["type"] == "LIMIT":
        return owner.order_factory.limit(price=terms["price"], **common)
    return owner.order_factory.stop_market(trigger_price=terms["price"], **common)


async def submit(bridge: Any, command: Command) -> Outcome:
    terms = build_terms(bridge, command)
    owner = find_owner(bridge, command.args.get("strategy_id") or MANUAL_ID)
    return await send(bridge, owner, create_order(owner, order_id_of(command), terms))


def order_id_of(command: Command) -> str:
    return f"C-{command.id}"


async def send(bridge: Any, owner: Any, order: Any, position_id: Any = None) -> Outcome:
    """Submits an order and waits for the event that decides it."""
    order_id = order.client_order_id.value
    watch = bridge.watch(order_id)
    try:
        owner.submit_order(order, position_id=position_id)
        return await settle(bridge, watch, order_id, lambda event: outcome_of(order))
    finally:
        bridge.unwatch(order_id, watch)


def outcome_of(order: Any) -> Outcome | None:
    """None while it is undecided. For orders that do not rest only the end decides."""
    data = {"order_id": order.client_order_id.value}
    if order.status == OrderStatus.DENIED:
        return failed("DENIED_RISK", denial_text(order.last_event.reason), data)
    if order.status == OrderStatus.REJECTED:
        return failed("REJECTED_VENUE", order.last_event.reason, data)
    if order.is_closed:
        return completed(data)
    rests = order.order_type != OrderType.MARKET and order.time_in_force not in (TimeInForce.IOC, TimeInForce.FOK)
    if rests and order.status in (OrderStatus.ACCEPTED, OrderStatus.TRIGGERED, OrderStatus.PARTIALLY_FILLED, OrderStatus.EMULATED):
        return completed(data)
    return None


async def settle(bridge: Any, watch: asyncio.Queue[Any], order_id: str, decide: Any) -> Outcome:
    """Waits for the deciding event; without it the outcome is unknown, never done."""
    try:
        async with asyncio.timeout(bridge.answer_seconds):
            while True:
                outcome = decide(await watch.get())
                if outcome is not None:
                    return outcome
    except TimeoutError:
        return unknown(f"The venue has not answered within {bridge.answer_seconds:g} s.", {"order_id": order_id})


def check_cancel(bridge: Any, command: Command) -> None:
    order = find_order(bridge, command.text("order_id"))
    if order.is_closed:
        raise CommandError("BAD_STATE", f"Order {order.client_order_id} is already {order.status_string()}.")


async def cancel(bridge: Any, command: Command) -> Outcome:
    check_cancel(bridge, command)
    return await cancel_order(bridge, find_order(bridge, command.text("order_id")))


async def cancel_order(bridge: Any, order: Any) -> Outcome:
    order_id = order.client_order_id.value
    watch = bridge.watch(order_id)

    def decide(event: Any) -> Outcome | None:
        if isinstance(event, OrderCancelRejected):
            return failed("REJECTED_VENUE", event.reason, {"order_id": order_id})
        if order.status == OrderStatus.FILLED:
            return failed("BAD_STATE", f"Order {order_id} was filled before.", {"order_id": order_id})
        return completed({"order_id": order_id}) if order.is_closed else None

    try:
        find_owner(bridge, order.strategy_id.value).cancel_order(order)
        if order.is_closed:
            return completed({"order_id": order_id})
        return await settle(bridge, watch, order_id, decide)
    finally:
        bridge.unwatch(order_id, watch)


async def cancel_all(bridge: Any, command: Command) -> Outcome:
    return await cancel_orders(bridge, working_orders(bridge))


def working_orders(bridge: Any) -> list[Any]:
    return [*bridge.cache.orders_open(), *bridge.cache.orders_emulated()]


async def cancel_orders(bridge: Any, orders: list[Any]) -> Outcome:
    outcomes = await asyncio.gather(*(cancel_order(bridge, order) for order in orders))
    ids = [order.client_order_id.value for order in orders]
    return together(outcomes, {"orders": ids})


def together(outcomes: list[Outcome], data: dict[str, Any]) -> Outcome:
    """One outcome for several: unknown before failed before completed. An order that was filled first is no failure."""
    for status in ("unknown", "failed"):
        for outcome in outcomes:
            if outcome.status == status and outcome.code != "BAD_STATE":
                return Outcome(status, outcome.code, outcome.message, data)
    return completed(data)


def check_modify(bridge: Any, command: Command) -> dict[str, Any]:
    order = find_order(bridge, command.text("order_id"))
    if not order.is_open:
        raise CommandError("BAD_STATE", f"Order {order.client_order_id} is {order.status_string()}.")
    instrument = find_instrument(bridge, order.instrument_id.value)
    quantity, price = command.optional_decimal("quantity"), command.optional_decimal("price")
    new_quantity = order.quantity if quantity is None else checked_quantity(instrument, quantity)
    if new_quantity <= order.filled_qty:
        raise CommandError("INVALID", f"quantity must be above the filled {order.filled_qty}.")
    old_price = order.price if order.has_price else order.trigger_price if order.has_trigger_price else None
    new_price = old_price if price is None else checked_price(instrument, price)
    if new_quantity == order.quantity and new_price == old_price:
        raise CommandError("INVALID", "Nothing would change.")
    return {"order": order, "quantity": new_quantity, "price": new_price}


async def modify(bridge: Any, command: Command) -> Outcome:
    change = check_modify(bridge, command)
    order, quantity, price = change["order"], change["quantity"], change["price"]
    order_id = order.client_order_id.value
    watch = bridge.watch(order_id)
    is_stop = not order.has_price

    def decide(event: Any) -> Outcome | None:
        if isinstance(event, OrderModifyRejected):
            return failed("DENIED_RISK", event.reason, {"order_id": order_id})
        now = order.trigger_price if is_stop else order.price
        if order.quantity == quantity and now == price and order.status != OrderStatus.PENDING_UPDATE:
            return completed({"order_id": order_id})
        if order.is_closed:
            return failed("BAD_STATE", f"Order {order_id} is {order.status_string()}.", {"order_id": order_id})
        return None

    try:
        owner = find_owner(bridge, order.strategy_id.value)
        owner.modify_order(order, quantity, None if is_stop else price, price if is_stop else None)
        return await settle(bridge, watch, order_id, decide)
    finally:
        bridge.unwatch(order_id, watch)


def check_close(bridge: Any, command: Command) -> None:
    closing_terms(bridge, command)


def closing_terms(bridge: Any, command: Command) -> tuple[Holding, dict[str, Any]]:
    holding = find_holding(bridge, command.text("position_id"))
    return holding, terms_to_close(bridge, holding, command.optional_decimal("quantity"))


def terms_to_close(bridge: Any, holding: Holding, quantity: Decimal | None) -> dict[str, Any]:
    instrument = find_instrument(bridge, holding.instrument_id)
    held = abs(holding.quantity)
    if quantity is not None and quantity > held:
        raise CommandError("INVALID", f"quantity must be at most {held}; {quantity} was given.")
    return {
        "instrument": instrument,
        "side": OrderSide.SELL if holding.quantity > 0 else OrderSide.BUY,
        "type": "MARKET",
        "tif": TimeInForce.GTC,
        "quantity": instrument.make_qty(held) if quantity is None else checked_quantity(instrument, quantity),
        "price": None,
        "reduce_only": True,
    }


async def close(bridge: Any, command: Command) -> Outcome:
    holding, terms = closing_terms(bridge, command)
    return await send_close(bridge, holding, terms, order_id_of(command))


async def send_close(
    bridge: Any,
    holding: Holding,
    terms: dict[str, Any],
    order_id: str,
    tags: list[str] | None = None,
) -> Outcome:
    owner = find_owner(bridge, holding.strategy_id)
    order = create_order(owner, order_id, terms, tags)
    instrument_id, strategy_id = InstrumentId.from_str(holding.instrument_id), StrategyId(holding.strategy_id)
    positions = bridge.cache.positions_open(instrument_id=instrument_id, strategy_id=strategy_id)
    return await send(bridge, owner, order, positions[0].id if positions else None)


async def close_all(bridge: Any, command: Command) -> Outcome:
    closes = []
    ids = []
    for number, holding in enumerate(bridge.ledger.open_holdings()):
        order_id = f"{order_id_of(command)}-{number}"
        ids.append(order_id)
        closes.append(send_close(bridge, holding, terms_to_close(bridge, holding, None), order_id))
    return together(await asyncio.gather(*closes), {"orders": ids})


HANDLERS = {
    "order.submit": Handler(submit, check_submit),
    "order.modify": Handler(modify, check_modify),
    "order.cancel": Handler(cancel, check_cancel, needs_running=False),
    "order.cancel_all": Handler(cancel_all, needs_running=False),
    "position.close": Handler(close, check_close),
    "position.close_all": Handler(close_all),
}
