"""Once a second: figures, limits, exit prices and connections are looked at, and the metrics are sent."""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.commands.risk import continue_emergency, enter_state, is_emergency_active, set_state_now
from nautilus_bridge.figures import EquitySamples, Figures, compute_figures, mark_of, unrealized
from nautilus_bridge.frames import encode
from nautilus_bridge.guard import plain
from nautilus_bridge.ledger import ZERO
from nautilus_bridge.log_tail import LogTail
from nautilus_bridge.views import account_row, money_unit

SAMPLE_SECONDS = 1.0
MAX_METRIC_TRADES = 500
EMERGENCY_RETRY_SECONDS = 2.0
PRICES_EXPECTED_SECONDS = 60.0
"""How long a position may have no price; a venue that stays disconnected sends none."""


class Sampler:
    """The account's day, its drawdown and its daily loss."""

    def __init__(self, bridge: Any, log_tail: LogTail | None) -> None:
        state = bridge.durable.state
        peak = None if state.peak_equity is None else Decimal(state.peak_equity)
        self._bridge = bridge
        self._samples = EquitySamples(peak, Decimal(state.max_drawdown))
        self._trades: deque[dict[str, str]] = deque(maxlen=MAX_METRIC_TRADES)
        self._log_tail = log_tail
        self._lag_ms = 0.0
        self._last_saved = (state.day, state.max_drawdown, state.peak_equity)
        self._unpriced_since: float | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def max_drawdown(self) -> Decimal:
        return self._samples.max_drawdown

    def start(self) -> None:
        self._task = asyncio.ensure_future(self._run())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def reset(self) -> None:
        """A new account has no drawdown, and its day begins now."""
        state = self._bridge.durable.state
        state.day_start_equity, state.peak_equity, state.max_drawdown = None, None, "0"
        state.peak_currencies = []
        self._samples = EquitySamples(None, ZERO)

    def begin_day(self) -> None:
        state = self._bridge.durable.state
        today = datetime.now(timezone.utc).date().isoformat()
        accounts = self._bridge.cache.accounts()
        if (state.day != today or state.day_start_equity is None) and accounts:
            figures = compute_figures(self._bridge.cache, self._bridge.ledger)
            if self._is_pending(figures):
                return
            state.day = today
            state.day_start_equity = plain(figures.equity)
            state.day_start = {code: plain(amount) for code, amount in figures.equities.items()}

    def on_trade(self, tick: Any) -> None:
        side = "BUY" if tick.aggressor_side.name == "BUYER" else "SELL"
        self._trades.append(
            {
                "instrument_id": tick.instrument_id.value,
                "price": str(tick.price),
                "size": str(tick.size),
                "side": side,
                "ts": str(tick.ts_event),
            }
        )

    def check_daily_loss(self) -> None:
        """A loss that reaches the limit leaves only orders that reduce; it never relaxes by itself."""
        state = self._bridge.durable.state
        figures = compute_figures(self._bridge.cache, self._bridge.ledger)
        if self._is_pending(figures):
            return
        loss = self._bridge.guard.daily_loss(figures)
        limit = Decimal(state.limits["max_daily_loss"])
        if state.trading_state != "ACTIVE" or loss < limit or loss <= 0:
            return
        message = f"Today's loss is {loss:,.2f}; Max Daily Loss is {limit:,.2f}."
        reason = {"code": "daily-loss", "message": message}
        # At once, not when the task runs.
        set_state_now(self._bridge, "REDUCING", reason)
        self._bridge.on_breach("max_daily_loss", plain(loss), plain(limit), None)
        asyncio.ensure_future(enter_state(self._bridge, "REDUCING", reason))

    async def _run(self) -> None:
        due = self._bridge.loop.time()
        emergency_at = 0.0
        while True:
            due = max(due + SAMPLE_SECONDS, self._bridge.loop.time())
            await asyncio.sleep(due - self._bridge.loop.time())
            self._lag_ms = max(0.0, (self._bridge.loop.time() - due) * 1000)
            try:
                self._take_sample()
                if is_emergency_active(self._bridge) and self._bridge.is_running and self._bridge.loop.time() >= emergency_at:
                    emergency_at = self._bridge.loop.time() + EMERGENCY_RETRY_SECONDS
                    asyncio.ensure_future(continue_emergency(self._bridge))
            except Exception as error:  # noqa: BLE001 (the next second tries again)
                self._bridge.report_error("sampling failed", error)

    def _take_sample(self) -> None:
        self.begin_day()
        figures = compute_figures(self._bridge.cache, self._bridge.ledger)
        self._add_sample(figures)
        self._bridge.publish_component_changes()
        for level, component, message in self._log_tail.read() if self._log_tail else []:
            self._bridge.publish_log(level, component, message)
        self.check_daily_loss()
        self._bridge.exits.check_all()
        self._save_figures()
        self._bridge.hub.send(encode(self._metrics(figures)))

    def _add_sample(self, figures: Figures) -> None:
        """The drawdown compares equal currencies at prices: what is not known again after a restart is waited for."""
        if figures.unpriced:
            return
        state = self._bridge.durable.state
        counted = figures.counted
        before = state.peak_currencies or counted
        if counted[0] != before[0]:
            self._samples.restart()
        elif not set(before) <= set(counted):
            return
        else:
            self._samples.shift(figures.value_of(set(counted) - set(before)))
        state.peak_currencies = counted
        self._samples.add(figures.equity)

    def _is_pending(self, figures: Figures) -> bool:
        """Whether equity will be known in a moment: after a start a position counts at its cost until it has a price."""
        if not figures.unpriced:
            self._unpriced_since = None
            return False
        now = self._bridge.loop.time()
        if self._unpriced_since is None:
            self._unpriced_since = now
        return now < self._unpriced_since + PRICES_EXPECTED_SECONDS

    def _save_figures(self) -> None:
        state = self._bridge.durable.state
        state.max_drawdown = plain(self._samples.max_drawdown)
        state.peak_equity = None if self._samples.peak is None else plain(self._samples.peak)
        current = (state.day, state.max_drawdown, state.peak_equity)
        if current != self._last_saved:
            self._last_saved = current
            asyncio.ensure_future(self._bridge.save())

    def _metrics(self, figures: Figures) -> dict[str, Any]:
        trades = list(self._trades)
        self._trades.clear()
        rows = [account_row(account, self._bridge.ledger) for account in self._bridge.cache.accounts()]
        rates = figures.rates

        def total(name: str) -> str:
            return money_unit(sum((Decimal(row[name]) * (rates.of(row["currency"]) or ZERO) for row in rows), ZERO))

        risk = self._samples.value_at_risk()
        engines = self._bridge.kernel.data_engine, self._bridge.kernel.risk_engine, self._bridge.kernel.exec_engine
        return {
            "k": "metrics",
            "ts": str(self._bridge.now_ns()),
            "quotes": [row for row in map(self._quote_row, self._bridge.cache.instrument_ids()) if row is not None],
            "trades": trades,
            "positions": [self._mark_row(holding) for holding in self._bridge.ledger.open_holdings()],
            "equity": money_unit(figures.equity),
            "exposure": money_unit(figures.exposure),
            "currency": rates.base,
            "rates": {code: plain(rate) for code, rate in rates.known.items() if rate is not None},
            "margin_used": total("locked"),
            "margin_free": total("free"),
            "day_result": money_unit(-self._bridge.guard.daily_loss(figures)),
            "drawdown": plain(self._samples.drawdown),
            "max_drawdown": plain(self._samples.max_drawdown),
            "var_1d": None if risk is None else plain(risk),
            "queues": {
                "data": engines[0].data_qsize(),
                "risk": engines[1].cmd_qsize(),
                "exec": engines[2].cmd_qsize() + engines[2].evt_qsize(),
            },
            "loop_lag_ms": round(self._lag_ms, 1),
        }

    def _quote_row(self, instrument_id: InstrumentId) -> dict[str, str] | None:
        quote = self._bridge.cache.quote_tick(instrument_id)
        if quote is None:
            return None
        return {
            "instrument_id": instrument_id.value,
            "bid": str(quote.bid_price),
            "ask": str(quote.ask_price),
            "bid_size": str(quote.bid_size),
            "ask_size": str(quote.ask_size),
            "ts": str(quote.ts_event),
        }

    def _mark_row(self, holding: Any) -> dict[str, Any]:
        mark = mark_of(self._bridge.cache, holding.instrument_id, holding.quantity > 0)
        gain = unrealized(self._bridge.cache, holding)
        return {
            "id": holding.id,
            "mark": None if mark is None else plain(mark),
            "unrealized": None if gain is None else money_unit(gain),
        }
