from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from nautilus_bridge.durable import DurableFile, StrategyRecord


class DurableTest(unittest.TestCase):
    def test_saves(self) -> None:
        """[NAUT-18] saves that are requested together are all written, in their order; the last state is read back"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.json"
            file = DurableFile(path)
            saves = []
            for number in range(50):
                file.state.limits["max_positions"] = number
                file.state.strategies[f"a-S{number}"] = StrategyRecord(f"a-S{number}", "A", "momentum", "", {"fast_bars": 2}, "1")
                saves.append(file.save())
            for save in saves:
                save.result()
            file.close()
            again = DurableFile(path)
            again.close()
            self.assertEqual(again.state, file.state)
            self.assertEqual(again.state.limits["max_positions"], 49)
            self.assertEqual([each.name for each in Path(folder).iterdir()], ["state.json"])

    def test_damaged(self) -> None:
        """[NAUT-18] a state file that cannot be read ends the start instead of being replaced by defaults"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.json"
            path.write_text('{"limits":', encoding="utf-8")
            with self.assertRaises(ValueError):
                DurableFile(path)
