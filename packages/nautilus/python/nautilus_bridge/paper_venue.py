"""Our paper venue: NautilusTrader's simulated exchange behind a live execution client.

Its events are applied before the matching goes on, as in a backtest; so IOC and FOK remainders are cancelled, and a
reduce-only order sees the position that the order before it has opened.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from nautilus_trader.adapters.sandbox.config import SandboxExecutionClientConfig
from nautilus_trader.backtest.engine import SimulatedExchange
from nautilus_trader.backtest.execution_client import BacktestExecClient
from nautilus_trader.backtest.models import FillModel, LatencyModel, MakerTakerFeeModel
from nautilus_trader.common.component import MessageBus, TestClock
from nautilus_trader.common.providers import InstrumentProvider
from nautilus_trader.core.uuid import UUID4
from nautilus_trader.live.execution_client import LiveExecutionClient
from nautilus_trader.live.factories import LiveExecClientFactory
from nautilus_trader.model.book import OrderBook
from nautilus_trader.model.data import Bar, QuoteTick, TradeTick
from nautilus_trader.model.enums import AccountType, BookType, LiquiditySide, OmsType, OrderSide
from nautilus_trader.model.events import OrderAccepted, OrderFilled, OrderUpdated
from nautilus_trader.model.identifiers import AccountId, ClientId, PositionId, Venue
from nautilus_trader.model.instruments import Instrument
from nautilus_trader.model.objects import Currency, Money


class QuotedFills(FillModel):
    """Fills at the quote: orders that take at the touch, limits that rested at their price.

    The matching engine's own logic fills a triggered stop at its trigger, however far the market is, and then takes the
    trigger, or the price of a filled limit, for the market until the next quote.
    """

    def __init__(self, cache: Any) -> None:
        super().__init__()
        self._cache = cache

    def get_orderbook_for_fill_simulation(self, instrument: Any, order: Any, best_bid: Any, best_ask: Any) -> OrderBook | None:
        """None leaves it to the matching engine: without quotes, bars make the market."""
        quote = self._cache.quote_tick(instrument.id)
        if quote is None:
            return None
        bid, ask = quote.bid_price, quote.ask_price
        if order.has_price and order.liquidity_side == LiquiditySide.MAKER:
            bid, ask = (bid, max(ask, order.price)) if order.side == OrderSide.BUY else (min(bid, order.price), ask)
        book = OrderBook(instrument.id, BookType.L1_MBP)
        book.update_quote_tick(QuoteTick(instrument.id, bid, ask, quote.bid_size, quote.ask_size, quote.ts_event, quote.ts_init))
        return book


class PaperExecutionClient(LiveExecutionClient):
    """A venue that fills at the top of the book, without a queue. `attach` connects it to the execution engine."""

    def __init__(
        self,
        loop: Any,
        portfolio: Any,
        msgbus: Any,
        cache: Any,
        clock: Any,
        config: SandboxExecutionClientConfig,
    ) -> None:
        venue = Venue(config.venue)
        currency = Currency.from_str(config.base_currency or "USDT")
        super().__init__(
            loop=loop,
            client_id=ClientId(config.venue),
            venue=venue,
            oms_type=OmsType.NETTING,
            account_type=AccountType.MARGIN,
            base_currency=currency,
            instrument_provider=InstrumentProvider(),
            msgbus=msgbus,
            cache=cache,
            clock=clock,
            config=None,
        )
        self._node_bus = msgbus
        self._venue_clock = TestClock()
        self._bus = MessageBus(trader_id=msgbus.trader_id, clock=self._venue_clock)
        self._exec_engine: Any = None
        self._resuming = False
        self._is_subscribed = False
        self.was_reset = False
        self._bus.register("ExecEngine.process", self._on_event)
        self._bus.register("Portfolio.update_account", lambda event: msgbus.send("Portfolio.update_account", event))
        self._leverage = Decimal(config.default_leverage)
        self.exchange = SimulatedExchange(
            venue=venue,
            oms_type=OmsType.NETTING,
            account_type=AccountType.MARGIN,
            starting_balances=[Money.from_str(balance) for balance in config.starting_balances],
            base_currency=currency,
            default_leverage=self._leverage,
            leverages={},
            modules=[],
            portfolio=portfolio,
            msgbus=self._bus,
            cache=cache,
            clock=self._venue_clock,
            fill_model=QuotedFills(cache),
            fee_model=MakerTakerFeeModel(),
            latency_model=LatencyModel(0),
            book_type=BookType.L1_MBP,
            reject_stop_orders=True,
            support_gtd_orders=True,
            support_contingent_orders=True,
            use_position_ids=False,
            use_random_ids=True,
            # The exchange would compare with the position of any strategy; this client does it by the owner's.
            use_reduce_only=False,
            use_message_queue=False,
            bar_execution=True,
            trade_execution=False,
        )
        self._client = BacktestExecClient(exchange=self.exchange, msgbus=self._bus, cache=cache, clock=self._venue_clock)
        self.exchange.register_client(self._client)
        self._set_account_id(AccountId(f"{config.venue}-001"))

    def attach(self, exec_engine: Any) -> None:
        """Must be called after the node was built and before it runs."""
        self._exec_engine = exec_engine
        self._set_time()
        account = self._cache.account(self.account_id)
        if account is None:
            self.exchange.initialize_account()
            self.was_reset = True
        else:
            account.set_default_leverage(self._leverage)

    def connect(self) -> None:
        self._set_time()
        if not self._is_subscribed:
            self._node_bus.subscribe(f"data.*.{self.venue}.*", handler=self._on_data)
            # Topics of bars have no part for the venue.
            self._node_bus.subscribe("data.bars.*", handler=self._on_data)
            self._is_subscribed = True
        for instrument in self._cache.instruments(venue=self.venue):
            self._add(instrument)
        self._client._set_connected(True)
        self._resume_orders()
        self._set_connected(True)

    def disconnect(self) -> None:
        self._set_connected(False)

    def submit_order(self, command: Any) -> None:
        order = command.order
        if not self._accepts(order):
            return
        self._client.generate_order_submitted(*ids_of(order), self._clock.timestamp_ns())
        if self._fit_position(order):
            self.exchange.send(command)

    def submit_order_list(self, command: Any) -> None:
        if all([self._accepts(order) for order in command.order_list.orders]):
            self._client.submit_order_list(command)

    def modify_order(self, command: Any) -> None:
        self._set_time()
        self._client.modify_order(command)

    def cancel_order(self, command: Any) -> None:
        self._set_time()
        self._client.cancel_order(command)

    def cancel_all_orders(self, command: Any) -> None:
        self._set_time()
        self._client.cancel_all_orders(command)

    def batch_cancel_orders(self, command: Any) -> None:
        self._set_time()
        self._client.batch_cancel_orders(command)

    async def generate_order_status_report(self, command: Any) -> None:
        return None

    async def generate_order_status_reports(self, command: Any) -> list[Any]:
        return []

    async def generate_fill_reports(self, command: Any) -> list[Any]:
        return []

    async def generate_position_status_reports(self, command: Any) -> list[Any]:
        return []

    def _accepts(self, order: Any) -> bool:
        self._set_time()
        if not self.is_connected:
            self._reject(order, "venue disconnected")
            return False
        if order.instrument_id not in self.exchange.instruments:
            instrument = self._cache.instrument(order.instrument_id)
            if instrument is None:
                self._reject(order, f"unknown instrument {order.instrument_id}")
                return False
            self._add(instrument)
        return True

    def _fit_position(self, order: Any) -> bool:
        """Rejects a reduce-only order without a position to reduce; a larger one is reduced to the position."""
        if not order.is_reduce_only:
            return True
        now = self._clock.timestamp_ns()
        held = self._reducible(order.instrument_id, order.strategy_id, order.side)
        if held is None:
            reason = "reduce-only, but there is no position that it would reduce"
            self._client.generate_order_rejected(*ids_of(order), reason, now)
            return False
        if order.quantity > held:
            ids = order.trader_id, *ids_of(order), order.venue_order_id, self.account_id
            self._on_event(OrderUpdated(*ids, held, None, None, UUID4(), now, now))
        return True

    def _fit_reduce_only(self, fill: OrderFilled) -> None:
        """Reduces or cancels the working reduce-only orders that exceed the position; the oldest keep their size.

        The order that fills comes first: with a thin book the rest of it would be cancelled in favour of older ones.
        """
        instrument_id, strategy_id = fill.instrument_id, fill.strategy_id
        orders = self._cache.orders_open(instrument_id=instrument_id, strategy_id=strategy_id)
        working = [order for order in orders if order.is_reduce_only and not order.is_pending_cancel]
        engine = self.exchange.get_matching_engine(instrument_id)
        left: dict[Any, Any] = {}
        for order in sorted(working, key=lambda each: (each.client_order_id != fill.client_order_id, each.ts_init)):
            if order.side not in left:
                left[order.side] = self._reducible(instrument_id, strategy_id, order.side)
            available = left[order.side]
            if available is None or available.raw == 0:
                engine.cancel_order(order)
                left[order.side] = None
                continue
            if order.leaves_qty > available:
                quantity = order.filled_qty + available
                price = order.price if order.has_price else None
                trigger = order.trigger_price if order.has_trigger_price else None
                engine.update_order(order, self._quantity(instrument_id, quantity), price, trigger)
                left[order.side] = None
            else:
                left[order.side] = self._quantity(instrument_id, available - order.leaves_qty)

    def _reducible(self, instrument_id: Any, strategy_id: Any, side: OrderSide) -> Any:
        """What an order of the side could close for its strategy; None without such a position."""
        position = self._cache.position(PositionId(f"{instrument_id}-{strategy_id}"))
        if position is None or position.is_closed:
            return None
        return position.quantity if position.is_long == (side == OrderSide.SELL) else None

    def _quantity(self, instrument_id: Any, value: Any) -> Any:
        return self._cache.instrument(instrument_id).make_qty(value)

    def _reject(self, order: Any, reason: str) -> None:
        now = self._clock.timestamp_ns()
        self._client.generate_order_submitted(*ids_of(order), now)
        self._client.generate_order_rejected(*ids_of(order), reason, now)

    def _on_event(self, event: Any) -> None:
        if self._resuming and isinstance(event, OrderAccepted):
            return
        self._exec_engine._handle_event_with_tracking(event)
        if isinstance(event, OrderFilled):
            self._fit_reduce_only(event)

    def _on_data(self, data: Any) -> None:
        if isinstance(data, Bar) and data.bar_type.instrument_id.venue != self.venue:
            return
        self._set_time()
        if isinstance(data, Instrument):
            self._add(data)
            return
        instrument_id = data.bar_type.instrument_id if isinstance(data, Bar) else getattr(data, "instrument_id", None)
        if instrument_id not in self.exchange.instruments:
            return
        if isinstance(data, QuoteTick):
            self.exchange.process_quote_tick(data)
        elif isinstance(data, TradeTick):
            # A trade would replace the quoted price and size of its side.
            if self._cache.quote_tick(instrument_id) is None:
                self.exchange.process_trade_tick(data)
        elif isinstance(data, Bar):
            self.exchange.process_bar(data)
        self.exchange.process(self._clock.timestamp_ns())

    def _add(self, instrument: Instrument) -> None:
        # Adding it again would replace its matching engine, and working orders with it.
        if instrument.id not in self.exchange.instruments:
            self.exchange.add_instrument(instrument)

    def _resume_orders(self) -> None:
        """Takes up the working orders of the cache, which a restart left there."""
        self._resuming = True
        try:
            for order in self._cache.orders_open(venue=self.venue):
                engine = self.exchange.get_matching_engine(order.instrument_id)
                if engine is not None and not engine.order_exists(order.client_order_id):
                    engine.process_order(order, self.account_id)
        finally:
            self._resuming = False

    def _set_time(self) -> None:
        self._venue_clock.set_time(self._clock.timestamp_ns())


def ids_of(order: Any) -> tuple[Any, Any, Any]:
    return order.strategy_id, order.instrument_id, order.client_order_id


class SandboxLiveExecClientFactory(LiveExecClientFactory):
    """The node's builder passes the portfolio only to a factory of this name."""

    @staticmethod
    def create(
        loop: Any,
        name: str,
        config: SandboxExecutionClientConfig,
        portfolio: Any,
        msgbus: Any,
        cache: Any,
        clock: Any,
    ) -> PaperExecutionClient:
        return PaperExecutionClient(loop, portfolio, msgbus, cache, clock, config)
