from __future__ import annotations

import unittest
from typing import Any

from tests.record import Line, read, record


class RecordingsTest(unittest.TestCase):
    maxDiff = 4_000

    def test_recordings(self) -> None:
        """[NAUT-22] a real node still says what the recordings say that the console's client is tested with"""
        now = record()
        for name, lines in now.items():
            with self.subTest(name):
                self.assertEqual(shapes(lines), shapes(read(name)))


def shapes(lines: list[Line]) -> list[str]:
    """Without the order, which may differ between events of independent objects."""
    return sorted({str(shape(line)) for line in lines})


def shape(line: Line) -> tuple[Any, ...]:
    """What of a frame is equal in every run: not prices of past bars, times and sizes of queues."""
    frame = line["frame"]
    data = frame.get("data") if frame["k"] == "event" else None
    view = (data or {}).get("view")
    return (
        line["from"],
        frame["k"],
        frame.get("type") or frame.get("name") or frame.get("section"),
        frame.get("status") or frame.get("role"),
        frame.get("code"),
        frame.get("message"),
        tuple(sorted(frame)),
        tuple(sorted(data or {})),
        (data or {}).get("event"),
        tuple(sorted(view or {})),
        (view or {}).get("status") or (view or {}).get("state") or (view or {}).get("side"),
        tuple(tuple(sorted(row)) for row in frame.get("rows", [])),
    )
