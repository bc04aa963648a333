from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path

from nautilus_bridge.log_tail import LogTail


def line(level: str, message: str) -> str:
    return json.dumps({"level": level, "component": "ExecEngine", "message": message}) + "\n"


class LogTailTest(unittest.TestCase):
    def test_tail(self) -> None:
        """[NAUT-24] warnings and errors of the node's log reach the console once, without credentials"""
        with tempfile.TemporaryDirectory() as folder:
            tail = LogTail(Path(folder))
            self.assertEqual(tail.read(), [])
            first = Path(folder) / "node_1.json"
            first.write_text(line("INFO", "started") + line("WARN", "slow") + line("ERROR", "lost")[:10], encoding="utf-8")
            self.assertEqual(tail.read(), [("WARN", "ExecEngine", "slow")])
            self.assertEqual(tail.read(), [])
            with open(first, "a", encoding="utf-8") as file:
                file.write(line("ERROR", "lost")[10:] + "not JSON\n" + line("ERROR", "GET /order?apiKey=abc123&x=1, 'secret': 's3cr3t'"))
            lost, leak = tail.read()
            self.assertEqual(lost, ("ERROR", "ExecEngine", "lost"))
            self.assertEqual(leak[2], "GET /order?apiKey=***&x=1, 'secret': '***'")
            second = Path(folder) / "node_2.json"
            second.write_text(line("ERROR", "rotated"), encoding="utf-8")
            newer = first.stat().st_mtime_ns + 1_000_000_000
            os.utime(second, ns=(newer, newer))
            self.assertEqual([message for _, _, message in tail.read()], ["rotated"])
