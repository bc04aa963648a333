from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from decimal import Decimal
from pathlib import Path

from nautilus_bridge.listening import Address, check_address
from tests.console import FOLDER, MAX_SECONDS, Console, Frame, Node

BTC = "BTCUSDT-PERP.SIM"


class TheirNode(Node):
    """A node that was not started by our launcher."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.socket_path = Path(tempfile.mkdtemp(prefix="naut")) / "s"
        command = [sys.executable, "-B", "-m", "tests.joined_node", f"data={folder}", f"socket={self.socket_path}", *options]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=FOLDER, env=environment)
        deadline = time.monotonic() + MAX_SECONDS
        while not self.accepts():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError(f"the node did not start: {self.process.communicate()[1].decode()[-2000:]}")
            time.sleep(0.05)

    def accepts(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket_path)) == 0


class JoiningTest(unittest.TestCase):
    def test_join(self) -> None:
        """[NAUT-26] [NAUT-201] [NAUT-202] a node of somebody else is operated by one controller in its configuration, and not stopped by it; what it reconciles at its start counts once, and amounts of several currencies are converted by quotes or left out"""
        # Removed after the nodes have ended, which write to it until then.
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        name = folder.name
        node = TheirNode(Path(name))
        self.addCleanup(node.close)
        console = Console(node).join()
        self.addCleanup(console.close)
        self.assertEqual(console.hello["trader_id"], "THEIRS-001")
        self.assertEqual(set(console.rows["instruments"]), {BTC, "ETHUSDT-PERP.SIM"})
        self.assertEqual(set(console.rows["strategies"]), {"THEIR-001", "MANUAL-000"})
        console.wait(lambda frame: frame["k"] == "metrics" and any(row["instrument_id"] == BTC for row in frame["quotes"]))
        bought = console.order("BUY", "0.010")
        self.assertEqual(bought["status"], "completed", bought)
        self.assertEqual(console.rows["positions"][f"{BTC}-MANUAL-000"]["side"], "LONG")
        self.assertEqual(console.command("limits.set", {"max_order_size": "1"})["status"], "completed")
        self.assertIn("Max Order Size is 1.00", console.order("BUY", "0.010")["message"])
        template = {"name": "Trend", "template": "momentum", "config": {"instrument": BTC}}
        self.assertEqual(console.command("strategy.create", template)["status"], "completed")
        refused = console.command("engine.shutdown")
        self.assertEqual(refused["message"], "The console has joined this node. Stop it where it was started.")
        self.assertEqual(node.stop(), 0)

        # What the venue reports at the start is in the cache before the bridge opens.
        again = TheirNode(Path(name), "reconciliation=on")
        self.addCleanup(again.close)
        later = Console(again).join()
        self.addCleanup(later.close)
        self.assertEqual(later.rows["risk"]["risk"]["limits"]["max_order_size"], "1")
        names = {row["name"] for row in later.rows["strategies"].values()}
        self.assertIn("Trend", names)
        self.assert_reconciled(later)

    def assert_reconciled(self, console: Console) -> None:
        """Every order, position and figure is as NautilusTrader itself has it."""
        position = console.rows["positions"][f"{BTC}-EXTERNAL"]
        self.assertEqual((position["side"], position["quantity"], position["fees"]), ("LONG", "0.01", "0.24"))
        self.assertEqual([fill["trade_id"] for row in console.rows["orders"].values() for fill in row["fills"]], ["T-1"])
        self.assertEqual(console.rows["accounts"]["SIM-001"]["fees"], "0.24")
        metrics = console.wait(lambda frame: frame["k"] == "metrics" and any(row["mark"] for row in frame["positions"]))
        mark = Decimal(metrics["positions"][0]["mark"])
        self.assertEqual(Decimal(metrics["exposure"]), mark * Decimal("0.010"))
        self.assert_currencies(console, metrics)

    def assert_currencies(self, console: Console, metrics: Frame) -> None:
        """Amounts of another currency are converted by current quotes, or left out."""
        accounts = console.rows["accounts"]
        self.assertEqual({row["currency"]: row["total"] for row in accounts.values()}, {"USDT": "49999.76", "BTC": "1.5", "EUR": "200"})
        quote = next(row for row in metrics["quotes"] if row["instrument_id"] == BTC)
        middle = (Decimal(quote["bid"]) + Decimal(quote["ask"])) / 2
        self.assertEqual(metrics["currency"], "USDT")
        self.assertEqual({code: Decimal(rate) for code, rate in metrics["rates"].items()}, {"USDT": 1, "BTC": middle})
        gain = Decimal(metrics["positions"][0]["unrealized"])
        self.assertEqual(Decimal(metrics["equity"]), Decimal("49999.76") + Decimal("1.5") * middle + gain)
        # That a rate became known since the start of the day is no gain.
        self.assertLess(abs(Decimal(metrics["day_result"])), 50)

    def test_address(self) -> None:
        """[NAUT-27] a node that joins listens beyond this machine only with TLS and a token"""
        path = Path("bridge.sock")
        check_address(Address(path))
        with self.assertRaisesRegex(ValueError, "needs certificate, key and token file"):
            check_address(Address(path, "0.0.0.0:9000"))
        with tempfile.TemporaryDirectory() as name:
            empty = Path(name) / "token"
            empty.touch()
            with self.assertRaisesRegex(ValueError, "is empty"):
                check_address(Address(path, "0.0.0.0:9000", empty, empty, empty))
