"""Adapters, past bars, the state of commands, shutdown."""

from __future__ import annotations

import asyncio
from typing import Any

from nautilus_trader.model.data import Bar, BarType
from nautilus_trader.model.identifiers import ClientId, InstrumentId

from nautilus_bridge.commands.command import Command, CommandError, Handler, Outcome, completed, failed, parse_decimal
from nautilus_bridge.commands.orders import find_instrument
from nautilus_bridge.feeds.paper_feed import PaperFeedClient
from nautilus_bridge.strategies.base import INTERVALS

MAX_CONNECT_SECONDS = 10.0
POLL_SECONDS = 0.05
MAX_BARS = 2_000


def find_client(bridge: Any, command: Command) -> Any:
    name = command.text("client_id")
    kind, _, client_id = name.partition(":")
    engines = {"data_client": bridge.kernel.data_engine, "exec_client": bridge.kernel.exec_engine}
    engine = engines.get(kind)
    client = None if engine is None or not client_id else engine._clients.get(ClientId(client_id))
    if client is None:
        raise CommandError("NOT_FOUND", f"There is no adapter '{name}'.")
    return client


async def connect(bridge: Any, command: Command) -> Outcome:
    return await switch(bridge, command, True)


async def disconnect(bridge: Any, command: Command) -> Outcome:
    return await switch(bridge, command, False)


async def switch(bridge: Any, command: Command, is_wanted: bool) -> Outcome:
    """No event is published for a connection, so its state is polled."""
    client = find_client(bridge, command)
    if client.is_connected != is_wanted:
        client.connect() if is_wanted else client.disconnect()
    deadline = bridge.loop.time() + MAX_CONNECT_SECONDS
    while client.is_connected != is_wanted:
        if bridge.loop.time() > deadline:
            state = "connected" if is_wanted else "disconnected"
            return failed("TIMEOUT", f"{command.text('client_id')} is not {state} after {MAX_CONNECT_SECONDS:g} s.")
        await asyncio.sleep(POLL_SECONDS)
    bridge.publish_component_changes()
    return completed()


async def status(bridge: Any, command: Command) -> Outcome:
    entry = bridge.journal.find(command.text("id"))
    if entry is None:
        return completed({"status": "none", "code": None, "message": None, "data": None})
    running = {"status": "running", "code": None, "message": None, "data": None}
    return completed(entry.result or running)


def check_shutdown(bridge: Any, command: Command) -> None:
    if not getattr(bridge.node, "is_own", True):
        raise CommandError("NOT_ALLOWED", "The console has joined this node. Stop it where it was started.")


async def shutdown(bridge: Any, command: Command) -> Outcome:
    # The answer must leave before the node stops.
    bridge.loop.call_later(0.2, bridge.request_stop, "shutdown requested")
    return completed()


def check_bars(bridge: Any, command: Command) -> None:
    find_instrument(bridge, command.text("instrument_id"))
    command.choice("interval", tuple(INTERVALS))
    limit = command.args.get("limit", 500)
    if not isinstance(limit, int) or not 1 <= limit <= MAX_BARS:
        raise CommandError("INVALID", f"limit must be a whole number from 1 to {MAX_BARS}.")


async def bars(bridge: Any, command: Command) -> Outcome:
    """Past bars of the data client, oldest first. Their time is the start of the bar."""
    instrument_id = InstrumentId.from_str(command.text("instrument_id"))
    bar_type = BarType.from_str(f"{instrument_id}-{INTERVALS[command.text('interval')]}-LAST-EXTERNAL")
    rows = await bridge.request_bars(bar_type, command.args.get("limit", 500))
    if rows is None:
        return failed("TIMEOUT", f"The data client of {instrument_id} has not answered.")
    step = int(bar_type.spec.timedelta.total_seconds() * 1e9)
    return completed({"bars": [bar_row(bar, step) for bar in rows]})


def bar_row(bar: Bar, step_ns: int) -> dict[str, str]:
    return {
        "ts": str(bar.ts_event - step_ns),
        "open": str(bar.open),
        "high": str(bar.high),
        "low": str(bar.low),
        "close": str(bar.close),
        "volume": str(bar.volume),
    }


async def push_quotes(bridge: Any, command: Command) -> Outcome:
    """Only on a node with a scripted feed."""
    quotes = command.args.get("quotes")
    if not isinstance(quotes, list):
        raise CommandError("INVALID", "quotes must be a list.")
    for quote in quotes:
        instrument = find_instrument(bridge, str(quote.get("instrument_id")))
        client = bridge.kernel.data_engine._clients.get(ClientId(instrument.id.venue.value))
        if not isinstance(client, PaperFeedClient):
            raise CommandError("NOT_ALLOWED", f"{instrument.id.venue} has no scripted feed.")
        bid, ask = parse_decimal("bid", quote.get("bid")), parse_decimal("ask", quote.get("ask"))
        bid_size = parse_decimal("bid_size", quote.get("bid_size", "100"))
        ask_size = parse_decimal("ask_size", quote.get("ask_size", "100"))
        client.publish_quote(instrument.id, bid, ask, bid_size, ask_size)
    # The data engine takes them from its queue.
    while bridge.kernel.data_engine.data_qsize() > 0:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    return completed()


HANDLERS = {
    "adapter.connect": Handler(connect, find_client),
    "adapter.disconnect": Handler(disconnect, find_client),
    "command.status": Handler(status, needs_running=False, is_query=True),
    # The node that took it has ended.
    "engine.shutdown": Handler(shutdown, check_shutdown, needs_running=False, is_done=lambda bridge, command: True),
    "bars.get": Handler(bars, check_bars, is_query=True),
}

SCRIPTED_HANDLERS = {"feed.push": Handler(push_quotes, is_query=True)}
