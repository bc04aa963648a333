"""Runs a paper node: simulated feed, our paper venues, bridge. `python -m nautilus_bridge.launcher --data DIR`."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import gc
import json
import os
import signal
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from nautilus_trader.adapters.sandbox.config import SandboxExecutionClientConfig
from nautilus_trader.common import Environment
from nautilus_trader.common.enums import ComponentState
from nautilus_trader.config import (
    CacheConfig,
    DatabaseConfig,
    ImportableControllerConfig,
    LiveDataEngineConfig,
    LiveExecEngineConfig,
    LiveRiskEngineConfig,
    LoggingConfig,
    StrategyConfig,
    TradingNodeConfig,
)
from nautilus_trader.accounting.factory import AccountFactory
from nautilus_trader.live.node import TradingNode

from nautilus_bridge.bridge import Bridge
from nautilus_bridge.feeds.paper_feed import PaperFeedConfig, PaperFeedFactory
from nautilus_bridge.listening import Address, check_address, listen
from nautilus_bridge.manual import ManualDesk
from nautilus_bridge.paper_market import VENUES
from nautilus_bridge.paper_venue import PaperExecutionClient, SandboxLiveExecClientFactory
from nautilus_bridge.strategies.template import read_custom
from nautilus_bridge.strategies.templates import BUILT_IN

EXIT_FAILURE = 70
"""The node ended by an exception; 0 is an orderly stop."""
EXIT_LOCKED = 73

START_SECONDS = 60.0
MAX_BALANCE = 10_000_000
"""NautilusTrader computes parts of a balance in doubles: from about 90 million on, one that is off by a unit ends the node."""
MAX_LOG_BYTES = 10 * 1024 * 1024


def parse_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="nautilus_bridge.launcher", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the journal, the stored state, lock and logs")
    parser.add_argument("--socket", type=Path, help="Unix socket; bridge.sock in the data folder by default")
    parser.add_argument("--listen", help="HOST:PORT for TLS instead of the Unix socket; needs a token and a certificate")
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--token-file", type=Path)
    parser.add_argument("--trader-id", default="DESK-001", help="NAME-TAG")
    parser.add_argument("--feed", choices=("simulated", "scripted"), default="simulated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quote-ms", type=int, default=250, help="time between the quotes of an instrument on the simulated feed")
    parser.add_argument("--balance", type=parse_balance, default="50000", help=f"USDT on each of the two venues, at most {MAX_BALANCE:,}")
    parser.add_argument("--templates", type=Path, help="JSON file with custom strategies")
    parser.add_argument("--redis", help="HOST:PORT of a Redis that holds the node's cache")
    parser.add_argument("--answer-seconds", type=float, default=5.0, help="until the outcome of a command is unknown")
    parser.add_argument("--ping-seconds", type=float, default=2.0)
    parser.add_argument("--exit-with-stdin", action="store_true", help="stop when standard input ends")
    return parser.parse_args(arguments)


def parse_balance(text: str) -> str:
    try:
        balance = Decimal(text)
    except InvalidOperation:
        balance = Decimal(0)
    if not (balance.is_finite() and 0 < balance <= MAX_BALANCE):
        raise argparse.ArgumentTypeError(f"must be a number above 0 and at most {MAX_BALANCE:,}; {text} was given")
    return f"{balance:f}"


def create_config(options: argparse.Namespace) -> TradingNodeConfig:
    cache = None
    if options.redis:
        host, _, port = options.redis.rpartition(":")
        database = DatabaseConfig(type="redis", host=host, port=int(port), timeout=2)
        cache = CacheConfig(database=database, encoding="msgpack")
    return TradingNodeConfig(
        environment=Environment.SANDBOX,
        trader_id=options.trader_id,
        logging=LoggingConfig(
            log_level="ERROR",
            log_level_file="INFO",
            log_directory=str(options.data / "logs"),
            log_file_name="node",
            log_file_format="json",
            log_file_max_size=MAX_LOG_BYTES,
            log_colors=False,
        ),
        data_engine=LiveDataEngineConfig(graceful_shutdown_on_exception=True),
        risk_engine=LiveRiskEngineConfig(graceful_shutdown_on_exception=True, max_order_submit_rate="1000/00:00:01", max_order_modify_rate="1000/00:00:01"),
        exec_engine=LiveExecEngineConfig(graceful_shutdown_on_exception=True, reconciliation=False),
        # Without a controller a running trader refuses new strategies and only logs it.
        controller=ImportableControllerConfig(
            controller_path="nautilus_bridge.controller:BridgeController",
            config_path="nautilus_bridge.controller:BridgeControllerConfig",
            config={},
        ),
        data_clients={venue: feed_config(options, venue) for venue in VENUES},
        exec_clients={venue: venue_config(options, venue) for venue in VENUES},
        cache=cache,
        timeout_connection=20,
        timeout_disconnection=3,
        timeout_post_stop=0.5,
    )


def feed_config(options: argparse.Namespace, venue: str) -> PaperFeedConfig:
    interval_ms = options.quote_ms if options.feed == "simulated" else None
    return PaperFeedConfig(venue=venue, interval_ms=interval_ms, seed=options.seed)


def venue_config(options: argparse.Namespace, venue: str) -> SandboxExecutionClientConfig:
    return SandboxExecutionClientConfig(
        venue=venue,
        starting_balances=[f"{options.balance} USDT"],
        base_currency="USDT",
        default_leverage=Decimal(1),
    )


def lock(folder: Path, trader_id: str) -> Any:
    """Two nodes of one trader id would overwrite each other's state."""
    file = open(folder / f"{trader_id}.lock", "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print(f"Another node with the trader id {trader_id} runs on {folder}.", file=sys.stderr)
        sys.exit(EXIT_LOCKED)
    return file


async def run(options: argparse.Namespace) -> tuple[TradingNode, int]:
    for venue in VENUES:
        AccountFactory.register_calculated_account(venue)
    node = TradingNode(create_config(options), loop=asyncio.get_running_loop())
    node.trader.add_strategy(ManualDesk(StrategyConfig(strategy_id="MANUAL", order_id_tag="000")))
    custom = read_custom(options.templates) if options.templates else ()
    templates = {template.type: template for template in (*BUILT_IN, *custom)}
    address = Address(
        options.socket or options.data / "bridge.sock",
        options.listen,
        options.certificate,
        options.key,
        options.token_file,
    )
    try:
        check_address(address)
    except ValueError as error:
        raise SystemExit(f"--listen: {error}") from None
    bridge = Bridge(
        node,
        options.data,
        templates,
        address.token(),
        is_scripted=options.feed == "scripted",
        answer_seconds=options.answer_seconds,
        ping_seconds=options.ping_seconds,
    )
    for venue in VENUES:
        node.add_data_client_factory(venue, PaperFeedFactory)
        node.add_exec_client_factory(venue, SandboxLiveExecClientFactory)
    node.build()
    attach(node)
    # Strategies refer to instruments that the data clients have just added.
    bridge.restore()
    bridge.fills.repair_positions(lambda text: bridge.publish_log("WARNING", "Bridge", text))
    await bridge.start()
    bound = await listen(bridge.server, address)
    print(json.dumps({"listening": bound, "pid": os.getpid(), "epoch": bridge.epoch}), flush=True)
    stop_on_signals(bridge, options)
    running = asyncio.ensure_future(node.run_async())
    if await wait_until_running(node, running):
        await bridge.begin_trading()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
    await running
    await bridge.close(bridge.stop_reason)
    return node, EXIT_FAILURE if bridge.failure else 0


def attach(node: TradingNode) -> None:
    for client in node.kernel.exec_engine._clients.values():
        if isinstance(client, PaperExecutionClient):
            client.attach(node.kernel.exec_engine)


def stop_on_signals(bridge: Bridge, options: argparse.Namespace) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, bridge.request_stop, "stopped")
    if options.exit_with_stdin:
        loop.add_reader(sys.stdin.fileno(), on_stdin, bridge)


def on_stdin(bridge: Bridge) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        bridge.request_stop("the supervisor has ended")


async def wait_until_running(node: TradingNode, running: asyncio.Future[None]) -> bool:
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    while asyncio.get_running_loop().time() < deadline and not running.done():
        if node.trader.state == ComponentState.RUNNING:
            return True
        await asyncio.sleep(0.02)
    return False


def main() -> None:
    options = parse_options(sys.argv[1:])
    options.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = lock(options.data, options.trader_id)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    node, code = loop.run_until_complete(run(options))
    # Ends the loop, so it comes last.
    node.dispose()
    held.close()
    sys.exit(code)


if __name__ == "__main__":
    main()
