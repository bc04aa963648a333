"""Buys on the cheaper venue and sells on the dearer one."""

from __future__ import annotations

from decimal import Decimal

from nautilus_trader.model.data import QuoteTick
from nautilus_trader.model.enums import OrderSide, TimeInForce
from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.strategies.base import DeskStrategy, DeskStrategyConfig

GIVE_UP_NS = 2_000_000_000
"""How long the second leg is tried, as when risk denies it, before the first is closed."""


class ArbitrageConfig(DeskStrategyConfig, frozen=True):
    instruments: tuple[str, ...] = ("BTCUSDT-PERP.SIM", "BTCUSDT-PERP.ALT")
    min_profit_bps: float = 0.5
    max_pairs: int = 1
    order_value: float = 500.0
    max_inventory: float = 1_500.0
    max_quote_age_s: float = 1.0


class Arbitrage(DeskStrategy):
    def __init__(self, config: ArbitrageConfig) -> None:
        super().__init__(config)
        ids = [InstrumentId.from_str(text) for text in config.instruments]
        self._pairs: dict[str, list[InstrumentId]] = {}
        for instrument_id in ids:
            self._pairs.setdefault(instrument_id.symbol.value, []).append(instrument_id)
        self._lopsided_since: dict[str, int] = {}

    def begin(self) -> None:
        self._lopsided_since.clear()
        for pair in self._pairs.values():
            for instrument_id in pair:
                self.subscribe_quote_ticks(instrument_id)

    def take_quote(self, quote: QuoteTick) -> None:
        symbol = quote.instrument_id.symbol.value
        pair = self._pairs[symbol]
        if self._is_busy(pair):
            return
        # A third venue would use one more position.
        is_full = self._legs(pair) >= 2
        fresh = [each for each in pair if self._is_usable(each, is_full)]
        if not fresh:
            return
        cheap = min(fresh, key=self._ask)
        dear = max(fresh, key=self._bid)
        excess = sum((self.position(each) for each in pair), Decimal(0))
        is_even = abs(excess) < self._least(cheap)
        lopsided = self._lopsided_for(symbol, is_even)
        if is_even:
            self._open(pair, cheap, dear)
        elif lopsided > GIVE_UP_NS:
            self._give_back(pair, excess)
        else:
            self.place(dear if excess > 0 else cheap, OrderSide.SELL if excess > 0 else OrderSide.BUY, abs(excess))

    def _open(self, pair: list[InstrumentId], cheap: InstrumentId, dear: InstrumentId) -> None:
        """The first leg: at the quoted price or better, or not at all."""
        if not self._pays(pair, cheap, dear):
            return
        most = self.lots_for(cheap, self.config.max_inventory)
        capacity = min(most - self.position(cheap), most + self.position(dear))
        quantity = min(self.lots_for(cheap, self.config.order_value), capacity)
        if quantity >= self._least(cheap):
            self.place(cheap, OrderSide.BUY, quantity, self._ask(cheap), TimeInForce.IOC)

    def _pays(self, pair: list[InstrumentId], cheap: InstrumentId, dear: InstrumentId) -> bool:
        if cheap == dear:
            return False
        buy_at = self._ask(cheap)
        cost = buy_at * (1 + self._fee(cheap))
        gain = self._bid(dear) * (1 - self._fee(dear))
        if gain - cost < Decimal(str(self.config.min_profit_bps)) / 10_000 * buy_at:
            return False
        return self._legs(pair) > 0 or self._open_pairs() < self.config.max_pairs

    def _give_back(self, pair: list[InstrumentId], excess: Decimal) -> None:
        """Closes the excess where it is held; no limit denies a reduction."""
        left = abs(excess)
        for instrument_id in pair:
            held = self.position(instrument_id)
            if held * excess <= 0 or left == 0:
                continue
            quantity = min(left, abs(held))
            side = OrderSide.SELL if held > 0 else OrderSide.BUY
            self.place(instrument_id, side, quantity, reduce_only=True)
            left -= quantity

    def _lopsided_for(self, symbol: str, is_even: bool) -> int:
        if is_even:
            self._lopsided_since.pop(symbol, None)
            return 0
        now = self.clock.timestamp_ns()
        return now - self._lopsided_since.setdefault(symbol, now)

    def _open_pairs(self) -> int:
        return sum(1 for pair in self._pairs.values() if self._legs(pair) > 0 or self._is_busy(pair))

    def _is_busy(self, pair: list[InstrumentId]) -> bool:
        return any(self.own_orders(each) for each in pair)

    def _legs(self, pair: list[InstrumentId]) -> int:
        return sum(1 for each in pair if self.position(each) != 0)

    def _is_usable(self, instrument_id: InstrumentId, is_full: bool) -> bool:
        """Whether it may trade there: the quote is recent, and with two legs open it is one of them."""
        if is_full and self.position(instrument_id) == 0:
            return False
        quote = self.cache.quote_tick(instrument_id)
        if quote is None:
            return False
        return self.clock.timestamp_ns() - quote.ts_event <= int(self.config.max_quote_age_s * 1e9)

    def _bid(self, instrument_id: InstrumentId) -> Decimal:
        return self.cache.quote_tick(instrument_id).bid_price.as_decimal()

    def _ask(self, instrument_id: InstrumentId) -> Decimal:
        return self.cache.quote_tick(instrument_id).ask_price.as_decimal()

    def _fee(self, instrument_id: InstrumentId) -> Decimal:
        return Decimal(self.instrument_of(instrument_id).taker_fee)

    def _least(self, instrument_id: InstrumentId) -> Decimal:
        instrument = self.instrument_of(instrument_id)
        return (instrument.min_quantity or instrument.size_increment).as_decimal()
