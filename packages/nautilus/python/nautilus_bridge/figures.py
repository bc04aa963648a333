"""Marks, equity, exposure and drawdown of the node, exact at the current prices."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from nautilus_trader.model.enums import PriceType
from nautilus_trader.model.identifiers import InstrumentId

from nautilus_bridge.ledger import ZERO, Holding, Ledger

MAX_EQUITY_SAMPLES = 3_600
MIN_VAR_SAMPLES = 300
SECONDS_PER_DAY = 86_400
SHOWN_CURRENCIES = ("USDT", "USDC", "USD", "EUR")


def mark_of(cache: Any, instrument_id: str, is_long: bool) -> Decimal | None:
    """The price at which a position could be closed; None without one."""
    key = InstrumentId.from_str(instrument_id)
    for price_type in (PriceType.BID if is_long else PriceType.ASK, PriceType.LAST):
        price = cache.price(key, price_type)
        if price is not None:
            return price.as_decimal()
    return None


def multiplier_of(cache: Any, instrument_id: str) -> Decimal:
    instrument = cache.instrument(InstrumentId.from_str(instrument_id))
    return Decimal(1) if instrument is None else instrument.multiplier.as_decimal()


class Rates:
    """What one unit of a currency is worth in the base currency, at the middle of current quotes.

    NautilusTrader has no currency of a node and reports amounts per currency. The base is that of the accounts.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache
        accounts = sorted(cache.accounts(), key=lambda account: account.id.value)
        shown = [currency.code for currency in map(currency_of, accounts) if currency is not None]
        self.base = next((code for code in SHOWN_CURRENCIES if code in shown), shown[0] if shown else SHOWN_CURRENCIES[0])
        self.known: dict[str, Decimal | None] = {self.base: Decimal(1)}

    def of(self, code: str) -> Decimal | None:
        """None without quotes that lead from the currency to the base."""
        if code not in self.known:
            self.known[code] = self._find(code)
        return self.known[code]

    def of_instrument(self, instrument_id: str) -> Decimal | None:
        return self.of(quote_currency_of(self._cache, instrument_id) or self.base)

    def _find(self, code: str) -> Decimal | None:
        """By one pair, or by two that have a currency in common."""
        pairs = self._pairs()
        one = pairs.get(code, {})
        if self.base in one:
            return one[self.base]
        through = next((middle for middle in sorted(one) if self.base in pairs[middle]), None)
        return None if through is None else one[through] * pairs[through][self.base]

    def _pairs(self) -> dict[str, dict[str, Decimal]]:
        pairs: dict[str, dict[str, Decimal]] = {}
        for instrument in self._cache.instruments():
            quote = self._cache.quote_tick(instrument.id)
            if quote is None or instrument.base_currency is None:
                continue
            price = (quote.bid_price.as_decimal() + quote.ask_price.as_decimal()) / 2
            if price <= 0:
                continue
            base, other = instrument.base_currency.code, instrument.quote_currency.code
            pairs.setdefault(base, {}).setdefault(other, price)
            pairs.setdefault(other, {}).setdefault(base, 1 / price)
        return pairs


def quote_currency_of(cache: Any, instrument_id: str) -> str | None:
    instrument = cache.instrument(InstrumentId.from_str(instrument_id))
    return None if instrument is None else instrument.quote_currency.code


@dataclass(slots=True)
class Figures:
    """Amounts by currency. Without a price a position counts at its cost, and is named in `unpriced`."""

    rates: Rates
    equities: dict[str, Decimal] = field(default_factory=dict)
    exposures: dict[str, Decimal] = field(default_factory=dict)
    unpriced: list[str] = field(default_factory=list)

    @property
    def equity(self) -> Decimal:
        """In the base currency, without the currencies in `left_out`."""
        return self._sum(self.equities)

    @property
    def exposure(self) -> Decimal:
        return self._sum(self.exposures)

    @property
    def counted(self) -> list[str]:
        """The base first."""
        others = sorted(code for code in self.equities if code != self.rates.base and self.rates.of(code) is not None)
        return [self.rates.base, *others]

    @property
    def left_out(self) -> list[str]:
        held = {**self.equities, **self.exposures}
        return sorted(code for code in held if self.rates.of(code) is None and (self.equities.get(code) or self.exposures.get(code)))

    def value_of(self, codes: set[str]) -> Decimal:
        return self._sum({code: self.equities[code] for code in codes})

    def loss_since(self, start: dict[str, str]) -> Decimal:
        """The loss in each currency at its current rate: neither a new rate nor a new currency is a gain or a loss."""
        lost = {code: Decimal(before) - self.equities.get(code, ZERO) for code, before in start.items()}
        return self._sum(lost)

    def _sum(self, amounts: dict[str, Decimal]) -> Decimal:
        return sum((amount * (self.rates.of(code) or ZERO) for code, amount in amounts.items()), ZERO)


def unrealized(cache: Any, holding: Holding) -> Decimal | None:
    mark = mark_of(cache, holding.instrument_id, holding.quantity > 0)
    if mark is None:
        return None
    return holding.quantity * mark * multiplier_of(cache, holding.instrument_id) - holding.cost


def value_of(cache: Any, holding: Holding) -> Decimal:
    """At the mark, or at cost without one; negative when short."""
    gain = unrealized(cache, holding)
    return holding.cost if gain is None else holding.cost + gain


def compute_figures(cache: Any, ledger: Ledger) -> Figures:
    rates = Rates(cache)
    figures = Figures(rates, {rates.base: ZERO})
    for account in cache.accounts():
        for code, total in totals_of(account).items():
            figures.equities[code] = figures.equities.get(code, ZERO) + total
    for holding in ledger.open_holdings():
        gain = unrealized(cache, holding)
        if gain is None:
            figures.unpriced.append(holding.id)
        code = quote_currency_of(cache, holding.instrument_id) or rates.base
        figures.equities[code] = figures.equities.get(code, ZERO) + (gain or ZERO)
        figures.exposures[code] = figures.exposures.get(code, ZERO) + abs(holding.cost + (gain or ZERO))
    return figures


def totals_of(account: Any) -> dict[str, Decimal]:
    return {currency.code: balance.as_decimal() for currency, balance in account.balances_total().items()}


def currency_of(account: Any) -> Any:
    """The currency in which an account of several is shown; the others stand beside it."""
    if account.base_currency is not None:
        return account.base_currency
    held = {currency.code: currency for currency in account.currencies()}
    return next((held[code] for code in SHOWN_CURRENCIES if code in held), next(iter(held.values()), None))


class EquitySamples:
    """Equity once a second: how far it is and was below its peak, and the loss that one day in twenty would exceed."""

    def __init__(self, peak: Decimal | None, max_drawdown: Decimal) -> None:
        self.peak = peak
        self.drawdown = Decimal(0)
        self.max_drawdown = max_drawdown
        self._samples: list[float] = []

    def add(self, equity: Decimal) -> None:
        if self.peak is None or equity > self.peak:
            self.peak = equity
        if self.peak > 0:
            self.drawdown = ((self.peak - equity) / self.peak * 100).quantize(Decimal("0.0001"))
            self.max_drawdown = max(self.max_drawdown, self.drawdown)
        self._samples.append(float(equity))
        if len(self._samples) > MAX_EQUITY_SAMPLES:
            del self._samples[: MAX_EQUITY_SAMPLES // 10]

    def shift(self, amount: Decimal) -> None:
        """A currency whose rate became known is no gain."""
        if amount == 0:
            return
        self._samples = [sample + float(amount) for sample in self._samples]
        if self.peak is not None:
            self.peak += amount

    def restart(self) -> None:
        self.peak, self._samples = None, []

    def value_at_risk(self) -> Decimal | None:
        """From the changes of a second, scaled to a day; None with fewer than five minutes of them."""
        if len(self._samples) <= MIN_VAR_SAMPLES:
            return None
        changes = [after - before for before, after in zip(self._samples, self._samples[1:], strict=False)]
        mean = sum(changes) / len(changes)
        variance = sum((change - mean) ** 2 for change in changes) / len(changes)
        loss = 1.6449 * (variance * SECONDS_PER_DAY) ** 0.5
        return Decimal(f"{loss:.2f}")
