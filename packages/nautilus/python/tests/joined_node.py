"""A node as somebody else runs it: their configuration and strategy, and one controller of ours."""

from __future__ import annotations

import asyncio
import sys
from decimal import Decimal
from typing import Any

from nautilus_trader.adapters.sandbox.config import SandboxExecutionClientConfig
from nautilus_trader.common import Environment
from nautilus_trader.config import ImportableControllerConfig, LiveExecEngineConfig, LoggingConfig, StrategyConfig, TradingNodeConfig
from nautilus_trader.core.uuid import UUID4
from nautilus_trader.execution.reports import FillReport, OrderStatusReport, PositionStatusReport
from nautilus_trader.live.factories import LiveExecClientFactory
from nautilus_trader.live.node import TradingNode
from nautilus_trader.model.enums import LiquiditySide, OrderSide, OrderStatus, OrderType, PositionSide, TimeInForce
from nautilus_trader.model.identifiers import InstrumentId, TradeId, VenueOrderId
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.trading.strategy import Strategy

from nautilus_bridge.feeds.paper_feed import PaperFeedConfig, PaperFeedFactory
from nautilus_bridge.paper_venue import PaperExecutionClient, SandboxLiveExecClientFactory


class Their(Strategy):
    """It only has to be there."""


BTC = InstrumentId.from_str("BTCUSDT-PERP.SIM")
ORDER = VenueOrderId("V-1")
SIZE = Quantity.from_str("0.010")


class ReportingClient(PaperExecutionClient):
    """A venue with an order that filled and a position that it left, which the node does not know."""

    async def generate_order_status_reports(self, command: Any) -> list[Any]:
        now = self._clock.timestamp_ns()
        kind = OrderSide.BUY, OrderType.MARKET, TimeInForce.GTC, OrderStatus.FILLED
        average = {"avg_px": Decimal("60000.0")}
        return [OrderStatusReport(self.account_id, BTC, ORDER, *kind, SIZE, SIZE, UUID4(), now, now, now, **average)]

    async def generate_fill_reports(self, command: Any) -> list[Any]:
        now = self._clock.timestamp_ns()
        fee = Money.from_str("0.24 USDT")
        fill = TradeId("T-1"), OrderSide.BUY, SIZE, Price.from_str("60000.0"), fee, LiquiditySide.TAKER
        return [FillReport(self.account_id, BTC, ORDER, *fill, UUID4(), now, now)]

    async def generate_position_status_reports(self, command: Any) -> list[Any]:
        now = self._clock.timestamp_ns()
        return [PositionStatusReport(self.account_id, BTC, PositionSide.LONG, SIZE, UUID4(), now, now)]


def reporting_factory() -> type[LiveExecClientFactory]:
    class Factory(LiveExecClientFactory):
        @staticmethod
        def create(loop: Any, name: str, config: Any, portfolio: Any, msgbus: Any, cache: Any, clock: Any) -> ReportingClient:
            return ReportingClient(loop, portfolio, msgbus, cache, clock, config)

    # The node's builder passes the portfolio only to a factory of this name.
    Factory.__name__ = SandboxLiveExecClientFactory.__name__
    return Factory


def venue_config(venue: str, balance: str) -> SandboxExecutionClientConfig:
    currency = balance.split()[1]
    return SandboxExecutionClientConfig(venue=venue, starting_balances=[balance], base_currency=currency, default_leverage=Decimal(1))


def main(options: dict[str, str]) -> None:
    is_reconciled = options.pop("reconciliation", "off") == "on"
    balances = {"SIM": "50000 USDT"} | ({"ALT": "1.5 BTC", "EXT": "200 EUR"} if is_reconciled else {})
    node = TradingNode(
        TradingNodeConfig(
            environment=Environment.SANDBOX,
            trader_id="THEIRS-001",
            logging=LoggingConfig(log_level="ERROR"),
            exec_engine=LiveExecEngineConfig(reconciliation=is_reconciled),
            controller=ImportableControllerConfig(
                controller_path="nautilus_bridge.joining:JoiningController",
                config_path="nautilus_bridge.joining:JoiningControllerConfig",
                config={**options, "instruments": ["BTCUSDT-PERP.SIM", "ETHUSDT-PERP.SIM"]},
            ),
            data_clients={"SIM": PaperFeedConfig(venue="SIM", interval_ms=50, seed=1)},
            exec_clients={venue: venue_config(venue, balance) for venue, balance in balances.items()},
            timeout_post_stop=0.5,
            timeout_disconnection=3,
        )
    )
    node.trader.add_strategy(Their(StrategyConfig(strategy_id="THEIR", order_id_tag="001")))
    node.add_data_client_factory("SIM", PaperFeedFactory)
    for venue in balances:
        is_reporting = is_reconciled and venue == "SIM"
        node.add_exec_client_factory(venue, reporting_factory() if is_reporting else SandboxLiveExecClientFactory)
    node.build()
    for client in node.kernel.exec_engine._clients.values():
        if isinstance(client, PaperExecutionClient):
            client.attach(node.kernel.exec_engine)
    node.run()
    node.dispose()


if __name__ == "__main__":
    asyncio.set_event_loop(asyncio.new_event_loop())
    main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
