"""What an order would do now, by the guard that would decide it and the market that would fill it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

from nautilus_trader.model.enums import OrderSide, TimeInForce

from nautilus_bridge.commands.command import Command, Handler, Outcome, completed
from nautilus_bridge.commands.orders import MANUAL_ID, build_terms, check_submit, create_order, find_owner
from nautilus_bridge.figures import compute_figures, mark_of
from nautilus_bridge.guard import plain
from nautilus_bridge.ledger import EXACT, ZERO
from nautilus_bridge.paper_venue import PaperExecutionClient

UNIT = Decimal("1e-8")


@dataclass(slots=True)
class Part:
    """A quantity with its value; the price is the average."""

    quantity: Decimal = ZERO
    value: Decimal = ZERO
    fee: Decimal = ZERO

    def row(self, multiplier: Decimal) -> dict[str, Any]:
        price = None if self.quantity == 0 else plain((self.value / self.quantity / multiplier).quantize(UNIT))
        return {"quantity": plain(self.quantity), "price": price, "value": plain(self.value), "fee": plain(self.fee)}


async def preview(bridge: Any, command: Command) -> Outcome:
    terms = build_terms(bridge, command)
    with localcontext(EXACT):
        return completed(describe(bridge, terms, f"P-{command.id}"))


def describe(bridge: Any, terms: dict[str, Any], order_id: str) -> dict[str, Any]:
    instrument = terms["instrument"]
    order = create_order(find_owner(bridge, MANUAL_ID), order_id, terms)
    quote = bridge.cache.quote_tick(instrument.id)
    denial = bridge.guard.assess(order)
    message = stop_reached(terms, quote) if denial is None else denial.message
    fill, rest = (None, Part()) if quote is None else expect(bridge, terms, quote, order)
    filled = ZERO if fill is None else fill.quantity
    signed = filled if order.side == OrderSide.BUY else -filled
    holding = bridge.ledger.holdings.get(f"{instrument.id}-{MANUAL_ID}")
    held = ZERO if holding is None else holding.quantity
    effect = (ZERO, None) if message is not None else (signed, rest)
    multiplier = instrument.multiplier.as_decimal()
    return {
        "denial": message,
        "quote": quote and {"bid": str(quote.bid_price), "ask": str(quote.ask_price), "ts": str(quote.ts_event)},
        "fill": fill and fill.row(multiplier),
        "rest": rest.row(multiplier),
        "cancelled": plain(ZERO if fill is None else order.quantity.as_decimal() - filled - rest.quantity),
        "position": {"before": plain(held), "after": plain(held + effect[0])},
        **limits(bridge, order, fill if effect[0] else None, effect, held),
    }


def stop_reached(terms: dict[str, Any], quote: Any) -> str | None:
    """Why the venue would reject a stop."""
    if terms["type"] != "STOP" or quote is None:
        return None
    is_buy = terms["side"] == OrderSide.BUY
    touch = quote.ask_price if is_buy else quote.bid_price
    if (terms["price"] > touch) if is_buy else (terms["price"] < touch):
        return None
    return f"The stop price {terms['price']} is reached already: the {'ask' if is_buy else 'bid'} is {touch}."


def expect(bridge: Any, terms: dict[str, Any], quote: Any, order: Any) -> tuple[Part | None, Part]:
    """What would fill at once and what would then rest. None: more than the best level at a venue that is not ours."""
    instrument, is_buy = terms["instrument"], terms["side"] == OrderSide.BUY
    quantity = fillable(bridge, order)
    limit = None if terms["price"] is None else terms["price"].as_decimal()
    touch = (quote.ask_price if is_buy else quote.bid_price).as_decimal()
    size = (quote.ask_size if is_buy else quote.bid_size).as_decimal()
    tick = instrument.price_increment.as_decimal()
    fill = Part()
    if terms["type"] != "STOP" and (limit is None or is_through(is_buy, touch, limit)):
        if quantity > size and not is_paper(bridge, instrument.id.venue):
            return None, Part()
        levels = [(min(quantity, size), touch)]
        # The paper venue fills what is beyond the best level one tick further, except of an order that must not wait.
        beyond = touch + tick if is_buy else touch - tick
        if terms["tif"] not in (TimeInForce.IOC, TimeInForce.FOK) and (limit is None or is_through(is_buy, beyond, limit)):
            levels.append((quantity - levels[0][0], beyond))
        if terms["tif"] != TimeInForce.FOK or size >= quantity:
            fill = sum_levels(instrument, levels)
    left = quantity - fill.quantity
    if left == 0 or limit is None or terms["tif"] in (TimeInForce.IOC, TimeInForce.FOK):
        return fill, Part()
    value = left * limit * instrument.multiplier.as_decimal()
    rate = instrument.taker_fee if terms["type"] == "STOP" else instrument.maker_fee
    return fill, Part(left, value, fee_on(value, rate))


def fillable(bridge: Any, order: Any) -> Decimal:
    """A reduce-only order fills at most up to the position."""
    quantity = order.quantity.as_decimal()
    if not order.is_reduce_only:
        return quantity
    holding = bridge.ledger.holdings.get(f"{order.instrument_id}-{order.strategy_id}")
    return quantity if holding is None else min(quantity, abs(holding.quantity))


def is_through(is_buy: bool, price: Decimal, limit: Decimal) -> bool:
    return price <= limit if is_buy else price >= limit


def is_paper(bridge: Any, venue: Any) -> bool:
    clients = bridge.kernel.exec_engine._clients.values()
    return any(isinstance(client, PaperExecutionClient) for client in clients if client.venue == venue)


def sum_levels(instrument: Any, levels: list[tuple[Decimal, Decimal]]) -> Part:
    part = Part()
    for quantity, price in levels:
        value = quantity * price * instrument.multiplier.as_decimal()
        part.quantity += quantity
        part.value += value
        part.fee += fee_on(value, instrument.taker_fee)
    return part


def fee_on(value: Decimal, rate: Any) -> Decimal:
    return (value * Decimal(rate)).quantize(UNIT)


def limits(
    bridge: Any, order: Any, fill: Part | None, effect: tuple[Decimal, Part | None], held: Decimal
) -> dict[str, Any]:
    """Each limit without and with the order, and the margin."""
    guard, state = bridge.guard, bridge.durable.state
    before, after = guard.worst_case(), guard.worst_case_with(order, *(part_values(effect)))
    figures = compute_figures(bridge.cache, bridge.ledger)
    rate = figures.rates.of_instrument(order.instrument_id.value) or ZERO
    result = result_of(bridge, order, fill, effect[0], held) * rate
    loss, equity_after = guard.daily_loss(figures), figures.equity + result
    used = {
        "max_order_size": (ZERO, guard.value_of(order)),
        "max_position_size": (before.exposure, after.exposure),
        "max_daily_loss": tuple(max(ZERO, each) for each in (loss, loss - result)),
        "max_positions": (Decimal(before.positions), Decimal(after.positions)),
    }
    rows = {
        name: {"before": plain(first), "after": plain(second), "limit": str(state.limits[name])}
        for name, (first, second) in used.items()
    }
    margin = {"before": plain(before.margin), "after": plain(after.margin), "equity": plain(equity_after)}
    return {"limits": rows, "margin": margin}


def part_values(effect: tuple[Decimal, Part | None]) -> tuple[Decimal | None, Decimal]:
    """What fills, signed, and the value of what rests; all of a denied order counts as resting."""
    signed, rest = effect
    return (None, ZERO) if rest is None else (signed, rest.value)


def result_of(bridge: Any, order: Any, fill: Part | None, signed: Decimal, held: Decimal) -> Decimal:
    """What the fill changes in the equity: its fee, and its distance from the mark."""
    if fill is None:
        return ZERO
    instrument_id = order.instrument_id.value
    multiplier = bridge.cache.instrument(order.instrument_id).multiplier.as_decimal()

    def worth(quantity: Decimal) -> Decimal:
        mark = mark_of(bridge.cache, instrument_id, quantity > 0)
        return ZERO if mark is None else quantity * mark * multiplier

    paid = fill.value if signed > 0 else -fill.value
    return worth(held + signed) - worth(held) - paid - fill.fee


HANDLERS = {"order.preview": Handler(preview, check_submit, is_query=True)}
