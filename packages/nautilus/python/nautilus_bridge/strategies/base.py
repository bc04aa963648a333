"""What our strategies share: their own position, working orders, sizes, and a failure that stops only themselves."""

from __future__ import annotations

import asyncio
import threading
from decimal import Decimal
from typing import Any, Callable

from nautilus_trader.model.data import Bar, BarType, QuoteTick
from nautilus_trader.model.enums import OrderSide, PriceType, TimeInForce
from nautilus_trader.model.identifiers import InstrumentId
from nautilus_trader.trading.config import StrategyConfig
from nautilus_trader.trading.strategy import Strategy

INTERVALS = {
    "1s": "1-SECOND",
    "5s": "5-SECOND",
    "15s": "15-SECOND",
    "1m": "1-MINUTE",
    "5m": "5-MINUTE",
    "15m": "15-MINUTE",
    "1h": "1-HOUR",
    "4h": "4-HOUR",
    "1d": "1-DAY",
}


class DeskStrategyConfig(StrategyConfig, frozen=True):
    """`bar_source` is EXTERNAL in backtests, where bars are given and not built from trades."""

    bar_source: str = "INTERNAL"


class DeskStrategy(Strategy):
    """An exception in a handler stops this strategy and leaves the node running."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.failure: str | None = None
        self.on_failure: Callable[[DeskStrategy], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread = 0
        self._own: list[Any] = []

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Runs all handlers on the loop; the timers that close bars run on another thread."""
        self._loop = loop
        self._loop_thread = threading.get_ident()

    # What a type of strategy implements.

    def begin(self) -> None:
        """Subscribes."""

    def take_bar(self, bar: Bar) -> None:
        """A bar has closed."""

    def take_quote(self, quote: QuoteTick) -> None:
        """A quote has changed."""

    # Calls of NautilusTrader.

    def on_start(self) -> None:
        self.failure = None
        self._own = list(self.cache.orders_open(strategy_id=self.id))
        self._guarded(self.begin)

    def on_stop(self) -> None:
        for order in self.cache.orders_open(strategy_id=self.id):
            if not order.is_pending_cancel:
                self.cancel_order(order)

    def on_reset(self) -> None:
        self.failure = None

    def on_bar(self, bar: Bar) -> None:
        self._guarded(self.take_bar, bar)

    def on_quote_tick(self, tick: QuoteTick) -> None:
        self._guarded(self.take_quote, tick)

    def _guarded(self, handler: Callable[..., None], *args: Any) -> None:
        if self._loop is not None and threading.get_ident() != self._loop_thread:
            self._loop.call_soon_threadsafe(self._guarded, handler, *args)
            return
        if self.failure is not None:
            return
        try:
            handler(*args)
        except Exception as error:  # noqa: BLE001 (a strategy must not end its node)
            self.failure = f"{type(error).__name__}: {error}"
            self.log.error(f"stopped by an error: {self.failure}")
            if self.on_failure is not None:
                self.on_failure(self)

    # Helpers. Quantities are decimals, long above zero.

    def instrument_of(self, instrument_id: InstrumentId) -> Any:
        instrument = self.cache.instrument(instrument_id)
        if instrument is None:
            raise ValueError(f"there is no instrument {instrument_id}")
        return instrument

    def bar_type(self, instrument_id: InstrumentId, interval: str, source: str) -> BarType:
        return BarType.from_str(f"{instrument_id}-{INTERVALS[interval]}-LAST-{source}")

    def position(self, instrument_id: InstrumentId) -> Decimal:
        total = Decimal(0)
        for position in self.cache.positions_open(instrument_id=instrument_id, strategy_id=self.id):
            quantity = position.quantity.as_decimal()
            total += quantity if position.is_long else -quantity
        return total

    def own_orders(self, instrument_id: InstrumentId | None = None) -> list[Any]:
        """Working orders, with those that no venue has accepted yet."""
        self._own = [order for order in self._own if not order.is_closed]
        return [order for order in self._own if instrument_id is None or order.instrument_id == instrument_id]

    def working(self, instrument_id: InstrumentId) -> Decimal:
        total = Decimal(0)
        for order in self.own_orders(instrument_id):
            left = order.leaves_qty.as_decimal()
            total += left if order.side == OrderSide.BUY else -left
        return total

    def middle(self, instrument_id: InstrumentId) -> Decimal | None:
        quote = self.cache.quote_tick(instrument_id)
        if quote is not None:
            return (quote.bid_price.as_decimal() + quote.ask_price.as_decimal()) / 2
        price = self.cache.price(instrument_id, PriceType.LAST)
        return None if price is None else price.as_decimal()

    def lots_for(self, instrument_id: InstrumentId, value: float, price: Decimal | None = None) -> Decimal:
        """The quantity that an amount of quote currency buys; 0 below the minimum."""
        price = price or self.middle(instrument_id)
        if price is None or price <= 0:
            return Decimal(0)
        instrument = self.instrument_of(instrument_id)
        lot = instrument.size_increment.as_decimal()
        quantity = Decimal(str(value)) / price // lot * lot
        least = instrument.min_quantity or instrument.size_increment
        return Decimal(0) if quantity < least.as_decimal() else quantity

    def place(
        self,
        instrument_id: InstrumentId,
        side: OrderSide,
        quantity: Decimal,
        price: Decimal | None = None,
        tif: TimeInForce = TimeInForce.GTC,
        reduce_only: bool = False,
    ) -> None:
        instrument = self.instrument_of(instrument_id)
        common = {
            "instrument_id": instrument_id,
            "order_side": side,
            "quantity": instrument.make_qty(quantity),
            "time_in_force": tif,
            "reduce_only": reduce_only,
        }
        if price is None:
            order = self.order_factory.market(**common)
        else:
            order = self.order_factory.limit(price=instrument.make_price(price), **common)
        self._own.append(order)
        self.submit_order(order)

    def target(self, instrument_id: InstrumentId, wanted: Decimal) -> None:
        """Trades the difference to a position, working orders included."""
        position = self.position(instrument_id)
        difference = wanted - position - self.working(instrument_id)
        least = (self.instrument_of(instrument_id).min_quantity or self.instrument_of(instrument_id).size_increment).as_decimal()
        if abs(difference) < least:
            return
        is_close = wanted == 0 and position * difference < 0 and abs(difference) <= abs(position)
        side = OrderSide.BUY if difference > 0 else OrderSide.SELL
        self.place(instrument_id, side, abs(difference), reduce_only=is_close)
