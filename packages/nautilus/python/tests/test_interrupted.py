from __future__ import annotations

import asyncio
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from nautilus_bridge.dispatcher import Dispatcher
from nautilus_bridge.durable import DurableState, StrategyRecord
from nautilus_bridge.journal import CommandJournal


def settle(state: DurableState, commands: list[tuple[str, dict[str, Any]]], account_reset: bool) -> list[str]:
    """The outcomes of commands that a crash interrupted."""
    cache = SimpleNamespace(order=lambda order_id: None)
    bridge = SimpleNamespace(cache=cache, durable=SimpleNamespace(state=state), account_reset=account_reset)
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(settle_in(Path(folder), bridge, commands))


async def settle_in(folder: Path, bridge: Any, commands: list[tuple[str, dict[str, Any]]]) -> list[str]:
    journal = CommandJournal(folder / "commands.jsonl")
    for number, (name, args) in enumerate(commands):
        await journal.record_request({"id": str(number), "name": name, "args": args, "actor": "test", "ts": "1"})
    await Dispatcher(bridge, journal, is_scripted=False).settle_interrupted()
    results = [journal.find(str(number)).result["status"] for number in range(len(commands))]
    journal.close()
    return results


class InterruptedTest(unittest.TestCase):
    def test_stored_state(self) -> None:
        """[NAUT-39] a command that a crash interrupted is completed if the stored state has its effect, else failed"""
        record = StrategyRecord("momentum-S01", "One", "momentum", "", {}, "1", should_run=True)
        state = DurableState(trading_state="HALTED", strategies={record.id: record})
        key = {"strategy_id": record.id}
        cases = [
            ("limits.set", {"max_positions": 10}, "completed"),
            ("limits.set", {"max_positions": 11}, "failed"),
            ("trading_state.set", {"state": "HALTED"}, "completed"),
            ("trading_state.set", {"state": "ACTIVE"}, "failed"),
            ("strategy.create", {"name": "One"}, "completed"),
            ("strategy.create", {"name": "Two"}, "failed"),
            ("strategy.start", key, "completed"),
            ("strategy.stop", key, "failed"),
            ("strategy.rename", {**key, "name": "One"}, "completed"),
            ("strategy.remove", key, "failed"),
            ("strategy.remove", {"strategy_id": "gone"}, "completed"),
            ("strategy.limit_loss", {**key, "limit": "5"}, "failed"),
            ("emergency.start", {}, "unknown"),
            ("emergency.end", {}, "completed"),
            ("engine.shutdown", {}, "completed"),
        ]
        self.assertEqual(settle(state, [case[:2] for case in cases], False), [case[2] for case in cases])

    def test_orders(self) -> None:
        """[NAUT-39] an interrupted order that the node no longer has is unknown, or lost with a paper account that began again"""
        for account_reset, outcome in ((False, "unknown"), (True, "failed")):
            commands = [("order.submit", {}), ("order.cancel", {"order_id": "C-1"}), ("position.close_all", {})]
            self.assertEqual(settle(DurableState(), commands, account_reset), [outcome] * 3)
