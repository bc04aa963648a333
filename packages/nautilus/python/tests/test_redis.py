from __future__ import annotations

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
        self.assertEqual(position["side"], "LONG")

    def state(self, console: Console) -> list[Frame]:
        """Orders with their fills, the position and the balance."""
        orders = [(row["id"], row["status"], row["filled"], row["fills"]) for row in console.rows["orders"].values()]
        position = console.rows["positions"][POSITION]
        accounts = [(row["id"], row["total"]) for row in console.rows["accounts"].values()]
        return [sorted(orders), (position["side"], position["quantity"], position["fees"]), sorted(accounts)]
