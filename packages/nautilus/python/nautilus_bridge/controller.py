"""The controller that lets a running trader take new strategies."""

from __future__ import annotations

from nautilus_trader.common.config import ActorConfig
from nautilus_trader.trading.controller import Controller


class BridgeControllerConfig(ActorConfig, frozen=True):
    pass


class BridgeController(Controller):
    """Empty: the bridge uses the trader itself."""
