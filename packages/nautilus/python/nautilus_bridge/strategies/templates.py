"""The types of strategies that a node offers, with their parameters and texts."""

from __future__ import annotations

from nautilus_bridge.strategies.arbitrage import Arbitrage, ArbitrageConfig
from nautilus_bridge.strategies.market_making import MarketMaking, MarketMakingConfig
from nautilus_bridge.strategies.mean_reversion import MeanReversion, MeanReversionConfig
from nautilus_bridge.strategies.momentum import Momentum, MomentumConfig
from nautilus_bridge.strategies.template import Parameter, Template

INTERVAL = Parameter("interval", "Bar interval", "Bar interval.", "interval", "1s")


def instrument_parameter(default: str, use: str = "trade") -> Parameter:
    return Parameter("instrument", "Instrument", f"Instrument to {use}.", "instrument", default)


BUILT_IN: tuple[Template, ...] = (
    Template(
        type="momentum",
        title="Momentum",
        about=(
            "Follows the trend: long while the fast average of closes is above the slow one, short while it is "
            "below, reversing when they cross. After slow_bars bars it takes the side that the averages show; "
            "after that it trades only on a crossing."
        ),
        earns_when=(
            "Prices move one way for much longer than slow_bars bars, so that one trade pays for many small "
            "losses."
        ),
        loses_when=(
            "Prices go sideways: each crossing pays two taker fees and the spread, and the next crossing comes "
            "before there was a gain. On the simulated market, which has no trend of its own, it loses about "
            "its fees."
        ),
        strategy=Momentum,
        config=MomentumConfig,
        parameters=(
            instrument_parameter("BTCUSDT-PERP.SIM"),
            INTERVAL,
            Parameter(
                "fast_bars",
                "Fast average (bars)",
                "Length of the fast average, in bars.",
                "integer",
                20,
                1,
                1000,
            ),
            Parameter(
                "slow_bars",
                "Slow average (bars)",
                "Length of the slow average, in bars. Must be above fast_bars.",
                "integer",
                60,
                2,
                5000,
            ),
            Parameter(
                "threshold_bps",
                "Crossing threshold (bps)",
                (
                    "Minimum distance between the averages to count as a crossing, in basis points (bps) of the "
                    "price."
                ),
                "number",
                1,
                0,
                1000,
            ),
            Parameter(
                "order_value",
                "Position value",
                "Position value, in quote currency. A reversal trades twice as much.",
                "number",
                300,
                1,
                10000000,
            ),
        ),
    ),
    Template(
        type="mean_reversion",
        title="Mean reversion",
        about=(
            "Trades the return to the mean: it buys when a close is entry_score standard deviations below the "
            "mean of the last window_bars closes, sells short when it is as far above, and closes the position "
            "when the z-score falls below exit_score or after max_hold_bars bars."
        ),
        earns_when=(
            "Prices swing around a level, or a venue deviates from the others for some seconds and returns; "
            "the return must exceed two taker fees and the spread."
        ),
        loses_when=(
            "A move continues: the price settles at a new level, and the position is closed at a loss after "
            "max_hold_bars. A low min_edge_bps makes it trade on moves too small to pay the fees."
        ),
        strategy=MeanReversion,
        config=MeanReversionConfig,
        parameters=(
            instrument_parameter("SOLUSDT-PERP.SIM"),
            INTERVAL,
            Parameter(
                "window_bars",
                "Window (bars)",
                "Number of closes for mean and standard deviation.",
                "integer",
                30,
                5,
                5000,
            ),
            Parameter(
                "entry_score",
                "Entry z-score",
                "Entry z-score: enter when a close is this many standard deviations from the mean.",
                "number",
                2,
                0.1,
                10,
            ),
            Parameter(
                "exit_score",
                "Exit z-score",
                "Exit z-score: exit when the z-score falls below this. Must be below entry_score.",
                "number",
                0.5,
                0,
                10,
            ),
            Parameter(
                "min_edge_bps",
                "Minimum edge (bps)",
                "Minimum distance from the mean to enter, in basis points (bps), whatever the z-score.",
                "number",
                3,
                0,
                1000,
            ),
            Parameter(
                "max_hold_bars",
                "Maximum holding time (bars)",
                "Maximum holding time, in bars. The position is then closed.",
                "integer",
                60,
                1,
                100000,
            ),
            Parameter(
                "order_value",
                "Position value",
                "Position value, in quote currency.",
                "number",
                150,
                1,
                10000000,
            ),
        ),
    ),
    Template(
        type="arbitrage",
        title="Arbitrage",
        about=(
            "Buys a pair on the cheaper venue and sells it on the dearer one: when the best bid of one venue "
            "exceeds the best ask of another by more than both taker fees and min_profit_bps, it buys at the "
            "ask and, once filled, sells the same quantity at the bid. It holds both legs until a gap in the "
            "other direction lets it trade back. A pair has legs on two venues at a time."
        ),
        earns_when=(
            "Prices of two venues diverge repeatedly, in both directions: each round trip earns the two gaps "
            "less four fees."
        ),
        loses_when=(
            "The second leg fills at a worse price than quoted, or prices diverge in one direction only, so "
            "the legs stay open and pay funding. With fees above the usual gap it does not trade."
        ),
        strategy=Arbitrage,
        config=ArbitrageConfig,
        parameters=(
            Parameter(
                "instruments",
                "Instruments",
                "Instruments to watch: each pair on two or more venues.",
                "instruments",
                ["BTCUSDT-PERP.SIM", "BTCUSDT-PERP.ALT"],
                2,
                15,
            ),
            Parameter(
                "min_profit_bps",
                "Minimum profit (bps)",
                "Minimum profit after both fees, in basis points (bps).",
                "number",
                0.5,
                0,
                1000,
            ),
            Parameter(
                "max_pairs",
                "Maximum open pairs",
                "Maximum number of pairs with open legs.",
                "integer",
                1,
                1,
                7,
            ),
            Parameter(
                "order_value",
                "Leg value",
                "Value of one leg, in quote currency.",
                "number",
                500,
                1,
                10000000,
            ),
            Parameter(
                "max_inventory",
                "Maximum inventory",
                "Maximum position per venue, long or short, in quote currency. Must be at least order_value.",
                "number",
                1500,
                1,
                10000000,
            ),
            Parameter(
                "max_quote_age_s",
                "Maximum quote age (s)",
                "Maximum age of a quote, in seconds. Older quotes are not traded on.",
                "number",
                1,
                0.1,
                60,
            ),
        ),
    ),
    Template(
        type="market_making",
        title="Market making",
        about=(
            "Quotes both sides: one limit order to buy below the mid price and one to sell above it, each "
            "half_spread_bps away. Its inventory shifts both prices towards reducing it. It cancels and "
            "replaces an order that is more than requote_bps from its target price, at most every requote_s "
            "seconds."
        ),
        earns_when=(
            "Prices swing back and forth, or a venue jumps and returns: it buys low and sells high, and pays "
            "the lower maker fees."
        ),
        loses_when=(
            "Prices trend: only the orders on the losing side fill, and the inventory loses value until "
            "max_inventory stops it from growing."
        ),
        strategy=MarketMaking,
        config=MarketMakingConfig,
        parameters=(
            instrument_parameter("SOLUSDT-PERP.SIM", "quote"),
            Parameter(
                "half_spread_bps",
                "Half spread (bps)",
                "Distance of each order from the mid price, in basis points (bps).",
                "number",
                4,
                0.01,
                1000,
            ),
            Parameter(
                "requote_bps",
                "Requote distance (bps)",
                "Maximum distance of an order from its target price before it is moved, in basis points (bps).",
                "number",
                2,
                0.01,
                1000,
            ),
            Parameter(
                "requote_s",
                "Requote interval (s)",
                "Minimum time before an order is moved, in seconds.",
                "number",
                15,
                0.1,
                3600,
            ),
            Parameter(
                "skew_bps",
                "Inventory skew (bps)",
                "Shift of both orders at full inventory, in basis points (bps).",
                "number",
                4,
                0,
                1000,
            ),
            Parameter(
                "order_value",
                "Order value",
                "Value of one order, in quote currency.",
                "number",
                300,
                1,
                10000000,
            ),
            Parameter(
                "max_inventory",
                "Maximum inventory",
                "Maximum position, long or short, in quote currency. Must be at least order_value.",
                "number",
                1500,
                1,
                10000000,
            ),
        ),
    ),
)
