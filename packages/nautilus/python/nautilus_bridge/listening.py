"""Where the bridge listens: a Unix socket of its owner, or TLS with a token."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Address:
    socket: Path
    listen: str | None = None
    """HOST:PORT."""
    certificate: Path | None = None
    key: Path | None = None
    token_file: Path | None = None

    def token(self) -> str | None:
        return None if self.token_file is None else self.token_file.read_text(encoding="utf-8").strip()


def check_address(address: Address) -> None:
    """Nothing listens beyond this machine without TLS and a token."""
    if address.listen is None:
        return
    if not (address.certificate and address.key and address.token_file):
        raise ValueError("a node beyond this machine needs certificate, key and token file.")
    if not address.token():
        raise ValueError(f"{address.token_file} is empty.")


async def listen(server: Any, address: Address) -> str:
    """Returns the bound address."""
    if address.listen is None:
        await server.listen_unix(address.socket)
        return str(address.socket)
    host, _, port = address.listen.rpartition(":")
    bound = await server.listen_tls(host, int(port), address.certificate, address.key)
    return f"{host}:{bound}"
