"""Rows for the console, built from the node's objects on its loop."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

from nautilus_trader.common.component import Component
from nautilus_trader.model.enums import (
    LiquiditySide,
    OrderStatus,
    liquidity_side_to_str,
    order_side_to_str,
    order_status_to_str,
    order_type_to_str,
    time_in_force_to_str,
)
from nautilus_trader.model.events import OrderCanceled, OrderDenied, OrderExpired, OrderFilled, OrderRejected
from nautilus_trader.model.instruments import Instrument

from nautilus_bridge.figures import currency_of, totals_of
from nautilus_bridge.guard import HALTED_TEXT, plain
from nautilus_bridge.ledger import EXACT, UNIT, ZERO, Holding, Ledger, Result

Row = dict[str, Any]

TYPE_NAMES = {"STOP_MARKET": "STOP"}

EXIT_TAG = "exit"
"""Begins the tag of an order that an exit price placed: `exit:stop-loss:59000.0`."""


def order_row(order: Any, realized: dict[str, Decimal]) -> Row:
    """`realized` by trade id."""
    fills = [fill_row(event, realized) for event in order.events if isinstance(event, OrderFilled)]
    with localcontext(EXACT):
        value = sum((Decimal(fill["price"]) * Decimal(fill["quantity"]) for fill in fills), ZERO)
        fees = sum((Decimal(fill["commission"]["amount"]) for fill in fills), ZERO)
        filled = order.filled_qty.as_decimal()
        average = None if filled == 0 else plain((value / filled).quantize(Decimal("0.0000000001")))
    kind = order_type_to_str(order.order_type)
    return {
        "id": order.client_order_id.value,
        "venue_order_id": text_or_none(order.venue_order_id),
        "strategy_id": order.strategy_id.value,
        "instrument_id": order.instrument_id.value,
        "side": order_side_to_str(order.side),
        "type": TYPE_NAMES.get(kind, kind),
        "tif": time_in_force_to_str(order.time_in_force),
        "quantity": str(order.quantity),
        "filled": str(order.filled_qty),
        "price": str(order.price) if order.has_price else None,
        "trigger_price": str(order.trigger_price) if order.has_trigger_price else None,
        "avg_px": average,
        "reduce_only": order.is_reduce_only,
        "status": order_status_to_str(order.status),
        "open": order.is_open,
        "closed": order.is_closed,
        "position_id": f"{order.instrument_id}-{order.strategy_id}",
        "ts_init": str(order.ts_init),
        "ts_last": str(order.ts_last),
        "filled_value": plain(value),
        "fees": plain(fees),
        "reason": reason_of(order),
        "fills": fills,
    } | ({} if (exit_price := exit_of(order)) is None else {"exit": exit_price})


def exit_of(order: Any) -> dict[str, str] | None:
    """The exit price that placed an order."""
    for tag in order.tags or []:
        parts = tag.split(":")
        if len(parts) == 3 and parts[0] == EXIT_TAG:
            return {"kind": parts[1], "price": parts[2]}
    return None


def fill_row(event: OrderFilled, realized: dict[str, Decimal]) -> Row:
    gain = realized.get(event.trade_id.value)
    side = event.liquidity_side
    return {
        "trade_id": event.trade_id.value,
        "price": str(event.last_px),
        "quantity": str(event.last_qty),
        "commission": {"amount": plain(event.commission.as_decimal()), "currency": event.commission.currency.code},
        "liquidity": "TAKER" if side == LiquiditySide.NO_LIQUIDITY_SIDE else liquidity_side_to_str(side),
        "realized": None if gain is None else money_unit(gain),
        "ts": str(event.ts_event),
    }


def reason_of(order: Any) -> Row | None:
    event = order.last_event
    if isinstance(event, OrderDenied):
        return {"code": "risk", "message": denial_text(event.reason)}
    if isinstance(event, OrderRejected):
        return {"code": "venue", "message": event.reason}
    if isinstance(event, OrderExpired):
        return {"code": "cancel", "message": "Expired."}
    if isinstance(event, OrderCanceled):
        tif = time_in_force_to_str(order.time_in_force)
        if tif == "FOK":
            return {"code": "cancel", "message": "FOK: not filled in full, cancelled."}
        if tif == "IOC":
            return {"code": "cancel", "message": "IOC: unfilled part cancelled."}
        return {"code": "cancel", "message": "Cancelled."}
    return None


def denial_text(reason: str) -> str:
    """NautilusTrader's own risk engine denies before the guard while trading is halted."""
    return HALTED_TEXT if reason == "TradingState.HALTED" else reason


def position_row(holding: Holding) -> Row:
    return {
        "id": holding.id,
        "instrument_id": holding.instrument_id,
        "strategy_id": holding.strategy_id,
        "side": holding.side,
        "quantity": plain(abs(holding.quantity)),
        "entry_value": money_unit(abs(holding.cost)),
        "realized": money_unit(holding.realized),
        "fees": money_unit(holding.fees),
        "ts_opened": str(holding.ts_opened),
        "ts_closed": None if holding.ts_closed is None else str(holding.ts_closed),
    }


def account_row(account: Any, ledger: Ledger) -> Row:
    currency = currency_of(account)
    shown = currency.code if currency else ""
    amounts = amounts_of(account, ledger)
    others = [{"currency": code, **row} for code, row in sorted(amounts.items()) if code != shown]
    margins = account.margins() if account.is_margin_account else {}
    initial = sum((margin.initial.as_decimal() for margin in margins.values()), ZERO)
    return {
        "id": account.id.value,
        "currency": shown,
        "free": money_text(account.balance_free(currency)),
        "locked": money_text(account.balance_locked(currency)),
        "margin_initial": plain(initial),
    } | amounts.get(shown, NOTHING) | ({"others": others} if others else {})


NOTHING = {"deposited": "0", "total": "0", "realized": "0", "fees": "0"}


def amounts_of(account: Any, ledger: Ledger) -> dict[str, Row]:
    """Deposit, balance, result and fees by currency: NautilusTrader adds nothing across them."""
    issuer = account.id.get_issuer()
    deposits = {each.currency.code: each.total.as_decimal() for each in account.events[0].balances}
    totals = totals_of(account)
    results = {code: result for (venue, code), result in ledger.venues.items() if venue == issuer}

    def row(code: str) -> Row:
        result = results.get(code, Result())
        return {
            "deposited": plain(deposits.get(code, ZERO)),
            "total": plain(totals.get(code, ZERO)),
            "realized": money_unit(result.realized),
            "fees": money_unit(result.fees),
        }

    return {code: row(code) for code in {*deposits, *totals, *results}}


def instrument_row(instrument: Instrument) -> Row:
    maximum = instrument.max_quantity
    return {
        "id": instrument.id.value,
        "symbol": instrument.id.symbol.value,
        "venue": instrument.id.venue.value,
        "kind": "SPOT" if type(instrument).__name__ == "CurrencyPair" else "PERPETUAL",
        "base": instrument.base_currency.code if instrument.base_currency else instrument.id.symbol.value,
        "quote": instrument.quote_currency.code,
        "tick": str(instrument.price_increment),
        "lot": str(instrument.size_increment),
        "min_quantity": str(instrument.min_quantity or instrument.size_increment),
        "max_quantity": None if maximum is None else str(maximum),
        "max_price": None if instrument.max_price is None else str(instrument.max_price),
        "maker_fee": plain(Decimal(instrument.maker_fee)),
        "taker_fee": plain(Decimal(instrument.taker_fee)),
        "margin_rate": plain(Decimal(instrument.margin_init)),
    }


def component_row(component_id: str, kind: str, component: Any) -> Row:
    is_client = kind in ("DataClient", "ExecClient")
    state = component.state.name if isinstance(component, Component) else None
    return {
        "id": component_id,
        "type": kind,
        "state": state,
        "is_connected": bool(component.is_connected) if is_client else None,
        "venue": text_or_none(component.venue) if is_client else None,
        "reason": None,
    }


def components_of(kernel: Any) -> list[tuple[str, str, Any]]:
    """Ids, types and objects. A data and an execution client share one component id, so the type is part of ours."""
    found: list[tuple[str, str, Any]] = [
        ("DataEngine", "Engine", kernel.data_engine),
        ("RiskEngine", "Engine", kernel.risk_engine),
        ("ExecEngine", "Engine", kernel.exec_engine),
        ("OrderEmulator", "Engine", kernel.emulator),
        (kernel.trader_id.value, "Component", kernel.trader),
        ("Portfolio", "Component", None),
        ("Cache", "Component", None),
        ("MessageBus", "Component", None),
    ]
    for client_id, client in kernel.data_engine._clients.items():
        found.append((f"data_client:{client_id}", "DataClient", client))
    for client_id, client in kernel.exec_engine._clients.items():
        found.append((f"exec_client:{client_id}", "ExecClient", client))
    for actor in kernel.trader.actors():
        found.append((actor.id.value, "Actor", actor))
    return found


def is_working(order: Any) -> bool:
    return order.is_open or order.is_inflight or order.status in (OrderStatus.INITIALIZED, OrderStatus.EMULATED)


def money_unit(value: Decimal) -> str:
    """An amount to the unit of NautilusTrader's and the console's money, eight decimals."""
    with localcontext(EXACT):
        # Adding zero turns minus zero into zero.
        return plain(value.quantize(UNIT) + 0)


def money_text(money: Any) -> str:
    return "0" if money is None else plain(money.as_decimal())


def text_or_none(value: Any) -> str | None:
    return None if value is None else value.value
