from __future__ import annotations

import asyncio
import tempfile
import unittest
from pathlib import Path

from nautilus_bridge import journal
from nautilus_bridge.journal import CommandJournal

DONE = {"status": "completed", "data": {"order_id": "C-1"}}


class JournalTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "commands.jsonl"

    def open(self) -> CommandJournal:
        opened = CommandJournal(self.path)
        self.addCleanup(opened.close)
        return opened

    def test_reopened(self) -> None:
        """[NAUT-1] requests and results are on the disk when they return, and known after a restart"""
        first = self.open()
        asyncio.run(record(first, "1", DONE))
        asyncio.run(record(first, "2", None))
        # Not closed, as after a kill.
        second = self.open()
        self.assertEqual(second.find("1").result, DONE)
        self.assertIsNone(second.find("2").result)
        self.assertEqual([request["id"] for request in second.unsettled()], ["2"])
        self.assertIsNone(second.find("3"))

    def test_half_a_line(self) -> None:
        """[NAUT-1] half a line at the end, left by a crash, is dropped, and writing goes on after it"""
        asyncio.run(record(self.open(), "1", DONE))
        with open(self.path, "ab") as file:
            file.write(b'{"request":{"id":"2"')
        second = self.open()
        self.assertIsNone(second.find("2"))
        asyncio.run(record(second, "3", DONE))
        self.assertEqual(self.open().find("3").result, DONE)

    def test_result_stays(self) -> None:
        """[NAUT-1] an unknown outcome can be settled once; a settled one never changes"""
        opened = self.open()
        asyncio.run(record(opened, "1", {"status": "unknown"}))
        asyncio.run(opened.record_result("1", DONE))
        asyncio.run(opened.record_result("1", {"status": "failed"}))
        self.assertEqual(opened.find("1").result, DONE)
        self.assertEqual(self.open().find("1").result, DONE)

    def test_same_id_twice(self) -> None:
        opened = self.open()
        asyncio.run(record(opened, "1", None))
        with self.assertRaises(ValueError):
            asyncio.run(record(opened, "1", None))

    def test_batches(self) -> None:
        """[NAUT-1] many requests at once are all written, in few batches"""
        opened = self.open()
        batches: list[int] = []
        write = opened._write
        opened._write = lambda batch: (batches.append(len(batch)), write(batch))  # type: ignore[method-assign]

        async def many() -> None:
            await asyncio.gather(*(opened.record_request({"id": str(number)}) for number in range(100)))

        asyncio.run(many())
        self.assertEqual(sum(batches), 100)
        self.assertLess(len(batches), 10)
        self.assertEqual(len(self.open().unsettled()), 100)

    def test_compacted(self) -> None:
        """[NAUT-1] the oldest settled commands are dropped, the unsettled ones never"""
        limit, journal.MAX_SETTLED_COMMANDS = journal.MAX_SETTLED_COMMANDS, 3
        self.addCleanup(setattr, journal, "MAX_SETTLED_COMMANDS", limit)
        opened = self.open()
        for number in range(6):
            asyncio.run(record(opened, str(number), None if number == 0 else DONE))
        self.open()
        again = self.open()
        found = [number for number in range(6) if again.find(str(number)) is not None]
        self.assertEqual(found, [0, 4, 5])


async def record(opened: CommandJournal, command_id: str, result: dict | None) -> None:
    await opened.record_request({"id": command_id, "name": "order.submit"})
    if result is not None:
        await opened.record_result(command_id, result)
