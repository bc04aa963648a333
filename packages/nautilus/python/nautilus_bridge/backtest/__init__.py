"""Backtests with NautilusTrader's BacktestEngine, one per process."""
