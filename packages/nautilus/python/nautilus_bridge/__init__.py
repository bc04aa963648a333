"""The bridge between a NautilusTrader node and the console."""

BRIDGE_VERSION = "1.0"
PROTOCOL_VERSION = 1
