"""Positions and results computed from fills, exact in decimals.

NautilusTrader loses the closed part of a position that flips, and its averages are floats; so neither its position
objects nor its statistics are used for figures.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import Callable

ZERO = Decimal(0)
EXACT = Context(prec=60)
"""Quotients that have no end are cut here, far beyond any instrument's decimals."""
UNIT = Decimal("1e-8")
"""The smallest amount of NautilusTrader's and the console's money."""

Close = Callable[[Decimal, Decimal], "Closing"]


@dataclass(frozen=True, slots=True)
class Closing:
    """What closing a quantity gives. NautilusTrader rounds it twice: alone for the account, and within the sum of the position."""

    account: Decimal
    position: Decimal
    fee: Decimal


@dataclass(slots=True)
class Fill:
    instrument_id: str
    strategy_id: str
    venue: str
    is_buy: bool
    quantity: Decimal
    price: Decimal
    fee: Decimal
    ts: int
    multiplier: Decimal = Decimal(1)
    close: Close | None = None
    """NautilusTrader's own arithmetic for closing a quantity of a position with a net result; without it exact results are rounded."""
    currency: str = ""
    fee_currency: str = ""
    """As NautilusTrader does, a fee in another currency than the result's is a cost of the account, not of the position."""


@dataclass(slots=True)
class Holding:
    """One position of a strategy in an instrument. Quantity and cost are negative when short."""

    instrument_id: str
    strategy_id: str
    quantity: Decimal = ZERO
    cost: Decimal = ZERO
    realized: Decimal = ZERO
    fees: Decimal = ZERO
    ts_opened: int = 0
    ts_closed: int | None = None
    opened: Decimal = ZERO
    """All that was opened in it, with the values of its opening and closing fills."""
    opened_value: Decimal = ZERO
    closed_value: Decimal = ZERO
    was_long: bool = True

    @property
    def id(self) -> str:
        return f"{self.instrument_id}-{self.strategy_id}"

    @property
    def side(self) -> str:
        if self.quantity == 0:
            return "FLAT"
        return "LONG" if self.quantity > 0 else "SHORT"


@dataclass(slots=True)
class Result:
    """What a strategy has done since the node has its fills."""

    fills: int = 0
    closed: int = 0
    won: int = 0
    realized: Decimal = ZERO
    fees: Decimal = ZERO


@dataclass(slots=True)
class Change:
    """What a fill did: the holding it closed, the one it opened or changed, and what it realized."""

    closed: Holding | None
    current: Holding | None
    realized: Decimal | None


@dataclass(slots=True)
class Ledger:
    holdings: dict[str, Holding] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    venues: dict[tuple[str, str], Result] = field(default_factory=dict)
    """By venue and currency."""

    def apply(self, fill: Fill) -> Change:
        with localcontext(EXACT):
            if fill.fee_currency == fill.currency:
                return self._apply(fill)
            self.result_at(fill.venue, fill.fee_currency).fees += fill.fee
            return self._apply(replace(fill, fee=ZERO, close=without_fee(fill.close)))

    def open_holdings(self) -> list[Holding]:
        return list(self.holdings.values())

    def result_of(self, strategy_id: str) -> Result:
        return self.results.setdefault(strategy_id, Result())

    def result_at(self, venue: str, currency: str) -> Result:
        return self.venues.setdefault((venue, currency), Result())

    def _apply(self, fill: Fill) -> Change:
        key = f"{fill.instrument_id}-{fill.strategy_id}"
        holding = self.holdings.get(key)
        signed = fill.quantity if fill.is_buy else -fill.quantity
        if holding is None or holding.quantity * signed > 0:
            closing, closed = None, None
            current: Holding | None = self._open(holding, fill, signed, fill.fee)
        else:
            closing, closed, current = self._reduce(holding, fill, signed)
        strategy, venue = self.result_of(fill.strategy_id), self.result_at(fill.venue, fill.currency)
        if closing is not None:
            strategy.realized += closing.position
            venue.realized += closing.account
        for result in (strategy, venue):
            result.fills += 1
            result.fees += fill.fee
            if closed is not None:
                result.closed += 1
                result.won += 1 if closed.realized > closed.fees else 0
        return Change(closed, current, None if closing is None else closing.position)

    def _open(self, holding: Holding | None, fill: Fill, signed: Decimal, fee: Decimal) -> Holding:
        if holding is None:
            holding = Holding(fill.instrument_id, fill.strategy_id, ts_opened=fill.ts, was_long=signed > 0)
            self.holdings[holding.id] = holding
        holding.quantity += signed
        holding.cost += signed * fill.price * fill.multiplier
        holding.fees += fee
        holding.opened += abs(signed)
        holding.opened_value += abs(signed) * fill.price
        return holding

    def _reduce(
        self,
        holding: Holding,
        fill: Fill,
        signed: Decimal,
    ) -> tuple[Closing, Holding | None, Holding | None]:
        """The fee of a fill that flips is shared by the two positions by quantity."""
        reduced = min(abs(signed), abs(holding.quantity))
        part = reduced if holding.quantity > 0 else -reduced
        is_all = reduced == abs(holding.quantity)
        cost = holding.cost if is_all else holding.cost * part / holding.quantity
        net = holding.realized - holding.fees
        closing = close_exactly(fill, reduced, part, cost) if fill.close is None else fill.close(reduced, net)
        holding.quantity -= part
        holding.cost -= cost
        holding.closed_value += reduced * fill.price
        holding.realized += closing.position
        holding.fees += closing.fee
        if not is_all:
            return closing, None, holding
        holding.ts_closed = fill.ts
        del self.holdings[holding.id]
        rest = signed + part
        opened = None if rest == 0 else self._open(None, fill, rest, fill.fee - closing.fee)
        return closing, holding, opened


def without_fee(close: Close | None) -> Close | None:
    return None if close is None else lambda quantity, net: replace(close(quantity, net), fee=ZERO)


def close_exactly(fill: Fill, reduced: Decimal, part: Decimal, cost: Decimal) -> Closing:
    """NautilusTrader rounds the result of each fill, and the parts of a fee, to the unit."""
    fee = fill.fee if reduced == fill.quantity else to_unit(fill.fee * reduced / fill.quantity)
    realized = to_unit(part * fill.price * fill.multiplier - cost)
    return Closing(realized, realized, fee)


def to_unit(value: Decimal) -> Decimal:
    return value.quantize(UNIT, ROUND_HALF_UP)
