"""The socket that consoles connect to: framing, sign-in, snapshot or replay, one writer at a time."""

from __future__ import annotations

import asyncio
import hmac
import os
import ssl
from pathlib import Path
from typing import Any

from nautilus_bridge.frames import MAX_LINE_BYTES, Frame, InvalidFrame, decode, encode

AUTH_SECONDS = 5.0
MAX_MISSED_PINGS = 3
MAX_BUFFER_BYTES = 32 * 1024 * 1024
SLICE_ROWS = 50
MAX_SOCKET_PATH_BYTES = 107


class Connection:
    """One console."""

    def __init__(self, server: BridgeServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._server = server
        self._reader = reader
        self._writer = writer
        self._missed = 0
        self.wants_to_write = False
        self.is_ready = False

    def send(self, frame: Frame) -> None:
        self.send_line(encode(frame))

    def send_line(self, line: bytes) -> None:
        transport = self._writer.transport
        if transport.is_closing():
            return
        if transport.get_write_buffer_size() > MAX_BUFFER_BYTES:
            # A console that does not read comes back and resumes, or takes a snapshot.
            transport.abort()
            return
        self._writer.write(line)

    async def run(self) -> None:
        bridge = self._server.bridge
        self.send(bridge.hello())
        try:
            async with asyncio.timeout(AUTH_SECONDS):
                frame = await self._read()
        except TimeoutError:
            self.bye("NOT_ALLOWED: no auth within 5 s")
            return
        if frame is None or frame.get("k") != "auth" or not self._server.is_token(frame.get("token")):
            self.bye("NOT_ALLOWED: wrong token")
            return
        self.wants_to_write = frame.get("role") != "reader"
        await self._join(frame.get("resume"))
        pings = asyncio.ensure_future(self._ping())
        try:
            while (frame := await self._read()) is not None:
                self._take(frame)
        finally:
            pings.cancel()

    async def _join(self, resume: Any) -> None:
        bridge = self._server.bridge
        self._server.join(self)
        can_replay = (
            isinstance(resume, dict)
            and resume.get("epoch") == bridge.epoch
            and isinstance(resume.get("seq"), int)
            and bridge.hub.oldest_seq <= resume["seq"] + 1 <= bridge.hub.seq + 1
        )
        role = "writer" if self._server.is_writer(self) else "reader"
        self.send({"k": "welcome", "role": role, "resume": "replay" if can_replay else "snapshot"})
        if can_replay:
            for line in bridge.hub.lines_after(resume["seq"]):
                self.send_line(line)
        bridge.hub.add(self.send_line)
        self.is_ready = True
        if not can_replay:
            await self.send_snapshot()

    async def send_snapshot(self) -> None:
        """In slices, so that the node's loop goes on; events that come meanwhile have a higher revision."""
        bridge = self._server.bridge
        for section, kind, ids, build in bridge.sections():
            rows: list[dict[str, Any]] = []
            for index, object_id in enumerate(ids):
                row = build(object_id)
                if row is not None:
                    rows.append({"rev": bridge.hub.revision(kind, row["id"])} | row)
                if len(rows) >= SLICE_ROWS and index < len(ids) - 1:
                    self._send_slice(section, rows, False)
                    rows = []
                    await asyncio.sleep(0)
            self._send_slice(section, rows, True)
            await asyncio.sleep(0)
        self._send_slice("end", [], True)

    def _send_slice(self, section: str, rows: list[dict[str, Any]], is_last: bool) -> None:
        frame = {"k": "snapshot", "section": section, "rows": rows, "last": is_last, "as_of": self._server.bridge.hub.seq}
        self.send(frame)

    def _take(self, frame: Frame) -> None:
        self._missed = 0
        kind = frame["k"]
        if kind == "ping":
            self.send({"k": "pong"})
        elif kind == "command":
            self._server.bridge.commands.receive(frame, self, self._server.is_writer(self))

    async def _read(self) -> Frame | None:
        """None at the end, and after a line that is too long or not a frame."""
        try:
            line = await self._reader.readline()
            return decode(line) if line.endswith(b"\n") else None
        except (ValueError, InvalidFrame) as error:
            self.bye(f"INVALID: {error}")
            return None
        except ConnectionError:
            return None

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(self._server.ping_seconds)
            self._missed += 1
            if self._missed > MAX_MISSED_PINGS:
                self._writer.transport.abort()
                return
            self.send({"k": "ping"})

    def bye(self, reason: str) -> None:
        self.send({"k": "bye", "reason": reason})

    async def close(self) -> None:
        self._server.bridge.hub.remove(self.send_line)
        self._server.leave(self)
        self._writer.close()
        try:
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        except (TimeoutError, ConnectionError):
            self._writer.transport.abort()


class BridgeServer:
    """A Unix socket for its owner, or TCP with TLS and a token."""

    def __init__(self, bridge: Any, token: str | None, ping_seconds: float) -> None:
        self.bridge = bridge
        self.ping_seconds = ping_seconds
        self._token = token
        self._connections: list[Connection] = []
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._socket_path: Path | None = None

    async def listen_unix(self, path: Path) -> None:
        if len(os.fsencode(path)) > MAX_SOCKET_PATH_BYTES:
            raise ValueError(f"the socket path is longer than {MAX_SOCKET_PATH_BYTES} bytes: {path}")
        # Left behind by a crash; the lock says that no other node uses it.
        path.unlink(missing_ok=True)
        previous = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(self._accept, path=str(path), limit=MAX_LINE_BYTES)
        finally:
            os.umask(previous)
        self._socket_path = path

    async def listen_tls(self, host: str, port: int, certificate: Path, key: Path) -> int:
        if not self._token:
            raise ValueError("listening on TCP needs a token file")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(certificate, key)
        self._server = await asyncio.start_server(self._accept, host, port, limit=MAX_LINE_BYTES, ssl=context)
        return int(self._server.sockets[0].getsockname()[1])

    def is_token(self, given: Any) -> bool:
        """Without a token the file permissions of the socket decide."""
        if self._token is None:
            return True
        return isinstance(given, str) and hmac.compare_digest(given.encode(), self._token.encode())

    def join(self, connection: Connection) -> None:
        self._connections.append(connection)

    def leave(self, connection: Connection) -> None:
        if connection not in self._connections:
            return
        was_writer = self.is_writer(connection)
        self._connections.remove(connection)
        successor = self.writer()
        if was_writer and successor is not None:
            successor.send({"k": "welcome", "role": "writer", "resume": "replay"})

    def writer(self) -> Connection | None:
        """The first that wants to write; the next becomes writer when it leaves."""
        return next((each for each in self._connections if each.wants_to_write), None)

    def is_writer(self, connection: Connection) -> bool:
        return self.writer() is connection

    def is_open(self, connection: Connection) -> bool:
        return connection in self._connections

    async def close(self, reason: str) -> None:
        for connection in list(self._connections):
            connection.bye(reason)
        if self._server is not None:
            self._server.close()
        for connection in list(self._connections):
            await connection.close()
        for task in list(self._tasks):
            task.cancel()
        if self._socket_path is not None:
            self._socket_path.unlink(missing_ok=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        connection = Connection(self, reader, writer)
        try:
            await connection.run()
        except ConnectionError:
            pass
        finally:
            await connection.close()
