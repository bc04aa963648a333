"""One backtest: the request is one JSON line on standard input, then its bars; frames leave on file descriptor 3.

Frames: `running`, `progress`, `result`, `failed`. To cancel it, kill it. It ends when its standard input ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, BinaryIO, Callable

import nautilus_trader
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import FillModel, LatencyModel, MakerTakerFeeModel
from nautilus_trader.config import LoggingConfig, RiskEngineConfig
from nautilus_trader.model.currencies import USDT
from nautilus_trader.model.enums import AccountType, OmsType
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import Currency, Money, Price, Quantity

from nautilus_bridge.backtest.bars import fingerprint, read_bars, read_columns, step_of, to_bars, to_quotes
from nautilus_bridge.backtest.observer import Observer
from nautilus_bridge.backtest.statistics import EquityTally, trade_figures
from nautilus_bridge.commands.command import CommandError
from nautilus_bridge.durable import MemoryState
from nautilus_bridge.frames import encode
from nautilus_bridge.guard import Guard
from nautilus_bridge.ledger import Holding, Ledger
from nautilus_bridge.strategies.templates import BUILT_IN

FRAME_DESCRIPTOR = 3
STRATEGY_ID = "backtest-S01"
PROGRESS_STEPS = 100

Send = Callable[[dict[str, Any]], None]


def run(request: dict[str, Any], send: Send) -> None:
    """Sends the result, or the reason why it is missing."""
    try:
        send({"k": "result", **run_backtest(request, send)})
    except CommandError as error:
        send({"k": "failed", "code": error.code, "message": error.message})
    except Exception as error:  # noqa: BLE001 (whatever failed, the parent must know)
        send({"k": "failed", "code": "INTERNAL", "message": f"{type(error).__name__}: {error}"})


def run_backtest(request: dict[str, Any], send: Send) -> dict[str, Any]:
    instruments = [create_instrument(row, request.get("fees")) for row in request["instruments"]]
    interval = request["interval"]
    sources = [read_bars(source, request["from"], request["to"]) for source in request["bars"]]
    rows = sum(len(columns) for columns in sources)
    if rows == 0:
        raise CommandError("NOT_FOUND", "There are no bars in this period.")
    capital = Decimal(str(request["initial_cash"]))
    strategy = create_strategy(request, instruments)
    engine = create_engine(request, instruments, capital)
    try:
        for instrument, columns in zip(instruments, sources, strict=True):
            engine.add_data(to_quotes(instrument, interval, columns, request.get("slippage_bps", 0)))
            engine.add_data(to_bars(instrument, interval, columns))
        first = min(int(columns.start[0]) for columns in sources if len(columns) > 0)
        tally = EquityTally(float(capital), first)
        ledger = Ledger()
        state = MemoryState(limits_of(request, capital))
        state.state.day_start_equity = str(capital)
        bar_types = [strategy.bar_type(instrument.id, interval, "EXTERNAL") for instrument in instruments]
        observer = Observer(bar_types, ledger, state, tally, progress_sender(rows, send))
        engine.add_actor(observer)
        engine.add_strategy(strategy)
        Guard(engine.kernel, state, ledger, lambda *_: None)
        data = fingerprint(sources)
        send({"k": "running", "bars": rows, "data_fingerprint": data, "engine_version": engine_version()})
        engine.run()
        if strategy.failure is not None:
            raise CommandError("INTERNAL", f"The strategy failed: {strategy.failure}")
        end = max(int(columns.start[-1]) for columns in sources if len(columns) > 0) + step_of(interval)
        observer.sample(end)
        result = build_result(engine, observer, ledger, tally, capital, state)
        return {
            "result": result | {"hash": hash_of(result)},
            "data_fingerprint": data,
            "engine_version": engine_version(),
            "approximations": approximations_of(request),
        }
    finally:
        engine.dispose()


def engine_version() -> str:
    return f"nautilus_trader {nautilus_trader.__version__}"


def create_instrument(row: dict[str, Any], fees: dict[str, Any] | None) -> CryptoPerpetual:
    """An instrument by its row of the snapshot, with the fees of this run."""
    tick, lot = Decimal(row["tick"]), Decimal(row["lot"])
    prices, sizes = decimals_of(tick), decimals_of(lot)
    maker = Decimal(row["maker_fee"]) if fees is None else Decimal(str(fees["maker_bps"])) / 10_000
    taker = Decimal(row["taker_fee"]) if fees is None else Decimal(str(fees["taker_bps"])) / 10_000
    return CryptoPerpetual(
        instrument_id=InstrumentId.from_str(row["id"]),
        raw_symbol=Symbol(row["symbol"]),
        base_currency=Currency.from_str(row["base"]),
        quote_currency=USDT,
        settlement_currency=USDT,
        is_inverse=False,
        price_precision=prices,
        size_precision=sizes,
        price_increment=Price(tick, prices),
        size_increment=Quantity(lot, sizes),
        min_quantity=Quantity(Decimal(row["min_quantity"]), sizes),
        margin_init=Decimal(row["margin_rate"]),
        margin_maint=Decimal(row["margin_rate"]) / 2,
        maker_fee=maker,
        taker_fee=taker,
        ts_event=0,
        ts_init=0,
    )


def decimals_of(step: Decimal) -> int:
    return max(0, -int(step.normalize().as_tuple().exponent))


def create_strategy(request: dict[str, Any], instruments: list[CryptoPerpetual]) -> Any:
    kind = request["strategy"]["type"]
    template = next((each for each in BUILT_IN if each.type == kind), None)
    if template is None:
        known = ", ".join(each.type for each in BUILT_IN)
        raise CommandError("INVALID", f"Unknown strategy type '{kind}'. Available: {known}.")
    ids = [each.id.value for each in instruments]
    # The request decides what is traded, and on which bars.
    decided = {"instrument": ids[0], "instruments": ids, "interval": request["interval"]}
    known = {parameter.name for parameter in template.parameters}
    config = request["strategy"]["config"] | {name: value for name, value in decided.items() if name in known}
    settings = template.settings(config, ids)
    settings = {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}
    return template.create(STRATEGY_ID, settings, bar_source="EXTERNAL")


def create_engine(request: dict[str, Any], instruments: list[CryptoPerpetual], capital: Decimal) -> BacktestEngine:
    engine = BacktestEngine(
        BacktestEngineConfig(
            logging=LoggingConfig(bypass_logging=True),
            # Otherwise 100 orders per simulated second.
            risk_engine=RiskEngineConfig(max_order_submit_rate="1000000/00:00:01", max_order_modify_rate="1000000/00:00:01"),
        )
    )
    latency = request.get("latency_ms", 0)
    venues = list(dict.fromkeys(instrument.id.venue.value for instrument in instruments))
    for venue in venues:
        engine.add_venue(
            venue=Venue(venue),
            oms_type=OmsType.NETTING,
            account_type=AccountType.MARGIN,
            starting_balances=[Money(capital / len(venues), USDT)],
            base_currency=USDT,
            default_leverage=Decimal(1),
            fill_model=FillModel(random_seed=request.get("seed", 1)),
            fee_model=MakerTakerFeeModel(),
            latency_model=LatencyModel(base_latency_nanos=int(latency * 1e6)) if latency > 0 else None,
            # The quotes made from the bars move the market.
            bar_execution=False,
        )
    for instrument in instruments:
        engine.add_instrument(instrument)
    return engine


def limits_of(request: dict[str, Any], capital: Decimal) -> dict[str, Any]:
    """By default the capital limits an order, all positions and the daily loss, and ten positions may be open."""
    given = request.get("limits") or {}
    limits: dict[str, Any] = {
        name: str(given.get(name, capital)) for name in ("max_order_size", "max_position_size", "max_daily_loss")
    }
    return limits | {"max_positions": given.get("max_positions", 10)}


def progress_sender(rows: int, send: Send) -> Callable[[int], None]:
    step = max(1, rows // PROGRESS_STEPS)

    def on_bar_end(done: int) -> None:
        if done % step == 0:
            send({"k": "progress", "done": done, "bars": rows})

    return on_bar_end


def build_result(
    engine: BacktestEngine,
    observer: Observer,
    ledger: Ledger,
    tally: EquityTally,
    capital: Decimal,
    state: MemoryState,
) -> dict[str, Any]:
    total = ledger.result_of(STRATEGY_ID)
    return {
        "statistics": {
            **tally.figures(),
            **trade_figures(observer.results),
            "turnover": float(observer.traded / capital),
            "fees": float(total.fees),
            "funding": 0.0,
        },
        "final_equity": tally.samples[-1][1],
        "equity_curve": [
            {"at": iso(ts), "equity": equity, "drawdown": drawdown} for ts, equity, drawdown in tally.curve()
        ],
        "trades": [trade_row(trade) for trade in observer.trades],
        "trades_total": len(observer.results),
        "bars": len(tally.samples),
        "orders": engine.cache.orders_total_count(),
        "denied_orders": observer.denied,
        "open_positions": len(ledger.holdings),
        "trading_state": state.state.trading_state,
        "events": observer.events,
        "events_digest": observer.digest(),
    }


def trade_row(trade: Holding) -> dict[str, Any]:
    return {
        "instrument": trade.instrument_id,
        "side": "LONG" if trade.was_long else "SHORT",
        "opened_at": iso(trade.ts_opened),
        "closed_at": iso(trade.ts_closed or 0),
        "quantity": float(trade.opened),
        "entry_price": float(trade.opened_value / trade.opened),
        "exit_price": float(trade.closed_value / trade.opened),
        "fees": float(trade.fees),
        "funding": 0.0,
        "pnl": float(trade.realized - trade.fees),
    }


def approximations_of(request: dict[str, Any]) -> list[str]:
    notes = ["Funding is not simulated.", "Each bar is played as four quotes: open, two extremes, close."]
    if request.get("latency_ms", 0) > 0:
        notes.append("Latency delays orders to the venue, not its replies.")
    if len({row["venue"] for row in request["instruments"]}) > 1:
        notes.append("The capital is divided equally between the venues.")
    return notes


def iso(ts_ns: int) -> str:
    moment = datetime.fromtimestamp(ts_ns // 1_000_000_000, timezone.utc).replace(microsecond=ts_ns // 1000 % 1_000_000)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def hash_of(result: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(result, sort_keys=True).encode()).hexdigest()


def read_request(stream: BinaryIO) -> dict[str, Any]:
    request = json.loads(stream.readline())
    request["bars"] = [
        {"arrays": read_columns(stream, source["columns"], row)} if "columns" in source else source
        for source, row in zip(request["bars"], request["instruments"], strict=True)
    ]
    return request


def exit_with_input() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(1)


def main() -> None:
    request = read_request(sys.stdin.buffer)
    threading.Thread(target=exit_with_input, daemon=True).start()
    with os.fdopen(FRAME_DESCRIPTOR, "wb") as frames:

        def send(frame: dict[str, Any]) -> None:
            try:
                frames.write(encode(frame))
                frames.flush()
            except BrokenPipeError:
                # Nobody waits for this run any more.
                os._exit(1)

        run(request, send)


if __name__ == "__main__":
    main()
