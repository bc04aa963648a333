from __future__ import annotations

import random
import unittest
from decimal import Decimal, localcontext

from nautilus_bridge.ledger import EXACT, UNIT, ZERO, Change, Closing, Fill, Ledger

D = Decimal


def fill(ledger: Ledger, side: str, quantity: str, price: str, fee: str = "0", ts: int = 1) -> Change:
    return ledger.apply(Fill("BTC.SIM", "S-1", "SIM", side == "BUY", D(quantity), D(price), D(fee), ts))


class LedgerTest(unittest.TestCase):
    def test_round_trip(self) -> None:
        """[NAUT-4] a position's quantity, cost, result and fees come from its fills"""
        ledger = Ledger()
        opened = fill(ledger, "BUY", "2", "100", "0.5")
        self.assertEqual((opened.current.side, opened.current.quantity, opened.current.cost), ("LONG", 2, 200))
        self.assertIsNone(opened.realized)
        fill(ledger, "BUY", "1", "130", "0.25")
        reduced = fill(ledger, "SELL", "1", "120", "0.25")
        self.assertEqual(reduced.realized, 10)
        self.assertEqual((reduced.current.quantity, reduced.current.cost), (2, 220))
        closed = fill(ledger, "SELL", "2", "105", "0.5", ts=9)
        self.assertEqual(closed.realized, -10)
        self.assertEqual((closed.closed.realized, closed.closed.fees, closed.closed.ts_closed), (0, D("1.5"), 9))
        self.assertEqual(ledger.open_holdings(), [])

    def test_fee_in_another_currency(self) -> None:
        """[NAUT-203] a fee in another currency than the result's is a cost of the account in that currency, not of the position"""
        ledger = Ledger()
        terms = {"currency": "USDT", "fee_currency": "BNB"}
        ledger.apply(Fill("BTC.SIM", "S-1", "SIM", True, D(2), D(100), D("0.01"), 1, **terms))
        half = {"close": lambda quantity, net: Closing(quantity * 10, quantity * 10, D("0.5"))}
        closed = ledger.apply(Fill("BTC.SIM", "S-1", "SIM", False, D(2), D(110), D("0.02"), 2, **half, **terms)).closed
        self.assertEqual((closed.realized, closed.fees), (20, ZERO))
        self.assertEqual((ledger.result_at("SIM", "USDT").realized, ledger.result_at("SIM", "USDT").fees), (20, ZERO))
        self.assertEqual(ledger.result_at("SIM", "BNB").fees, D("0.03"))
        self.assertEqual(ledger.result_of("S-1").fees, ZERO)

    def test_flip(self) -> None:
        """[NAUT-4] a flip closes one position and opens another; both are counted, and its fee is shared"""
        ledger = Ledger()
        fill(ledger, "BUY", "1", "100", "1")
        change = fill(ledger, "SELL", "4", "110", "4")
        self.assertEqual((change.closed.realized, change.closed.fees, change.realized), (10, 2, 10))
        self.assertEqual((change.current.side, change.current.quantity, change.current.cost), ("SHORT", -3, -330))
        self.assertEqual(change.current.fees, 3)
        result = ledger.result_of("S-1")
        self.assertEqual((result.fills, result.closed, result.won, result.realized, result.fees), (2, 1, 1, 10, 5))

    def test_rounded(self) -> None:
        """[NAUT-4] the result of each fill is rounded to the unit, or is the one that NautilusTrader has computed"""
        ledger = Ledger()
        fill(ledger, "BUY", "3", "100")
        fill(ledger, "BUY", "4", "101")
        self.assertEqual(fill(ledger, "SELL", "1", "103").realized, D("2.42857143"))
        closing = Closing(account=D("2.42857143"), position=D("2.42857142"), fee=ZERO)
        theirs = Fill("BTC.SIM", "S-1", "SIM", False, D(1), D(103), ZERO, 1, close=lambda quantity, net: closing)
        self.assertEqual(ledger.apply(theirs).realized, D("2.42857142"))
        self.assertEqual(ledger.result_of("S-1").realized, D("4.85714285"))
        self.assertEqual(ledger.result_at("SIM", "").realized, D("4.85714286"))

    def test_many_flips(self) -> None:
        """[NAUT-4] over generated fills, cash and positions together are what was paid, to half a unit for each result"""
        for seed in range(20):
            chance = random.Random(seed)
            ledger = Ledger()
            cash = ZERO
            for _ in range(200):
                side = chance.choice(["BUY", "SELL"])
                quantity, price = D(chance.randint(1, 9)) / 8, D(chance.randint(900, 1100)) / 4
                fill(ledger, side, str(quantity), str(price))
                cash += -quantity * price if side == "BUY" else quantity * price
            with localcontext(EXACT):
                cost = sum((holding.cost for holding in ledger.open_holdings()), ZERO)
                self.assertLessEqual(abs(cash + cost - ledger.result_of("S-1").realized), 200 * UNIT / 2)
