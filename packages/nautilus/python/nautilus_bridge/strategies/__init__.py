"""The four types of strategies of the console as NautilusTrader strategies, and custom ones."""
