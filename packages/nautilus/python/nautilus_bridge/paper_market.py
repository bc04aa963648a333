"""The simulated market of a paper node: its instruments and their prices."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from decimal import Decimal

from nautilus_trader.model.currencies import USDT
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import Currency, Money, Price, Quantity

VENUES = ("SIM", "ALT")
"""Two venues with the same instruments, so that arbitrage has something to do."""

VENUE_GAP = 0.001
"""How far the second venue usually is from the first, as a fraction; arbitrage pays from about 0.0009 on."""


@dataclass(frozen=True, slots=True)
class Listing:
    """An instrument of the simulated venues."""

    base: str
    start: float
    price_precision: int
    size_precision: int
    spread_bps: float


LISTINGS = (
    Listing("BTC", 60_000.0, 1, 3, 0.4),
    Listing("ETH", 3_000.0, 2, 3, 0.6),
    Listing("SOL", 150.0, 3, 2, 1.0),
)


def symbol_of(listing: Listing) -> str:
    return f"{listing.base}USDT-PERP"


def create_instrument(listing: Listing, venue: str, ts_ns: int = 0) -> CryptoPerpetual:
    symbol = Symbol(symbol_of(listing))
    return CryptoPerpetual(
        instrument_id=InstrumentId(symbol, Venue(venue)),
        raw_symbol=symbol,
        base_currency=Currency.from_str(listing.base),
        quote_currency=USDT,
        settlement_currency=USDT,
        is_inverse=False,
        price_precision=listing.price_precision,
        size_precision=listing.size_precision,
        price_increment=Price(10.0**-listing.price_precision, listing.price_precision),
        size_increment=Quantity(10.0**-listing.size_precision, listing.size_precision),
        max_quantity=Quantity(100_000.0, listing.size_precision),
        min_quantity=Quantity(10.0**-listing.size_precision, listing.size_precision),
        max_notional=None,
        min_notional=Money(1.0, USDT),
        max_price=Price(10_000_000.0, listing.price_precision),
        min_price=Price(10.0**-listing.price_precision, listing.price_precision),
        margin_init=Decimal("0.1"),
        margin_maint=Decimal("0.05"),
        maker_fee=Decimal("0.0002"),
        taker_fee=Decimal("0.0004"),
        ts_event=ts_ns,
        ts_init=ts_ns,
    )


def instruments_of(venue: str, ts_ns: int = 0) -> list[CryptoPerpetual]:
    return [create_instrument(listing, venue, ts_ns) for listing in LISTINGS]


@dataclass(slots=True)
class PaperMarket:
    """Prices of both venues: one random walk per instrument, and a gap of the second venue that returns to zero."""

    seed: int
    _random: random.Random = field(init=False)
    _middle: dict[str, float] = field(init=False)
    _gap: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._middle = {listing.base: listing.start for listing in LISTINGS}
        self._gap = {listing.base: 0.0 for listing in LISTINGS}

    def step(self, seconds: float) -> None:
        """Moves all prices on by a time. A year of it has a volatility of about 60 %."""
        sigma = 0.6 * math.sqrt(seconds / (365 * 86_400))
        for base in self._middle:
            self._middle[base] *= math.exp(self._random.gauss(0.0, sigma))
            pull = math.exp(-seconds / 20.0)
            self._gap[base] = self._gap[base] * pull + self._random.gauss(0.0, VENUE_GAP * math.sqrt(1 - pull**2))

    def quote(self, listing: Listing, venue: str) -> tuple[float, float]:
        """Bid and ask."""
        gap = self._gap[listing.base] if venue == VENUES[1] else 0.0
        middle = self._middle[listing.base] * (1 + gap)
        half = max(middle * listing.spread_bps / 20_000, 0.5 * 10.0**-listing.price_precision)
        return middle - half, middle + half

    def size(self) -> float:
        """The value offered at the best price."""
        return self._random.uniform(20_000.0, 200_000.0)

    def history(self, listing: Listing, count: int, seconds: float, seed: int) -> list[tuple[float, float, float, float, float]]:
        """Bars that end at the current price, oldest first: open, high, low, close, volume."""
        past = random.Random(f"{seed}-{listing.base}-{seconds}")
        sigma = 0.6 * math.sqrt(seconds / (365 * 86_400))
        close = self._middle[listing.base]
        bars = []
        for _ in range(count):
            open_ = close * math.exp(past.gauss(0.0, sigma))
            high = max(open_, close) * (1 + abs(past.gauss(0.0, sigma / 3)))
            low = min(open_, close) * (1 - abs(past.gauss(0.0, sigma / 3)))
            bars.append((open_, high, low, close, past.uniform(1.0, 50.0)))
            close = open_
        return bars[::-1]
