"""Tests of the bridge. `python -m tests [--report FILE] [NAME...]` runs them."""
