"""Quotes both sides, and shifts its prices by its inventory."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from nautilus_trader.model.data import QuoteTick
from nautilus_trader.model.enums import OrderSide
from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.strategies.base import DeskStrategy, DeskStrategyConfig


class MarketMakingConfig(DeskStrategyConfig, frozen=True):
    instrument: str = "SOLUSDT-PERP.SIM"
    half_spread_bps: float = 4.0
    requote_bps: float = 2.0
    requote_s: float = 15.0
    skew_bps: float = 4.0
    order_value: float = 300.0
    max_inventory: float = 1_500.0


class MarketMaking(DeskStrategy):
    def __init__(self, config: MarketMakingConfig) -> None:
        super().__init__(config)
        self._instrument_id = InstrumentId.from_str(config.instrument)
        self._quoted_at = {OrderSide.BUY: 0, OrderSide.SELL: 0}

    def begin(self) -> None:
        self._quoted_at = {OrderSide.BUY: 0, OrderSide.SELL: 0}
        self.subscribe_quote_ticks(self._instrument_id)

    def take_quote(self, quote: QuoteTick) -> None:
        tick = self.instrument_of(self._instrument_id).price_increment.as_decimal()
        bid, ask = quote.bid_price.as_decimal(), quote.ask_price.as_decimal()
        middle = (bid + ask) / 2
        centre = middle * (1 - fraction(self.config.skew_bps) * self._imbalance())
        away = middle * fraction(self.config.half_spread_bps)
        # Our quote never takes liquidity: it stays on its own side of the market.
        buy_at = min(to_tick(centre - away, tick, ROUND_FLOOR), ask - tick)
        sell_at = max(to_tick(centre + away, tick, ROUND_CEILING), bid + tick)
        self._maintain(OrderSide.BUY, buy_at)
        self._maintain(OrderSide.SELL, sell_at)

    def _imbalance(self) -> Decimal:
        """How far the inventory is from flat: -1 full short, 1 full long."""
        most = self.lots_for(self._instrument_id, self.config.max_inventory)
        if most == 0:
            return Decimal(0)
        return max(Decimal(-1), min(Decimal(1), self.position(self._instrument_id) / most))

    def _maintain(self, side: OrderSide, price: Decimal) -> None:
        """Keeps one order on the side, near its target price."""
        order = next((each for each in self.own_orders(self._instrument_id) if each.side == side), None)
        now = self.clock.timestamp_ns()
        if order is None:
            quantity = self._quantity(side)
            if quantity > 0 and price > 0:
                self.place(self._instrument_id, side, quantity, price)
                self._quoted_at[side] = now
            return
        is_off = abs(order.price.as_decimal() - price) > price * fraction(self.config.requote_bps)
        is_due = now >= self._quoted_at[side] + int(self.config.requote_s * 1e9)
        if is_off and is_due and order.is_open and not order.is_pending_cancel:
            self.cancel_order(order)

    def _quantity(self, side: OrderSide) -> Decimal:
        """The size of one order; 0 when the inventory would exceed its maximum."""
        quantity = self.lots_for(self._instrument_id, self.config.order_value)
        position = self.position(self._instrument_id)
        held = position if side == OrderSide.BUY else -position
        return Decimal(0) if held + quantity > self.lots_for(self._instrument_id, self.config.max_inventory) else quantity


def fraction(bps: float) -> Decimal:
    return Decimal(str(bps)) / 10_000


def to_tick(price: Decimal, tick: Decimal, rounding: str) -> Decimal:
    return (price / tick).to_integral_value(rounding) * tick
