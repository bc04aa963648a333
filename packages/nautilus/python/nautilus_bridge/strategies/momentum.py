"""Follows the trend: two averages of closes."""

from __future__ import annotations

from nautilus_trader.model.data import Bar
from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.strategies.base import DeskStrategy, DeskStrategyConfig


class MomentumConfig(DeskStrategyConfig, frozen=True):
    instrument: str = "BTCUSDT-PERP.SIM"
    interval: str = "1s"
    fast_bars: int = 20
    slow_bars: int = 60
    threshold_bps: float = 1.0
    order_value: float = 300.0


class Momentum(DeskStrategy):
    def __init__(self, config: MomentumConfig) -> None:
        super().__init__(config)
        self._instrument_id = InstrumentId.from_str(config.instrument)
        self._band = config.threshold_bps / 10_000
        self._forget()

    def begin(self) -> None:
        self._forget()
        self.subscribe_quote_ticks(self._instrument_id)
        self.subscribe_bars(self.bar_type(self._instrument_id, self.config.interval, self.config.bar_source))

    def take_bar(self, bar: Bar) -> None:
        close = float(bar.close)
        self._fast = next_average(self._fast, 2 / (self.config.fast_bars + 1), close)
        self._slow = next_average(self._slow, 2 / (self.config.slow_bars + 1), close)
        self._count += 1
        if self._count < self.config.slow_bars:
            return
        # The first side follows the averages directly; only a reversal needs the threshold.
        side = side_of(self._fast, self._slow, 0.0 if self._side == 0 else self._band)
        if side in (0, self._side):
            return
        self._side = side
        # After a restart the position may already be open.
        if self.position(self._instrument_id) * side <= 0:
            self.target(self._instrument_id, side * self.lots_for(self._instrument_id, self.config.order_value))

    def _forget(self) -> None:
        self._fast: float | None = None
        self._slow: float | None = None
        self._count = 0
        self._side = 0


def next_average(average: float | None, weight: float, value: float) -> float:
    return value if average is None else average + weight * (value - average)


def side_of(fast: float | None, slow: float | None, band: float) -> int:
    gap = (fast or 0.0) - (slow or 0.0)
    least = band * (slow or 0.0)
    if gap > least:
        return 1
    return -1 if gap < -least else 0
