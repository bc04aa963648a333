"""A console for tests: starts a node as a child process and talks to its bridge."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any, Callable

FOLDER = Path(__file__).parent.parent
MAX_SECONDS = 120
"""Only a node that hangs takes so long."""

Frame = dict[str, Any]


class Node:
    """A paper node with a scripted feed. `folder` outlives it, so that another one can take it up."""

    def __init__(self, folder: Path, *options: str) -> None:
        # A socket path must be short.
        self.socket_path = Path(tempfile.mkdtemp(prefix="naut")) / "s"
        self.folder = folder
        command = [sys.executable, "-B", "-m", "nautilus_bridge.launcher", "--data", str(folder)]
        command += ["--socket", str(self.socket_path), "--feed", "scripted"]
        # A slow machine must not turn a late answer into an unknown outcome or a lost connection.
        command += ["--answer-seconds", "90", "--ping-seconds", "60", *options]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=FOLDER, env=environment)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the node did not start: {self.process.stderr.read().decode()[-2000:]}")
        self.listening = json.loads(line)

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self) -> int:
        """Waits for the end and returns the exit status."""
        self.process.communicate(timeout=MAX_SECONDS)
        self.socket_path.unlink(missing_ok=True)
        self.socket_path.parent.rmdir()
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()


class Console:
    """A connection. `frames` holds everything received, `rows` what the snapshot and the events say."""

    def __init__(self, node: Node, role: str = "writer", resume: Frame | None = None, token: str | None = None) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(MAX_SECONDS)
        self._socket.connect(str(node.socket_path))
        self._file = self._socket.makefile("rb")
        self.frames: list[Frame] = []
        self.sent: list[Frame] = []
        self.rows: dict[str, dict[str, Frame]] = {}
        self.hello = self.wait(lambda frame: frame["k"] == "hello")
        self.send({"k": "auth", "token": token, "role": role, "console": "test", "resume": resume})

    def join(self) -> Console:
        """Waits for the welcome, the snapshot and a running trader."""
        welcome = self.wait(lambda frame: frame["k"] == "welcome")
        if welcome["resume"] == "snapshot":
            self.wait(lambda frame: frame["k"] == "snapshot" and frame["section"] == "end")
            self.wait_row("engine", "engine", lambda row: row["state"] == "RUNNING")
        return self

    def send(self, frame: Frame) -> None:
        self.sent.append(frame)
        self._socket.sendall(json.dumps(frame).encode() + b"\n")

    def send_raw(self, content: bytes) -> None:
        """The node may end the connection before it has read everything."""
        with contextlib.suppress(BrokenPipeError):
            self._socket.sendall(content)

    def read(self) -> Frame | None:
        """The next frame; None at the end."""
        try:
            line = self._file.readline()
        except ConnectionResetError:
            return None
        if not line.endswith(b"\n"):
            return None
        frame = json.loads(line)
        self.frames.append(frame)
        if frame["k"] == "ping":
            self.send({"k": "pong"})
        elif frame["k"] == "snapshot":
            for row in frame["rows"]:
                self.rows.setdefault(frame["section"], {})[row["id"]] = row
        elif frame["k"] == "event" and "view" in frame["data"]:
            self._take(frame)
        return frame

    def _take(self, frame: Frame) -> None:
        section = SECTIONS[frame["type"]]
        view = frame["data"]["view"]
        rows = self.rows.setdefault(section, {})
        if view is None:
            rows.pop(frame["data"]["id"], None)
        else:
            rows[view["id"]] = view

    def wait(self, matches: Callable[[Frame], bool]) -> Frame:
        while True:
            frame = self.read()
            if frame is None:
                raise EOFError("the node has closed the connection")
            if matches(frame):
                return frame

    def wait_row(self, section: str, row_id: str, matches: Callable[[Frame], bool]) -> Frame:
        while True:
            row = self.rows.get(section, {}).get(row_id)
            if row is not None and matches(row):
                return row
            if self.read() is None:
                raise EOFError("the node has closed the connection")

    def start(self, name: str, args: Frame, command_id: str | None = None, expires_at: str | None = None) -> str:
        """Sends a command without waiting."""
        command_id = command_id or str(uuid.uuid4())
        self.send({"k": "command", "id": command_id, "name": name, "args": args, "actor": "test", "expires_at": expires_at})
        return command_id

    def command(self, name: str, args: Frame | None = None, command_id: str | None = None) -> Frame:
        """Sends a command and returns its result, or its rejection."""
        sent = self.start(name, args or {}, command_id)
        return self.wait(
            lambda frame: frame.get("id") == sent
            and (frame["k"] == "result" or (frame["k"] == "ack" and frame["status"] == "rejected"))
        )

    def quote(self, instrument_id: str, bid: str, ask: str, size: str = "100") -> None:
        quotes = [{"instrument_id": instrument_id, "bid": bid, "ask": ask, "bid_size": size, "ask_size": size}]
        result = self.command("feed.push", {"quotes": quotes})
        if result.get("status") != "completed":
            raise AssertionError(result)

    def order(self, side: str, quantity: str, price: str | None = None, **more: Any) -> Frame:
        kind = more.pop("type", "MARKET" if price is None else "LIMIT")
        args = {"instrument_id": BTC, "side": side, "type": kind, "quantity": quantity, "tif": "GTC", "reduce_only": False}
        args |= {} if price is None else {"price": price}
        return self.command("order.submit", args | more)

    def close(self) -> None:
        self._file.close()
        self._socket.close()


BTC = "BTCUSDT-PERP.SIM"

SECTIONS = {
    "engine": "engine",
    "component": "components",
    "strategy": "strategies",
    "order": "orders",
    "position": "positions",
    "account": "accounts",
    "risk": "risk",
}
