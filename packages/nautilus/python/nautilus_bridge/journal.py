"""The command journal: what was requested and what came of it, durable before anything is done."""

from __future__ import annotations

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nautilus_bridge.files import private, replace_file, sync_folder

Record = dict[str, Any]

MAX_SETTLED_COMMANDS = 50_000
"""Settled commands that stay known over a restart."""


@dataclass(slots=True)
class Entry:
    """A command and its result; `result` is None while it runs, or after a crash that interrupted it."""

    request: Record
    result: Record | None = None


class CommandJournal:
    """An append-only file of JSON lines. Requests and results are written in batches, each with one fsync."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: dict[str, Entry] = {}
        self._pending: list[bytes] = []
        self._flushed: asyncio.Future[None] | None = None
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._read()
        self._file = open(path, "ab", opener=private)
        sync_folder(path.parent)

    def find(self, command_id: str) -> Entry | None:
        return self._entries.get(command_id)

    def unsettled(self) -> list[Record]:
        """Requests without a result."""
        return [entry.request for entry in self._entries.values() if entry.result is None]

    async def record_request(self, request: Record) -> None:
        """Returns when the request is durable. A second one with its id is a fault of the caller."""
        if request["id"] in self._entries:
            raise ValueError(f"command {request['id']} is in the journal")
        self._entries[request["id"]] = Entry(request)
        await self._append({"request": request})

    async def record_result(self, command_id: str, result: Record) -> None:
        """Returns when the result is durable. An unknown outcome may be settled later, nothing else changes."""
        entry = self._entries[command_id]
        if entry.result is not None and entry.result["status"] != "unknown":
            return
        entry.result = result
        await self._append({"id": command_id, "result": result})

    def close(self) -> None:
        self._executor.shutdown(wait=True)
        if self._pending:
            self._write(self._pending)
        self._file.close()

    async def _append(self, record: Record) -> None:
        self._pending.append(encode(record))
        if self._flushed is None or self._flushed.done():
            self._flushed = asyncio.ensure_future(self._flush())
        flushed = self._flushed
        await asyncio.shield(flushed)

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._pending:
            batch, self._pending = self._pending, []
            await loop.run_in_executor(self._executor, self._write, batch)

    def _write(self, batch: list[bytes]) -> None:
        self._file.write(b"".join(batch))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> None:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return
        complete = content[: content.rfind(b"\n") + 1]
        lines = 0
        for lines, line in enumerate(complete.splitlines(), 1):
            self._apply(json.loads(line))
        surplus = self._drop_oldest_settled()
        # A crash may leave half a line behind, which nobody was answered for.
        if surplus or len(complete) < len(content) or lines > 4 * max(1, len(self._entries)):
            replace_file(self._path, b"".join(self._lines()))

    def _apply(self, record: Record) -> None:
        request = record.get("request")
        if request is not None:
            self._entries[request["id"]] = Entry(request)
        elif (entry := self._entries.get(record["id"])) is not None:
            entry.result = record["result"]

    def _drop_oldest_settled(self) -> int:
        surplus = len(self._entries) - MAX_SETTLED_COMMANDS
        if surplus <= 0:
            return 0
        settled = [key for key, entry in self._entries.items() if entry.result is not None]
        for key in settled[:surplus]:
            del self._entries[key]
        return surplus

    def _lines(self) -> list[bytes]:
        lines = []
        for command_id, entry in self._entries.items():
            lines.append(encode({"request": entry.request}))
            if entry.result is not None:
                lines.append(encode({"id": command_id, "result": entry.result}))
        return lines


def encode(record: Record) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
