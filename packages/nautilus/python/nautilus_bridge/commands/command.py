"""A command, its arguments and its outcome."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Awaitable, Callable

from nautilus_bridge.frames import Frame


class CommandError(Exception):
    """A refusal with its code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Command:
    id: str
    name: str
    args: dict[str, Any]
    actor: str
    expires_at: int | None

    def text(self, name: str) -> str:
        value = self.args.get(name)
        if not isinstance(value, str) or value == "":
            raise CommandError("INVALID", f"{name} must be a text.")
        return value

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in choices:
            raise CommandError("INVALID", f"{name} must be one of {', '.join(choices)}; '{value}' was given.")
        return value

    def decimal(self, name: str) -> Decimal:
        return parse_decimal(name, self.args.get(name))

    def optional_decimal(self, name: str) -> Decimal | None:
        return None if self.args.get(name) is None else self.decimal(name)

    def flag(self, name: str) -> bool:
        value = self.args.get(name, False)
        if not isinstance(value, bool):
            raise CommandError("INVALID", f"{name} must be true or false.")
        return value


def parse_decimal(name: str, value: Any) -> Decimal:
    if not isinstance(value, str):
        raise CommandError("INVALID", f"{name} must be a decimal number in quotes.")
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise CommandError("INVALID", f"{name} must be a decimal number; '{value}' was given.") from None
    if not number.is_finite():
        raise CommandError("INVALID", f"{name} must be finite.")
    return number


def parse_command(frame: Frame) -> Command:
    """Raises CommandError with what is wrong."""
    command_id, name, args = frame.get("id"), frame.get("name"), frame.get("args")
    try:
        uuid.UUID(command_id)
    except (ValueError, TypeError, AttributeError):
        raise CommandError("INVALID", "id must be a UUID.") from None
    if not isinstance(name, str) or not isinstance(args, dict):
        raise CommandError("INVALID", "name must be a text and args an object.")
    expires = frame.get("expires_at")
    try:
        expires_at = None if expires is None else int(expires)
    except (ValueError, TypeError):
        raise CommandError("INVALID", "expires_at must be a time in nanoseconds.") from None
    return Command(command_id, name, args, str(frame.get("actor") or ""), expires_at)


@dataclass(slots=True)
class Outcome:
    status: str
    code: str | None = None
    message: str | None = None
    data: dict[str, Any] | None = None

    def record(self) -> dict[str, Any]:
        return {"status": self.status, "code": self.code, "message": self.message, "data": self.data}


def completed(data: dict[str, Any] | None = None) -> Outcome:
    return Outcome("completed", data=data)


def failed(code: str, message: str, data: dict[str, Any] | None = None) -> Outcome:
    return Outcome("failed", code, message, data)


def unknown(message: str, data: dict[str, Any] | None = None) -> Outcome:
    return Outcome("unknown", "TIMEOUT", message, data)


@dataclass(frozen=True, slots=True)
class Handler:
    """`check` refuses before anything is recorded; `run` acts. Both get the bridge and the command."""

    run: Callable[[Any, Command], Awaitable[Outcome]]
    check: Callable[[Any, Command], Any] | None = None
    needs_running: bool = True
    is_query: bool = False
    """A query is not in the journal."""
    is_done: Callable[[Any, Command], bool | None] = lambda bridge, command: None
    """Whether the stored state has the effect of a command that a crash interrupted; None where it does not say."""
