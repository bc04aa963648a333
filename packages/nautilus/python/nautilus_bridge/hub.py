"""Numbers the events, keeps the latest for consoles that reconnect, and passes them on."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Callable

from nautilus_bridge.frames import encode

MAX_EVENTS = 10_000

Listener = Callable[[bytes], None]


class EventHub:
    def __init__(self) -> None:
        self.seq = 0
        self._lines: deque[tuple[int, bytes]] = deque(maxlen=MAX_EVENTS)
        self._revisions: dict[tuple[str, str], int] = {}
        self._listeners: list[Listener] = []

    @property
    def oldest_seq(self) -> int:
        return self._lines[0][0] if self._lines else self.seq + 1

    def publish(self, kind: str, object_id: str | None, data: dict[str, Any]) -> int:
        """Sends an event; `object_id` is that of the row it changes."""
        self.seq += 1
        if object_id is not None:
            self._revisions[kind, object_id] = self.seq
        line = encode({"k": "event", "seq": self.seq, "ts": str(time.time_ns()), "type": kind, "data": data})
        self._lines.append((self.seq, line))
        self.send(line)
        return self.seq

    def revision(self, kind: str, object_id: str) -> int:
        """The event that last changed an object; 0 without one in this epoch."""
        return self._revisions.get((kind, object_id), 0)

    def lines_after(self, seq: int) -> list[bytes]:
        return [line for number, line in self._lines if number > seq]

    def send(self, line: bytes) -> None:
        for listener in list(self._listeners):
            listener(line)

    def add(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def remove(self, listener: Listener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
