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


@dataclass(slots=True)
class Figures:
    """Without a price a position counts at its cost, and is named in `unpriced`."""

    equity: Decimal = ZERO
    exposure: Decimal = ZERO
    unpriced: list[str] = field(default_factory=list)


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
    figures = Figures(equity=sum((total_of(account) for account in cache.accounts()), ZERO))
    for holding in ledger.open_holdings():
        gain = unrealized(cache, holding)
        if gain is None:
            figures.unpriced.append(holding.id)
        figures.equity += gain or ZERO
        figures.exposure += abs(holding.cost + (gain or ZERO))
    return figures


def total_of(account: Any) -> Decimal:
    currency = currency_of(account)
    balance = None if currency is None else account.balance_total(currency)
    return ZERO if balance is None else balance.as_decimal()


def currency_of(account: Any) -> Any:
    """The currency in which an account of several is shown; nothing is converted."""
    if account.base_currency is not None:
        return account.base_currency
    held = {currency.code: currency for currency in account.currencies()}
    return next((held[code] for code in SHOWN_CURRENCIES if code in held), next(iter(held.values()), None))


class EquitySamples:
    """Equity once a second: the drawdown of all of it, and the loss that one day in twenty would exceed."""

    def __init__(self, peak: Decimal | None, max_drawdown: Decimal) -> None:
        self.peak = peak
        self.max_drawdown = max_drawdown
        self._samples: list[float] = []

    def add(self, equity: Decimal) -> None:
        if self.peak is None or equity > self.peak:
            self.peak = equity
        if self.peak > 0:
            drawdown = (self.peak - equity) / self.peak * 100
            self.max_drawdown = max(self.max_drawdown, drawdown.quantize(Decimal("0.0001")))
        self._samples.append(float(equity))
        if len(self._samples) > MAX_EQUITY_SAMPLES:
            del self._samples[: MAX_EQUITY_SAMPLES // 10]

    def value_at_risk(self) -> Decimal | None:
        """From the changes of a second, scaled to a day; None with fewer than five minutes of them."""
        if len(self._samples) <= MIN_VAR_SAMPLES:
            return None
        changes = [after - before for before, after in zip(self._samples, self._samples[1:], strict=False)]
        mean = sum(changes) / len(changes)
        variance = sum((change - mean) ** 2 for change in changes) / len(changes)
        loss = 1.6449 * (variance * SECONDS_PER_DAY) ** 0.5
        return Decimal(f"{loss:.2f}")
