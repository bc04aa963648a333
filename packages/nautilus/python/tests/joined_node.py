"""A node as somebody else runs it: their configuration and strategy, and one controller of ours."""

from __future__ import annotations

import asyncio
import sys
from decimal import Decimal

from nautilus_trader.adapters.sandbox.config import SandboxExecutionClientConfig
from nautilus_trader.common import Environment
from nautilus_trader.config import ImportableControllerConfig, LiveExecEngineConfig, LoggingConfig, StrategyConfig, TradingNodeConfig
from nautilus_trader.live.node import TradingNode
from nautilus_trader.trading.strategy import Strategy

from nautilus_bridge.feeds.paper_feed import PaperFeedConfig, PaperFeedFactory
from nautilus_bridge.paper_venue import PaperExecutionClient, SandboxLiveExecClientFactory


class Their(Strategy):
    """It only has to be there."""


def main(options: dict[str, str]) -> None:
    node = TradingNode(
        TradingNodeConfig(
            environment=Environment.SANDBOX,
            trader_id="THEIRS-001",
            logging=LoggingConfig(log_level="ERROR"),
            exec_engine=LiveExecEngineConfig(reconciliation=False),
            controller=ImportableControllerConfig(
                controller_path="nautilus_bridge.joining:JoiningController",
                config_path="nautilus_bridge.joining:JoiningControllerConfig",
                config={**options, "instruments": ["BTCUSDT-PERP.SIM", "ETHUSDT-PERP.SIM"]},
            ),
            data_clients={"SIM": PaperFeedConfig(venue="SIM", interval_ms=50, seed=1)},
            exec_clients={
                "SIM": SandboxExecutionClientConfig(
                    venue="SIM", starting_balances=["50000 USDT"], base_currency="USDT", default_leverage=Decimal(1)
                )
            },
            timeout_post_stop=0.5,
            timeout_disconnection=3,
        )
    )
    node.trader.add_strategy(Their(StrategyConfig(strategy_id="THEIR", order_id_tag="001")))
    node.add_data_client_factory("SIM", PaperFeedFactory)
    node.add_exec_client_factory("SIM", SandboxLiveExecClientFactory)
    node.build()
    for client in node.kernel.exec_engine._clients.values():
        if isinstance(client, PaperExecutionClient):
            client.attach(node.kernel.exec_engine)
    node.run()
    node.dispose()


if __name__ == "__main__":
    asyncio.set_event_loop(asyncio.new_event_loop())
    main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
