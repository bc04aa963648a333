"""Records conversations with a real node, which the console's client is tested against.

`python -m tests.record` writes them to packages/nautilus/recordings. Ids, times and versions are replaced, so that
a recording changes only with the protocol.
"""

from __future__ import annotations

import json
import re
import tempfile
import uuid
from pathlib import Path
from typing import Any, Callable

from tests.console import BTC, FOLDER, Console, Frame, Node

RECORDINGS = FOLDER.parent / "recordings"

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"(?<![0-9])1[6-9][0-9]{17}(?![0-9])")
FIRST_TIME = 1_700_000_000_000_000_000

Line = dict[str, Any]


class RecordedConsole(Console):
    """Keeps both directions in order, without pings and all but the first metrics."""

    def __init__(self, node: Node, **options: Any) -> None:
        self.lines: list[Line] = []
        self.skipped = ["ping", "metrics"]
        super().__init__(node, **options)

    def send(self, frame: Frame) -> None:
        if frame["k"] != "pong":
            self.lines.append({"from": "console", "frame": frame})
        super().send(frame)

    def read(self) -> Frame | None:
        frame = super().read()
        if frame is not None and frame["k"] not in self.skipped:
            self.lines.append({"from": "node", "frame": frame})
        return frame


def number(count: int) -> str:
    """Command ids that are equal in every recording."""
    return str(uuid.UUID(int=count))


def converse(console: Console) -> None:
    """Orders that fill, rest, change and end; denials; a close; a duplicate; a rejection; a strategy; a halt."""
    ids = iter(range(1, 100))

    def command(command_name: str, **args: Any) -> Frame:
        return console.command(command_name, args, number(next(ids)))

    quote = {"instrument_id": BTC, "bid": "60000.0", "ask": "60001.0", "bid_size": "100", "ask_size": "100"}
    command("feed.push", quotes=[quote])
    terms = {"instrument_id": BTC, "tif": "GTC", "reduce_only": False}
    command("order.submit", **terms, side="BUY", type="MARKET", quantity="0.100")
    resting = command("order.submit", **terms, side="BUY", type="LIMIT", quantity="0.100", price="50000.0")
    order_id = resting["data"]["order_id"]
    command("order.modify", order_id=order_id, price="51000.0")
    command("order.cancel", order_id=order_id)
    command("order.cancel", order_id=order_id)
    command("order.submit", **terms, side="SELL", type="STOP", quantity="0.050", price="59000.0")
    command("order.cancel_all")
    command("order.submit", **terms, side="BUY", type="MARKET", quantity="0.200")
    command("order.submit", **terms, side="BUY", type="MARKET", quantity="0.0001")
    command("order.submit", **terms, side="SELL", type="MARKET", quantity="0.150")
    command("position.close", position_id=f"{BTC}-MANUAL-000")
    console.command("order.submit", terms | {"side": "BUY", "type": "MARKET", "quantity": "0.100"}, number(2))
    command("strategy.create", name="Trend", template="momentum", description="", config={"fast_bars": 5})
    command("strategy.start", strategy_id="momentum-S01")
    command("strategy.stop", strategy_id="momentum-S01")
    command("limits.set", max_order_size="5000")
    command("trading_state.set", state="HALTED", note="lunch")
    command("order.submit", **terms, side="BUY", type="MARKET", quantity="0.010")
    command("trading_state.set", state="ACTIVE")
    command("adapter.disconnect", client_id="exec_client:SIM")
    command("adapter.connect", client_id="exec_client:SIM")
    command("command.status", id=number(2))
    command("bars.get", instrument_id=BTC, interval="1m", limit=2)
    command("strategy.remove", strategy_id="momentum-S01")


def record() -> dict[str, list[Line]]:
    """Normalised lines by the name of the recording."""
    with tempfile.TemporaryDirectory() as folder:
        token_file = Path(folder) / "token"
        token_file.write_text("secret", encoding="utf-8")
        node = Node(Path(folder) / "data", "--token-file", str(token_file))
        try:
            return record_with(node)
        finally:
            node.close()


def record_with(node: Node) -> dict[str, list[Line]]:
    # The start of the node is over before a recording begins.
    waiting = Console(node, token="secret").join()
    waiting.wait(lambda frame: frame["k"] == "metrics")
    waiting.close()
    session = RecordedConsole(node, token="secret").join()
    converse(session)
    metrics = session.wait(lambda frame: frame["k"] == "metrics")
    session.lines.append({"from": "node", "frame": metrics})
    last = max(frame["seq"] for frame in session.frames if frame["k"] == "event")
    session.close()
    resumed = RecordedConsole(node, token="secret", resume={"epoch": session.hello["epoch"], "seq": last - 3})
    resumed.join()
    for _ in range(3):
        resumed.wait(lambda frame: frame["k"] == "event")
    second = RecordedConsole(node, token="secret", role="writer").join()
    second.command("order.cancel_all", {}, number(500))
    second.close()
    refused = RecordedConsole(node, token="guess")
    while refused.read() is not None:
        pass
    refused.close()
    resumed.command("engine.shutdown", {}, number(600))
    # How much of the stop is seen depends on the moment.
    resumed.skipped.append("event")
    resumed.wait(lambda frame: frame["k"] == "bye")
    resumed.close()
    node.end()
    recordings = {"session": session, "resume": resumed, "second-console": second, "wrong-token": refused}
    return {name: normalise(console.lines) for name, console in recordings.items()}


def normalise(lines: list[Line]) -> list[Line]:
    text = "\n".join(json.dumps(line) for line in lines)
    text = replace_all(text, UUID, lambda count: f"00000000-0000-4000-8000-{count:012d}", keep=is_command_id)
    text = replace_all(text, TIME, lambda count: str(FIRST_TIME + count * 1_000_000))
    result = [json.loads(line) for line in text.split("\n")]
    for line in result:
        if line["frame"]["k"] == "hello":
            line["frame"]["pid"] = 1
            line["frame"]["versions"]["python"] = "3.11.0"
    return result


def is_command_id(text: str) -> bool:
    return text.startswith("00000000-0000-0000-0000-")


def replace_all(text: str, pattern: re.Pattern[str], create: Callable[[int], str], keep: Callable[[str], bool] = lambda _: False) -> str:
    """Replaces each match by a text of its number in order of appearance."""
    known: dict[str, str] = {}

    def replacement(match: re.Match[str]) -> str:
        found = match.group()
        if keep(found):
            return found
        return known.setdefault(found, create(len(known) + 1))

    return pattern.sub(replacement, text)


def read(name: str) -> list[Line]:
    lines = (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write() -> None:
    RECORDINGS.mkdir(exist_ok=True)
    for name, lines in record().items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (RECORDINGS / f"{name}.jsonl").write_text(text, encoding="utf-8")
        print(f"{name}: {len(lines)} frames")


if __name__ == "__main__":
    write()
