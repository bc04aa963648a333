from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path

from tests.console import BTC, Console, Frame, Node

REDIS = shutil.which("redis-server")
POSITION = f"{BTC}-MANUAL-000"
IS_FULL = os.environ.get("BINNACLE_TEST_TIER") == "full"
KILLS = 10
ORDER = {"instrument_id": BTC, "side": "BUY", "quantity": "0.001"}
KINDS: list[tuple[str, Frame]] = [("MARKET", {}), ("LIMIT", {"price": "50000.0"}), ("MARKET", {})]


@unittest.skipIf(REDIS is None, "redis-server is not installed")
class RedisTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.port = self.start_redis()

    def start_redis(self) -> int:
        """Returns when it answers. Another process may take a free port first: then the next one is tried."""
        while True:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
            process = subprocess.Popen([*command, "--dir", str(self.folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            is_ready = any(b"Ready to accept connections" in line for line in process.stdout)
            if is_ready:
                self.addCleanup(process.stdout.close)
                self.addCleanup(process.wait)
                self.addCleanup(process.kill)
                return port
            process.stdout.close()
            process.wait()

    def start(self) -> tuple[Node, Console]:
        node = Node(self.folder, "--redis", f"127.0.0.1:{self.port}")
        self.addCleanup(node.close)
        console = Console(node).join()
        self.addCleanup(console.close)
        return node, console

    def test_restart(self) -> None:
        """[NAUT-166] with a Redis cache a node takes up its orders, positions and account after a restart, and its working orders go on"""
        node, console = self.start()
        console.quote(BTC, "60000.0", "60001.0")
        self.assertEqual(console.order("BUY", "0.010")["status"], "completed")
        resting = console.order("BUY", "0.020", "50000.0")["data"]["order_id"]
        exits = {"position_id": POSITION, "stop_loss": "40000.0"}
        self.assertEqual(console.command("position.set_exits", exits)["status"], "completed")
        before = self.state(console)
        self.assertEqual(node.stop(), 0)
        console.close()

        node, console = self.start()
        self.assertFalse(console.rows["engine"]["engine"]["account_reset"])
        self.assertEqual(self.state(console), before)
        console.quote(BTC, "49000.0", "49001.0")
        filled = console.wait_row("orders", resting, lambda row: row["status"] == "FILLED")
        self.assertEqual(filled["filled"], "0.020")
        position = console.wait_row("positions", POSITION, lambda row: Decimal(row["quantity"]) == Decimal("0.030"))
        self.assertEqual((position["side"], position["stop_loss"]), ("LONG", "40000.0"))

    if IS_FULL:

        def test_kill(self) -> None:
            """[NAUT-178] after a kill over a Redis cache every acknowledged command has an outcome, none runs twice, and positions equal the fills that the node still has"""
            node, console = self.start()
            console.quote(BTC, "60000.0", "60001.0")
            self.assertEqual(console.order("BUY", "0.010")["status"], "completed")
            exits = {"position_id": POSITION, "stop_loss": "40000.0"}
            self.assertEqual(console.command("position.set_exits", exits)["status"], "completed")
            lost = 0
            for kill in range(KILLS):
                console.quote(BTC, "60000.0", "60001.0")
                sent = [console.start("order.submit", ORDER | {"type": kind, **price}) for kind, price in KINDS * 20]
                acknowledged: list[str] = []
                while len(acknowledged) < 5 + 3 * kill:
                    acknowledged.append(console.wait(lambda frame: frame["k"] == "ack")["id"])
                node.kill()
                while (frame := console.read()) is not None:
                    if frame["k"] == "ack":
                        acknowledged.append(frame["id"])
                done = {frame["id"] for frame in console.frames if frame["k"] == "result" and frame["status"] == "completed"}
                console.close()

                node, console = self.start()
                self.assertFalse(console.rows["engine"]["engine"]["account_reset"])
                for command_id in acknowledged:
                    stored = console.command("command.status", {"id": command_id})["data"]["status"]
                    self.assertIn(stored, ("completed",) if command_id in done else ("completed", "failed", "unknown"))
                orders = console.rows["orders"]
                lost += sum(1 for command_id in done & set(sent) if f"C-{command_id}" not in orders)
                fills = [fill for row in orders.values() for fill in row["fills"]]
                self.assertEqual(len(fills), len({fill["trade_id"] for fill in fills}))
                held = console.rows["positions"][POSITION]
                self.assertEqual(Decimal(held["quantity"]), sum(Decimal(fill["quantity"]) for fill in fills))
                self.assertEqual(held["stop_loss"], "40000.0")
                for command_id in acknowledged[-3:]:
                    console.start("order.submit", ORDER | {"type": "MARKET"}, command_id)
                    again = console.wait(lambda frame, sent=command_id: frame["k"] == "ack" and frame["id"] == sent)
                    self.assertEqual(again["status"], "duplicate")
            print(f"{KILLS} kills over Redis: {lost} orders that were answered are not in the cache")

    def state(self, console: Console) -> list[Frame]:
        """Orders with their fills, the position and the balance."""
        orders = [(row["id"], row["status"], row["filled"], row["fills"]) for row in console.rows["orders"].values()]
        position = console.rows["positions"][POSITION]
        accounts = [(row["id"], row["total"]) for row in console.rows["accounts"].values()]
        return [sorted(orders), (position["side"], position["quantity"], position["fees"]), sorted(accounts)]
