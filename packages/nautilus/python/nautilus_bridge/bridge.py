"""The bridge: follows a node's events, builds its rows, samples its figures and takes commands."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import deque
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Iterator

import nautilus_trader
from nautilus_trader.common.enums import ComponentState
from nautilus_trader.model.events import OrderEvent, OrderFilled, OrderInitialized
from nautilus_trader.model.identifiers import AccountId, ClientOrderId, InstrumentId, PositionId
from nautilus_trader.model.objects import Money, Quantity

from nautilus_bridge import BRIDGE_VERSION, PROTOCOL_VERSION
from nautilus_bridge.commands.orders import MANUAL_ID, outcome_of
from nautilus_bridge.commands.risk import (
    apply_native,
    continue_emergency,
    enter_state,
    is_emergency_active,
    set_state_now,
)
from nautilus_bridge.commands.strategies import restore_strategies, stop_strategy, strategy_row
from nautilus_bridge.dispatcher import Dispatcher
from nautilus_bridge.durable import DurableFile
from nautilus_bridge.exits import ExitWatch
from nautilus_bridge.figures import EquitySamples, Figures, compute_figures, mark_of, unrealized
from nautilus_bridge.frames import encode
from nautilus_bridge.guard import Guard, plain
from nautilus_bridge.hub import EventHub
from nautilus_bridge.journal import CommandJournal
from nautilus_bridge.ledger import ZERO, Change, Close, Closing, Fill, Holding, Ledger
from nautilus_bridge.log_tail import LogTail
from nautilus_bridge.server import BridgeServer
from nautilus_bridge.strategies.template import Template
from nautilus_bridge.views import (
    account_row,
    component_row,
    components_of,
    denial_text,
    fill_row,
    instrument_row,
    money_unit,
    order_row,
    position_row,
)

SAMPLE_SECONDS = 1.0
MAX_BREACHES = 100
MAX_METRIC_TRADES = 500
BARS_SECONDS = 5.0
EMERGENCY_RETRY_SECONDS = 2.0

Section = tuple[str, str, list[str], Callable[[str], dict[str, Any] | None]]


class Bridge:
    """Created directly after the node, since a later subscription misses topics."""

    def __init__(
        self,
        node: Any,
        folder: Path,
        templates: dict[str, Template],
        token: str | None = None,
        is_scripted: bool = False,
        answer_seconds: float = 5.0,
        ping_seconds: float = 2.0,
        instruments: list[str] | None = None,
    ) -> None:
        """`answer_seconds`: how long a command waits for the venue before its outcome is unknown."""
        self.node = node
        self._instruments = None if instruments is None else set(instruments)
        self.answer_seconds = answer_seconds
        self.kernel = node.kernel
        self.trader = node.trader
        self.cache = node.kernel.cache
        self.loop = node.kernel.loop
        self.templates = templates
        self.epoch = node.kernel.instance_id.value
        self.hub = EventHub()
        self.ledger = Ledger()
        self.durable = DurableFile(folder / "state.json")
        self.journal = CommandJournal(folder / "commands.jsonl")
        self.guard = Guard(self.kernel, self.durable, self.ledger, self._on_breach)
        self.exits = ExitWatch(self)
        self.commands = Dispatcher(self, self.journal, is_scripted)
        self.server = BridgeServer(self, token, ping_seconds)
        self.is_closing_all = False
        self.account_reset = False
        self.stop_reason = "stopped"
        self.failure: str | None = None
        self._watches: dict[str, list[asyncio.Queue[Any]]] = {}
        self._late: dict[str, str] = {}
        self._realized: dict[str, Decimal] = {}
        self._is_rebuilt = False
        self._counted: set[tuple[str, str]] = set()
        self._positions: dict[PositionId, Any] = {}
        self._breaches: deque[dict[str, str]] = deque(maxlen=MAX_BREACHES)
        self._trades: deque[dict[str, str]] = deque(maxlen=MAX_METRIC_TRADES)
        self._connected: dict[str, bool] = {}
        self._sampler: asyncio.Task[None] | None = None
        self._loop_thread = threading.get_ident()
        self._started_ns = time.time_ns()
        state = self.durable.state
        peak = None if state.peak_equity is None else Decimal(state.peak_equity)
        self._samples = EquitySamples(peak, Decimal(state.max_drawdown))
        # With a scripted feed no event may depend on the second in which a file is read.
        self._log_tail = None if is_scripted else LogTail(folder / "logs")
        self._lag_ms = 0.0
        self._last_saved = (state.day, state.max_drawdown, state.peak_equity)
        self._subscribe()

    # Life.

    def restore(self) -> None:
        """Applies what the last run has stored; called before the node is built."""
        apply_native(self)
        restore_strategies(self, were_running=True)

    def repair_positions(self) -> None:
        """Gives positions of the cache database the last fills of their orders.

        NautilusTrader writes a fill with its order first and with its position a moment later; a kill may come between.
        Only for venues that are not reconciled: a reconciliation compares positions itself.
        """
        fills = self._past_fills()
        for position in self.cache.positions_open():
            known, last = set(position.trade_ids), position.ts_last
            later = (event for event in fills if event.position_id == position.id and event.ts_event >= last)
            for event in later:
                if event.trade_id in known:
                    continue
                if position.is_closed or self._flips(position, event):
                    break
                position.apply(event)
                self.cache.update_position(position)
                self.publish_log("WARNING", "Bridge", f"{position.id} lacked the fill {event.trade_id} of {event.client_order_id}.")

    @staticmethod
    def _flips(position: Any, event: OrderFilled) -> bool:
        return event.order_side != position.entry and event.last_qty > position.quantity

    async def start(self) -> None:
        """Rebuilds positions from the cache's fills and settles the commands that a crash interrupted."""
        for event in self._past_fills():
            self._add_fill(event, None)
        self._is_rebuilt = True
        self._positions = {position.id: position for position in self.cache.positions_open()}
        state = self.durable.state
        self.account_reset = state.starts > 0 and any(
            getattr(client, "was_reset", False) for client in self.kernel.exec_engine._clients.values()
        )
        state.starts += 1
        if self.account_reset:
            # A new account has no drawdown, and its day begins now.
            state.day_start_equity, state.peak_equity, state.max_drawdown = None, None, "0"
            state.peak_currencies = []
            self._samples = EquitySamples(None, ZERO)
        self._begin_day()
        self.exits.restore()
        await self.save()
        await self.commands.settle_interrupted()
        self._sampler = asyncio.ensure_future(self._sample())

    async def begin_trading(self) -> None:
        """Called when the trader runs. It would have started strategies that are to stay stopped."""
        restore_strategies(self, were_running=False)
        self.publish_component_changes()
        self.publish_engine("EngineRunning")
        if is_emergency_active(self):
            asyncio.ensure_future(continue_emergency(self))

    async def close(self, reason: str) -> None:
        if self._sampler is not None:
            self._sampler.cancel()
        await self.commands.wait()
        await self.server.close(reason)
        await self.save()
        self.durable.close()
        self.journal.close()

    def request_stop(self, reason: str) -> None:
        self.stop_reason = reason
        asyncio.ensure_future(self.node.stop_async())

    @property
    def is_running(self) -> bool:
        return self.trader.state == ComponentState.RUNNING

    def now_ns(self) -> int:
        return time.time_ns()

    async def save(self) -> None:
        await asyncio.wrap_future(self.durable.save())

    # Frames.

    def hello(self) -> dict[str, Any]:
        version = sys.version_info
        return {
            "k": "hello",
            "v": PROTOCOL_VERSION,
            "protocol": {"min": PROTOCOL_VERSION, "max": PROTOCOL_VERSION},
            "epoch": self.epoch,
            "trader_id": self.kernel.trader_id.value,
            "environment": self.kernel.environment.value,
            "versions": {
                "bridge": BRIDGE_VERSION,
                "nautilus": nautilus_trader.__version__,
                "python": f"{version.major}.{version.minor}.{version.micro}",
            },
            "pid": os.getpid(),
            "capabilities": self.commands.names,
            "templates": [template.row() for template in self.templates.values()],
            "seq": self.hub.seq,
            "oldest_seq": self.hub.oldest_seq,
        }

    def sections(self) -> Iterator[Section]:
        """In the order of the snapshot, each listed when its turn comes."""
        yield "engine", "engine", ["engine"], lambda _: self._engine_row()
        rows = {key: (key, kind, each) for key, kind, each in components_of(self.kernel)}
        yield "components", "component", list(rows), lambda key: component_row(*rows[key])
        yield "risk", "risk", ["risk"], lambda _: self._risk_row()
        instruments = {each.id.value: each for each in filter(self.shows, self.cache.instruments())}
        yield "instruments", "instrument", list(instruments), lambda key: instrument_row(instruments[key])
        yield "strategies", "strategy", self._strategy_ids(), lambda key: strategy_row(self, key)
        accounts = [account.id.value for account in self.cache.accounts()]
        yield "accounts", "account", accounts, self._account_row
        orders = [order_id.value for order_id in self.cache.client_order_ids()]
        yield "orders", "order", orders, self._order_row
        yield "positions", "position", list(self.ledger.holdings), self._position_row

    def receiver_for(self, connection: Any) -> Any:
        """The sender of a command or, when it is gone, the console that writes now."""
        return connection if self.server.is_open(connection) else self.server.writer()

    # Rows.

    def _engine_row(self) -> dict[str, Any]:
        return {
            "id": "engine",
            "trader_id": self.kernel.trader_id.value,
            "environment": self.kernel.environment.value,
            "mode": "live" if self.kernel.environment.value == "live" else "paper",
            "state": self.trader.state.name,
            "is_running": self.kernel.is_running(),
            "started_at": str(self._started_ns),
            "account_reset": self.account_reset,
        }

    def _risk_row(self) -> dict[str, Any]:
        state = self.durable.state
        return {
            "id": "risk",
            "trading_state": state.trading_state,
            "reason": state.trading_reason,
            "since": state.trading_since,
            "limits": dict(state.limits),
            "breaches": list(self._breaches),
            "max_drawdown": plain(self._samples.max_drawdown),
            "day_start_equity": state.day_start_equity,
            "emergency": state.emergency,
        }

    def _account_row(self, account_id: str) -> dict[str, Any] | None:
        account = self.cache.account(AccountId(account_id))
        return None if account is None else account_row(account, self.ledger)

    def _order_row(self, order_id: str) -> dict[str, Any] | None:
        order = self.cache.order(ClientOrderId(order_id))
        return None if order is None else order_row(order, self._realized)

    def _position_row(self, position_id: str) -> dict[str, Any] | None:
        holding = self.ledger.holdings.get(position_id)
        return None if holding is None else position_row(holding) | self.exits.row(holding)

    def _strategy_ids(self) -> list[str]:
        ids = [strategy.id.value for strategy in self.trader.strategies()]
        return ids + [key for key in self.durable.state.strategies if key not in ids]

    def instrument_ids(self) -> list[str]:
        return [instrument.id.value for instrument in filter(self.shows, self.cache.instruments())]

    def shows(self, instrument: Any) -> bool:
        return self._instruments is None or instrument.id.value in self._instruments

    # Events.

    def _subscribe(self) -> None:
        bus = self.kernel.msgbus
        for topic, handler in (
            ("events.order.*", self._on_order_event),
            ("events.account.*", self._on_account_event),
            ("events.system.*", self._on_system_event),
            ("data.trades.*", self._on_trade),
            ("data.quotes.*", self.exits.on_quote),
            ("commands.system.shutdown", self._on_shutdown),
        ):
            bus.subscribe(topic, self._on_loop(handler))
        engines = (self.kernel.data_engine, self.kernel.risk_engine, self.kernel.exec_engine, self.kernel.emulator)
        # A wildcard misses topics that were published before it.
        for component in (*engines, self.trader, *self.trader.actors(), *self.trader.strategies()):
            bus.subscribe(f"events.system.{component.id}", self._on_loop(self._on_system_event))

    def _on_loop(self, handler: Callable[[Any], None]) -> Callable[[Any], None]:
        """Handlers never raise, and run on the loop: timers publish on a thread of their own."""

        def guarded(event: Any) -> None:
            try:
                handler(event)
            except Exception as error:  # noqa: BLE001 (an exception would end the node)
                self.report_error(f"{handler.__name__} failed", error)

        def deliver(event: Any) -> None:
            if threading.get_ident() == self._loop_thread:
                guarded(event)
            else:
                self.loop.call_soon_threadsafe(guarded, event)

        return deliver

    def _on_order_event(self, event: OrderEvent) -> None:
        # It is published before the order is in the cache.
        if isinstance(event, OrderInitialized):
            return
        order_id = event.client_order_id.value
        change = self._apply_fill(event) if isinstance(event, OrderFilled) and self._is_new(event) else None
        row = self._order_row(order_id)
        data: dict[str, Any] = {
            "event": type(event).__name__,
            "ts_event": str(event.ts_event),
            "reason": denial_text(event.reason) if hasattr(event, "reason") else None,
            "fill": fill_row(event, self._realized) if isinstance(event, OrderFilled) else None,
            "view": row,
        }
        self.hub.publish("order", order_id, data)
        if change is not None:
            self._publish_positions(change, event)
            self.publish_strategy(event.strategy_id.value, "StrategyFigures")
        for watch in self._watches.get(order_id, []):
            watch.put_nowait(event)
        if order_id in self._late:
            self._settle_late(order_id)

    def _is_new(self, event: OrderFilled) -> bool:
        """Fills that a node reconciles before the bridge starts are among those that it rebuilds positions from."""
        return self._is_rebuilt and key_of(event) not in self._counted

    def _apply_fill(self, event: OrderFilled) -> Change:
        change = self._add_fill(event, self._closing_of(event))
        position = None if event.position_id is None else self.cache.position(event.position_id)
        if position is not None:
            self._positions[position.id] = position
        return change

    def _add_fill(self, event: OrderFilled, close: Close | None) -> Change:
        self._counted.add(key_of(event))
        instrument = self.cache.instrument(event.instrument_id)
        multiplier = Decimal(1) if instrument is None else instrument.multiplier.as_decimal()
        change = self.ledger.apply(
            Fill(
                instrument_id=event.instrument_id.value,
                strategy_id=event.strategy_id.value,
                venue=event.instrument_id.venue.value,
                is_buy=event.is_buy,
                quantity=event.last_qty.as_decimal(),
                price=event.last_px.as_decimal(),
                fee=event.commission.as_decimal(),
                ts=event.ts_event,
                multiplier=multiplier,
                close=close,
                currency=self._currency_of(instrument, event),
                fee_currency=event.commission.currency.code,
            )
        )
        if change.realized is not None:
            self._realized[event.trade_id.value] = change.realized
        return change

    @staticmethod
    def _currency_of(instrument: Any, event: OrderFilled) -> str:
        return (event.currency if instrument is None else instrument.quote_currency).code

    def _closing_of(self, event: OrderFilled) -> Close | None:
        """As the account and the position compute it: in doubles, from the average price before the fill.

        A flip replaces the position in the cache; the one that is remembered still has its average price.
        """
        position = self._positions.get(event.position_id)
        if position is None or position.is_inverse:
            return None
        price, average, multiplier = event.last_px.as_double(), position.avg_px_open, position.multiplier.as_double()
        points = average - price if event.is_buy else price - average
        currency = position.settlement_currency

        def close(quantity: Decimal, net: Decimal) -> Closing:
            size = Quantity(float(quantity), event.last_qty.precision)
            result = size.as_double() * multiplier * points
            is_all = size == event.last_qty
            fee = event.commission if is_all else Money(event.commission * (size / event.last_qty), event.commission.currency)
            # A fee in another currency is not in the position's result.
            cost = fee if fee.currency == currency else Money(0, currency)
            before = Money(float(net), currency)
            after = Money(before.as_double() + (-cost.as_double() + result), currency)
            within = after.as_decimal() - before.as_decimal() + cost.as_decimal()
            return Closing(Money(result, currency).as_decimal(), within, fee.as_decimal())

        return close

    def _past_fills(self) -> list[OrderFilled]:
        orders = (self.cache.order(order_id) for order_id in self.cache.client_order_ids())
        fills = [event for order in orders if order for event in order.events if isinstance(event, OrderFilled)]
        return sorted(fills, key=lambda event: (event.ts_event, event.ts_init))

    def _publish_positions(self, change: Change, event: OrderFilled) -> None:
        stamp = {"ts_event": str(event.ts_event), "order_id": event.client_order_id.value}
        if change.closed is not None:
            self.exits.end(change.closed.id)
            self.hub.publish("position", change.closed.id, {"event": "PositionClosed", **stamp, "view": position_row(change.closed)})
        if change.current is not None:
            is_new = change.closed is not None or change.current.ts_opened == event.ts_event
            name = "PositionOpened" if is_new else "PositionChanged"
            view = position_row(change.current) | self.exits.row(change.current)
            self.hub.publish("position", change.current.id, {"event": name, **stamp, "view": view})

    def _on_account_event(self, event: Any) -> None:
        account_id = event.account_id.value
        # The account shows the event when its handler returns.
        self.loop.call_soon(self._publish_account, account_id, event.ts_event)

    def _publish_account(self, account_id: str, ts_event: int) -> None:
        view = self._account_row(account_id)
        self.hub.publish("account", account_id, {"event": "AccountState", "ts_event": str(ts_event), "view": view})

    def _on_system_event(self, event: Any) -> None:
        component_id = event.component_id.value
        if component_id in self._strategy_ids():
            self.publish_strategy(component_id, "StrategyStateChanged")
            return
        for key, kind, component in components_of(self.kernel):
            if component is None or getattr(component.id, "value", None) != component_id:
                continue
            self._publish_component(key, kind, component)
        if component_id == self.kernel.trader_id.value or component_id == self.trader.id.value:
            self.publish_engine("EngineStateChanged")

    def _on_trade(self, tick: Any) -> None:
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

    def _on_shutdown(self, command: Any) -> None:
        """An exception in a strategy or client ends the node in order."""
        self.failure = f"{command.component_id}: {command.reason}"
        self.stop_reason = self.failure
        for record in self.durable.state.strategies.values():
            template = self.templates.get(record.template)
            if record.should_run and template is not None and template.is_custom:
                record.should_run = False
                record.reason = f"Not restarted, since the node ended with an error while it ran: {command.reason}"
        self.durable.save().result()
        self.publish_log("ERROR", str(command.component_id), str(command.reason))

    def _on_breach(self, limit: str, value: str, threshold: str, order_id: str | None) -> None:
        breach = {"limit": limit, "value": value, "threshold": threshold}
        self._breaches.append(breach | {"ts": str(self.now_ns())})
        self.loop.call_soon_threadsafe(self._publish_breach, breach | {"order_id": order_id})

    def _publish_breach(self, data: dict[str, Any]) -> None:
        self.hub.publish("breach", None, data)
        self.publish_risk("LimitBreached")

    def on_strategy_failure(self, strategy: Any) -> None:
        record = self.durable.state.strategies.get(strategy.id.value)
        self.publish_log("ERROR", strategy.id.value, f"Stopped by an error: {strategy.failure}")
        if record is not None:
            self.loop.call_soon(stop_strategy, self, record, strategy.failure)
            self.loop.call_soon(lambda: asyncio.ensure_future(self.save()))

    # Publishing.

    def publish_engine(self, name: str) -> None:
        self._publish("engine", "engine", name, self._engine_row())

    def publish_risk(self, name: str) -> None:
        self._publish("risk", "risk", name, self._risk_row())

    def publish_exits(self, holding: Holding) -> None:
        if self.ledger.holdings.get(holding.id) is not holding:
            return
        self._publish("position", holding.id, "PositionExitsChanged", position_row(holding) | self.exits.row(holding))

    def publish_strategy(self, strategy_id: str, name: str) -> None:
        self._publish("strategy", strategy_id, name, strategy_row(self, strategy_id))

    def _publish_component(self, key: str, kind: str, component: Any) -> None:
        self._publish("component", key, "ComponentStateChanged", component_row(key, kind, component))

    def _publish(self, kind: str, object_id: str, name: str, view: dict[str, Any]) -> None:
        self.hub.publish(kind, object_id, {"event": name, "ts_event": str(self.now_ns()), "view": view})

    def publish_log(self, level: str, component: str, message: str) -> None:
        self.hub.publish("log", None, {"event": "log", "level": level, "component": component, "message": message})

    def report_error(self, what: str, error: Exception) -> None:
        message = f"{what}: {type(error).__name__}: {error}"
        self.kernel.logger.error(message)
        self.publish_log("ERROR", "Bridge", message)

    def publish_component_changes(self) -> None:
        """Connections publish no event; they are compared with the last look."""
        for key, kind, component in components_of(self.kernel):
            if kind not in ("DataClient", "ExecClient"):
                continue
            is_connected = bool(component.is_connected)
            if self._connected.get(key) != is_connected:
                self._connected[key] = is_connected
                self._publish_component(key, kind, component)

    # Waiting for events.

    def watch(self, order_id: str) -> asyncio.Queue[Any]:
        queue: asyncio.Queue[Any] = asyncio.Queue()
        self._watches.setdefault(order_id, []).append(queue)
        return queue

    def unwatch(self, order_id: str, queue: asyncio.Queue[Any]) -> None:
        queues = self._watches.get(order_id, [])
        if queue in queues:
            queues.remove(queue)
        if not queues:
            self._watches.pop(order_id, None)

    def settle_later(self, order_id: str, command_id: str) -> None:
        """An unknown outcome is replaced when the venue answers after all."""
        self._late[order_id] = command_id
        self._settle_late(order_id)

    def _settle_late(self, order_id: str) -> None:
        order = self.cache.order(ClientOrderId(order_id))
        outcome = None if order is None else outcome_of(order)
        if outcome is not None:
            self.commands.settle(self._late.pop(order_id), outcome)

    async def request_bars(self, bar_type: Any, limit: int) -> list[Any] | None:
        """Asks the data client through the strategy for manual orders."""
        manual = next(each for each in self.trader.strategies() if each.id.value == MANUAL_ID)
        return await manual.fetch_bars(bar_type, limit, BARS_SECONDS)

    def stop_all_strategies(self, reason: str) -> None:
        for record in self.durable.state.strategies.values():
            if record.should_run:
                stop_strategy(self, record, reason)

    # Once a second.

    async def _sample(self) -> None:
        due = self.loop.time()
        emergency_at = 0.0
        while True:
            due = max(due + SAMPLE_SECONDS, self.loop.time())
            await asyncio.sleep(due - self.loop.time())
            self._lag_ms = max(0.0, (self.loop.time() - due) * 1000)
            try:
                self._take_sample()
                if is_emergency_active(self) and self.is_running and self.loop.time() >= emergency_at:
                    emergency_at = self.loop.time() + EMERGENCY_RETRY_SECONDS
                    asyncio.ensure_future(continue_emergency(self))
            except Exception as error:  # noqa: BLE001 (the next second tries again)
                self.report_error("sampling failed", error)

    def _take_sample(self) -> None:
        self._begin_day()
        figures = compute_figures(self.cache, self.ledger)
        self._add_sample(figures)
        self.publish_component_changes()
        for level, component, message in self._log_tail.read() if self._log_tail else []:
            self.publish_log(level, component, message)
        self.check_daily_loss()
        self.exits.check_all()
        self._save_figures()
        self.hub.send(encode(self._metrics(figures)))

    def _add_sample(self, figures: Figures) -> None:
        """The drawdown compares equal currencies: one whose rate is not known again after a restart is waited for."""
        state = self.durable.state
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

    def _begin_day(self) -> None:
        state = self.durable.state
        today = datetime.now(timezone.utc).date().isoformat()
        accounts = self.cache.accounts()
        if (state.day != today or state.day_start_equity is None) and accounts:
            state.day = today
            figures = compute_figures(self.cache, self.ledger)
            state.day_start_equity = plain(figures.equity)
            state.day_start = {code: plain(amount) for code, amount in figures.equities.items()}

    def _save_figures(self) -> None:
        state = self.durable.state
        state.max_drawdown = plain(self._samples.max_drawdown)
        state.peak_equity = None if self._samples.peak is None else plain(self._samples.peak)
        current = (state.day, state.max_drawdown, state.peak_equity)
        if current != self._last_saved:
            self._last_saved = current
            asyncio.ensure_future(self.save())

    def check_daily_loss(self) -> None:
        """A loss that reaches the limit leaves only orders that reduce; it never relaxes by itself."""
        state = self.durable.state
        loss = self.guard.daily_loss(compute_figures(self.cache, self.ledger))
        limit = Decimal(state.limits["max_daily_loss"])
        if state.trading_state != "ACTIVE" or loss < limit or loss <= 0:
            return
        message = f"Today's loss is {loss:,.2f}; Max Daily Loss is {limit:,.2f}."
        reason = {"code": "daily-loss", "message": message}
        # At once, not when the task runs.
        set_state_now(self, "REDUCING", reason)
        self._on_breach("max_daily_loss", plain(loss), plain(limit), None)
        asyncio.ensure_future(enter_state(self, "REDUCING", reason))

    def _metrics(self, figures: Figures) -> dict[str, Any]:
        trades = list(self._trades)
        self._trades.clear()
        rows = [account_row(account, self.ledger) for account in self.cache.accounts()]
        rates = figures.rates

        def total(name: str) -> str:
            return money_unit(sum((Decimal(row[name]) * (rates.of(row["currency"]) or ZERO) for row in rows), ZERO))

        risk = self._samples.value_at_risk()
        engines = self.kernel.data_engine, self.kernel.risk_engine, self.kernel.exec_engine
        return {
            "k": "metrics",
            "ts": str(self.now_ns()),
            "quotes": [row for row in map(self._quote_row, self.cache.instrument_ids()) if row is not None],
            "trades": trades,
            "positions": [self._mark_row(holding) for holding in self.ledger.open_holdings()],
            "equity": money_unit(figures.equity),
            "exposure": money_unit(figures.exposure),
            "currency": rates.base,
            "rates": {code: plain(rate) for code, rate in rates.known.items() if rate is not None},
            "margin_used": total("locked"),
            "margin_free": total("free"),
            "day_result": money_unit(-self.guard.daily_loss(figures)),
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
        quote = self.cache.quote_tick(instrument_id)
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
        mark = mark_of(self.cache, holding.instrument_id, holding.quantity > 0)
        gain = unrealized(self.cache, holding)
        return {
            "id": holding.id,
            "mark": None if mark is None else plain(mark),
            "unrealized": None if gain is None else money_unit(gain),
        }


def key_of(fill: OrderFilled) -> tuple[str, str]:
    """A trade id is unique per order: venues number them by instrument."""
    return fill.client_order_id.value, fill.trade_id.value
