"""A test case with one node for all its tests. Each test begins flat, with the default limits."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.console import BTC, Console, Frame, Node

LIMITS = {"max_order_size": "10000", "max_position_size": "50000", "max_daily_loss": "5000", "max_positions": 10}


class NodeCase(unittest.TestCase):
    options: tuple[str, ...] = ()
    node: Node
    console: Console

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.node = Node(Path(folder.name), *cls.options)
        cls.addClassCleanup(cls.node.close)
        cls.console = Console(cls.node).join()
        cls.addClassCleanup(cls.console.close)

    def setUp(self) -> None:
        self.done("limits.set", LIMITS)
        self.done("trading_state.set", {"state": "ACTIVE"})
        self.console.quote(BTC, "60000.0", "60001.0")
        self.done("order.cancel_all")
        self.done("position.close_all")

    def done(self, name: str, args: Frame | None = None) -> Any:
        """Runs a command that must complete, and returns its data."""
        result = self.console.command(name, args)
        self.assertEqual(result["status"], "completed", result)
        return result["data"]

    def placed(self, side: str, quantity: str, price: str | None = None, **more: Any) -> Frame:
        """The row of an order that was placed or filled."""
        result = self.console.order(side, quantity, price, **more)
        self.assertEqual(result["status"], "completed", result)
        return self.console.rows["orders"][result["data"]["order_id"]]

    def denied(self, side: str, quantity: str, price: str | None = None, **more: Any) -> str:
        """Why an order was denied."""
        result = self.console.order(side, quantity, price, **more)
        self.assertEqual((result["status"], result["code"]), ("failed", "DENIED_RISK"), result)
        row = self.console.rows["orders"][result["data"]["order_id"]]
        self.assertEqual(row["status"], "DENIED")
        self.assertEqual(row["reason"], {"code": "risk", "message": result["message"]})
        return result["message"]

    def position(self, instrument_id: str = BTC, strategy_id: str = "MANUAL-000") -> tuple[str, str]:
        """Side and quantity."""
        row = self.console.rows.get("positions", {}).get(f"{instrument_id}-{strategy_id}")
        return ("FLAT", "0") if row is None else (row["side"], row["quantity"])
