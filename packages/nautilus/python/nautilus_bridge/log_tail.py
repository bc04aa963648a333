"""Warnings and errors of the node's log file, without credentials."""

from __future__ import annotations

import json
import re
from pathlib import Path

MAX_READ_BYTES = 64 * 1024
MAX_MESSAGE_CHARS = 500
LEVELS = {"WARN": "WARN", "WARNING": "WARN", "ERROR": "ERROR"}

CREDENTIAL = re.compile(r"(?i)((?:api|access|private)?[_-]?(?:key|secret|token|signature|passphrase|password)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,}]+")

LogLine = tuple[str, str, str]
"""Level, component and message."""


class LogTail:
    """Reads what was appended since the last call; a new file, as after a rotation, from its beginning."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path: Path | None = None
        self._offset = 0

    def read(self) -> list[LogLine]:
        newest = max(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, default=None)
        if newest is None:
            return []
        if newest != self._path:
            self._path, self._offset = newest, 0
        with open(newest, "rb") as file:
            file.seek(self._offset)
            content = file.read(MAX_READ_BYTES)
        complete = content[: content.rfind(b"\n") + 1]
        # A line that is longer than a read is skipped.
        self._offset += len(complete) or (len(content) if len(content) == MAX_READ_BYTES else 0)
        return [line for line in map(parse_line, complete.splitlines()) if line is not None]


def parse_line(line: bytes) -> LogLine | None:
    try:
        entry = json.loads(line)
        level = LEVELS.get(entry["level"])
        if level is None:
            return None
        return level, str(entry["component"]), redact(str(entry["message"]))[:MAX_MESSAGE_CHARS]
    except (ValueError, KeyError, TypeError):
        return None


def redact(message: str) -> str:
    return CREDENTIAL.sub(r"\1***", message)
