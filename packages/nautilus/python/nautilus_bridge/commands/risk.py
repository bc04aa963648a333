"""Limits, trading states and the emergency control."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from decimal import Decimal
from typing import Any

from nautilus_trader.model.enums import TradingState

from nautilus_bridge.commands.command import Command, CommandError, Handler, Outcome, completed, parse_decimal
from nautilus_bridge.commands.orders import cancel_orders, send_close, terms_to_close, working_orders
from nautilus_bridge.figures import compute_figures

STATES = ("ACTIVE", "REDUCING", "HALTED")
AMOUNTS = ("max_order_size", "max_position_size", "max_daily_loss")


def parse_limits(bridge: Any, command: Command) -> dict[str, Any]:
    unknown_names = set(command.args) - {*AMOUNTS, "max_positions"}
    if unknown_names:
        raise CommandError("INVALID", f"Unknown limit {', '.join(sorted(unknown_names))}.")
    limits = dict(bridge.durable.state.limits)
    for name in AMOUNTS:
        if name in command.args:
            value = parse_decimal(name, command.args[name])
            if value < 0:
                raise CommandError("INVALID", f"{name} must be zero or more; {value} was given.")
            limits[name] = f"{value:f}"
    count = command.args.get("max_positions", limits["max_positions"])
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise CommandError("INVALID", "max_positions must be a whole number of zero or more.")
    limits["max_positions"] = count
    return limits


async def set_limits(bridge: Any, command: Command) -> Outcome:
    bridge.durable.state.limits = parse_limits(bridge, command)
    await bridge.save()
    bridge.publish_risk("LimitsChanged")
    bridge.sampler.check_daily_loss()
    return completed()


def check_state(bridge: Any, command: Command) -> str:
    state = command.choice("state", STATES)
    if state != "ACTIVE":
        return state
    if is_emergency_active(bridge):
        raise CommandError(
            "BAD_STATE",
            "The emergency control is closing all positions. Wait until they are closed, or end it, and try again.",
        )
    loss = bridge.guard.daily_loss(compute_figures(bridge.cache, bridge.ledger))
    limit = Decimal(bridge.durable.state.limits["max_daily_loss"])
    if loss >= limit:
        raise CommandError(
            "BAD_STATE",
            f"The loss of this day, {loss:,.2f}, has reached Max Daily Loss, {limit:,.2f}. Raise that limit on the "
            "Risk Management screen first, or resume after 00:00 UTC.",
        )
    return state


async def set_state(bridge: Any, command: Command) -> Outcome:
    state = check_state(bridge, command)
    if state == "HALTED" and is_emergency_active(bridge):
        end_emergency_record(bridge, "halted")
    note = str(command.args.get("note") or "")
    if state == "ACTIVE":
        note_resumption(bridge)
    await enter_state(bridge, state, {"code": "asked", "message": note})
    return completed()


def is_state_set(bridge: Any, command: Command) -> bool:
    return bridge.durable.state.trading_state == command.args.get("state")


def set_state_now(bridge: Any, state: str, reason: dict[str, str]) -> None:
    """The guard applies it from here on; it is not durable yet."""
    durable = bridge.durable.state
    durable.trading_state = state
    durable.trading_reason = None if state == "ACTIVE" else reason
    durable.trading_since = str(bridge.now_ns())
    apply_native(bridge)


async def enter_state(bridge: Any, state: str, reason: dict[str, str]) -> None:
    """The state is durable when this returns. Orders that would add are cancelled."""
    set_state_now(bridge, state, reason)
    await bridge.save()
    bridge.publish_risk("TradingStateChanged")
    if state != "ACTIVE":
        await cancel_orders(bridge, [order for order in working_orders(bridge) if not order.is_reduce_only])


def apply_native(bridge: Any) -> None:
    """REDUCING stays ACTIVE natively: the native one lets a flat instrument open, and denies some closes."""
    is_halted = bridge.durable.state.trading_state == "HALTED"
    bridge.kernel.risk_engine.set_trading_state(TradingState.HALTED if is_halted else TradingState.ACTIVE)


def is_emergency_active(bridge: Any) -> bool:
    emergency = bridge.durable.state.emergency
    return emergency is not None and emergency["active"]


async def start_emergency(bridge: Any, command: Command) -> Outcome:
    if is_emergency_active(bridge):
        return completed()
    bridge.durable.state.emergency = {
        "active": True,
        "started_at": str(bridge.now_ns()),
        "ended_at": None,
        "outcome": None,
        "venues": count_by_venue(bridge),
        "left": None,
        "resumed_at": None,
    }
    await enter_state(bridge, "REDUCING", {"code": "emergency", "message": ""})
    bridge.stop_all_strategies("Stopped by the emergency control.")
    await bridge.save()
    await continue_emergency(bridge)
    return completed()


def count_by_venue(bridge: Any) -> list[dict[str, Any]]:
    """Working orders and positions, for the report of what was cancelled and closed."""
    orders = Counter(order.instrument_id.venue.value for order in working_orders(bridge))
    positions = Counter(holding.instrument_id.rpartition(".")[2] for holding in bridge.ledger.open_holdings())
    return [{"venue": venue, "orders": orders[venue], "positions": positions[venue]} for venue in sorted({*orders, *positions})]


async def continue_emergency(bridge: Any) -> None:
    """Cancels, closes and, when nothing is left, halts. What is left is tried again by the next call."""
    if bridge.is_closing_all or not is_emergency_active(bridge):
        return
    bridge.is_closing_all = True
    try:
        # Stops that rest at the venue survive a close: cancel first.
        await cancel_orders(bridge, working_orders(bridge))
        holdings = bridge.ledger.open_holdings()
        await asyncio.gather(
            *(send_close(bridge, holding, terms_to_close(bridge, holding, None), f"C-{uuid.uuid4()}") for holding in holdings)
        )
        if is_emergency_active(bridge) and not bridge.ledger.open_holdings() and not working_orders(bridge):
            end_emergency_record(bridge, "flat")
            await enter_state(bridge, "HALTED", {"code": "emergency", "message": ""})
    finally:
        bridge.is_closing_all = False


def end_emergency_record(bridge: Any, outcome: str) -> None:
    """What is left is counted here: later orders and positions are no part of the report."""
    emergency = bridge.durable.state.emergency
    emergency.update(active=False, ended_at=str(bridge.now_ns()), outcome=outcome, left=count_by_venue(bridge))


def note_resumption(bridge: Any) -> None:
    """From here on the report of the last emergency is past."""
    emergency = bridge.durable.state.emergency
    if emergency is not None and emergency.get("resumed_at") is None:
        emergency["resumed_at"] = str(bridge.now_ns())


async def end_emergency(bridge: Any, command: Command) -> Outcome:
    """Leaves what is open, and trading reduce-only."""
    if is_emergency_active(bridge):
        end_emergency_record(bridge, "ended")
        await bridge.save()
        bridge.publish_risk("EmergencyEnded")
    return completed()


HANDLERS = {
    "limits.set": Handler(set_limits, parse_limits, is_done=lambda bridge, command: parse_limits(bridge, command) == bridge.durable.state.limits),
    "trading_state.set": Handler(set_state, check_state, needs_running=False, is_done=is_state_set),
    # One that has begun goes on after a restart; one that is over may have been this one or another.
    "emergency.start": Handler(start_emergency, is_done=lambda bridge, _: is_emergency_active(bridge) or None),
    "emergency.end": Handler(end_emergency, is_done=lambda bridge, _: not is_emergency_active(bridge)),
}
