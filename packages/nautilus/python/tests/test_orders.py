from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from tests.console import BTC
from tests.node_case import NodeCase

ETH = "ETHUSDT-PERP.SIM"


class OrdersTest(NodeCase):
    def test_market_order(self) -> None:
        """[NAUT-5] a market order fills at the touch, and order, position and account show it when it is answered"""
        row = self.placed("BUY", "0.100")
        self.assertEqual((row["status"], row["filled"], row["avg_px"], row["filled_value"]), ("FILLED", "0.100", "60001", "6000.1"))
        self.assertEqual(row["fees"], "2.40004")
        self.assertEqual(self.position(), ("LONG", "0.1"))
        self.done("position.close", {"position_id": f"{BTC}-MANUAL-000", "quantity": "0.040"})
        self.assertEqual(self.position(), ("LONG", "0.06"))
        self.done("position.close", {"position_id": f"{BTC}-MANUAL-000"})
        self.assertEqual(self.position(), ("FLAT", "0"))

    def preview(self, side: str, quantity: str, price: str | None = None, **more: object) -> dict[str, Any]:
        kind = more.pop("type", "MARKET" if price is None else "LIMIT")
        args = {"instrument_id": BTC, "side": side, "type": kind, "quantity": quantity, "tif": "GTC", "reduce_only": False}
        return self.done("order.preview", args | ({} if price is None else {"price": price}) | more)

    def test_preview(self) -> None:
        """[NAUT-25] the preview of an order says what its placing then does, beyond the best level too, and places nothing"""
        for side, quantity, price, tif in [
            ("BUY", "0.050", None, "GTC"),
            ("SELL", "0.050", None, "IOC"),
            ("BUY", "0.050", None, "FOK"),
            ("BUY", "0.050", "60005.0", "GTC"),
            ("BUY", "0.050", "60001.0", "GTC"),
            ("SELL", "0.020", "60002.0", "GTC"),
        ]:
            with self.subTest(side=side, price=price, tif=tif):
                self.setUp()
                self.console.quote(BTC, "60000.0", "60001.0", size="0.030")
                orders = len(self.console.rows["orders"])
                said = self.preview(side, quantity, price, tif=tif)
                self.assertEqual(len(self.console.rows["orders"]), orders)
                row = self.placed(side, quantity, price, tif=tif)
                self.assertIsNone(said["denial"])
                self.assertEqual(Decimal(said["fill"]["quantity"]), Decimal(row["filled"]))
                self.assertEqual(Decimal(said["fill"]["value"]), Decimal(row["filled_value"]))
                self.assertEqual(Decimal(said["fill"]["fee"]), Decimal(row["fees"]))
                rest = Decimal(row["quantity"]) - Decimal(row["filled"])
                self.assertEqual(Decimal(said["rest"]["quantity"]), rest if row["open"] else 0)
                self.assertEqual(Decimal(said["cancelled"]), 0 if row["open"] else rest)

    def test_preview_of_limits(self) -> None:
        """[NAUT-25] the preview of an order shows position, limits and margin before and after it, and why it would be denied"""
        self.placed("BUY", "0.100")
        more = self.preview("BUY", "0.050")
        self.assertEqual(more["position"], {"before": "0.1", "after": "0.15"})
        self.assertEqual(more["limits"]["max_order_size"], {"before": "0", "after": "3000.05", "limit": "10000"})
        self.assertEqual(more["limits"]["max_position_size"], {"before": "6000", "after": "9000", "limit": "50000"})
        self.assertEqual(more["limits"]["max_positions"], {"before": "1", "after": "1", "limit": "10"})
        # The spread and the fee.
        loss = more["limits"]["max_daily_loss"]
        self.assertEqual(Decimal(loss["after"]) - Decimal(loss["before"]), Decimal("0.05") + Decimal("1.20002"))
        closing = self.preview("SELL", "0.200", reduce_only=True)
        self.assertEqual(closing["position"], {"before": "0.1", "after": "0"})
        self.assertEqual(closing["limits"]["max_positions"]["after"], "0")
        denied = self.preview("BUY", "0.500")
        self.assertEqual(denied["denial"], "The order is worth 30,000.50; Max Order Size is 10,000.00.")
        self.assertEqual(denied["position"], {"before": "0.1", "after": "0.1"})
        self.assertEqual(denied["limits"]["max_position_size"]["after"], "36000.5")
        reached = self.preview("BUY", "0.010", "60001.0", type="STOP")
        self.assertEqual(reached["denial"], "The stop price 60001.0 is reached already: the ask is 60001.0.")

    def test_limit_order(self) -> None:
        """[NAUT-5] a limit order rests, is changed and cancelled; one that fills is shown as filled"""
        row = self.placed("BUY", "0.100", "50000.0")
        self.assertEqual((row["status"], row["open"]), ("ACCEPTED", True))
        self.done("order.modify", {"order_id": row["id"], "price": "51000.0", "quantity": "0.050"})
        changed = self.console.rows["orders"][row["id"]]
        self.assertEqual((changed["price"], changed["quantity"]), ("51000.0", "0.050"))
        same = self.console.command("order.modify", {"order_id": row["id"], "price": "51000.0"})
        self.assertEqual((same["status"], same["message"]), ("rejected", "Nothing would change."))
        self.done("order.cancel", {"order_id": row["id"]})
        self.assertEqual(self.console.rows["orders"][row["id"]]["status"], "CANCELED")
        again = self.console.command("order.cancel", {"order_id": row["id"]})
        self.assertEqual((again["status"], again["code"]), ("rejected", "BAD_STATE"))

    def test_stop_order(self) -> None:
        """[NAUT-5] a stop order triggers when the market reaches it"""
        row = self.placed("BUY", "0.010", "60100.0", type="STOP")
        self.assertEqual((row["type"], row["trigger_price"], row["status"]), ("STOP", "60100.0", "ACCEPTED"))
        self.console.quote(BTC, "60100.0", "60101.0")
        self.console.wait_row("positions", f"{BTC}-MANUAL-000", lambda each: each["side"] == "LONG")
        self.assertEqual(self.console.rows["orders"][row["id"]]["status"], "FILLED")
        self.assertEqual(self.position(), ("LONG", "0.01"))

    def test_fills_at_the_quote(self) -> None:
        """[NAUT-36] a stop that the market jumps over fills at the quote, and so do the orders after it; a limit that rested fills at its price"""
        stop = self.placed("BUY", "0.010", "60100.0", type="STOP")
        resting = self.placed("SELL", "0.020", "60150.0")
        self.console.quote(BTC, "60400.0", "60401.0")
        for row in (stop, resting):
            self.console.wait_row("orders", row["id"], lambda each: each["status"] == "FILLED")
        orders = self.console.rows["orders"]
        self.assertEqual([orders[row["id"]]["avg_px"] for row in (stop, resting)], ["60401", "60150"])
        self.assertEqual(self.placed("BUY", "0.010")["avg_px"], "60401")
        self.assertEqual(self.placed("SELL", "0.010")["avg_px"], "60400")
        between = self.placed("BUY", "0.010", "60200.0", tif="IOC")
        self.assertEqual((between["status"], between["filled"]), ("CANCELED", "0.000"))

    def test_time_in_force(self) -> None:
        """[NAUT-6] the unfilled part of an IOC order and an FOK order that cannot fill in full are cancelled"""
        self.console.quote(BTC, "60000.0", "60001.0", size="0.030")
        partly = self.placed("BUY", "0.050", "60001.0", tif="IOC")
        self.assertEqual((partly["status"], partly["filled"], len(partly["fills"])), ("CANCELED", "0.030", 1))
        self.assertEqual(partly["reason"]["message"], "IOC: unfilled part cancelled.")
        self.console.quote(BTC, "60000.0", "60001.0", size="0.030")
        nothing = self.placed("BUY", "0.050", "60001.0", tif="FOK")
        self.assertEqual((nothing["status"], nothing["filled"]), ("CANCELED", "0.000"))
        away = self.placed("BUY", "0.010", "50000.0", tif="IOC")
        self.assertEqual(away["status"], "CANCELED")

    def test_reduce_only(self) -> None:
        """[NAUT-6] a reduce-only order fills at most up to its strategy's position, whatever others hold"""
        self.assertIn("would add", self.denied("SELL", "0.010", reduce_only=True))
        self.placed("BUY", "0.050")
        # Another owner holds less on the same instrument.
        self.placed("BUY", "0.010", strategy_id="OTHER-001")
        row = self.placed("SELL", "0.080", reduce_only=True)
        self.assertEqual((row["status"], row["filled"]), ("FILLED", "0.050"))
        self.assertEqual(self.position(), ("FLAT", "0"))
        self.assertEqual(self.position(strategy_id="OTHER-001"), ("LONG", "0.01"))

    def test_working_reduce_only(self) -> None:
        """[NAUT-6] working reduce-only orders shrink with the position, and are cancelled when it is gone"""
        self.placed("BUY", "0.100")
        first = self.placed("SELL", "0.060", "65000.0", reduce_only=True)
        second = self.placed("SELL", "0.040", "66000.0", reduce_only=True)
        self.placed("SELL", "0.020", reduce_only=True)
        orders = self.console.rows["orders"]
        self.assertEqual((orders[first["id"]]["quantity"], orders[second["id"]]["quantity"]), ("0.060", "0.020"))
        self.done("position.close", {"position_id": f"{BTC}-MANUAL-000"})
        self.assertEqual({orders[each["id"]]["status"] for each in (first, second)}, {"CANCELED"})

    def test_close_beside_reduce_only(self) -> None:
        """[NAUT-37] a close in several fills closes the whole position; older reduce-only orders give way to it"""
        self.placed("BUY", "0.100")
        resting = self.placed("SELL", "0.100", "65000.0", reduce_only=True)
        self.console.quote(BTC, "60000.0", "60001.0", size="0.030")
        self.done("position.close", {"position_id": f"{BTC}-MANUAL-000"})
        self.assertEqual(self.position(), ("FLAT", "0"))
        self.assertEqual(self.console.rows["orders"][resting["id"]]["status"], "CANCELED")

    def test_same_step(self) -> None:
        """[NAUT-6] a reduce-only order sent together with the order that opens its position is accepted"""
        terms = {"instrument_id": BTC, "type": "MARKET", "quantity": "0.010", "tif": "GTC"}
        for _ in range(5):
            opening = self.console.start("order.submit", terms | {"side": "BUY", "reduce_only": False})
            closing = self.console.start("order.submit", terms | {"side": "SELL", "reduce_only": True})
            results: dict[str, str] = {}
            while len(results) < 2:
                frame = self.console.wait(lambda each: each["k"] == "result" and each["id"] in (opening, closing))
                results[frame["id"]] = frame["status"]
            self.assertEqual(set(results.values()), {"completed"})
        self.assertEqual(self.position(), ("FLAT", "0"))

    def test_flip(self) -> None:
        """[NAUT-4] an order that flips a position closes it in the figures and opens the other"""
        before = self.stats()
        self.placed("BUY", "0.010")
        self.console.quote(BTC, "60101.0", "60102.0")
        start = len(self.console.frames)
        self.placed("SELL", "0.030")
        events = [frame["data"] for frame in self.console.frames[start:] if frame.get("type") == "position"]
        self.assertEqual([(each["event"], each["view"]["side"]) for each in events], [("PositionClosed", "FLAT"), ("PositionOpened", "SHORT")])
        self.assertEqual(events[0]["view"]["realized"], "1")
        after = self.stats()
        self.assertEqual((after["closed"] - before["closed"], after["fills"] - before["fills"]), (1, 2))
        self.assertEqual(self.position(), ("SHORT", "0.02"))

    def stats(self) -> dict:
        return self.console.rows["strategies"]["MANUAL-000"]["stats"]

    def test_invalid(self) -> None:
        """[NAUT-7] an invalid order is rejected with what is wrong, and leaves no order and no journal entry"""
        count = len(self.console.rows["orders"]) if "orders" in self.console.rows else 0
        cases = [
            ({"quantity": "0.0001"}, "quantity must be a multiple of 0.001 and at least 0.001; 0.0001 was given."),
            ({"quantity": 1}, "quantity must be a decimal number in quotes."),
            ({"quantity": "NaN"}, "quantity must be finite."),
            ({"instrument_id": "XRP.SIM"}, "There is no instrument 'XRP.SIM'."),
            ({"side": "HOLD"}, "side must be one of BUY, SELL; 'HOLD' was given."),
            ({"type": "LIMIT"}, "price must be given for a LIMIT order."),
            ({"type": "LIMIT", "price": "1.23"}, "price must be a positive multiple of 0.1; 1.23 was given."),
        ]
        terms = {"instrument_id": BTC, "side": "BUY", "type": "MARKET", "quantity": "0.010"}
        for change, message in cases:
            result = self.console.command("order.submit", terms | change)
            self.assertEqual((result["k"], result["status"], result["message"]), ("ack", "rejected", message))
            status = self.done("command.status", {"id": result["id"]})
            self.assertEqual(status["status"], "none")
        self.assertEqual(len(self.console.rows.get("orders", {})), count)

    def test_duplicate(self) -> None:
        """[NAUT-7] a command sent twice is executed once, and the second is answered with the stored result"""
        command_id = str(uuid.uuid4())
        terms = {"instrument_id": BTC, "side": "BUY", "type": "MARKET", "quantity": "0.010"}
        first = self.console.command("order.submit", terms, command_id)
        second = self.console.start("order.submit", terms, command_id)
        acknowledged = self.console.wait(lambda frame: frame["k"] == "ack" and frame["id"] == second)
        result = self.console.wait(lambda frame: frame["k"] == "result" and frame["id"] == second)
        self.assertEqual(acknowledged["status"], "duplicate")
        self.assertEqual(result["data"], first["data"])
        self.assertEqual(self.position(), ("LONG", "0.01"))

    def test_expired(self) -> None:
        """[NAUT-7] a command that arrives after its time is not executed"""
        terms = {"instrument_id": BTC, "side": "BUY", "type": "MARKET", "quantity": "0.010"}
        sent = self.console.start("order.submit", terms, expires_at="1")
        answer = self.console.wait(lambda frame: frame.get("id") == sent)
        self.assertEqual((answer["status"], answer["code"]), ("rejected", "EXPIRED"))

    def test_no_market(self) -> None:
        """[NAUT-5] an order on an instrument without a quote is denied"""
        self.assertEqual(self.denied("BUY", "0.010", instrument_id=ETH), "There is no quote for ETHUSDT-PERP yet.")

    def test_disconnected_venue(self) -> None:
        """[NAUT-8] orders to a disconnected adapter are denied; its working orders are there when it is connected again"""
        row = self.placed("BUY", "0.010", "50000.0")
        self.done("adapter.disconnect", {"client_id": "exec_client:SIM"})
        self.assertFalse(self.console.rows["components"]["exec_client:SIM"]["is_connected"])
        self.assertEqual(self.denied("BUY", "0.010"), "SIM is disconnected.")
        self.done("adapter.connect", {"client_id": "exec_client:SIM"})
        self.assertTrue(self.console.rows["components"]["exec_client:SIM"]["is_connected"])
        self.done("order.cancel", {"order_id": row["id"]})
        missing = self.console.command("adapter.connect", {"client_id": "exec_client:XYZ"})
        self.assertEqual((missing["status"], missing["code"]), ("rejected", "NOT_FOUND"))

    def test_bars(self) -> None:
        """[NAUT-9] past bars come oldest first with the start of each bar as its time"""
        bars = self.done("bars.get", {"instrument_id": BTC, "interval": "1m", "limit": 5})["bars"]
        times = [int(bar["ts"]) for bar in bars]
        self.assertEqual(len(bars), 5)
        self.assertEqual([after - before for before, after in zip(times, times[1:])], [60_000_000_000] * 4)
        self.assertEqual(times[0] % 60_000_000_000, 0)
