from __future__ import annotations

import os
import random
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.console import Console, Frame, Node

IS_FULL = os.environ.get("BINNACLE_TEST_TIER") == "full"
SESSIONS = 1_000 if IS_FULL else 20
SESSIONS_OF_A_NODE = 100
SEED = int(os.environ.get("BINNACLE_TEST_SEED") or (random.SystemRandom().randrange(2**31) if IS_FULL else 1))

LIMITS = {"max_order_size": "10000000", "max_position_size": "100000000", "max_daily_loss": "100000000", "max_positions": 100_000}
MARKETS = {
    "BTCUSDT-PERP.SIM": (600_000, 1, 3),
    "ETHUSDT-PERP.SIM": (300_000, 2, 3),
    "SOLUSDT-PERP.ALT": (150_000, 3, 2),
}
"""Instruments with the middle of their prices in ticks, the decimals of a price and those of a quantity."""


class Session:
    """Two strategies that trade the same instruments at random."""

    def __init__(self, console: Console | NoConsole, number: int, chance: random.Random) -> None:
        self.console = console
        self.strategies = [f"SESSION-{2 * number + each:05d}" for each in range(2)]
        self.chance = chance

    @property
    def closed(self) -> list[Frame]:
        """Positions that were closed; the console has no frames of earlier sessions. The last quote may still fill orders when `run` returns."""
        events = [frame["data"] for frame in self.console.frames if frame.get("type") == "position"]
        return [event["view"] for event in events if event["event"] == "PositionClosed"]

    def run(self) -> None:
        instruments = self.chance.sample(sorted(MARKETS), self.chance.randint(1, 2))
        for instrument_id in instruments:
            self.quote(instrument_id)
        for _ in range(self.chance.randint(8, 30)):
            self.step(self.chance.choice(instruments))

    def step(self, instrument_id: str) -> None:
        action = self.chance.random()
        if action < 0.3:
            self.quote(instrument_id)
        elif action < 0.6:
            self.order(instrument_id, "MARKET")
        elif action < 0.85:
            self.order(instrument_id, "LIMIT", self.chance.choice(("GTC", "IOC", "FOK")))
        elif action < 0.9:
            self.order(instrument_id, "STOP")
        else:
            self.console.command("position.close", {"position_id": f"{instrument_id}-{self.chance.choice(self.strategies)}"})

    def quote(self, instrument_id: str) -> None:
        middle, decimals, _ = MARKETS[instrument_id]
        bid = middle + self.chance.randint(-2_000, 2_000)
        prices = [price_text(ticks, decimals) for ticks in (bid, bid + self.chance.randint(1, 30))]
        self.console.quote(instrument_id, *prices, size=self.chance.choice(("100", "0.05", "1.7")))

    def order(self, instrument_id: str, kind: str, tif: str = "GTC") -> None:
        middle, decimals, size_decimals = MARKETS[instrument_id]
        args = {
            "instrument_id": instrument_id,
            "strategy_id": self.chance.choice(self.strategies),
            "side": self.chance.choice(("BUY", "SELL")),
            "type": kind,
            "tif": tif,
            "quantity": price_text(self.chance.choice((self.chance.randint(1, 300), 32, 64, 7)), size_decimals),
            "reduce_only": self.chance.random() < 0.1,
        }
        if kind != "MARKET":
            args["price"] = price_text(middle + self.chance.randint(-2_500, 2_500), decimals)
        self.console.command("order.submit", args)


class NoConsole:
    """Takes what a session sends, so that its random numbers are drawn."""

    def command(self, name: str, args: Frame) -> None:
        return

    def quote(self, instrument_id: str, *prices: str, size: str) -> None:
        return


def price_text(units: int, decimals: int) -> str:
    return f"{Decimal(units).scaleb(-decimals):f}"


class SessionsTest(unittest.TestCase):
    """Each session has strategies of its own; many share a node, since a start costs seconds."""

    def start(self) -> Console:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        node = Node(Path(folder.name), "--balance", "5000000")
        self.addCleanup(node.close)
        console = Console(node).join()
        self.addCleanup(console.close)
        self.assertEqual(console.command("limits.set", LIMITS)["status"], "completed")
        return console

    def test_sessions(self) -> None:
        """[NAUT-35] orders, fills, positions, realised P&L, fees and balances equal NautilusTrader's own reports to the last unit"""
        print(f"{SESSIONS} sessions, seed {SEED}", flush=True)
        chance = random.Random(SEED)
        console: Console | None = None
        for number in range(SESSIONS):
            if console is None or number % SESSIONS_OF_A_NODE == 0:
                # A node costs 270 MB, and those of earlier sessions are not needed.
                self.doCleanups()
                console = self.start()
            session = Session(console, number, chance)
            session.run()
            for strategy_id in session.strategies:
                with self.subTest(seed=SEED, session=number, strategy=strategy_id):
                    self.compare(console, session, strategy_id)
            with self.subTest(seed=SEED, session=number):
                self.compare_accounts(console)
            # The frames of a session are not needed in the next one.
            console.frames.clear()

    def test_session_that_differed(self) -> None:
        """[NAUT-207] where NautilusTrader rounds a result differently in the account and in the position, each figure is that of its own report"""
        seed, number = 310_750_865, 995
        chance = random.Random(seed)
        for earlier in range(number):
            Session(NoConsole(), earlier, chance).run()
        console = self.start()
        session = Session(console, number, chance)
        session.run()
        for strategy_id in session.strategies:
            self.compare(console, session, strategy_id)
        self.compare_accounts(console)

    def compare(self, console: Console, session: Session, strategy_id: str) -> None:
        reports = console.command("reports.get", {"strategy_id": strategy_id})["data"]
        ours = {key: row for key, row in console.rows.get("orders", {}).items() if row["strategy_id"] == strategy_id}
        self.assertEqual(
            {key: (row["status"], amount(row["quantity"]), amount(row["filled"])) for key, row in ours.items()},
            {row["client_order_id"]: (row["status"], amount(row["quantity"]), amount(row["filled_qty"])) for row in reports["orders"]},
        )
        self.assertEqual(
            {fill["trade_id"]: (key, amount(fill["price"]), amount(fill["quantity"]), amount(fill["commission"]["amount"])) for key, row in ours.items() for fill in row["fills"]},
            {row["trade_id"]: (row["client_order_id"], amount(row["last_px"]), amount(row["last_qty"]), amount(row["commission"])) for row in reports["fills"]},
        )
        self.compare_positions(console, session, strategy_id, reports["positions"])
        closed = [row for row in session.closed if row["strategy_id"] == strategy_id]
        held = [row for row in console.rows.get("positions", {}).values() if row["strategy_id"] == strategy_id and row["side"] != "FLAT"]
        stats = console.rows["strategies"][strategy_id]["stats"] if reports["fills"] else {"realized": "0", "fees": "0"}
        self.assertEqual(amount(stats["realized"]), sum(amount(row["realized"]) for row in closed + held))
        self.assertEqual(amount(stats["fees"]), sum(amount(row["commission"]) for row in reports["fills"]))

    def compare_positions(self, console: Console, session: Session, strategy_id: str, theirs: list[Frame]) -> None:
        """Every position of the report is one of the console's: an open one, or one that was closed."""
        ours = [row for row in session.closed if row["strategy_id"] == strategy_id]
        ours += [row for row in console.rows.get("positions", {}).values() if row["strategy_id"] == strategy_id and row["side"] != "FLAT"]
        known = [figures(row["id"], row["side"], row["quantity"], amount(row["realized"]) - amount(row["fees"]), amount(row["fees"])) for row in ours]
        ids = {row["id"] for row in ours}
        for row in theirs:
            fees = sum(amount(each) for each in row["commissions"])
            # A closed one that was opened again has an id of its own behind that of the position.
            position_id = next((each for each in ids if row["position_id"].startswith(each)), row["position_id"])
            wanted = figures(position_id, row["side"], row["quantity"], amount(row["realized_pnl"]), fees)
            self.assertIn(wanted, known)

    def compare_accounts(self, console: Console) -> None:
        for theirs in console.command("reports.get", {"strategy_id": "NONE-000"})["data"]["accounts"]:
            ours = console.rows["accounts"][theirs["account_id"]]
            self.assertEqual([amount(ours[name]) for name in ("total", "free", "locked")], [amount(theirs[name]) for name in ("total", "free", "locked")])
            self.assertEqual(amount(ours["deposited"]) + amount(ours["realized"]) - amount(ours["fees"]), amount(theirs["total"]))


def figures(position_id: str, side: str, quantity: str, net: Decimal, fees: Decimal) -> tuple[Any, ...]:
    return position_id, side, amount(quantity), net, fees


def amount(text: str) -> Decimal:
    """The number of a text such as '12.50 USDT'."""
    return Decimal(text.split(" ")[0].replace("_", ""))
