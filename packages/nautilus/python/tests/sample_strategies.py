"""Custom strategies that tests add to a node."""

from __future__ import annotations

from nautilus_trader.model.data import QuoteTick
from nautilus_trader.model.enums import OrderSide, TriggerType
from nautilus_trader.model.identifiers import InstrumentId
from nautilus_trader.trading.config import StrategyConfig
from nautilus_trader.trading.strategy import Strategy

from nautilus_bridge.strategies.base import DeskStrategy, DeskStrategyConfig


class SampleConfig(StrategyConfig, frozen=True):
    instrument: str = "BTCUSDT-PERP.SIM"
    price: float = 50_000.0


class FailingStrategy(Strategy):
    """Raises at a quote below its price."""

    def on_start(self) -> None:
        self.subscribe_quote_ticks(InstrumentId.from_str(self.config.instrument))

    def on_quote_tick(self, tick: QuoteTick) -> None:
        if float(tick.ask_price) < self.config.price:
            raise RuntimeError("the price fell")


class EmulatedStrategy(Strategy):
    """Places a reduce-only sell that NautilusTrader emulates: it is released when the bid rises to its price."""

    def on_start(self) -> None:
        instrument_id = InstrumentId.from_str(self.config.instrument)
        self.subscribe_quote_ticks(instrument_id)
        instrument = self.cache.instrument(instrument_id)
        order = self.order_factory.limit(
            instrument_id,
            OrderSide.SELL,
            instrument.make_qty(0.01),
            instrument.make_price(self.config.price),
            reduce_only=True,
            emulation_trigger=TriggerType.BID_ASK,
        )
        self.submit_order(order)


class GuardedConfig(DeskStrategyConfig, frozen=True):
    instrument: str = "BTCUSDT-PERP.SIM"
    price: float = 50_000.0


class GuardedStrategy(DeskStrategy):
    """One of our own kind that raises at a quote below its price."""

    def begin(self) -> None:
        self.subscribe_quote_ticks(InstrumentId.from_str(self.config.instrument))

    def take_quote(self, quote: QuoteTick) -> None:
        if float(quote.ask_price) < self.config.price:
            raise RuntimeError("the price fell")
