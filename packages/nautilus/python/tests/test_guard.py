from __future__ import annotations

from tests.console import BTC
from tests.node_case import LIMITS, NodeCase

ETH = "ETHUSDT-PERP.SIM"


class GuardTest(NodeCase):
    def limit(self, **changes: object) -> None:
        self.done("limits.set", LIMITS | changes)

    def test_order_size(self) -> None:
        """[NAUT-10] an order above Max Order Size is denied, also by a change; one that reduces passes"""
        message = "The order is worth 12,000.20; Max Order Size is 10,000.00."
        self.assertEqual(self.denied("BUY", "0.200"), message)
        self.assertEqual(self.console.rows["risk"]["risk"]["breaches"][-1]["limit"], "max_order_size")
        row = self.placed("BUY", "0.100", "50000.0")
        changed = self.console.command("order.modify", {"order_id": row["id"], "quantity": "0.300"})
        self.assertEqual((changed["status"], changed["code"]), ("failed", "DENIED_RISK"))
        self.assertEqual(self.console.rows["orders"][row["id"]]["quantity"], "0.100")
        self.placed("BUY", "0.100")
        self.limit(max_order_size="1000")
        self.done("position.close", {"position_id": f"{BTC}-MANUAL-000"})
        self.assertEqual(self.position(), ("FLAT", "0"))

    def test_position_size(self) -> None:
        """[NAUT-10] working orders count towards Max Position Size, and so does an order that is on its way"""
        self.limit(max_position_size="10000")
        self.placed("BUY", "0.100", "50000.0")
        self.assertIn("working orders included (now 0.00); Max Position Size is 10,000.00", self.denied("BUY", "0.100"))
        self.done("order.cancel_all")
        terms = {"instrument_id": BTC, "type": "MARKET", "quantity": "0.100", "side": "BUY"}
        sent = [self.console.start("order.submit", terms) for _ in range(5)]
        statuses = []
        while len(statuses) < 5:
            frame = self.console.wait(lambda each: each["k"] == "result" and each["id"] in sent)
            statuses.append(frame["status"])
        self.assertEqual(sorted(statuses), ["completed", "failed", "failed", "failed", "failed"])
        self.assertEqual(self.position(), ("LONG", "0.1"))

    def test_positions(self) -> None:
        """[NAUT-10] an order that would open a position beyond Max Positions is denied"""
        self.console.quote(ETH, "3000.00", "3000.10")
        self.limit(max_positions=1)
        self.placed("BUY", "0.010")
        self.placed("BUY", "0.010")
        self.assertEqual(self.denied("BUY", "0.100", instrument_id=ETH), "There would be 2 positions; Max Positions is 1.")

    def test_reducing(self) -> None:
        """[NAUT-11] reduce-only lets orders pass that reduce their own position, and none that opens, adds or flips"""
        self.placed("BUY", "0.050")
        resting = self.placed("BUY", "0.010", "50000.0")
        self.done("trading_state.set", {"state": "REDUCING"})
        self.assertEqual(self.console.rows["orders"][resting["id"]]["status"], "CANCELED")
        for order in (("BUY", "0.010"), ("SELL", "0.060"), ("SELL", "0.010", None)):
            if order[:2] == ("SELL", "0.010"):
                self.placed(*order)
            else:
                self.assertTrue(self.denied(*order).startswith("Reduce-only:"))
        self.assertTrue(self.denied("SELL", "0.010", strategy_id="OTHER-002").startswith("Reduce-only:"))
        self.done("position.close", {"position_id": f"{BTC}-MANUAL-000"})
        self.assertEqual(self.position(), ("FLAT", "0"))

    def test_halted(self) -> None:
        """[NAUT-11] halted, every order is denied, closes included; cancels pass"""
        self.placed("BUY", "0.010")
        resting = self.placed("SELL", "0.010", "70000.0", reduce_only=True)
        self.done("trading_state.set", {"state": "HALTED"})
        self.assertTrue(self.denied("BUY", "0.010").startswith("Trading is halted."))
        close = self.console.command("position.close", {"position_id": f"{BTC}-MANUAL-000"})
        self.assertEqual((close["status"], close["code"]), ("failed", "DENIED_RISK"))
        self.done("order.cancel", {"order_id": resting["id"]})

    def test_daily_loss(self) -> None:
        """[NAUT-12] a loss that reaches Max Daily Loss leaves only orders that reduce, until the limit is raised"""
        self.placed("BUY", "0.100")
        self.console.quote(BTC, "59000.0", "59001.0")
        self.limit(max_daily_loss="50")
        risk = self.console.wait_row("risk", "risk", lambda row: row["trading_state"] == "REDUCING")
        self.assertEqual(risk["reason"]["code"], "daily-loss")
        refused = self.console.command("trading_state.set", {"state": "ACTIVE"})
        self.assertEqual((refused["status"], refused["code"]), ("rejected", "BAD_STATE"))
        self.assertIn("has reached Max Daily Loss, 50.00", refused["message"])
        self.limit()
        self.done("trading_state.set", {"state": "ACTIVE"})

    def test_emergency(self) -> None:
        """[NAUT-13] [NAUT-40] the emergency control cancels, closes everything from its owners, then halts, and says what there was"""
        self.placed("BUY", "0.020")
        self.placed("SELL", "0.030", strategy_id="OTHER-003")
        resting = self.placed("BUY", "0.010", "50000.0")
        stop = self.placed("SELL", "0.020", "50000.0", type="STOP", reduce_only=True)
        self.done("emergency.start")
        risk = self.console.wait_row("risk", "risk", lambda row: row["trading_state"] == "HALTED")
        self.assertEqual((risk["trading_state"], risk["reason"]["code"]), ("HALTED", "emergency"))
        self.assertEqual((risk["emergency"]["active"], risk["emergency"]["outcome"]), (False, "flat"))
        self.assertEqual(risk["emergency"]["venues"], [{"venue": "SIM", "orders": 2, "positions": 2}])
        statuses = {self.console.rows["orders"][row["id"]]["status"] for row in (resting, stop)}
        self.assertEqual(statuses, {"CANCELED"})
        self.assertEqual([self.position(), self.position(strategy_id="OTHER-003")], [("FLAT", "0")] * 2)

    def test_emergency_report(self) -> None:
        """[NAUT-208] what the emergency control left is counted when it ends, and resuming is noted"""
        self.placed("BUY", "0.010", "50000.0")
        self.done("emergency.start")
        # What is left is counted after the command is answered.
        report = self.console.wait_row("risk", "risk", lambda row: row["emergency"]["left"] is not None)["emergency"]
        self.assertEqual((report["venues"], report["left"]), ([{"venue": "SIM", "orders": 1, "positions": 0}], []))
        self.assertIsNone(report["resumed_at"])
        self.done("trading_state.set", {"state": "ACTIVE"})
        self.placed("BUY", "0.010", "50000.0")
        self.done("trading_state.set", {"state": "HALTED"})
        later = self.console.rows["risk"]["risk"]["emergency"]
        self.assertIsNotNone(later["resumed_at"])
        self.assertEqual({**later, "resumed_at": None}, report)

    def test_limits_invalid(self) -> None:
        """[NAUT-10] invalid limits are rejected and change nothing"""
        for change in ({"max_order_size": "-1"}, {"max_positions": 1.5}, {"max_leverage": "3"}):
            result = self.console.command("limits.set", LIMITS | change)
            self.assertEqual((result["status"], result["code"]), ("rejected", "INVALID"))
        self.assertEqual(self.console.rows["risk"]["risk"]["limits"], LIMITS)
