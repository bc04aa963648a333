"""The strategy that holds manual orders. It subscribes to quotes, so that every instrument shown has a price."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

from nautilus_trader.model.data import Bar, BarType
from nautilus_trader.trading.strategy import Strategy


class ManualDesk(Strategy):
    def __init__(self, config: Any, shows: Callable[[Any], bool] = lambda instrument: True) -> None:
        super().__init__(config)
        self._shows = shows
        self._bars: dict[BarType, list[Bar]] = {}

    def on_start(self) -> None:
        for instrument in filter(self._shows, self.cache.instruments()):
            self.subscribe_quote_ticks(instrument.id)
            self.subscribe_trade_ticks(instrument.id)

    def on_historical_data(self, data: Any) -> None:
        if isinstance(data, Bar):
            self._bars.setdefault(data.bar_type, []).append(data)

    async def fetch_bars(self, bar_type: BarType, limit: int, seconds: float) -> list[Bar] | None:
        """Past bars of the data client, oldest first; None without an answer in time."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[None] = loop.create_future()

        def finish(_: Any) -> None:
            loop.call_soon_threadsafe(lambda: answered.done() or answered.set_result(None))

        self._bars.pop(bar_type, None)
        start = self.clock.utc_now() - bar_type.spec.timedelta * (limit + 1)
        self.request_bars(bar_type, start=start, limit=limit, callback=finish)
        try:
            async with asyncio.timeout(seconds):
                await answered
        except TimeoutError:
            return None
        return sorted(self._bars.pop(bar_type, []), key=lambda bar: bar.ts_event)[-limit:]
