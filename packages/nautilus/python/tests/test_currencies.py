from __future__ import annotations

import unittest
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from nautilus_trader.accounting.factory import AccountFactory
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.common.factories import OrderFactory
from nautilus_trader.config import LoggingConfig
from nautilus_trader.core.uuid import UUID4
from nautilus_trader.model.currencies import BTC, ETH, EUR, USD, USDT
from nautilus_trader.model.data import QuoteTick
from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
from nautilus_trader.model.events import AccountState
from nautilus_trader.model.identifiers import AccountId, InstrumentId, StrategyId, Symbol, Venue
from nautilus_trader.model.instruments import CurrencyPair
from nautilus_trader.model.objects import AccountBalance, Currency, Money, Price, Quantity

from nautilus_bridge.durable import DEFAULT_LIMITS, MemoryState
from nautilus_bridge.figures import EquitySamples, Rates, compute_figures
from nautilus_bridge.guard import Guard
from nautilus_bridge.ledger import Fill, Ledger
from nautilus_bridge.sampler import Sampler

SIM = Venue("SIM")
D = Decimal


def pair(base: Currency, quote: Currency) -> CurrencyPair:
    symbol = Symbol(f"{base.code}{quote.code}")
    return CurrencyPair(
        InstrumentId(symbol, SIM), symbol, base, quote, 2, 3, Price(0.01, 2), Quantity(0.001, 3), ts_event=0, ts_init=0
    )


class CurrenciesTest(unittest.TestCase):
    """On the objects of a real engine that does not run."""

    def setUp(self) -> None:
        self.engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True)))
        self.addCleanup(self.engine.dispose)
        amounts = [Money(1000, EUR), Money(2, BTC)]
        self.engine.add_venue(SIM, OmsType.NETTING, AccountType.MARGIN, amounts, base_currency=None)
        self.cache = self.engine.kernel.cache
        balances = [AccountBalance(amount, Money(0, amount.currency), amount) for amount in amounts]
        state = AccountState(AccountId("SIM-001"), AccountType.MARGIN, None, True, balances, [], {}, UUID4(), 0, 0)
        self.cache.add_account(AccountFactory.create(state))
        self.ledger = Ledger()
        for base, quote in ((BTC, USD), (ETH, USDT), (BTC, EUR), (ETH, BTC)):
            self.engine.add_instrument(pair(base, quote))
        for client in self.engine.kernel.exec_engine._clients.values():
            client._set_connected(True)

    def quote(self, symbol: str, bid: str, ask: str) -> None:
        size = Quantity(1, 3)
        tick = QuoteTick(InstrumentId.from_str(f"{symbol}.SIM"), Price.from_str(bid), Price.from_str(ask), size, size, 0, 0)
        self.cache.add_quote_tick(tick)

    def test_rates(self) -> None:
        """[NAUT-202] a rate is the middle of current quotes, of one pair or of two; without quotes there is none"""
        self.assertIsNone(Rates(self.cache).of("BTC"))
        self.quote("BTCEUR", "49999.00", "50001.00")
        rates = Rates(self.cache)
        self.assertEqual((rates.base, rates.of("EUR"), rates.of("BTC")), ("EUR", 1, 50_000))
        self.assertIsNone(rates.of("ETH"))
        self.quote("ETHBTC", "0.04", "0.06")
        self.quote("BTCUSD", "40000.00", "40000.00")
        rates = Rates(self.cache)
        self.assertEqual((rates.of("ETH"), rates.of("USD")), (2_500, D("1.25")))
        # ETHUSDT has no quote.
        self.assertIsNone(rates.of("USDT"))

    def test_figures(self) -> None:
        """[NAUT-202] what has no rate is left out and named, and its rate is no gain when it becomes known"""
        before = compute_figures(self.cache, self.ledger)
        self.assertEqual((before.equity, before.counted, before.left_out), (1000, ["EUR"], ["BTC"]))
        start = {code: str(amount) for code, amount in before.equities.items()}
        self.quote("BTCEUR", "50000.00", "50000.00")
        after = compute_figures(self.cache, self.ledger)
        self.assertEqual((after.equity, after.counted, after.left_out), (101_000, ["EUR", "BTC"], []))
        self.assertEqual(after.loss_since(start), 0)
        self.assertEqual(after.loss_since(start | {"BTC": "2.01"}), 500)
        samples = EquitySamples(D(1100), D(0))
        samples.add(before.equity)
        samples.shift(after.value_of({"BTC"}))
        samples.add(after.equity)
        self.assertEqual((samples.peak, samples.drawdown, samples.max_drawdown), (101_100, D("0.0989"), D("9.0909")))

    def test_guard(self) -> None:
        """[NAUT-204] an order that adds in a currency without a rate is denied, one that reduces passes; with one its value is converted"""
        guard = Guard(self.engine.kernel, MemoryState(dict(DEFAULT_LIMITS)), self.ledger, lambda *_: None)
        orders = OrderFactory(self.engine.kernel.trader_id, StrategyId("S-1"), self.engine.kernel.clock)
        eth = InstrumentId.from_str("ETHUSDT.SIM")

        def denial(side: OrderSide, quantity: str) -> str | None:
            answer: Any = guard.assess(orders.market(eth, side, Quantity.from_str(quantity)))
            return None if answer is None else answer.message

        self.quote("ETHUSDT", "2000.00", "2000.00")
        message = "There is no rate from USDT to EUR, the currency of the limits. Subscribe the node to quotes of such a pair; orders that reduce are accepted."
        self.assertEqual(denial(OrderSide.BUY, "1.000"), message)
        self.ledger.apply(Fill("ETHUSDT.SIM", "S-1", "SIM", True, D(2), D(2000), D(0), 1))
        self.assertIsNone(denial(OrderSide.SELL, "1.000"))
        self.assertEqual(denial(OrderSide.SELL, "3.000"), message)
        # By ETH and BTC there are two steps between USDT and EUR, which is one too many.
        self.quote("ETHBTC", "0.05", "0.05")
        self.quote("BTCEUR", "50000.00", "50000.00")
        self.assertEqual(denial(OrderSide.BUY, "1.000"), message)
        self.engine.add_instrument(pair(ETH, EUR))
        self.quote("ETHEUR", "1600.00", "1600.00")
        self.assertIsNone(denial(OrderSide.BUY, "1.000"))
        self.assertEqual(denial(OrderSide.BUY, "7.000"), "The order is worth 11,200.00; Max Order Size is 10,000.00.")

    def test_list(self) -> None:
        """[NAUT-220] a list of orders passes only if all of them together stay within the limits; one that is denied counts no more"""
        self.engine.add_instrument(pair(ETH, EUR))
        self.quote("ETHEUR", "1600.00", "1600.00")
        guard = Guard(self.engine.kernel, MemoryState(DEFAULT_LIMITS | {"max_position_size": "10000"}), self.ledger, lambda *_: None)
        orders = OrderFactory(self.engine.kernel.trader_id, StrategyId("S-1"), self.engine.kernel.clock)
        eth = InstrumentId.from_str("ETHEUR.SIM")

        def buys(count: int) -> list[Any]:
            return [orders.limit(eth, OrderSide.BUY, Quantity(2, 3), Price(1500, 2)) for _ in range(count)]

        self.assertFalse(guard._passes(buys(4)))
        self.assertEqual(guard.worst_case().exposure, 0)
        self.assertTrue(guard._passes(buys(3)))
        self.assertEqual(guard.worst_case().exposure, 9_000)
        self.assertFalse(guard._passes(buys(1)))

    def test_unpriced(self) -> None:
        """[RISK-204] without a price of a position no equity is sampled and no loss checked; the day begins at its cost after a minute"""
        state = MemoryState(DEFAULT_LIMITS | {"max_daily_loss": "50"})
        guard = Guard(self.engine.kernel, state, self.ledger, lambda *_: None)
        self.quote("BTCEUR", "50000.00", "50000.00")
        self.engine.add_instrument(pair(ETH, EUR))
        self.ledger.apply(Fill("ETHEUR.SIM", "S-1", "SIM", True, D(2), D(1600), D(0), 1))
        state.state.day_start_equity, state.state.day, state.state.peak_equity = "101100", "2020-01-01", "101100"
        clock = SimpleNamespace(seconds=5.0)
        loop = SimpleNamespace(time=lambda: clock.seconds)
        bridge = SimpleNamespace(durable=state, cache=self.cache, ledger=self.ledger, loop=loop, guard=guard)
        sampler = Sampler(bridge, None)

        def sample() -> None:
            sampler.begin_day()
            sampler._add_sample(compute_figures(self.cache, self.ledger))
            # A loss would reach for the bridge.
            sampler.check_daily_loss()

        sample()
        clock.seconds += 59
        sample()
        self.assertEqual((state.state.day, sampler.max_drawdown, state.state.trading_state), ("2020-01-01", 0, "ACTIVE"))
        clock.seconds += 1
        sample()
        self.assertEqual((state.state.day_start_equity, sampler.max_drawdown), ("101000", 0))
        self.quote("ETHEUR", "1650.00", "1650.00")
        sample()
        self.assertEqual((sampler._samples.peak, sampler.max_drawdown), (101_100, 0))
