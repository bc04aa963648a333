from __future__ import annotations

import tempfile
import unittest
import uuid
from pathlib import Path
from typing import Any

from tests.console import BTC, Console, Frame, Node
from tests.node_case import NodeCase

POSITION = f"{BTC}-MANUAL-000"


class ExitsTest(NodeCase):
    def setUp(self) -> None:
        super().setUp()
        self.placed("BUY", "0.100")

    def set_exits(self, **prices: str | None) -> Frame:
        return self.console.command("position.set_exits", {"position_id": POSITION, **prices})

    def row(self) -> Frame:
        return self.console.rows["positions"][POSITION]

    def prices(self) -> tuple[Any, Any]:
        return self.row().get("stop_loss"), self.row().get("take_profit")

    def flat(self) -> Frame:
        """Waits for the end of the position and returns the order that closed it."""
        self.console.wait_row("positions", POSITION, lambda row: row["side"] == "FLAT")
        return list(self.console.rows["orders"].values())[-1]

    def test_change(self) -> None:
        """[NAUT-170] exit prices are set, changed and removed one by one, and end with their position"""
        self.assertEqual(self.prices(), (None, None))
        self.assertEqual(self.set_exits(stop_loss="59000", take_profit="61000.0")["status"], "completed")
        self.assertEqual(self.prices(), ("59000.0", "61000.0"))
        self.set_exits(take_profit=None)
        self.assertEqual(self.prices(), ("59000.0", None))
        self.placed("BUY", "0.010")
        self.placed("SELL", "0.020")
        self.assertEqual(self.prices(), ("59000.0", None))
        self.placed("SELL", "0.150")
        self.assertEqual((self.position(), self.prices()), (("SHORT", "0.06"), (None, None)))
        self.set_exits(stop_loss="61000.0")
        self.done("position.close", {"position_id": POSITION})
        self.placed("SELL", "0.010")
        self.assertEqual(self.prices(), (None, None))

    def test_refusals(self) -> None:
        """[NAUT-171] an exit price off the tick, or one that the market has reached, is refused with its numbers"""
        off = self.set_exits(stop_loss="59000.05")
        self.assertEqual((off["status"], off["code"]), ("rejected", "INVALID"))
        for prices, exit_name in (({"stop_loss": "60000.0"}, "stop-loss"), ({"take_profit": "60000.0"}, "take-profit")):
            reached = self.set_exits(**prices)
            self.assertEqual((reached["status"], reached["code"]), ("failed", "INVALID"))
            expected = {"exit": exit_name, "is_long": True, "price": "60000.0", "market": "60000"}
            self.assertEqual(reached["data"], expected)
        unknown = self.console.command("position.set_exits", {"position_id": "none", "stop_loss": "1.0"})
        self.assertEqual((unknown["status"], unknown["code"]), ("rejected", "NOT_FOUND"))
        self.assertEqual(self.prices(), (None, None))

    def test_reached(self) -> None:
        """[NAUT-172] a quote that reaches an exit price closes the whole position by one reduce-only market order"""
        for prices, bid, kind in (({"stop_loss": "59000.0"}, "58990.0", "stop-loss"), ({"take_profit": "61000.0"}, "61000.0", "take-profit")):
            with self.subTest(kind):
                self.setUp()
                orders = len(self.console.rows["orders"])
                self.set_exits(**prices)
                self.console.quote(BTC, bid, f"{float(bid) + 1}")
                order = self.flat()
                self.assertEqual((order["type"], order["side"], order["filled"], order["reduce_only"]), ("MARKET", "SELL", "0.100", True))
                self.assertEqual(order["exit"], {"kind": kind, "price": next(iter(prices.values()))})
                self.assertEqual(len(self.console.rows["orders"]), orders + 1)

    def test_short(self) -> None:
        """[NAUT-172] a short position is closed when the ask reaches its exit price"""
        self.placed("SELL", "0.150")
        self.set_exits(stop_loss="60500.0")
        self.console.quote(BTC, "60499.0", "60500.0")
        self.assertEqual((self.flat()["side"], self.position()[0]), ("BUY", "FLAT"))

    def test_obstacle(self) -> None:
        """[NAUT-173] while the close would be denied no order is placed and the position says why; it closes when it may"""
        self.set_exits(stop_loss="59000.0")
        self.done("trading_state.set", {"state": "HALTED"})
        orders = len(self.console.rows["orders"])
        self.console.quote(BTC, "58990.0", "58991.0")
        waiting = self.console.wait_row("positions", POSITION, lambda row: row.get("exit_obstacle") is not None)
        self.assertIn("Trading is halted", waiting["exit_obstacle"])
        self.assertEqual(len(self.console.rows["orders"]), orders)
        self.done("trading_state.set", {"state": "REDUCING"})
        self.assertEqual(self.flat()["exit"]["kind"], "stop-loss")


class RestartTest(unittest.TestCase):
    def test_kill(self) -> None:
        """[NAUT-174] after a kill a command for exit prices has its outcome, and prices of a position that is gone are gone with it"""
        with tempfile.TemporaryDirectory() as folder:
            node = Node(Path(folder))
            self.addCleanup(node.close)
            console = Console(node).join()
            self.addCleanup(console.close)
            console.quote(BTC, "60000.0", "60001.0")
            self.assertEqual(console.order("BUY", "0.010")["status"], "completed")
            command_id = str(uuid.uuid4())
            args = {"position_id": POSITION, "stop_loss": "59000.0"}
            self.assertEqual(console.command("position.set_exits", args, command_id)["status"], "completed")
            node.kill()
            again = Node(Path(folder))
            self.addCleanup(again.close)
            other = Console(again).join()
            self.addCleanup(other.close)
            self.assertEqual(other.command("command.status", {"id": command_id})["data"]["status"], "completed")
            other.quote(BTC, "60000.0", "60001.0")
            self.assertEqual(other.order("BUY", "0.010")["status"], "completed")
            self.assertIsNone(other.rows["positions"][POSITION].get("stop_loss"))
