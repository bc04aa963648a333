"""The figures of a run, by the same formulas as the embedded engine's."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

NS_PER_DAY = 86_400_000_000_000
DAYS_PER_YEAR = 365
EQUAL_SHARE = 1e-7
MAX_POINTS = 2_000


@dataclass(slots=True)
class EquityTally:
    """Deepest drawdown and daily returns."""

    capital: float
    first_ns: int
    samples: list[tuple[int, float, bool]] = field(default_factory=list)

    def add(self, ts: int, equity: float, is_held: bool) -> None:
        """Adds the equity at the end of a bar; bars of several instruments that end together are one."""
        if self.samples and self.samples[-1][0] == ts:
            self.samples[-1] = (ts, equity, is_held)
        else:
            self.samples.append((ts, equity, is_held))

    def figures(self) -> dict[str, Any]:
        daily, deepest, deepest_ns = self._walk()
        last = self.samples[-1][1] if self.samples else self.capital
        span = self.samples[-1][0] - self.first_ns if self.samples else 0
        growth = growth_per_year(last / self.capital, span)
        held = sum(1 for sample in self.samples if sample[2])
        return {
            "total_return": last / self.capital - 1,
            "cagr": growth,
            **daily_ratios(daily),
            "calmar": None if growth is None else ratio(growth, deepest),
            "max_drawdown": deepest,
            "max_drawdown_seconds": deepest_ns / 1e9,
            "exposure_time": held / len(self.samples) if self.samples else 0.0,
        }

    def curve(self) -> list[tuple[int, float, float]]:
        """Time, equity and drawdown of evenly spread bars, the last one included."""
        stride = max(1, math.ceil(len(self.samples) / MAX_POINTS))
        peak = self.capital
        points = []
        for index, (ts, equity, _) in enumerate(self.samples):
            peak = max(peak, equity)
            if (index + 1) % stride == 0 or index == len(self.samples) - 1:
                points.append((ts, equity, max(0.0, 1 - equity / peak) if peak > 0 else 0.0))
        return points

    def _walk(self) -> tuple[list[float], float, int]:
        peak, peak_at = self.capital, self.first_ns
        deepest, fell_from, recovered_at = 0.0, 0, None
        daily: list[float] = []
        day, day_began, last = self.first_ns // NS_PER_DAY, self.capital, self.capital
        for ts, equity, _ in self.samples:
            today = (ts - 1) // NS_PER_DAY
            if today != day:
                daily.append(last / day_began - 1)
                day, day_began = today, last
            last = equity
            if equity >= peak:
                if deepest > 0 and fell_from == peak_at and recovered_at is None:
                    recovered_at = ts
                peak, peak_at = equity, ts
            elif 1 - equity / peak > deepest:
                deepest, fell_from, recovered_at = 1 - equity / peak, peak_at, None
        if self.samples:
            daily.append(last / day_began - 1)
        end = recovered_at or (self.samples[-1][0] if self.samples else 0)
        return daily, deepest, end - fell_from if deepest > 0 else 0


def trade_figures(results: list[float]) -> dict[str, Any]:
    """From the results of trades, after fees. A trade that gained nothing counts as lost."""
    gained = sum(result for result in results if result > 0)
    lost = -sum(result for result in results if result <= 0)
    won = sum(1 for result in results if result > 0)
    return {
        "trades": len(results),
        "win_rate": ratio(won, len(results)),
        "profit_factor": ratio(gained, lost),
        "expectancy": ratio(gained - lost, len(results)),
    }


def growth_per_year(growth: float, span_ns: int) -> float | None:
    if growth <= 0 or span_ns < NS_PER_DAY:
        return None
    try:
        return finite(growth ** (DAYS_PER_YEAR * NS_PER_DAY / span_ns) - 1)
    except OverflowError:
        return None


def daily_ratios(daily: list[float]) -> dict[str, float | None]:
    days = len(daily)
    if days < 2:
        return {"volatility": None, "sharpe": None, "sortino": None}
    mean = sum(daily) / days
    squares = sum(change * change for change in daily)
    deviation = math.sqrt(max(0.0, (squares - days * mean * mean) / (days - 1)))
    below = math.sqrt(sum(change * change for change in daily if change < 0) / days)
    year = math.sqrt(DAYS_PER_YEAR)
    return {
        "volatility": finite(deviation * year),
        "sharpe": None if deviation <= EQUAL_SHARE * abs(mean) else ratio(mean * year, deviation),
        "sortino": ratio(mean * year, below),
    }


def ratio(one: float, other: float) -> float | None:
    return finite(one / other) if other > 0 else None


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
