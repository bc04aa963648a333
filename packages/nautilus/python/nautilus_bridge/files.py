"""Durable writes."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Makes a new or renamed file of the folder durable. Windows has no such call."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, content: bytes) -> None:
    """Replaces a file as a whole: after a crash it is the old one or the new one."""
    new = path.with_name(path.name + ".new")
    with open(new, "wb", opener=private) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    sync_folder(path.parent)


def private(path: str, flags: int) -> int:
    """Opens a file for its owner only."""
    return os.open(path, flags, 0o600)
