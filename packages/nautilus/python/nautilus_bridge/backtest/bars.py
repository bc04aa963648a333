"""Bars of a request: columns that follow it, files of our catalog, or rows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, BinaryIO

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from nautilus_trader.model.data import Bar, BarType, QuoteTick

from nautilus_bridge.strategies.base import INTERVALS

COLUMNS = ("open", "high", "low", "close", "volume")
QUOTED_SIZE = 1_000_000.0


@dataclass(slots=True)
class BarColumns:
    """Starts in nanoseconds and prices as floats."""

    start: np.ndarray
    open: np.ndarray
    high: np.ndarray
    low: np.ndarray
    close: np.ndarray
    volume: np.ndarray

    def __len__(self) -> int:
        return len(self.start)


def read_bars(source: dict[str, Any], from_ms: int, to_ms: int) -> BarColumns:
    """`arrays` of `read_columns`, `files` of our catalog, or `rows` of [start in ms, open, high, low, close, volume]."""
    if "arrays" in source:
        columns = source["arrays"]
    elif "rows" in source:
        table = np.array(source["rows"], dtype=np.float64).reshape(-1, 6)
        columns = [(table[:, 0] * 1_000_000).astype(np.int64), *(np.ascontiguousarray(table[:, index]) for index in range(1, 6))]
    else:
        parts = [read_file(path) for path in source["files"]]
        columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
    start = columns[0]
    inside = (start >= from_ms * 1_000_000) & (start < to_ms * 1_000_000)
    order = np.argsort(start[inside], kind="stable")
    # Copies: buffers of Arrow are read-only, and the next call needs writable ones.
    return BarColumns(*(np.array(column[inside][order]) for column in columns))


def read_columns(stream: BinaryIO, count: int, row: dict[str, Any]) -> list[np.ndarray]:
    """Starts in ms, prices in ticks and volumes in lots, each column as doubles."""
    start, *columns = (np.frombuffer(read_exactly(stream, count * 8), dtype=np.float64) for _ in range(6))
    steps = [Decimal(row[name]) for name in ("tick", "tick", "tick", "tick", "lot")]
    values = [to_decimals(column, step) for column, step in zip(columns, steps, strict=True)]
    return [start.astype(np.int64) * 1_000_000, *values]


def read_exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the bars of the request are incomplete")
    return data


def to_decimals(steps: np.ndarray, step: Decimal) -> np.ndarray:
    """The product without its rounding error."""
    return np.round(steps * float(step), max(0, -int(step.normalize().as_tuple().exponent)))


def read_file(path: str) -> list[np.ndarray]:
    table = pq.read_table(path, columns=["time", *COLUMNS])
    time = pc.cast(table["time"], "timestamp[ns, tz=UTC]").to_numpy().astype("datetime64[ns]").astype(np.int64)
    return [time, *(pc.cast(table[name], "float64").to_numpy() for name in COLUMNS)]


def fingerprint(bars: list[BarColumns]) -> str:
    digest = hashlib.sha256()
    for columns in bars:
        for name in ("start", *COLUMNS):
            digest.update(np.ascontiguousarray(getattr(columns, name)).tobytes())
    return digest.hexdigest()


def to_bars(instrument: Any, interval: str, columns: BarColumns) -> list[Bar]:
    """NautilusTrader stamps a bar with its close."""
    bar_type = BarType.from_str(f"{instrument.id}-{INTERVALS[interval]}-LAST-EXTERNAL")
    ends = (columns.start + step_of(interval)).astype(np.uint64)
    prices = [getattr(columns, name) for name in COLUMNS]
    return Bar.from_raw_arrays_to_list(bar_type, instrument.price_precision, instrument.size_precision, *prices, ends, ends.copy())


def to_quotes(instrument: Any, interval: str, columns: BarColumns, slippage_bps: float) -> list[QuoteTick]:
    """Four quotes per bar: open, the two extremes, close. Half the spread is the slippage, at least one tick."""
    tick = float(instrument.price_increment)
    is_up = columns.close >= columns.open
    path = np.stack(
        [
            columns.open,
            np.where(is_up, columns.low, columns.high),
            np.where(is_up, columns.high, columns.low),
            columns.close,
        ],
        axis=1,
    ).ravel()
    quarter = step_of(interval) // 4
    # The last one is one nanosecond before the bar, so that its strategy sees the closing quote.
    offsets = np.array([quarter, 2 * quarter, 3 * quarter, 4 * quarter - 1], dtype=np.int64)
    times = (columns.start[:, None] + offsets[None, :]).ravel().astype(np.uint64)
    half = np.maximum(tick, path * slippage_bps / 10_000)
    bid = np.maximum(tick, np.round((path - half) / tick) * tick)
    ask = np.round((path + half) / tick) * tick
    size = np.full(len(path), QUOTED_SIZE)
    precisions = instrument.price_precision, instrument.size_precision
    return QuoteTick.from_raw_arrays_to_list(instrument.id, *precisions, bid, ask, size, size.copy(), times, times.copy())


def step_of(interval: str) -> int:
    """In nanoseconds."""
    count, unit = int(interval[:-1]), interval[-1]
    return count * {"s": 1, "m": 60, "h": 3_600, "d": 86_400}[unit] * 1_000_000_000
