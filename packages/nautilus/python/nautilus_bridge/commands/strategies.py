"""Strategies: add, start, stop, configure and remove. What was added is stored, and restored at the next start."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

from nautilus_trader.common.enums import ComponentState

from nautilus_bridge.commands.command import Command, CommandError, Handler, Outcome, completed, failed
from nautilus_bridge.commands.orders import MANUAL_ID, working_orders
from nautilus_bridge.commands.risk import is_emergency_active
from nautilus_bridge.durable import StrategyRecord
from nautilus_bridge.strategies.template import Template
from nautilus_bridge.views import money_unit

MAX_NAME_LENGTH = 100


def find_record(bridge: Any, command: Command) -> StrategyRecord:
    strategy_id = command.text("strategy_id")
    record = bridge.durable.state.strategies.get(strategy_id)
    if record is None:
        raise CommandError("NOT_FOUND", f"There is no strategy '{strategy_id}'.")
    return record


def find_template(bridge: Any, name: str) -> Template:
    template = bridge.templates.get(name)
    if template is None:
        known = ", ".join(bridge.templates)
        raise CommandError("INVALID", f"Unknown strategy type '{name}'. Available: {known}.")
    return template


def check_create(bridge: Any, command: Command) -> dict[str, Any]:
    template = find_template(bridge, command.text("template"))
    check_name(bridge, command.text("name"), None)
    return template.settings(config_of(command), bridge.instrument_ids())


def config_of(command: Command) -> dict[str, Any]:
    config = command.args.get("config") or {}
    if not isinstance(config, dict):
        raise CommandError("INVALID", "config must be an object.")
    return config


def check_name(bridge: Any, name: str, own_id: str | None) -> str:
    if len(name) > MAX_NAME_LENGTH:
        raise CommandError("INVALID", f"name must have at most {MAX_NAME_LENGTH} characters.")
    for record in bridge.durable.state.strategies.values():
        if record.name == name and record.id != own_id:
            raise CommandError("INVALID", f'The name "{name}" is already used by strategy {record.id}. Choose another name.')
    return name


async def create(bridge: Any, command: Command) -> Outcome:
    settings = check_create(bridge, command)
    state = bridge.durable.state
    template = find_template(bridge, command.text("template"))
    strategy_id = f"{template.type}-S{state.next_strategy:02d}"
    state.next_strategy += 1
    record = StrategyRecord(
        id=strategy_id,
        name=command.text("name"),
        template=template.type,
        description=str(command.args.get("description") or ""),
        config=settings,
        added_at=str(bridge.now_ns()),
    )
    add_to_trader(bridge, record)
    state.strategies[strategy_id] = record
    await bridge.save()
    bridge.publish_strategy(strategy_id, "StrategyAdded")
    return completed({"strategy_id": strategy_id})


def add_to_trader(bridge: Any, record: StrategyRecord) -> Any:
    template = find_template(bridge, record.template)
    settings = {name: tuple(value) if isinstance(value, list) else value for name, value in record.config.items()}
    strategy = template.create(record.id, settings)
    if hasattr(strategy, "bind"):
        strategy.bind(bridge.loop)
        strategy.on_failure = bridge.on_strategy_failure
    bridge.trader.add_strategy(strategy)
    strategy.register_executor(bridge.loop, bridge.kernel.executor)
    return strategy


def find_strategy(bridge: Any, strategy_id: str) -> Any:
    return next((each for each in bridge.trader.strategies() if each.id.value == strategy_id), None)


def check_start(bridge: Any, command: Command) -> None:
    record = find_record(bridge, command)
    if is_emergency_active(bridge):
        raise CommandError("BAD_STATE", "The emergency control is closing all positions. Wait until they are closed, or end it, and try again.")
    strategy = find_strategy(bridge, record.id)
    if strategy is not None and strategy.state == ComponentState.RUNNING:
        raise CommandError("BAD_STATE", f"Strategy {record.id} is already running.")


async def start(bridge: Any, command: Command) -> Outcome:
    check_start(bridge, command)
    record = find_record(bridge, command)
    start_strategy(bridge, record)
    await bridge.save()
    return state_outcome(bridge, record, ComponentState.RUNNING)


def start_strategy(bridge: Any, record: StrategyRecord) -> None:
    """A stopped strategy must be reset first; start alone does nothing."""
    strategy = find_strategy(bridge, record.id) or add_to_trader(bridge, record)
    record.reason = None
    record.should_run = True
    if strategy.state == ComponentState.STOPPED:
        strategy.reset()
    strategy.start()
    bridge.publish_strategy(record.id, "StrategyStarted")


def state_outcome(bridge: Any, record: StrategyRecord, wanted: ComponentState) -> Outcome:
    strategy = find_strategy(bridge, record.id)
    if strategy is not None and strategy.state == wanted:
        return completed({"strategy_id": record.id})
    state = "gone" if strategy is None else strategy.state.name
    return failed("INTERNAL", f"Strategy {record.id} is {state}. {record.reason or ''}".strip(), {"strategy_id": record.id})


def check_stop(bridge: Any, command: Command) -> None:
    record = find_record(bridge, command)
    strategy = find_strategy(bridge, record.id)
    if strategy is None or strategy.state != ComponentState.RUNNING:
        raise CommandError("BAD_STATE", f"Strategy {record.id} is not running.")


async def stop(bridge: Any, command: Command) -> Outcome:
    check_stop(bridge, command)
    record = find_record(bridge, command)
    stop_strategy(bridge, record, None)
    await bridge.save()
    return state_outcome(bridge, record, ComponentState.STOPPED)


def stop_strategy(bridge: Any, record: StrategyRecord, reason: str | None) -> None:
    record.should_run = False
    record.reason = reason
    strategy = find_strategy(bridge, record.id)
    if strategy is not None and strategy.state == ComponentState.RUNNING:
        strategy.stop()
    bridge.publish_strategy(record.id, "StrategyStopped")


def check_remove(bridge: Any, command: Command) -> None:
    record = find_record(bridge, command)
    held = [each.id for each in bridge.ledger.open_holdings() if each.strategy_id == record.id]
    if held:
        raise CommandError(
            "BAD_STATE",
            f'Strategy "{record.name}" ({record.id}) holds {", ".join(held)}. Close what it holds on the Positions screen, and try again.',
        )


async def remove(bridge: Any, command: Command) -> Outcome:
    record = find_record(bridge, command)
    if record.should_run:
        stop_strategy(bridge, record, None)
    orders = [order for order in working_orders(bridge) if order.strategy_id.value == record.id]
    for _ in range(50):
        if not orders:
            break
        await asyncio.sleep(0.1)
        orders = [order for order in orders if not order.is_closed]
    check_remove(bridge, command)
    if orders:
        return failed("BAD_STATE", f'Strategy "{record.name}" ({record.id}) has {len(orders)} working orders. Try again when they are cancelled.')
    remove_from_trader(bridge, record.id)
    del bridge.durable.state.strategies[record.id]
    await bridge.save()
    bridge.hub.publish("strategy", record.id, {"event": "StrategyRemoved", "ts_event": str(bridge.now_ns()), "id": record.id, "view": None})
    return completed({"strategy_id": record.id})


def remove_from_trader(bridge: Any, strategy_id: str) -> None:
    strategy = find_strategy(bridge, strategy_id)
    if strategy is None:
        return
    bridge.trader.remove_strategy(strategy.id)
    # The trader leaves these subscriptions behind.
    for topic in (f"events.order.{strategy_id}", f"events.position.{strategy_id}"):
        bridge.kernel.msgbus.unsubscribe(topic, strategy.handle_event)


def check_configure(bridge: Any, command: Command) -> dict[str, Any]:
    record = find_record(bridge, command)
    template = find_template(bridge, record.template)
    return template.settings(record.config | config_of(command), bridge.instrument_ids())


async def configure(bridge: Any, command: Command) -> Outcome:
    """Takes a new strategy of the same id, since a configuration is frozen; a running one is started again."""
    settings = check_configure(bridge, command)
    record = find_record(bridge, command)
    was_running = record.should_run
    if was_running:
        stop_strategy(bridge, record, None)
    remove_from_trader(bridge, record.id)
    record.config = settings
    add_to_trader(bridge, record)
    if was_running:
        start_strategy(bridge, record)
    await bridge.save()
    bridge.publish_strategy(record.id, "StrategyConfigured")
    return completed({"strategy_id": record.id})


def check_rename(bridge: Any, command: Command) -> str:
    return check_name(bridge, command.text("name"), find_record(bridge, command).id)


async def rename(bridge: Any, command: Command) -> Outcome:
    record = find_record(bridge, command)
    record.name = check_rename(bridge, command)
    await bridge.save()
    bridge.publish_strategy(record.id, "StrategyRenamed")
    return completed({"strategy_id": record.id})


def check_limit_loss(bridge: Any, command: Command) -> str | None:
    find_record(bridge, command)
    limit = command.optional_decimal("limit")
    if limit is not None and limit < 0:
        raise CommandError("INVALID", f"limit must be zero or more; {limit} was given.")
    return None if limit is None else f"{limit:f}"


async def limit_loss(bridge: Any, command: Command) -> Outcome:
    record = find_record(bridge, command)
    record.loss_limit = check_limit_loss(bridge, command)
    await bridge.save()
    bridge.publish_strategy(record.id, "StrategyLossLimited")
    return completed({"strategy_id": record.id})


def restore_strategies(bridge: Any, were_running: bool) -> None:
    """Adds stored strategies. Those that ran are added before the trader starts, which starts them with it."""
    for record in list(bridge.durable.state.strategies.values()):
        if record.should_run != were_running or find_strategy(bridge, record.id) is not None:
            continue
        try:
            add_to_trader(bridge, record)
        except Exception as error:  # noqa: BLE001 (one bad strategy must not keep the node from starting)
            record.should_run = False
            record.reason = f"Not restored: {error}"
        bridge.publish_strategy(record.id, "StrategyRestored")


def strategy_row(bridge: Any, strategy_id: str) -> dict[str, Any]:
    record = bridge.durable.state.strategies.get(strategy_id)
    strategy = find_strategy(bridge, strategy_id)
    result = bridge.ledger.result_of(strategy_id)
    state = "STOPPED" if strategy is None else strategy.state.name
    failure = getattr(strategy, "failure", None)
    is_manual = strategy_id == MANUAL_ID
    return {
        "id": strategy_id,
        "name": record.name if record else strategy_id,
        "template": record.template if record else "manual" if is_manual else "external",
        "description": record.description if record else "",
        "config": dict(record.config) if record else {},
        "state": state,
        "reason": failure or (record.reason if record else None),
        "loss_limit": record.loss_limit if record else None,
        "added_at": record.added_at if record else "0",
        "stats": {
            "fills": result.fills,
            "closed": result.closed,
            "won": result.won,
            "realized": money_unit(result.realized),
            "fees": money_unit(result.fees),
        },
    }


def is_created(bridge: Any, command: Command) -> bool:
    return any(record.name == command.args.get("name") for record in bridge.durable.state.strategies.values())


def stored(is_done: Callable[[Any, Command, StrategyRecord], bool]) -> Callable[[Any, Command], bool]:
    """Of a command to a strategy, which must be there."""

    def check(bridge: Any, command: Command) -> bool:
        record = bridge.durable.state.strategies.get(command.args.get("strategy_id"))
        return record is not None and is_done(bridge, command, record)

    return check


def is_removed(bridge: Any, command: Command) -> bool:
    return command.args.get("strategy_id") not in bridge.durable.state.strategies


def has_loss_limit(bridge: Any, command: Command, record: StrategyRecord) -> bool:
    return record.loss_limit == check_limit_loss(bridge, command)


def has_config(bridge: Any, command: Command, record: StrategyRecord) -> bool:
    return record.config == check_configure(bridge, command)


HANDLERS = {
    "strategy.create": Handler(create, check_create, is_done=is_created),
    "strategy.start": Handler(start, check_start, is_done=stored(lambda bridge, command, record: record.should_run)),
    "strategy.stop": Handler(stop, check_stop, is_done=stored(lambda bridge, command, record: not record.should_run)),
    "strategy.remove": Handler(remove, check_remove, is_done=is_removed),
    "strategy.configure": Handler(configure, check_configure, is_done=stored(has_config)),
    "strategy.rename": Handler(rename, check_rename, is_done=stored(lambda bridge, command, record: record.name == command.args.get("name"))),
    "strategy.limit_loss": Handler(limit_loss, check_limit_loss, is_done=stored(has_loss_limit)),
}
