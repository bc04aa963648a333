from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import unittest
from typing import Any

from nautilus_bridge import backtest_worker
from tests.console import FOLDER

START = 1_704_067_200_000
MINUTE = 60_000
INSTRUMENT = {
    "id": "BTCUSDT-PERP.SIM",
    "symbol": "BTCUSDT-PERP",
    "venue": "SIM",
    "base": "BTC",
    "tick": "0.1",
    "lot": "0.001",
    "min_quantity": "0.001",
    "maker_fee": "0.0002",
    "taker_fee": "0.0004",
    "margin_rate": "0.1",
}


def waves(count: int, period: int = 200, height: float = 0.02) -> list[list[float]]:
    """Bars of a price that swings."""
    closes = [round(60_000 * (1 + height * math.sin(2 * math.pi * index / period)), 1) for index in range(-1, count)]
    rows = []
    for index in range(count):
        before, close = closes[index], closes[index + 1]
        rows.append([START + index * MINUTE, before, max(before, close) + 1, min(before, close) - 1, close, 10.0])
    return rows


def request(strategy: str, config: dict[str, Any], rows: list[list[float]], **more: Any) -> dict[str, Any]:
    return {
        "instruments": [INSTRUMENT],
        "bars": [{"rows": rows}],
        "interval": "1m",
        "strategy": {"type": strategy, "config": config},
        "from": START,
        "to": START + len(rows) * MINUTE,
        "initial_cash": 10_000,
        **more,
    }


def run(asked: dict[str, Any], ends_at: str | None = None) -> list[dict[str, Any]]:
    """The frames of a worker process, whose input ends at a frame of this kind, else with the process."""
    reader, writer = os.pipe()
    script = f"import os; os.dup2({writer}, 3); from nautilus_bridge.backtest_worker import main; main()"
    process = subprocess.Popen([sys.executable, "-B", "-c", script], stdin=subprocess.PIPE, cwd=FOLDER, pass_fds=[writer])
    os.close(writer)
    process.stdin.write(json.dumps(asked).encode() + b"\n")
    process.stdin.flush()
    with os.fdopen(reader, "rb") as frames:
        lines = []
        for line in frames:
            lines.append(json.loads(line))
            if lines[-1]["k"] == ends_at:
                process.stdin.close()
    process.stdin.close()
    process.wait()
    return lines


class BacktestTest(unittest.TestCase):
    def test_momentum(self) -> None:
        """[NAUT-23] a backtest follows the strategy's rules on the bars; equal requests give equal results"""
        asked = request("momentum", {"fast_bars": 5, "slow_bars": 20, "order_value": 1000}, waves(1_000))
        frames = run(asked)
        self.assertEqual((frames[0]["k"], frames[0]["bars"]), ("running", 1_000))
        self.assertEqual([frame["done"] for frame in frames if frame["k"] == "progress"], list(range(10, 1_001, 10)))
        result = frames[-1]["result"]
        sides = [trade["side"] for trade in result["trades"]]
        # Two crossings per wave, each after its extreme.
        self.assertEqual(sides, ["LONG", "SHORT"] * 5)
        self.assertEqual((result["statistics"]["trades"], result["trades_total"], result["open_positions"]), (10, 10, 1))
        self.assertEqual((result["bars"], result["orders"], result["denied_orders"]), (1_000, 11, 0))
        self.assertGreater(result["statistics"]["total_return"], 0)
        gained = sum(trade["pnl"] for trade in result["trades"])
        self.assertAlmostEqual(result["final_equity"], result["equity_curve"][-1]["equity"])
        self.assertLess(abs(result["final_equity"] - 10_000 - gained), 60)
        self.assertEqual(frames[-1]["engine_version"], "nautilus_trader 1.221.0")
        self.assertEqual(run(asked)[-1], frames[-1])

    def test_input_ends(self) -> None:
        """[NAUT-190] the end of the input ends a run before its result"""
        asked = request("momentum", {"fast_bars": 5, "slow_bars": 20, "order_value": 1000}, waves(50_000))
        self.assertNotIn("result", [frame["k"] for frame in run(asked, ends_at="running")])

    def test_mean_reversion(self) -> None:
        """[NAUT-23] mean reversion buys far below the mean and closes near it; a limit denies its orders"""
        rows = waves(400, period=4, height=0.0002)
        for index in (100, 200, 300):
            rows[index][4] -= 300.0
            rows[index][3] -= 300.0
        config = {"window_bars": 20, "order_value": 500, "min_edge_bps": 1}
        result = run(request("mean_reversion", config, rows))[-1]["result"]
        self.assertEqual([trade["side"] for trade in result["trades"]], ["LONG"] * 3)
        self.assertGreater(result["statistics"]["win_rate"], 0.9)
        limits = {"max_order_size": 100, "max_position_size": 100_000, "max_daily_loss": 100_000, "max_positions": 10}
        denied = run(request("mean_reversion", config, rows, limits=limits))[-1]["result"]
        self.assertEqual((denied["trades_total"], denied["final_equity"]), (0, 10_000))
        self.assertGreaterEqual(denied["denied_orders"], 3)

    def test_refused(self) -> None:
        """[NAUT-23] a request that cannot run fails with the reason"""
        cases = [
            (request("momentum", {"fast_bars": 90}, waves(10)), "fast_bars must be below slow_bars (60); '90' was given."),
            (request("momentum", {}, waves(10), to=START), "There are no bars in this period."),
            (request("astrology", {}, waves(10)), "Unknown strategy type 'astrology'."),
        ]
        for asked, message in cases:
            frames: list[dict[str, Any]] = []
            backtest_worker.run(asked, frames.append)
            self.assertEqual([frame["k"] for frame in frames], ["failed"])
            self.assertIn(message, frames[0]["message"])
