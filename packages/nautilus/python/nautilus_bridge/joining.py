"""The bridge in a node that somebody else runs: one controller in its configuration, and nothing else changes."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

from nautilus_trader.common.config import ActorConfig
from nautilus_trader.common.enums import ComponentState
from nautilus_trader.config import StrategyConfig
from nautilus_trader.system.kernel import NautilusKernel
from nautilus_trader.trading.controller import Controller

from nautilus_bridge.bridge import Bridge
from nautilus_bridge.listening import Address, check_address, listen
from nautilus_bridge.manual import ManualDesk
from nautilus_bridge.strategies.template import read_custom
from nautilus_bridge.strategies.templates import BUILT_IN

POLL_SECONDS = 0.05


class JoiningControllerConfig(ActorConfig, frozen=True):
    """`data`: folder of the bridge's journal and state. Either a Unix socket, or `listen` with TLS and a token."""

    data: str
    socket: str | None = None
    listen: str | None = None
    certificate: str | None = None
    key: str | None = None
    token_file: str | None = None
    templates: str | None = None
    instruments: list[str] | None = None
    """Those that the console shows and gets quotes of; all of the node's without."""


class JoiningController(Controller):
    """Opens the bridge with the node and closes it with the node."""

    def __init__(self, trader: Any, config: JoiningControllerConfig) -> None:
        super().__init__(trader=trader, config=config)
        folder = Path(config.data)
        self._address = Address(
            socket=path_of(config.socket) or folder / "bridge.sock",
            listen=config.listen,
            certificate=path_of(config.certificate),
            key=path_of(config.key),
            token_file=path_of(config.token_file),
        )
        check_address(self._address)
        self._bridge: Bridge | None = None

    def register_base(self, **parts: Any) -> None:
        """The node is being built: a later subscription would miss topics, a later guard orders."""
        super().register_base(**parts)
        config = self.config
        folder = Path(config.data)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        custom = read_custom(Path(config.templates)) if config.templates else ()
        templates = {template.type: template for template in (*BUILT_IN, *custom)}
        self._bridge = Bridge(
            JoinedNode(self._trader),
            folder,
            templates,
            self._address.token(),
            instruments=config.instruments,
        )

    def on_start(self) -> None:
        """The clients are connected, and the trader starts its strategies next."""
        bridge = self._bridge
        manual = StrategyConfig(strategy_id="MANUAL", order_id_tag="000")
        self._trader.add_strategy(ManualDesk(manual, bridge.shows))
        bridge.restore()
        bridge.loop.create_task(self._open())

    def on_stop(self) -> None:
        self._bridge.loop.create_task(self._bridge.close(self._bridge.stop_reason))

    async def _open(self) -> None:
        bridge = self._bridge
        try:
            await bridge.start()
            await listen(bridge.server, self._address)
        except Exception as error:  # noqa: BLE001 (the node trades on without its console)
            bridge.report_error("The bridge could not be opened", error)
            return
        while self._trader.state != ComponentState.RUNNING:
            await asyncio.sleep(POLL_SECONDS)
        await bridge.begin_trading()


class JoinedNode:
    """What the bridge needs of a node. It is not the console's to stop."""

    is_own = False

    def __init__(self, trader: Any) -> None:
        self.trader = trader
        # A controller gets the trader only.
        self.kernel = next(
            each for each in gc.get_objects() if isinstance(each, NautilusKernel) and each.trader is trader
        )


def path_of(text: str | None) -> Path | None:
    return None if text is None else Path(text)
