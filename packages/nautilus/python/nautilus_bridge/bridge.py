"""The bridge: follows a node's events, builds its rows, publishes them and takes commands."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any, Callable, Iterator

import nautilus_trader
from nautilus_trader.common.enums import ComponentState
from nautilus_trader.model.events import OrderEvent, OrderFilled, OrderInitialized
from nautilus_trader.model.identifiers import AccountId, ClientOrderId

from nautilus_bridge import BRIDGE_VERSION, PROTOCOL_VERSION
from nautilus_bridge.commands.orders import MANUAL_ID, outcome_of
from nautilus_bridge.commands.risk import apply_native, continue_emergency, is_emergency_active
from nautilus_bridge.commands.strategies import restore_strategies, stop_strategy, strategy_row
from nautilus_bridge.dispatcher import Dispatcher
from nautilus_bridge.durable import DurableFile
from nautilus_bridge.exits import ExitWatch
from nautilus_bridge.fills import Fills
from nautilus_bridge.guard import Guard, plain
from nautilus_bridge.hub import EventHub
from nautilus_bridge.journal import CommandJournal
from nautilus_bridge.ledger import Change, Holding, Ledger
from nautilus_bridge.log_tail import LogTail
from nautilus_bridge.sampler import Sampler
from nautilus_bridge.server import BridgeServer
from nautilus_bridge.strategies.template import Template
from nautilus_bridge.views import (
    account_row,
    component_row,
    components_of,
    denial_text,
    fill_row,
    instrument_row,
    order_row,
    position_row,
)

MAX_BREACHES = 100
BARS_SECONDS = 5.0

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
        self.fills = Fills(self.cache, self.ledger)
        self.durable = DurableFile(folder / "state.json")
        self.journal = CommandJournal(folder / "commands.jsonl")
        self.guard = Guard(self.kernel, self.durable, self.ledger, self.on_breach)
        self.exits = ExitWatch(self)
        self.commands = Dispatcher(self, self.journal, is_scripted)
        self.server = BridgeServer(self, token, ping_seconds)
        self.is_closing_all = False
        self.account_reset = False
        self.stop_reason = "stopped"
        self.failure: str | None = None
        self._watches: dict[str, list[asyncio.Queue[Any]]] = {}
        self._late: dict[str, str] = {}
        self._breaches: deque[dict[str, str]] = deque(maxlen=MAX_BREACHES)
        self._connected: dict[str, bool] = {}
        self._loop_thread = threading.get_ident()
        self._started_ns = time.time_ns()
        # With a scripted feed no event may depend on the second in which a file is read.
        self.sampler = Sampler(self, None if is_scripted else LogTail(folder / "logs"))
        self._subscribe()

    # Life.

    def restore(self) -> None:
        """Applies what the last run has stored; called before the node is built."""
        apply_native(self)
        restore_strategies(self, were_running=True)

    async def start(self) -> None:
        """Rebuilds positions from the cache's fills and settles the commands that a crash interrupted."""
        self.fills.rebuild()
        state = self.durable.state
        self.account_reset = state.starts > 0 and any(
            getattr(client, "was_reset", False) for client in self.kernel.exec_engine._clients.values()
        )
        state.starts += 1
        if self.account_reset:
            self.sampler.reset()
        self.sampler.begin_day()
        self.exits.restore()
        await self.save()
        await self.commands.settle_interrupted()
        self.sampler.start()

    async def begin_trading(self) -> None:
        """Called when the trader runs. It would have started strategies that are to stay stopped."""
        restore_strategies(self, were_running=False)
        self.publish_component_changes()
        self.publish_engine("EngineRunning")
        if is_emergency_active(self):
            asyncio.ensure_future(continue_emergency(self))

    async def close(self, reason: str) -> None:
        self.sampler.stop()
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
            "max_drawdown": plain(self.sampler.max_drawdown),
            "day_start_equity": state.day_start_equity,
            "emergency": state.emergency,
        }

    def _account_row(self, account_id: str) -> dict[str, Any] | None:
        account = self.cache.account(AccountId(account_id))
        return None if account is None else account_row(account, self.ledger)

    def _order_row(self, order_id: str) -> dict[str, Any] | None:
        order = self.cache.order(ClientOrderId(order_id))
        return None if order is None else order_row(order, self.fills.realized)

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
            ("data.trades.*", self.sampler.on_trade),
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
        change = self.fills.apply(event) if isinstance(event, OrderFilled) and self.fills.is_new(event) else None
        row = self._order_row(order_id)
        data: dict[str, Any] = {
            "event": type(event).__name__,
            "ts_event": str(event.ts_event),
            "reason": denial_text(event.reason) if hasattr(event, "reason") else None,
            "fill": fill_row(event, self.fills.realized) if isinstance(event, OrderFilled) else None,
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

    def on_breach(self, limit: str, value: str, threshold: str, order_id: str | None) -> None:
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
