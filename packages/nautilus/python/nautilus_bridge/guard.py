"""The veto before the execution engine: trading states and limits, for manual, strategy and emulated orders alike."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Callable

from nautilus_trader.core.uuid import UUID4
from nautilus_trader.execution.messages import ModifyOrder, SubmitOrder, SubmitOrderList
from nautilus_trader.model.enums import OrderSide, OrderStatus, OrderType, PriceType
from nautilus_trader.model.events import OrderDenied, OrderModifyRejected

from nautilus_bridge.durable import DurableFile, MemoryState
from nautilus_bridge.figures import Figures, Rates, compute_figures, mark_of, quote_currency_of, unrealized, value_of
from nautilus_bridge.ledger import ZERO, Ledger

ENDPOINT = "ExecEngine.execute"
"""The only endpoint that every order passes; emulated orders bypass the risk engine's."""

HALTED_TEXT = (
    "Trading is halted. To accept orders again, use Resume Trading or Reduce Only on the Risk Management screen."
)

QUEUED = (OrderStatus.INITIALIZED, OrderStatus.RELEASED)

BreachListener = Callable[[str, str, str, str | None], None]


@dataclass(slots=True)
class Candidate:
    """An order under check. `replaced` is what of it already works, when it is changed."""

    order: Any
    quantity: Decimal
    price: Decimal | None
    replaced: Decimal = ZERO

    @property
    def is_buy(self) -> bool:
        return self.order.side == OrderSide.BUY


@dataclass(slots=True)
class Denial:
    """`limit`, `value` and `threshold` only for a limit."""

    message: str
    limit: str | None = None
    value: str | None = None
    threshold: str | None = None


@dataclass(slots=True)
class WorstCase:
    exposure: Decimal = ZERO
    positions: int = 0
    margin: Decimal = ZERO


class Guard:
    """Takes the endpoint of the execution engine over. An exception inside a check counts as a denial."""

    def __init__(
        self,
        kernel: Any,
        durable: DurableFile | MemoryState,
        ledger: Ledger,
        on_breach: BreachListener,
    ) -> None:
        self._engine = kernel.exec_engine
        self._bus = kernel.msgbus
        self._cache = kernel.cache
        self._clock = kernel.clock
        self._durable = durable
        self._ledger = ledger
        self._on_breach = on_breach
        self._queued: dict[Any, Any] = {}
        self._bus.deregister(ENDPOINT, self._engine.execute)
        self._bus.register(ENDPOINT, self.execute)

    def execute(self, command: Any) -> None:
        if isinstance(command, SubmitOrder):
            self._submit(command, [command.order])
        elif isinstance(command, SubmitOrderList):
            self._submit(command, command.order_list.orders)
        elif isinstance(command, ModifyOrder):
            self._modify(command)
        else:
            self._engine.execute(command)

    def _submit(self, command: Any, orders: list[Any]) -> None:
        if self._passes(orders):
            self._engine.execute(command)

    def assess(self, order: Any) -> Denial | None:
        """Why an order would be denied now."""
        return self._judge(candidate_of(order))

    def _passes(self, orders: list[Any]) -> bool:
        """Each order of a list is judged with those before it working."""
        denials = []
        for order in orders:
            denial = self._judge(candidate_of(order))
            denials.append(denial)
            if denial is None:
                self._queued[order.client_order_id] = order
        if not any(denials):
            return True
        for order, denial in zip(orders, denials, strict=True):
            self._queued.pop(order.client_order_id, None)
            message = "Another order of its list was denied." if denial is None else denial.message
            self._report(denial, order)
            self._bus.send(
                "ExecEngine.process",
                OrderDenied(
                    order.trader_id,
                    order.strategy_id,
                    order.instrument_id,
                    order.client_order_id,
                    message,
                    UUID4(),
                    self._clock.timestamp_ns(),
                ),
            )
        return False

    def _modify(self, command: ModifyOrder) -> None:
        order = self._cache.order(command.client_order_id)
        denial = None if order is None else self._judge_change(order, command)
        if denial is None:
            self._engine.execute(command)
            return
        self._report(denial, order)
        now = self._clock.timestamp_ns()
        self._bus.send(
            "ExecEngine.process",
            OrderModifyRejected(
                order.trader_id,
                order.strategy_id,
                order.instrument_id,
                order.client_order_id,
                order.venue_order_id,
                order.account_id,
                denial.message,
                UUID4(),
                now,
                now,
            ),
        )

    def _report(self, denial: Denial | None, order: Any) -> None:
        if denial is not None and denial.limit is not None:
            self._on_breach(denial.limit, denial.value or "", denial.threshold or "", order.client_order_id.value)

    def _judge_change(self, order: Any, command: ModifyOrder) -> Denial | None:
        quantity = (command.quantity or order.quantity).as_decimal() - order.filled_qty.as_decimal()
        price = command.price or command.trigger_price
        value = price_of(order) if price is None else price.as_decimal()
        return self._judge(Candidate(order, quantity, value, order.leaves_qty.as_decimal()))

    def _judge(self, candidate: Candidate) -> Denial | None:
        try:
            return self._check(candidate)
        except Exception as error:  # noqa: BLE001 (risk fails closed)
            return Denial(f"The limits could not be checked: {type(error).__name__}: {error}")

    def _check(self, candidate: Candidate) -> Denial | None:
        order = candidate.order
        state = self._durable.state.trading_state
        if state == "HALTED":
            return Denial(HALTED_TEXT)
        if not self._is_connected(order.instrument_id.venue):
            return Denial(f"{order.instrument_id.venue} is disconnected.")
        touch = self._touch(candidate)
        if touch is None:
            return Denial(f"There is no quote for {order.instrument_id.symbol} yet.")
        if order.is_reduce_only:
            return self._check_reduce_only(candidate)
        rates = Rates(self._cache)
        rate = rates.of_instrument(order.instrument_id.value)
        if rate is None:
            return None if self._reduces(candidate) else self._deny_without_rate(order, rates)
        value = candidate.quantity * self._worth(candidate, touch) * rate
        size = self._check_order_size(value)
        if self._reduces(candidate):
            # A resting order might fill when its position is gone, and would then open one of its size.
            return size if candidate.price is not None else None
        if state == "REDUCING":
            return Denial(
                "Reduce-only: orders that open or add are blocked. To accept them again, use Resume Trading on "
                "the Risk Management screen."
            )
        return size or self._check_strategy_loss(order.strategy_id.value) or self._check_desk(candidate, value)

    def _deny_without_rate(self, order: Any, rates: Rates) -> Denial:
        code = quote_currency_of(self._cache, order.instrument_id.value)
        return Denial(
            f"There is no rate from {code} to {rates.base}, the currency of the limits. Subscribe the node to quotes of "
            "such a pair; orders that reduce are accepted."
        )

    def _touch(self, candidate: Candidate) -> Decimal | None:
        """The price at which it would trade at once."""
        for price_type in (PriceType.ASK if candidate.is_buy else PriceType.BID, PriceType.LAST):
            price = self._cache.price(candidate.order.instrument_id, price_type)
            if price is not None:
                return price.as_decimal()
        return None

    def _worth(self, candidate: Candidate, touch: Decimal) -> Decimal:
        """The value of one unit. A sell below the market trades at the market price, which is above its limit."""
        multiplier = self._multiplier(candidate.order)
        if candidate.price is None:
            return touch * multiplier
        return (candidate.price if candidate.is_buy else max(candidate.price, touch)) * multiplier

    def _check_reduce_only(self, candidate: Candidate) -> Denial | None:
        """An order before it that is on its way may open the position; the venue decides then."""
        order = candidate.order
        held = max(ZERO, self._reducible(candidate))
        if held > 0 or any(key_of(other) == key_of(order) and other.side != order.side for other in self._working()):
            return None
        return Denial(f"A reduce-only order for {plain(candidate.quantity)} would add: 0 can be reduced.")

    def _check_order_size(self, value: Decimal) -> Denial | None:
        limit = Decimal(self._durable.state.limits["max_order_size"])
        if value <= limit:
            return None
        message = f"The order is worth {amount(value)}; Max Order Size is {amount(limit)}."
        return Denial(message, "max_order_size", plain(value), plain(limit))

    def _check_strategy_loss(self, strategy_id: str) -> Denial | None:
        record = self._durable.state.strategies.get(strategy_id)
        if record is None or record.loss_limit is None:
            return None
        result = self._ledger.result_of(strategy_id)
        earned = result.realized - result.fees
        for holding in self._ledger.open_holdings():
            if holding.strategy_id == strategy_id:
                earned += unrealized(self._cache, holding) or ZERO
        limit = Decimal(record.loss_limit)
        if -earned < limit:
            return None
        return Denial(
            f"Strategy {strategy_id} has lost {amount(-earned)}; its loss limit is {amount(limit)}, so it may only reduce."
        )

    def _check_desk(self, candidate: Candidate, value: Decimal) -> Denial | None:
        state = self._durable.state
        figures = compute_figures(self._cache, self._ledger)
        loss = self.daily_loss(figures)
        limit = Decimal(state.limits["max_daily_loss"])
        if loss >= limit:
            message = f"Today's loss is {amount(loss)}; Max Daily Loss is {amount(limit)}."
            return Denial(message, "max_daily_loss", plain(loss), plain(limit))
        worst = self._sum_worst(candidate.order, value)
        positions = int(state.limits["max_positions"])
        if worst.positions > positions:
            message = f"There would be {worst.positions} positions; Max Positions is {positions}."
            return Denial(message, "max_positions", str(worst.positions), str(positions))
        limit = Decimal(state.limits["max_position_size"])
        if worst.exposure > limit:
            message = (
                f"Exposure would be {amount(worst.exposure)}, working orders included (now {amount(figures.exposure)}); "
                f"Max Position Size is {amount(limit)}."
            )
            return Denial(message, "max_position_size", plain(worst.exposure), plain(limit))
        if worst.margin > figures.equity:
            return Denial(f"Margin of {amount(worst.margin)} would be needed; equity is {amount(figures.equity)}.")
        return None

    def daily_loss(self, figures: Figures) -> Decimal:
        state = self._durable.state
        if state.day_start_equity is None:
            return ZERO
        # A file of an earlier version has the amount in one currency only.
        return figures.loss_since(state.day_start or {figures.rates.base: state.day_start_equity})

    def value_of(self, order: Any) -> Decimal:
        """What Max Order Size is compared with; zero without a price."""
        candidate = candidate_of(order)
        touch = self._touch(candidate)
        rate = Rates(self._cache).of_instrument(order.instrument_id.value)
        return ZERO if touch is None or rate is None else candidate.quantity * self._worth(candidate, touch) * rate

    def worst_case(self) -> WorstCase:
        """Exposure, positions and margin if, per position, the working orders of the worse side fill."""
        return self._sum_worst(None, ZERO)

    def worst_case_with(self, order: Any, filled: Decimal | None, resting: Decimal) -> WorstCase:
        """With an order of which a signed quantity fills at once and a value rests; None: all of it rests."""
        if filled is None:
            return self._sum_worst(order, self.value_of(order))
        holding = self._ledger.holdings.get(key_of(order))
        quantity = filled + (ZERO if holding is None else holding.quantity)
        mark = mark_of(self._cache, order.instrument_id.value, quantity > 0) or ZERO
        rate = Rates(self._cache).of_instrument(order.instrument_id.value) or ZERO
        return self._sum_worst(order, resting * rate, quantity * mark * self._multiplier(order) * rate)

    def _sum_worst(self, candidate: Any, resting: Decimal, position: Decimal | None = None) -> WorstCase:
        """With the value of the candidate that works, and the value of its position if that changes."""
        buys: dict[str, Decimal] = {}
        sells: dict[str, Decimal] = {}
        rates = Rates(self._cache)

        def rate_of(instrument_id: str) -> Decimal:
            """Orders that add in a currency without a rate are denied before."""
            return rates.of_instrument(instrument_id) or ZERO

        held = {
            holding.id: value_of(self._cache, holding) * rate_of(holding.instrument_id)
            for holding in self._ledger.open_holdings()
        }
        instruments = {holding.id: holding.instrument_id for holding in self._ledger.open_holdings()}

        def add(order: Any, worth: Decimal) -> None:
            key = key_of(order)
            instruments[key] = order.instrument_id.value
            side = buys if order.side == OrderSide.BUY else sells
            side[key] = side.get(key, ZERO) + worth

        for order in self._working():
            if candidate is None or order.client_order_id != candidate.client_order_id:
                worth = order.leaves_qty.as_decimal() * self._working_price(order)
                add(order, worth * rate_of(order.instrument_id.value))
        if candidate is not None:
            add(candidate, resting)
            key = key_of(candidate)
            if position is not None:
                held[key] = position
            if not (held.get(key) or buys.get(key) or sells.get(key)):
                del instruments[key]
        worst = WorstCase(positions=len(instruments))
        for key, instrument_id in instruments.items():
            position = held.get(key, ZERO)
            size = max(abs(position + buys.get(key, ZERO)), abs(position - sells.get(key, ZERO)))
            worst.exposure += size
            worst.margin += size * self._margin_rate(instrument_id)
        return worst

    def _multiplier(self, order: Any) -> Decimal:
        return self._cache.instrument(order.instrument_id).multiplier.as_decimal()

    def _working_price(self, order: Any) -> Decimal:
        price = price_of(order)
        if price is not None:
            return price
        touch = self._cache.price(order.instrument_id, PriceType.LAST)
        return ZERO if touch is None else touch.as_decimal()

    def _margin_rate(self, instrument_id: str) -> Decimal:
        for instrument in self._cache.instruments():
            if instrument.id.value == instrument_id:
                return Decimal(instrument.margin_init)
        return Decimal(1)

    def _working(self) -> list[Any]:
        """Orders that may still fill, with those that passed and wait in the queue of the execution engine."""
        self._queued = {key: order for key, order in self._queued.items() if order.status in QUEUED}
        orders = [*self._queued.values(), *self._cache.orders_inflight(), *self._cache.orders_open()]
        return list({order.client_order_id: order for order in orders}.values())

    def is_closing(self, position_id: str) -> bool:
        """Whether a market order already closes the position."""
        return any(
            order.is_reduce_only and order.order_type == OrderType.MARKET and key_of(order) == position_id
            for order in self._working()
        )

    def _reducible(self, candidate: Candidate) -> Decimal:
        """What the order could close; negative when it would add."""
        holding = self._ledger.holdings.get(key_of(candidate.order))
        position = ZERO if holding is None else holding.quantity
        return -position if candidate.is_buy else position

    def _reduces(self, candidate: Candidate) -> bool:
        """Whether all of it reduces even if every working order on its side fills."""
        held = self._reducible(candidate)
        if held <= 0:
            return False
        order = candidate.order
        others = sum(
            (
                other.leaves_qty.as_decimal()
                for other in self._working()
                if key_of(other) == key_of(order)
                and other.side == order.side
                and other.client_order_id != order.client_order_id
            ),
            ZERO,
        )
        return others + candidate.quantity <= held

    def _is_connected(self, venue: Any) -> bool:
        clients = self._engine._clients.values()
        return any(client.is_connected for client in clients if client.venue == venue or client.venue is None)


def candidate_of(order: Any) -> Candidate:
    return Candidate(order, order.quantity.as_decimal(), price_of(order))


def price_of(order: Any) -> Decimal | None:
    if order.has_price:
        return order.price.as_decimal()
    return order.trigger_price.as_decimal() if order.has_trigger_price else None


def key_of(order: Any) -> str:
    return f"{order.instrument_id}-{order.strategy_id}"


def plain(value: Decimal) -> str:
    """Without an exponent and without zeros at the end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount(value: Decimal) -> str:
    return f"{value:,.2f}"
