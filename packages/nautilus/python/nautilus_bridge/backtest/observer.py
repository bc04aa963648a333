"""Observes a run: fills, closed positions, equity at each bar, progress."""

from __future__ import annotations

import hashlib
from collections import deque
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Callable

from nautilus_trader.common.actor import Actor
from nautilus_trader.model.data import Bar, BarType
from nautilus_trader.model.events import OrderDenied, OrderFilled

from nautilus_bridge.backtest.statistics import EquityTally
from nautilus_bridge.durable import MemoryState
from nautilus_bridge.figures import compute_figures
from nautilus_bridge.guard import plain
from nautilus_bridge.ledger import Fill, Holding, Ledger

MAX_TRADES = 1_000


class Observer(Actor):
    def __init__(
        self,
        bar_types: list[BarType],
        ledger: Ledger,
        state: MemoryState,
        tally: EquityTally,
        on_bar_end: Callable[[int], None],
    ) -> None:
        super().__init__()
        self._bar_types = bar_types
        self._ledger = ledger
        self._state = state
        self._tally = tally
        self._on_bar_end = on_bar_end
        self._day = ""
        self._digest = hashlib.sha256()
        self.events = 0
        self.denied = 0
        self.bars = 0
        self.traded = Decimal(0)
        self.trades: deque[Holding] = deque(maxlen=MAX_TRADES)
        self.results: list[float] = []

    def on_start(self) -> None:
        # Before the strategy, whose next order must see the position of the last.
        self.msgbus.subscribe("events.order.*", self._on_order_event, priority=10)
        for bar_type in self._bar_types:
            self.subscribe_bars(bar_type)

    def on_bar(self, bar: Bar) -> None:
        self.bars += 1
        self.sample(bar.ts_event)
        self._on_bar_end(self.bars)

    def sample(self, ts: int) -> None:
        equity = compute_figures(self.cache, self._ledger).equity
        self._begin_day(ts, equity)
        self._tally.add(ts, float(equity), len(self._ledger.holdings) > 0)
        state = self._state.state
        loss = Decimal(state.day_start_equity or 0) - equity
        if state.trading_state == "ACTIVE" and 0 < loss >= Decimal(state.limits["max_daily_loss"]):
            state.trading_state = "REDUCING"

    def digest(self) -> str:
        return self._digest.hexdigest()

    def _begin_day(self, ts: int, equity: Decimal) -> None:
        today = datetime.fromtimestamp((ts - 1) / 1e9, timezone.utc).date().isoformat()
        if today != self._day:
            self._day = today
            self._state.state.day_start_equity = plain(equity)

    def _on_order_event(self, event: Any) -> None:
        self.events += 1
        name = type(event).__name__
        self._digest.update(f"{event.ts_event} {name} {event.client_order_id}".encode())
        if isinstance(event, OrderDenied):
            self.denied += 1
        if not isinstance(event, OrderFilled):
            return
        self._digest.update(f" {event.last_qty} {event.last_px} {event.commission}".encode())
        fill = Fill(
            event.instrument_id.value,
            event.strategy_id.value,
            event.instrument_id.venue.value,
            event.is_buy,
            event.last_qty.as_decimal(),
            event.last_px.as_decimal(),
            event.commission.as_decimal(),
            event.ts_event,
        )
        self.traded += fill.quantity * fill.price
        change = self._ledger.apply(fill)
        if change.closed is not None:
            self.trades.append(change.closed)
            self.results.append(float(change.closed.realized - change.closed.fees))
