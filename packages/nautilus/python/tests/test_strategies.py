from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from nautilus_bridge.commands.command import CommandError
from nautilus_bridge.strategies.templates import BUILT_IN
from tests.console import BTC, Console, Node
from tests.node_case import NodeCase

ALT = "BTCUSDT-PERP.ALT"
SOL = "SOLUSDT-PERP.SIM"
INSTRUMENTS = [BTC, ALT, SOL]
TEMPLATES = {template.type: template for template in BUILT_IN}

PARAMETERS = [
    {"name": "instrument", "label": "Instrument", "description": "Instrument.", "kind": "instrument", "default": BTC},
    {"name": "price", "label": "Price", "description": "Price.", "kind": "number", "default": 50_000, "min": 1, "max": 1_000_000},
]
CUSTOM = [
    {
        "type": kind,
        "title": kind.title(),
        "strategy_path": f"tests.sample_strategies:{kind.title()}Strategy",
        "config_path": f"tests.sample_strategies:{config}Config",
        "parameters": PARAMETERS,
    }
    for kind, config in (("failing", "Sample"), ("emulated", "Sample"), ("guarded", "Guarded"))
]


class SettingsTest(unittest.TestCase):
    def refused(self, template: str, **settings: object) -> str:
        with self.assertRaises(CommandError) as caught:
            TEMPLATES[template].settings(settings, INSTRUMENTS)
        return caught.exception.message

    def test_settings(self) -> None:
        """[NAUT-19] settings of a strategy are checked by name, bounds and against each other"""
        self.assertIn("Unknown setting 'speed'", self.refused("momentum", speed=1))
        self.assertEqual(self.refused("momentum", fast_bars=0), "fast_bars must be a whole number from 1 to 1000; '0' was given.")
        self.assertEqual(self.refused("momentum", fast_bars=60), "fast_bars must be below slow_bars (60); '60' was given.")
        self.assertEqual(self.refused("momentum", interval="2s").partition(";")[2], " '2s' was given.")
        self.assertEqual(self.refused("momentum", instrument="XRP"), "Unknown instrument 'XRP'.")
        self.assertIn("must be at least order_value", self.refused("market_making", max_inventory=10))
        self.assertIn("on a second venue", self.refused("arbitrage", instruments=[BTC, SOL]))
        settings = TEMPLATES["momentum"].settings({"instrument": "SOLUSDT-PERP", "order_value": 5}, INSTRUMENTS)
        self.assertEqual((settings["instrument"], settings["order_value"], settings["slow_bars"]), (SOL, 5.0, 60))


class StrategiesTest(NodeCase):
    def setUp(self) -> None:
        super().setUp()
        self.console.quote(ALT, "60000.0", "60001.0")
        self.console.quote(SOL, "150.000", "150.010")

    def add(self, template: str, **config: object) -> str:
        args = {"name": self.id(), "template": template, "config": config}
        strategy_id = self.done("strategy.create", args)["strategy_id"]
        self.done("strategy.start", {"strategy_id": strategy_id})
        return strategy_id

    def wait_position(self, instrument_id: str, strategy_id: str, side: str) -> None:
        self.console.wait_row("positions", f"{instrument_id}-{strategy_id}", lambda row: row["side"] == side)

    def test_market_making(self) -> None:
        """[NAUT-20] market making quotes both sides away from the middle, fills, and cancels its orders when stopped"""
        strategy_id = self.add("market_making", half_spread_bps=10, skew_bps=0)
        self.console.quote(SOL, "150.000", "150.010")
        orders = self.quotes(strategy_id)
        self.assertEqual(sorted((row["side"], row["price"]) for row in orders), [("BUY", "149.854"), ("SELL", "150.156")])
        self.console.quote(SOL, "149.840", "149.850")
        self.wait_position(SOL, strategy_id, "LONG")
        self.done("strategy.stop", {"strategy_id": strategy_id})
        self.assertEqual(self.console.rows["strategies"][strategy_id]["state"], "STOPPED")
        for row in orders:
            self.console.wait_row("orders", row["id"], lambda each: each["closed"])
        refused = self.console.command("strategy.remove", {"strategy_id": strategy_id})
        self.assertIn("holds", refused["message"])
        self.done("position.close", {"position_id": f"{SOL}-{strategy_id}"})
        self.done("strategy.remove", {"strategy_id": strategy_id})
        self.assertNotIn(strategy_id, self.console.rows["strategies"])

    def quotes(self, strategy_id: str) -> list[dict]:
        while True:
            orders = [row for row in self.console.rows.get("orders", {}).values() if row["strategy_id"] == strategy_id and row["open"]]
            if len(orders) == 2:
                return orders
            self.console.read()

    def test_arbitrage(self) -> None:
        """[NAUT-20] arbitrage buys on the cheaper venue, then sells as much on the dearer one"""
        strategy_id = self.add("arbitrage", order_value=601, max_inventory=700, max_quote_age_s=60)
        self.console.quote(BTC, "60000.0", "60001.0")
        self.assertEqual(self.position(BTC, strategy_id), ("FLAT", "0"))
        self.console.quote(ALT, "60100.0", "60101.0")
        self.wait_position(BTC, strategy_id, "LONG")
        self.console.quote(ALT, "60100.0", "60101.0")
        self.wait_position(ALT, strategy_id, "SHORT")
        self.assertEqual(self.position(BTC, strategy_id)[1], self.position(ALT, strategy_id)[1])
        self.done("strategy.stop", {"strategy_id": strategy_id})

    def test_denied(self) -> None:
        """[NAUT-10] orders of strategies are denied by the same limits, and by the strategy's own loss limit"""
        self.done("limits.set", {"max_order_size": "100"})
        strategy_id = self.add("market_making", half_spread_bps=10)
        self.console.quote(SOL, "150.000", "150.010")
        event = self.console.wait(lambda frame: frame.get("type") == "order" and frame["data"]["event"] == "OrderDenied")
        self.assertEqual(event["data"]["view"]["strategy_id"], strategy_id)
        self.assertIn("Max Order Size is 100.00", event["data"]["reason"])
        self.done("strategy.stop", {"strategy_id": strategy_id})
        self.done("strategy.limit_loss", {"strategy_id": strategy_id, "limit": "0"})
        self.done("limits.set", {"max_order_size": "10000"})
        self.done("strategy.start", {"strategy_id": strategy_id})
        self.console.quote(SOL, "150.000", "150.010")
        event = self.console.wait(lambda frame: frame.get("type") == "order" and "loss limit" in str(frame["data"]["reason"]))
        self.assertIn("its loss limit is 0.00, so it may only reduce", event["data"]["reason"])
        self.done("strategy.stop", {"strategy_id": strategy_id})

    def test_configure(self) -> None:
        """[NAUT-19] new settings apply to a running strategy, which goes on; bad ones change nothing"""
        strategy_id = self.add("momentum")
        bad = self.console.command("strategy.configure", {"strategy_id": strategy_id, "config": {"fast_bars": 100}})
        self.assertEqual((bad["status"], bad["code"]), ("rejected", "INVALID"))
        self.done("strategy.configure", {"strategy_id": strategy_id, "config": {"fast_bars": 5}})
        row = self.console.rows["strategies"][strategy_id]
        self.assertEqual((row["state"], row["config"]["fast_bars"], row["config"]["slow_bars"]), ("RUNNING", 5, 60))
        self.done("strategy.rename", {"strategy_id": strategy_id, "name": "Trend"})
        again = self.console.command("strategy.create", {"name": "Trend", "template": "momentum"})
        self.assertIn('The name "Trend" is already used', again["message"])
        self.done("strategy.remove", {"strategy_id": strategy_id})


class CustomStrategiesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "templates.json").write_text(json.dumps(CUSTOM), encoding="utf-8")

    def start(self) -> tuple[Node, Console]:
        node = Node(self.folder, "--templates", str(self.folder / "templates.json"))
        self.addCleanup(node.close)
        console = Console(node).join()
        self.addCleanup(console.close)
        return node, console

    def add(self, console: Console, template: str, **config: object) -> str:
        strategy_id = console.command("strategy.create", {"name": template, "template": template, "config": config})["data"]["strategy_id"]
        self.assertEqual(console.command("strategy.start", {"strategy_id": strategy_id})["status"], "completed")
        return strategy_id

    def test_failure(self) -> None:
        """[NAUT-21] a custom strategy that raises ends its node in order, with the reason; the next start leaves it stopped"""
        node, console = self.start()
        console.quote(BTC, "60000.0", "60001.0")
        strategy_id = self.add(console, "failing", price=55_000)
        console.start("feed.push", {"quotes": [{"instrument_id": BTC, "bid": "50000.0", "ask": "50001.0"}]})
        reason = console.wait(lambda frame: frame["k"] == "bye")["reason"]
        self.assertIn("the price fell", reason)
        self.assertEqual(node.end(), 70)
        _, console = self.start()
        row = console.wait_row("strategies", strategy_id, lambda each: each["state"] == "READY")
        self.assertIn("the price fell", row["reason"])

    def test_alone(self) -> None:
        """[NAUT-11] [NAUT-21] a strategy that fails alone is stopped, the node goes on; halted, an emulated order is denied"""
        _, console = self.start()
        console.quote(BTC, "60000.0", "60001.0")
        guarded = self.add(console, "guarded", price=55_000)
        emulated = self.add(console, "emulated", price=65_000)
        self.assertEqual(console.order("BUY", "0.010", strategy_id=emulated)["status"], "completed")
        order = self.wait_order(console, emulated, "EMULATED")
        console.quote(BTC, "50000.0", "50001.0")
        row = console.wait_row("strategies", guarded, lambda each: each["state"] == "STOPPED")
        self.assertEqual(row["reason"], "RuntimeError: the price fell")
        console.command("trading_state.set", {"state": "HALTED"})
        self.assertEqual(console.rows["orders"][order["id"]]["status"], "EMULATED")
        console.quote(BTC, "65100.0", "65101.0")
        row = console.wait_row("orders", order["id"], lambda each: each["closed"])
        self.assertEqual((row["status"], row["filled"]), ("DENIED", "0.000"))
        self.assertTrue(row["reason"]["message"].startswith("Trading is halted."))

    def wait_order(self, console: Console, strategy_id: str, status: str) -> dict:
        while True:
            for row in console.rows.get("orders", {}).values():
                if row["strategy_id"] == strategy_id and row["status"] == status:
                    return row
            console.read()
