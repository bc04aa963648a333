from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path

from tests.console import BTC, Console, Frame, Node
from tests.test_sessions import amount

REDIS = shutil.which("redis-server")
POSITION = f"{BTC}-MANUAL-000"
POSITION_KEY = f"trader-DESK-001:positions:{POSITION}"
"""The list of its fills."""
IS_FULL = os.environ.get("BINNACLE_TEST_TIER") == "full"
KILLS = 10
SEED = int(os.environ.get("BINNACLE_TEST_SEED") or random.SystemRandom().randrange(2**31))
LIMITS = {"max_order_size": "10000000", "max_position_size": "100000000", "max_daily_loss": "100000000", "max_positions": 100}
QUOTES = [("60000.0", "60001.0"), ("60500.5", "60500.9"), ("59321.7", "59322.4")]
ORDER = {"instrument_id": BTC, "tif": "GTC", "reduce_only": False}


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

    def test_lost_position_write(self) -> None:
        """[NAUT-206] a position that a kill kept from the last fill of its order takes it at the next start"""
        node, console = self.start()
        console.quote(BTC, "60000.0", "60001.0")
        for quantity in ("0.010", "0.020"):
            self.assertEqual(console.order("BUY", quantity)["status"], "completed")
        self.assertEqual(node.stop(), 0)
        console.close()
        self.assertEqual(self.ask_redis(f"LLEN {POSITION_KEY}"), b":2\r\n")
        self.ask_redis(f"RPOP {POSITION_KEY}")

        node, console = self.start()
        self.compare_reports(console)
        self.assertEqual(Decimal(console.rows["positions"][POSITION]["quantity"]), Decimal("0.030"))

    def ask_redis(self, command: str) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(65_536)

    if IS_FULL:

        def test_kill(self) -> None:
            """[NAUT-178] over kills at random moments with a Redis cache every acknowledged command has an outcome, none runs twice, the figures are those of NautilusTrader's reports, and the account goes on"""
            chance = random.Random(SEED)
            node, console = self.start()
            self.assertEqual(console.command("limits.set", LIMITS)["status"], "completed")
            console.quote(BTC, "60000.0", "60001.0")
            self.assertEqual(console.order("BUY", "1.000")["status"], "completed")
            exits = {"position_id": POSITION, "stop_loss": "40000.0"}
            self.assertEqual(console.command("position.set_exits", exits)["status"], "completed")
            lost = 0
            for _ in range(KILLS):
                console.quote(BTC, *chance.choice(QUOTES))
                acknowledged, done = self.trade_until_kill(node, console, chance)
                console.close()

                node, console = self.start()
                self.assertFalse(console.rows["engine"]["engine"]["account_reset"])
                for command_id in acknowledged:
                    stored = console.command("command.status", {"id": command_id})["data"]["status"]
                    self.assertIn(stored, ("completed",) if command_id in done else ("completed", "failed", "unknown"))
                lost += sum(1 for command_id in done if f"C-{command_id}" not in console.rows["orders"])
                self.compare_reports(console)
                self.assertEqual(console.rows["positions"][POSITION]["stop_loss"], "40000.0")
                for command_id in acknowledged[-3:]:
                    console.start("order.submit", ORDER | {"side": "BUY", "quantity": "0.001", "type": "MARKET"}, command_id)
                    again = console.wait(lambda frame, sent=command_id: frame["k"] == "ack" and frame["id"] == sent)
                    self.assertEqual(again["status"], "duplicate")
                self.compare_reports(console)
            print(f"{KILLS} kills over Redis, seed {SEED}: {lost} orders that were answered are not in the cache")

    def trade_until_kill(self, node: Node, console: Console, chance: random.Random) -> tuple[list[str], set[str]]:
        """Sends orders at once and kills the node after a random number of frames; returns the acknowledged and the completed ones."""
        for _ in range(60):
            kind = chance.choice(("MARKET", "MARKET", "LIMIT"))
            side, quantity = chance.choice(("BUY", "SELL")), f"0.{chance.randint(1, 15):03d}"
            price = {"price": "50000.0" if side == "BUY" else "70000.0"} if kind == "LIMIT" else {}
            console.start("order.submit", ORDER | {"side": side, "quantity": quantity, "type": kind, **price})
        begin = len(console.frames)
        for _ in range(chance.randint(1, 250)):
            console.read()
        node.kill()
        while console.read() is not None:
            pass
        frames = console.frames[begin:]
        acknowledged = [frame["id"] for frame in frames if frame["k"] == "ack"]
        return acknowledged, {frame["id"] for frame in frames if frame["k"] == "result" and frame["status"] == "completed"}

    def compare_reports(self, console: Console) -> None:
        """Orders, fills, positions and accounts of the console are NautilusTrader's own."""
        reports = console.command("reports.get", {})["data"]
        orders = console.rows["orders"]
        self.assertEqual(
            {key: (row["status"], amount(row["filled"])) for key, row in orders.items()},
            {row["client_order_id"]: (row["status"], amount(row["filled_qty"])) for row in reports["orders"]},
        )
        fills = [(fill["trade_id"], key, amount(fill["price"]), amount(fill["quantity"]), amount(fill["commission"]["amount"])) for key, row in orders.items() for fill in row["fills"]]
        theirs = [(row["trade_id"], row["client_order_id"], amount(row["last_px"]), amount(row["last_qty"]), amount(row["commission"])) for row in reports["fills"]]
        self.assertEqual(sorted(fills), sorted(theirs))
        self.assertEqual(len(fills), len({trade_id for trade_id, *_ in fills}))
        held = console.rows["positions"][POSITION]
        (position,) = [row for row in reports["positions"] if row["side"] != "FLAT"]
        net = amount(held["realized"]) - amount(held["fees"])
        self.assertEqual(
            (held["side"], amount(held["quantity"]), net),
            (position["side"], amount(position["quantity"]), amount(position["realized_pnl"])),
        )
        self.assertEqual(amount(held["quantity"]), sum(quantity if orders[key]["side"] == "BUY" else -quantity for _, key, _, quantity, _ in fills))
        self.assertEqual(
            {key: amount(row["total"]) for key, row in console.rows["accounts"].items()},
            {row["account_id"]: amount(row["total"]) for row in reports["accounts"]},
        )

    def state(self, console: Console) -> list[Frame]:
        """Orders with their fills, the position and the balance."""
        orders = [(row["id"], row["status"], row["filled"], row["fills"]) for row in console.rows["orders"].values()]
        position = console.rows["positions"][POSITION]
        accounts = [(row["id"], row["total"]) for row in console.rows["accounts"].values()]
        return [sorted(orders), (position["side"], position["quantity"], position["fees"]), sorted(accounts)]
