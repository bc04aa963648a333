"""A type of strategy: its class, its parameters and the check of settings."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nautilus_trader.common.config import resolve_path

from nautilus_bridge.commands.command import CommandError
from nautilus_bridge.strategies.base import INTERVALS

MAX_TEXT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    label: str
    description: str
    kind: str
    default: Any
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] | None = None

    def row(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "name": self.name,
            "label": self.label,
            "description": self.description,
            "kind": self.kind,
            "default": self.default,
        }
        optional = {"min": self.min, "max": self.max, "choices": self.choices}
        return row | {name: value for name, value in optional.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Template:
    type: str
    title: str
    about: str
    strategy: Any
    config: Any
    parameters: tuple[Parameter, ...] = field(default=())
    earns_when: str = ""
    loses_when: str = ""
    is_custom: bool = False

    def row(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "title": self.title,
            "about": self.about,
            "earns_when": self.earns_when,
            "loses_when": self.loses_when,
            "parameters": [parameter.row() for parameter in self.parameters],
        }

    def settings(self, given: dict[str, Any], instruments: list[str]) -> dict[str, Any]:
        """A checked value for every parameter. NautilusTrader ignores unknown fields, so they are refused here."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise CommandError("INVALID", f"Unknown setting '{name}'. Available: {', '.join(known)}.")
        values = {name: given.get(name, parameter.default) for name, parameter in known.items()}
        for name, parameter in known.items():
            values[name] = check_value(parameter, values[name], instruments)
        check_conflicts(values)
        return values

    def create(self, strategy_id: str, settings: dict[str, Any], **extra: Any) -> Any:
        name, _, tag = strategy_id.rpartition("-")
        return self.strategy(self.config(strategy_id=name, order_id_tag=tag, **settings, **extra))


def check_value(parameter: Parameter, value: Any, instruments: list[str]) -> Any:
    name, kind = parameter.name, parameter.kind
    if kind in ("number", "integer"):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        is_whole = kind == "number" or (is_number and value == int(value))
        in_range = is_number and (parameter.min or 0) <= value <= (parameter.max or value)
        if not (is_number and is_whole and in_range):
            noun = "a whole number" if kind == "integer" else "a number"
            bounds = f" from {parameter.min} to {parameter.max}" if parameter.max is not None else ""
            raise CommandError("INVALID", f"{name} must be {noun}{bounds}; '{value}' was given.")
        return int(value) if kind == "integer" else float(value)
    if kind == "instruments":
        is_list = isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value)
        if not is_list or not (parameter.min or 0) <= len(value) <= (parameter.max or len(value)):
            raise CommandError("INVALID", f"{name} must be a list of {parameter.min} to {parameter.max} instruments.")
        return [check_instrument(each, instruments) for each in value]
    if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH:
        raise CommandError("INVALID", f"{name} must be a text of at most {MAX_TEXT_LENGTH} characters.")
    if kind == "instrument":
        return check_instrument(value, instruments)
    choices = tuple(INTERVALS) if kind == "interval" else parameter.choices
    if choices is not None and value not in choices:
        raise CommandError("INVALID", f"{name} must be one of {', '.join(choices)}; '{value}' was given.")
    return value


def check_instrument(name: str, instruments: list[str]) -> str:
    """A full id, or a symbol that only one venue has or that the first venue has."""
    if name in instruments:
        return name
    of_symbol = [each for each in instruments if each.rpartition(".")[0] == name]
    if not of_symbol:
        raise CommandError("INVALID", f"Unknown instrument '{name}'.")
    return of_symbol[0]


def check_conflicts(values: dict[str, Any]) -> None:
    """Two settings, each valid alone, that contradict one another."""
    for low, high in (("fast_bars", "slow_bars"), ("exit_score", "entry_score")):
        if low in values and high in values and values[low] >= values[high]:
            raise CommandError("INVALID", f"{low} must be below {high} ({values[high]}); '{values[low]}' was given.")
    if "max_inventory" in values and values["max_inventory"] < values["order_value"]:
        given = values["max_inventory"]
        raise CommandError("INVALID", f"max_inventory must be at least order_value ({values['order_value']}); '{given}' was given.")
    symbols = [each.rpartition(".")[0] for each in values.get("instruments", [])]
    for symbol in symbols:
        if symbols.count(symbol) < 2:
            raise CommandError("INVALID", f"instruments must name {symbol} on a second venue or not at all.")


def read_custom(path: Path) -> tuple[Template, ...]:
    """Templates of a node's own strategies. The file names classes, so it must come from who runs the node."""
    return tuple(
        Template(
            type=entry["type"],
            title=entry["title"],
            about=entry.get("about", ""),
            strategy=resolve_path(entry["strategy_path"]),
            config=resolve_path(entry["config_path"]),
            parameters=tuple(Parameter(**parameter) for parameter in entry.get("parameters", [])),
            is_custom=True,
        )
        for entry in json.loads(path.read_text(encoding="utf-8"))
    )
