"""Takes commands: checks, journal, acknowledgement, execution, result."""

from __future__ import annotations

import asyncio
from typing import Any

from nautilus_trader.model.identifiers import ClientOrderId

from nautilus_bridge.commands import exits, node, orders, preview, reports, risk, strategies
from nautilus_bridge.commands.command import (
    Command,
    CommandError,
    Handler,
    Outcome,
    completed,
    failed,
    parse_command,
    unknown,
)
from nautilus_bridge.frames import Frame
from nautilus_bridge.journal import CommandJournal

HANDLERS: dict[str, Handler] = {
    **orders.HANDLERS,
    **exits.HANDLERS,
    **preview.HANDLERS,
    **risk.HANDLERS,
    **strategies.HANDLERS,
    **node.HANDLERS,
}

SCRIPTED_HANDLERS: dict[str, Handler] = {**node.SCRIPTED_HANDLERS, **reports.SCRIPTED_HANDLERS}
"""Commands of tests, on a node with a scripted feed."""

SETTLED_BY_ORDER = ("order.submit", "position.close")
"""Commands whose outcome an event of their own order decides, however late."""


class Dispatcher:
    """`bridge` is passed to the handlers."""

    def __init__(self, bridge: Any, journal: CommandJournal, is_scripted: bool) -> None:
        self._bridge = bridge
        self._journal = journal
        self._handlers = HANDLERS | (SCRIPTED_HANDLERS if is_scripted else {})
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def names(self) -> list[str]:
        return sorted(self._handlers)

    def receive(self, frame: Frame, connection: Any, is_writer: bool) -> None:
        task = asyncio.ensure_future(self._receive(frame, connection, is_writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait(self) -> None:
        """Waits for the commands that run."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=6)

    async def _receive(self, frame: Frame, connection: Any, is_writer: bool) -> None:
        try:
            command = parse_command(frame)
            known = self._journal.find(command.id)
            if known is not None:
                self._answer_duplicate(command, known, connection)
                return
            handler = self._admit(command, is_writer)
        except CommandError as error:
            connection.send(ack(str(frame.get("id")), "rejected", error.code, error.message))
            return
        if handler.is_query:
            connection.send(ack(command.id, "accepted"))
            self._send_result(connection, command.id, (await self._run(handler, command)).record())
            return
        await self._journal.record_request(
            {"id": command.id, "name": command.name, "args": command.args, "actor": command.actor, "ts": str(self._bridge.now_ns())}
        )
        connection.send(ack(command.id, "accepted"))
        result = (await self._run(handler, command)).record()
        await self._journal.record_result(command.id, result)
        self._send_result(connection, command.id, result)
        if result["status"] == "unknown" and command.name in SETTLED_BY_ORDER:
            self._bridge.settle_later(result["data"]["order_id"], command.id)

    async def settle_interrupted(self) -> None:
        """Records what came of the commands that a crash interrupted: by their order, or by the stored state."""
        for request in self._journal.unsettled():
            await self._journal.record_result(request["id"], self._outcome_after_crash(request).record())

    def _outcome_after_crash(self, request: dict[str, Any]) -> Outcome:
        order_id = f"C-{request['id']}"
        order = self._bridge.cache.order(ClientOrderId(order_id))
        outcome = None if order is None else orders.outcome_of(order)
        if outcome is not None:
            return outcome
        command = Command(request["id"], request["name"], request["args"], request["actor"], None)
        handler = self._handlers.get(command.name)
        is_done = None if handler is None else handler.is_done(self._bridge, command)
        if is_done is not None:
            return completed() if is_done else failed("INTERNAL", "The node ended before this command was carried out.")
        if self._bridge.account_reset:
            return failed("INTERNAL", "The node ended while this command ran. Its paper account began again, so nothing of it remains.")
        return unknown("The node ended while this command ran.", {"order_id": order_id})

    def settle(self, command_id: str, outcome: Outcome) -> None:
        """Replaces an unknown outcome."""
        task = asyncio.ensure_future(self._settle(command_id, outcome.record()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self, command_id: str, result: dict[str, Any]) -> None:
        await self._journal.record_result(command_id, result)
        self._send_result(None, command_id, result)

    def _admit(self, command: Command, is_writer: bool) -> Handler:
        handler = self._handlers.get(command.name)
        if handler is None:
            raise CommandError("NOT_ALLOWED", f"This node has no command '{command.name}'.")
        if not is_writer and not handler.is_query:
            raise CommandError("NOT_WRITER", "Another console operates this node.")
        if command.expires_at is not None and command.expires_at < self._bridge.now_ns():
            raise CommandError("EXPIRED", "The command arrived after its time.")
        if handler.needs_running and not self._bridge.is_running:
            raise CommandError("BAD_STATE", f"The node is {self._bridge.trader.state.name}; it takes orders once it is RUNNING.")
        if handler.check is not None:
            handler.check(self._bridge, command)
        return handler

    async def _run(self, handler: Handler, command: Command) -> Outcome:
        try:
            return await handler.run(self._bridge, command)
        except CommandError as error:
            return failed(error.code, error.message)
        except Exception as error:  # noqa: BLE001 (the outcome of a bug is a failure with its name)
            self._bridge.report_error(f"{command.name} failed", error)
            return failed("INTERNAL", f"{type(error).__name__}: {error}")

    def _answer_duplicate(self, command: Command, entry: Any, connection: Any) -> None:
        connection.send(ack(command.id, "duplicate"))
        if entry.result is not None:
            self._send_result(connection, command.id, entry.result)

    def _send_result(self, connection: Any, command_id: str, result: dict[str, Any]) -> None:
        receiver = self._bridge.receiver_for(connection)
        if receiver is not None:
            receiver.send({"k": "result", "id": command_id, "seq": self._bridge.hub.seq, **result})


def ack(command_id: str, status: str, code: str | None = None, message: str | None = None) -> Frame:
    frame: Frame = {"k": "ack", "id": command_id, "status": status}
    return frame if code is None else frame | {"code": code, "message": message}
