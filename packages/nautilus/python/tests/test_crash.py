from __future__ import annotations

import os
import tempfile
import unittest
import uuid
from pathlib import Path

from tests.console import BTC, Console, Node

ORDERS = 200
KILLS = 20 if os.environ.get("BINNACLE_TEST_TIER") == "full" else 1


class CrashTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *options: str) -> tuple[Node, Console]:
        node = Node(self.folder, *options)
        self.addCleanup(node.close)
        console = Console(node).join()
        self.addCleanup(console.close)
        return node, console

    def test_kill(self) -> None:
        """[NAUT-17] after a kill in the middle of orders every acknowledged command has an outcome, and none runs twice"""
        node, console = self.start()
        for kill in range(KILLS):
            console.quote(BTC, "60000.0", "60001.0")
            terms = {"instrument_id": BTC, "side": "BUY", "type": "LIMIT", "quantity": "0.001", "price": "50000.0"}
            sent = [console.start("order.submit", terms, str(uuid.uuid4())) for _ in range(ORDERS)]
            stop_after = 40 + 7 * kill
            acknowledged: list[str] = []
            while len(acknowledged) < stop_after:
                frame = console.wait(lambda each: each["k"] == "ack")
                self.assertEqual(frame["status"], "accepted", frame)
                acknowledged.append(frame["id"])
            node.kill()
            while (frame := console.read()) is not None:
                if frame["k"] == "ack":
                    acknowledged.append(frame["id"])
            answered = {frame["id"]: frame for frame in console.frames if frame["k"] == "result" and frame["id"] in sent}
            console.close()
            node, console = self.start()
            self.assertEqual(console.rows["engine"]["engine"]["account_reset"], True)
            for command_id in acknowledged:
                stored = console.command("command.status", {"id": command_id})["data"]
                self.assertIn(stored["status"], ("completed", "failed", "unknown"))
                if command_id in answered:
                    self.assertEqual(stored["status"], answered[command_id]["status"])
            for command_id in acknowledged[-5:]:
                console.start("order.submit", terms, command_id)
                again = console.wait(lambda each, sent=command_id: each["k"] == "ack" and each["id"] == sent)
                self.assertEqual(again["status"], "duplicate")
            self.assertEqual(console.rows.get("orders", {}), {})

    def test_restored(self) -> None:
        """[NAUT-18] trading state, limits and strategies survive a kill; strategies that ran run again"""
        node, console = self.start()
        running = console.command("strategy.create", {"name": "One", "template": "momentum", "config": {"fast_bars": 2, "slow_bars": 5}})
        stopped = console.command("strategy.create", {"name": "Two", "template": "market_making", "config": {}})
        ids = [result["data"]["strategy_id"] for result in (running, stopped)]
        self.assertEqual(console.command("strategy.start", {"strategy_id": ids[0]})["status"], "completed")
        console.command("strategy.limit_loss", {"strategy_id": ids[0], "limit": "12.5"})
        console.command("limits.set", {"max_order_size": "123.45"})
        console.command("trading_state.set", {"state": "HALTED", "note": "lunch"})
        node.kill()
        console.close()
        _, console = self.start()
        risk = console.rows["risk"]["risk"]
        self.assertEqual((risk["trading_state"], risk["reason"], risk["limits"]["max_order_size"]), ("HALTED", {"code": "asked", "message": "lunch"}, "123.45"))
        first = console.wait_row("strategies", ids[0], lambda row: row["state"] == "RUNNING")
        self.assertEqual((first["name"], first["config"]["fast_bars"], first["loss_limit"]), ("One", 2, "12.5"))
        console.wait_row("strategies", ids[1], lambda row: row["state"] == "READY")
        console.quote(BTC, "60000.0", "60001.0")
        self.assertEqual(console.order("BUY", "0.001")["code"], "DENIED_RISK")
        console.command("trading_state.set", {"state": "ACTIVE"})
        self.assertIn("Max Order Size is 123.45", console.order("BUY", "0.010")["message"])
        third = console.command("strategy.create", {"name": "Three", "template": "momentum"})
        self.assertNotIn(third["data"]["strategy_id"], ids)

    def test_stop(self) -> None:
        """[NAUT-16] a node that is stopped says goodbye and exits with 0"""
        node, console = self.start()
        self.assertEqual(console.command("engine.shutdown")["status"], "completed")
        self.assertEqual(console.wait(lambda frame: frame["k"] == "bye")["reason"], "shutdown requested")
        self.assertEqual(node.end(), 0)
