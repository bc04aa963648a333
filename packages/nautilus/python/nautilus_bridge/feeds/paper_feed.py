"""The data client of a simulated venue: a random market, or quotes that tests push."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

from nautilus_trader.common.providers import InstrumentProvider
from nautilus_trader.config import LiveDataClientConfig
from nautilus_trader.data.messages import RequestBars, RequestInstrument, RequestInstruments
from nautilus_trader.live.data_client import LiveMarketDataClient
from nautilus_trader.live.factories import LiveDataClientFactory
from nautilus_trader.model.data import Bar, BarType, QuoteTick, TradeTick
from nautilus_trader.model.enums import AggressorSide, PriceType
from nautilus_trader.model.identifiers import ClientId, InstrumentId, TradeId, Venue

from nautilus_bridge.paper_market import LISTINGS, VENUES, PaperMarket, create_instrument

MAX_HISTORY_BARS = 5_000


class PaperFeedConfig(LiveDataClientConfig, frozen=True):
    """`interval_ms` None: no quotes of its own; tests push them."""

    venue: str = "SIM"
    interval_ms: int | None = 250
    seed: int = 1


class PaperFeedClient(LiveMarketDataClient):
    """Quotes, trades and past bars of one simulated venue."""

    def __init__(self, loop: Any, name: str, config: PaperFeedConfig, msgbus: Any, cache: Any, clock: Any) -> None:
        super().__init__(
            loop=loop,
            client_id=ClientId(name),
            venue=Venue(config.venue),
            msgbus=msgbus,
            cache=cache,
            clock=clock,
            instrument_provider=InstrumentProvider(),
            config=config,
        )
        self._feed = config
        self._market = market_of(config.seed)
        # Execution clients connect in the same step and load the instruments from the cache.
        self._instruments = {listing: create_instrument(listing, config.venue, clock.timestamp_ns()) for listing in LISTINGS}
        for instrument in self._instruments.values():
            cache.add_instrument(instrument)
        self._task: asyncio.Task[None] | None = None
        self._trades = 0

    async def _connect(self) -> None:
        for instrument in self._instruments.values():
            self._handle_data(instrument)
        if self._feed.interval_ms is not None and self._task is None:
            # Not create_task of the client: a disconnect would cancel it in the middle of a step.
            self._task = self._loop.create_task(self._run(self._feed.interval_ms / 1000))

    async def _disconnect(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self, seconds: float) -> None:
        due = self._loop.time()
        while True:
            if self._feed.venue == VENUES[0]:
                self._market.step(seconds)
            for listing, instrument in self._instruments.items():
                bid, ask = self._market.quote(listing, self._feed.venue)
                size = self._market.size() / bid
                self.publish_quote(instrument.id, Decimal(f"{bid:.10f}"), Decimal(f"{ask:.10f}"), Decimal(f"{size:.10f}"))
            # Steps that come late do not change the rate; a pause is not made up for.
            due = max(due + seconds, self._loop.time() - 0.1)
            await asyncio.sleep(due - self._loop.time())

    def publish_quote(
        self,
        instrument_id: InstrumentId,
        bid: Decimal,
        ask: Decimal,
        bid_size: Decimal,
        ask_size: Decimal | None = None,
    ) -> None:
        """Publishes a quote and a small trade at one of its sides, which bars are built from."""
        instrument = self._cache.instrument(instrument_id)
        now = self._clock.timestamp_ns()
        prices = instrument.make_price(bid), instrument.make_price(ask)
        sizes = instrument.make_qty(bid_size), instrument.make_qty(bid_size if ask_size is None else ask_size)
        self._handle_data(QuoteTick(instrument_id, *prices, *sizes, now, now))
        self._trades += 1
        is_buy = self._trades % 2 == 0
        self._handle_data(
            TradeTick(
                instrument_id,
                prices[1] if is_buy else prices[0],
                instrument.make_qty(instrument.min_quantity.as_decimal() * 10),
                AggressorSide.BUYER if is_buy else AggressorSide.SELLER,
                TradeId(f"{self._feed.venue}-{self._trades}"),
                now,
                now,
            )
        )

    # A client answers requests that the engine passes on; a missing method is only logged.

    async def _request_bars(self, request: RequestBars) -> None:
        bars = self._past_bars(request.bar_type, request.limit or 500)
        self._handle_bars(request.bar_type, bars, request.id, request.start, request.end, request.params)

    def _past_bars(self, bar_type: BarType, limit: int) -> list[Bar]:
        listing = next((each for each, instrument in self._instruments.items() if instrument.id == bar_type.instrument_id), None)
        if listing is None or not bar_type.spec.is_time_aggregated() or bar_type.spec.price_type not in PAST_PRICES:
            return []
        instrument = self._instruments[listing]
        step = int(bar_type.spec.timedelta.total_seconds() * 1e9)
        last_close = self._clock.timestamp_ns() // step * step
        rows = self._market.history(listing, min(limit, MAX_HISTORY_BARS), step / 1e9, self._feed.seed)
        bars = []
        for index, (*prices, volume) in enumerate(rows):
            close_ns = last_close - (len(rows) - 1 - index) * step
            texts = [instrument.make_price(price) for price in prices]
            bars.append(Bar(bar_type, *texts, instrument.make_qty(volume), close_ns, close_ns))
        return bars

    async def _request_instrument(self, request: RequestInstrument) -> None:
        instrument = self._cache.instrument(request.instrument_id)
        if instrument is not None:
            self._handle_instrument(instrument, request.id, request.start, request.end, request.params)

    async def _request_instruments(self, request: RequestInstruments) -> None:
        instruments = list(self._instruments.values())
        self._handle_instruments(self.venue, instruments, request.id, request.start, request.end, request.params)

    async def _subscribe_instruments(self, command: Any) -> None:
        return

    async def _subscribe_instrument(self, command: Any) -> None:
        return

    async def _subscribe_quote_ticks(self, command: Any) -> None:
        return

    async def _subscribe_trade_ticks(self, command: Any) -> None:
        return

    async def _subscribe_bars(self, command: Any) -> None:
        return

    async def _unsubscribe_instruments(self, command: Any) -> None:
        return

    async def _unsubscribe_instrument(self, command: Any) -> None:
        return

    async def _unsubscribe_quote_ticks(self, command: Any) -> None:
        return

    async def _unsubscribe_trade_ticks(self, command: Any) -> None:
        return

    async def _unsubscribe_bars(self, command: Any) -> None:
        return


PAST_PRICES = (PriceType.LAST, PriceType.MID, PriceType.BID, PriceType.ASK)

_MARKETS: dict[int, PaperMarket] = {}


def market_of(seed: int) -> PaperMarket:
    """The market that the venues of a node share."""
    return _MARKETS.setdefault(seed, PaperMarket(seed))


class PaperFeedFactory(LiveDataClientFactory):
    @staticmethod
    def create(loop: Any, name: str, config: PaperFeedConfig, msgbus: Any, cache: Any, clock: Any) -> PaperFeedClient:
        return PaperFeedClient(loop, name, config, msgbus, cache, clock)
