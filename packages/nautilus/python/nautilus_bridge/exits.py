"""Stop-loss and take-profit of positions: stored by the bridge, watched with every quote, closed through the guard."""

from __future__ import annotations

import asyncio
import uuid
from decimal import Decimal
from typing import Any

from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.commands.orders import create_order, find_owner, send_close, terms_to_close
from nautilus_bridge.commands.risk import is_emergency_active
from nautilus_bridge.durable import ExitRecord
from nautilus_bridge.ledger import Holding
from nautilus_bridge.views import EXIT_TAG

RETRY_SECONDS = 1.0
"""A close that left something open, or that was denied or rejected, is repeated after this time."""


class ExitWatch:
    """Closes a position whose exit price the market has reached. Everything runs on the loop's thread."""

    def __init__(self, bridge: Any) -> None:
        self._bridge = bridge
        self._tried_at: dict[str, float] = {}
        self._closing: set[str] = set()
        self._obstacles: dict[str, str] = {}

    def find(self, holding: Holding) -> ExitRecord | None:
        """The id of a position is used again; two of them differ in the time of their opening."""
        record = self._bridge.durable.state.exits.get(holding.id)
        return record if record is not None and record.opened_at == str(holding.ts_opened) else None

    def row(self, holding: Holding) -> dict[str, str | None]:
        """The fields of the position's row; none without exit prices."""
        record = self.find(holding)
        if record is None:
            return {}
        prices = {"stop_loss": record.stop_loss, "take_profit": record.take_profit}
        return prices | {"exit_obstacle": self._obstacles.get(holding.id)}

    async def change(self, holding: Holding, prices: dict[str, str | None]) -> None:
        """Returns when the prices are stored."""
        exits = self._bridge.durable.state.exits
        if any(price is not None for price in prices.values()):
            exits[holding.id] = ExitRecord(str(holding.ts_opened), **prices)
        else:
            exits.pop(holding.id, None)
        self._obstacles.pop(holding.id, None)
        await self._bridge.save()
        self._bridge.publish_exits(holding)
        self.check(holding)

    def end(self, position_id: str) -> None:
        """The position is closed, or another one has its id."""
        self._obstacles.pop(position_id, None)
        self._tried_at.pop(position_id, None)
        if self._bridge.durable.state.exits.pop(position_id, None) is not None:
            asyncio.ensure_future(self._bridge.save())

    def restore(self) -> None:
        """Prices of positions that did not survive the restart end, and the log names them."""
        exits = self._bridge.durable.state.exits
        for position_id in list(exits):
            holding = self._bridge.ledger.holdings.get(position_id)
            if holding is None or self.find(holding) is None:
                del exits[position_id]
                message = f"The stop-loss and take-profit of {position_id} ended: the restart left no such position."
                self._bridge.publish_log("WARNING", "Bridge", message)

    def on_quote(self, quote: Any) -> None:
        exits = self._bridge.durable.state.exits
        if not exits:
            return
        instrument_id = quote.instrument_id.value
        for position_id in list(exits):
            holding = self._bridge.ledger.holdings.get(position_id)
            if holding is not None and holding.instrument_id == instrument_id:
                self.check(holding)

    def check_all(self) -> None:
        """An obstacle may go without a new quote."""
        for position_id in list(self._bridge.durable.state.exits):
            holding = self._bridge.ledger.holdings.get(position_id)
            if holding is not None:
                self.check(holding)

    def check(self, holding: Holding) -> None:
        record = self.find(holding)
        bridge = self._bridge
        if record is None or holding.id in self._closing or not bridge.is_running or is_emergency_active(bridge):
            return
        reached = reached_exit(holding, record, market_of(bridge, holding))
        if reached is None:
            self._note(holding, None)
            return
        now = bridge.loop.time()
        tried_at = self._tried_at.get(holding.id)
        if tried_at is not None and now < tried_at + RETRY_SECONDS or bridge.guard.is_closing(holding.id):
            return
        self._tried_at[holding.id] = now
        self._closing.add(holding.id)
        asyncio.ensure_future(self._close(holding, *reached))

    async def _close(self, holding: Holding, kind: str, price: str) -> None:
        """No order while it would be denied: the position says why it waits."""
        bridge = self._bridge
        try:
            order_id = f"E-{uuid.uuid4()}"
            terms = terms_to_close(bridge, holding, None)
            denial = bridge.guard.assess(create_order(find_owner(bridge, holding.strategy_id), order_id, terms))
            if denial is not None:
                self._note(holding, denial.message)
                return
            tags = [f"{EXIT_TAG}:{kind}:{price}"]
            outcome = await send_close(bridge, holding, terms, order_id, tags)
            self._note(holding, None if outcome.status == "completed" else outcome.message)
        except Exception as error:  # noqa: BLE001 (tried again with a later quote)
            bridge.report_error(f"The close of {holding.id} at its {kind} failed", error)
            self._note(holding, f"{type(error).__name__}: {error}")
        finally:
            self._closing.discard(holding.id)

    def _note(self, holding: Holding, obstacle: str | None) -> None:
        if obstacle == self._obstacles.get(holding.id) or self.find(holding) is None:
            return
        if obstacle is None:
            del self._obstacles[holding.id]
        else:
            self._obstacles[holding.id] = obstacle
        self._bridge.publish_exits(holding)


def market_of(bridge: Any, holding: Holding) -> Decimal | None:
    """A long position is closed at the bid, a short one at the ask."""
    quote = bridge.cache.quote_tick(InstrumentId.from_str(holding.instrument_id))
    if quote is None:
        return None
    return (quote.bid_price if holding.quantity > 0 else quote.ask_price).as_decimal()


def reached_exit(holding: Holding, record: ExitRecord, market: Decimal | None) -> tuple[str, str] | None:
    """At most one is reached: they lie on opposite sides of the market."""
    for kind, price in (("stop-loss", record.stop_loss), ("take-profit", record.take_profit)):
        if price is not None and market is not None and is_reached(holding, kind, Decimal(price), market):
            return kind, price
    return None


def is_reached(holding: Holding, kind: str, price: Decimal, market: Decimal) -> bool:
    is_below = (holding.quantity > 0) == (kind == "stop-loss")
    return market <= price if is_below else market >= price
