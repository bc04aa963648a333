from __future__ import annotations

import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.console import BTC, FOLDER, Console, Node

TERMS = {"instrument_id": BTC, "side": "BUY", "type": "MARKET", "quantity": "0.010"}


class ProtocolTest(unittest.TestCase):
    """The node is shared; each test makes its own connections."""

    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        token_file = Path(folder.name) / "token"
        token_file.write_text("secret\n", encoding="utf-8")
        cls.node = Node(Path(folder.name), "--token-file", str(token_file))
        cls.addClassCleanup(cls.node.close)

    def connect(self, role: str = "writer", resume: dict | None = None, token: str = "secret") -> Console:
        console = Console(self.node, role, resume, token)
        self.addCleanup(console.close)
        return console

    def test_hello(self) -> None:
        """[NAUT-14] the node introduces itself with versions, commands and strategy types; its socket is for its owner"""
        hello = self.connect().hello
        self.assertEqual((hello["v"], hello["trader_id"], hello["environment"]), (1, "DESK-001", "sandbox"))
        self.assertEqual(hello["versions"]["nautilus"], "1.221.0")
        self.assertIn("order.submit", hello["capabilities"])
        types = [template["type"] for template in hello["templates"]]
        self.assertEqual(types, ["momentum", "mean_reversion", "arbitrage", "market_making"])
        self.assertEqual(stat.S_IMODE(self.node.socket_path.stat().st_mode), 0o600)

    def test_wrong_token(self) -> None:
        """[NAUT-14] a console with a wrong token is sent away without a row"""
        console = self.connect(token="guess")
        self.assertEqual(console.wait(lambda frame: frame["k"] == "bye")["reason"], "NOT_ALLOWED: wrong token")
        self.assertIsNone(console.read())
        self.assertEqual(console.rows, {})

    def test_bad_lines(self) -> None:
        """[NAUT-14] a line that is not a frame, or is longer than 1 MiB, ends the connection and nothing else"""
        for content in (b"hello\n", b"[1]\n", b'{"k":1}\n', b"x" * 1_100_000):
            console = self.connect().join()
            console.send_raw(content)
            reason = console.wait(lambda frame: frame["k"] == "bye")["reason"]
            self.assertTrue(reason.startswith("INVALID: "), reason)
            self.assertIsNone(console.read())
        self.connect().join()

    def test_one_writer(self) -> None:
        """[NAUT-15] one console writes; the next becomes writer when it leaves"""
        first = self.connect().join()
        second = self.connect()
        self.assertEqual(second.wait(lambda frame: frame["k"] == "welcome")["role"], "reader")
        refused = second.command("order.submit", TERMS)
        self.assertEqual((refused["status"], refused["code"]), ("rejected", "NOT_WRITER"))
        first.close()
        second.wait(lambda frame: frame["k"] == "welcome" and frame["role"] == "writer")
        self.assertEqual(second.command("limits.set", {"max_positions": 10})["status"], "completed")

    def test_resume(self) -> None:
        """[NAUT-15] a console that was away gets the events it missed, without gap or repetition, or a snapshot"""
        writer = self.connect().join()
        writer.command("limits.set", {"max_positions": 9})
        writer.command("limits.set", {"max_positions": 10})
        last = max(frame["seq"] for frame in writer.frames if frame["k"] == "event")
        seen = last - 2
        epoch = writer.hello["epoch"]
        resumed = self.connect("reader", {"epoch": epoch, "seq": seen})
        self.assertEqual(resumed.wait(lambda frame: frame["k"] == "welcome")["resume"], "replay")
        missed = [resumed.wait(lambda frame: frame["k"] == "event")["seq"] for _ in range(last - seen)]
        self.assertEqual(missed, list(range(seen + 1, last + 1)))
        for resume in ({"epoch": "another", "seq": seen}, {"epoch": epoch, "seq": 10**9}):
            fresh = self.connect("reader", resume)
            self.assertEqual(fresh.wait(lambda frame: frame["k"] == "welcome")["resume"], "snapshot")

    def test_snapshot(self) -> None:
        """[NAUT-15] a snapshot has every section once complete, each row with the event that last changed it"""
        console = self.connect("reader").join()
        ends = [frame["section"] for frame in console.frames if frame["k"] == "snapshot" and frame["last"]]
        sections = "engine components risk instruments strategies accounts orders positions end".split()
        self.assertEqual(ends, sections)
        slices = [frame for frame in console.frames if frame["k"] == "snapshot"]
        self.assertTrue(all(0 <= row["rev"] <= frame["as_of"] for frame in slices for row in frame["rows"]))
        self.assertEqual(len(console.rows["instruments"]), 6)
        clients = [row for row in console.rows["components"].values() if row["type"] == "ExecClient"]
        self.assertEqual([(row["venue"], row["is_connected"]) for row in clients], [("SIM", True), ("ALT", True)])

    def test_lock(self) -> None:
        """[NAUT-16] a second node with the same trader id on the same folder is refused"""
        command = [sys.executable, "-B", "-m", "nautilus_bridge.launcher", "--data", str(self.node.folder)]
        second = subprocess.run(command, cwd=FOLDER, capture_output=True, timeout=120, check=False)
        self.assertEqual(second.returncode, 73)
        self.assertIn(b"Another node with the trader id DESK-001 runs on", second.stderr)
