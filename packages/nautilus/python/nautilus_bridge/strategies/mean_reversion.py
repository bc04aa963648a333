"""Trades the return to the mean of the last closes."""

from __future__ import annotations

from collections import deque

from nautilus_trader.model.data import Bar
from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.strategies.base import DeskStrategy, DeskStrategyConfig


class MeanReversionConfig(DeskStrategyConfig, frozen=True):
    instrument: str = "SOLUSDT-PERP.SIM"
    interval: str = "1s"
    window_bars: int = 30
    entry_score: float = 2.0
    exit_score: float = 0.5
    min_edge_bps: float = 3.0
    max_hold_bars: int = 60
    order_value: float = 150.0


class MeanReversion(DeskStrategy):
    def __init__(self, config: MeanReversionConfig) -> None:
        super().__init__(config)
        self._instrument_id = InstrumentId.from_str(config.instrument)
        self._window: deque[float] = deque(maxlen=config.window_bars)
        self._held_bars = 0

    def begin(self) -> None:
        self._window.clear()
        self._held_bars = 0
        self.subscribe_quote_ticks(self._instrument_id)
        self.subscribe_bars(self.bar_type(self._instrument_id, self.config.interval, self.config.bar_source))

    def take_bar(self, bar: Bar) -> None:
        close = float(bar.close)
        position = self.position(self._instrument_id)
        side = self._target_side(close, float(position))
        self._window.append(close)
        self._held_bars = 0 if position == 0 else self._held_bars + 1
        if side is None:
            return
        quantity = self.lots_for(self._instrument_id, self.config.order_value)
        self.target(self._instrument_id, side * quantity if side else position * 0)

    def _target_side(self, close: float, position: float) -> int | None:
        """The side to hold, or None for no change. A close is scored against the window before it."""
        if len(self._window) < self.config.window_bars:
            return None
        mean, score = self._score(close)
        if position != 0:
            return 0 if self._is_exit_due(score, position) else None
        if abs(score) < self.config.entry_score or abs(close - mean) < self.config.min_edge_bps / 10_000 * close:
            return None
        return -1 if score > 0 else 1

    def _score(self, close: float) -> tuple[float, float]:
        mean = sum(self._window) / len(self._window)
        deviation = (sum((value - mean) ** 2 for value in self._window) / len(self._window)) ** 0.5
        return mean, 0.0 if deviation == 0 else (close - mean) / deviation

    def _is_exit_due(self, score: float, position: float) -> bool:
        if self._held_bars >= self.config.max_hold_bars:
            return True
        return score >= -self.config.exit_score if position > 0 else score <= self.config.exit_score
