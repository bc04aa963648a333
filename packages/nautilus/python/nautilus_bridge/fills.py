"""The fills of a node: counted once each, added to the ledger as NautilusTrader's account and positions compute them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Callable

from nautilus_trader.model.events import OrderFilled
from nautilus_trader.model.identifiers import PositionId
from nautilus_trader.model.objects import Money, Quantity

from nautilus_bridge.ledger import Change, Close, Closing, Fill, Ledger


class Fills:
    """Between the cache's orders and the ledger."""

    def __init__(self, cache: Any, ledger: Ledger) -> None:
        self.realized: dict[str, Decimal] = {}
        """Results by trade id, for the rows of fills."""
        self._cache = cache
        self._ledger = ledger
        self._is_rebuilt = False
        self._counted: set[tuple[str, str]] = set()
        self._positions: dict[PositionId, Any] = {}

    def rebuild(self) -> None:
        """Adds the fills of all orders in the cache."""
        for event in self._past():
            self._add(event, None)
        self._is_rebuilt = True
        self._positions = {position.id: position for position in self._cache.positions_open()}

    def repair_positions(self, report: Callable[[str], None]) -> None:
        """Gives positions of the cache database the last fills of their orders.

        NautilusTrader writes a fill with its order first and with its position a moment later; a kill may come between.
        Only for venues that are not reconciled: a reconciliation compares positions itself.
        """
        fills = self._past()
        for position in self._cache.positions_open():
            known, last = set(position.trade_ids), position.ts_last
            later = (event for event in fills if event.position_id == position.id and event.ts_event >= last)
            for event in later:
                if event.trade_id in known:
                    continue
                if position.is_closed or flips(position, event):
                    break
                position.apply(event)
                self._cache.update_position(position)
                report(f"{position.id} lacked the fill {event.trade_id} of {event.client_order_id}.")

    def is_new(self, event: OrderFilled) -> bool:
        """Fills that a node reconciles before the bridge starts are among those that it rebuilds positions from."""
        return self._is_rebuilt and key_of(event) not in self._counted

    def apply(self, event: OrderFilled) -> Change:
        change = self._add(event, self._closing_of(event))
        position = None if event.position_id is None else self._cache.position(event.position_id)
        if position is not None:
            self._positions[position.id] = position
        return change

    def _add(self, event: OrderFilled, close: Close | None) -> Change:
        self._counted.add(key_of(event))
        instrument = self._cache.instrument(event.instrument_id)
        multiplier = Decimal(1) if instrument is None else instrument.multiplier.as_decimal()
        change = self._ledger.apply(
            Fill(
                instrument_id=event.instrument_id.value,
                strategy_id=event.strategy_id.value,
                venue=event.instrument_id.venue.value,
                is_buy=event.is_buy,
                quantity=event.last_qty.as_decimal(),
                price=event.last_px.as_decimal(),
                fee=event.commission.as_decimal(),
                ts=event.ts_event,
                multiplier=multiplier,
                close=close,
                currency=currency_of(instrument, event),
                fee_currency=event.commission.currency.code,
            )
        )
        if change.realized is not None:
            self.realized[event.trade_id.value] = change.realized
        return change

    def _closing_of(self, event: OrderFilled) -> Close | None:
        """As the account and the position compute it: in doubles, from the average price before the fill.

        A flip replaces the position in the cache; the one that is remembered still has its average price.
        """
        position = self._positions.get(event.position_id)
        if position is None or position.is_inverse:
            return None
        price, average, multiplier = event.last_px.as_double(), position.avg_px_open, position.multiplier.as_double()
        points = average - price if event.is_buy else price - average
        currency = position.settlement_currency

        def close(quantity: Decimal, net: Decimal) -> Closing:
            size = Quantity(float(quantity), event.last_qty.precision)
            result = size.as_double() * multiplier * points
            is_all = size == event.last_qty
            fee = event.commission if is_all else Money(event.commission * (size / event.last_qty), event.commission.currency)
            # A fee in another currency is not in the position's result.
            cost = fee if fee.currency == currency else Money(0, currency)
            before = Money(float(net), currency)
            after = Money(before.as_double() + (-cost.as_double() + result), currency)
            within = after.as_decimal() - before.as_decimal() + cost.as_decimal()
            return Closing(Money(result, currency).as_decimal(), within, fee.as_decimal())

        return close

    def _past(self) -> list[OrderFilled]:
        orders = (self._cache.order(order_id) for order_id in self._cache.client_order_ids())
        fills = [event for order in orders if order for event in order.events if isinstance(event, OrderFilled)]
        return sorted(fills, key=lambda event: (event.ts_event, event.ts_init))


def flips(position: Any, event: OrderFilled) -> bool:
    return event.order_side != position.entry and event.last_qty > position.quantity


def currency_of(instrument: Any, event: OrderFilled) -> str:
    return (event.currency if instrument is None else instrument.quote_currency).code


def key_of(fill: OrderFilled) -> tuple[str, str]:
    """A trade id is unique per order: venues number them by instrument."""
    return fill.client_order_id.value, fill.trade_id.value
