"""What the bridge itself must keep over a restart: trading state, limits, strategies, exit prices, the day's start."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nautilus_bridge.files import replace_file

DEFAULT_LIMITS: dict[str, Any] = {
    "max_order_size": "10000",
    "max_position_size": "50000",
    "max_daily_loss": "5000",
    "max_positions": 10,
}


@dataclass(slots=True)
class StrategyRecord:
    """A strategy that was added by a command."""

    id: str
    name: str
    template: str
    description: str
    config: dict[str, Any]
    added_at: str
    should_run: bool = False
    loss_limit: str | None = None
    reason: str | None = None


@dataclass(slots=True)
class ExitRecord:
    """The exit prices of the position that was opened at this time."""

    opened_at: str
    stop_loss: str | None = None
    take_profit: str | None = None


@dataclass(slots=True)
class DurableState:
    trading_state: str = "ACTIVE"
    trading_reason: dict[str, str] | None = None
    trading_since: str = "0"
    limits: dict[str, Any] = field(default_factory=lambda: dict(DEFAULT_LIMITS))
    strategies: dict[str, StrategyRecord] = field(default_factory=dict)
    next_strategy: int = 1
    day: str = ""
    day_start_equity: str | None = None
    day_start: dict[str, str] = field(default_factory=dict)
    """The same by currency."""
    peak_equity: str | None = None
    peak_currencies: list[str] = field(default_factory=list)
    """What is in it, the base currency first."""
    max_drawdown: str = "0"
    emergency: dict[str, Any] | None = None
    exits: dict[str, ExitRecord] = field(default_factory=dict)
    starts: int = 0


class MemoryState:
    """The state of a backtest, which nothing stores."""

    def __init__(self, limits: dict[str, Any]) -> None:
        self.state = DurableState(limits=limits)


class DurableFile:
    """Holds the state. Saves are written one after the other, each with the state of the moment it was requested."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="state")
        self.state = read_state(path)

    def save(self) -> Future[None]:
        """Done when the state is on the disk. Called on the loop's thread, which alone changes the state."""
        content = json.dumps(asdict(self.state), ensure_ascii=False).encode()
        return self._writer.submit(replace_file, self._path, content)

    def close(self) -> None:
        self._writer.shutdown(wait=True)


def read_state(path: Path) -> DurableState:
    """A file that cannot be read ends the start: guessing limits would not be safe."""
    try:
        stored = json.loads(path.read_bytes())
    except FileNotFoundError:
        return DurableState()
    known = {name: stored[name] for name in DurableState.__slots__ if name in stored}
    known["strategies"] = {key: StrategyRecord(**record) for key, record in stored.get("strategies", {}).items()}
    known["exits"] = {key: ExitRecord(**record) for key, record in stored.get("exits", {}).items()}
    return DurableState(**known)
