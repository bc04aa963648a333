"""NautilusTrader's own reports, which tests compare with what the console shows."""

from __future__ import annotations

from typing import Any

from nautilus_trader.analysis.reporter import ReportProvider
from nautilus_trader.model.identifiers import StrategyId

from nautilus_bridge.commands.command import Command, Handler, Outcome, completed

ORDER_COLUMNS = ("client_order_id", "instrument_id", "strategy_id", "side", "quantity", "filled_qty", "status")
FILL_COLUMNS = ("client_order_id", "trade_id", "last_px", "last_qty", "commission")
POSITION_COLUMNS = ("position_id", "side", "quantity", "avg_px_open", "commissions", "realized_pnl")


async def reports(bridge: Any, command: Command) -> Outcome:
    """Of one strategy or of all. A position that was flipped is missing: NautilusTrader replaces it in its cache."""
    cache = bridge.cache
    strategy_id = command.args.get("strategy_id")
    chosen = None if strategy_id is None else StrategyId(strategy_id)
    orders = cache.orders(strategy_id=chosen)
    positions = cache.positions(strategy_id=chosen)
    snapshots = [each for position in positions for each in cache.position_snapshots(position.id)]
    # The account report is sorted by time, and the states of one moment in it are in any order.
    accounts = [{"account_id": each.id.value, **each.last_event.balances[0].to_dict()} for each in cache.accounts()]
    return completed(
        {
            "orders": rows(ReportProvider.generate_orders_report(orders), ORDER_COLUMNS),
            "fills": rows(ReportProvider.generate_fills_report(orders), FILL_COLUMNS),
            "positions": rows(ReportProvider.generate_positions_report(positions, snapshots), POSITION_COLUMNS),
            "accounts": accounts,
        }
    )


def rows(report: Any, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    """The columns of a report, as they are; the index is a column like others."""
    return [{name: row[name] for name in columns} for row in report.reset_index().to_dict("records")]


SCRIPTED_HANDLERS = {"reports.get": Handler(reports, is_query=True)}
