"""Frames: one JSON object per line."""

from __future__ import annotations

import json
from typing import Any

MAX_LINE_BYTES = 1024 * 1024

Frame = dict[str, Any]


class InvalidFrame(Exception):
    """The other side sent something that is not a frame."""


def encode(frame: Frame) -> bytes:
    return json.dumps(frame, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def decode(line: bytes) -> Frame:
    try:
        frame = json.loads(line)
    except ValueError as error:
        raise InvalidFrame(f"not JSON: {error}") from None
    if not isinstance(frame, dict) or not isinstance(frame.get("k"), str):
        raise InvalidFrame("not an object with a text in `k`")
    return frame
