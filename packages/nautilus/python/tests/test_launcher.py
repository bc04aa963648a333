from __future__ import annotations

import contextlib
import io
import unittest

from nautilus_bridge.launcher import parse_options


class LauncherTest(unittest.TestCase):
    def test_balance(self) -> None:
        """[NAUT-38] a paper balance that NautilusTrader cannot compute with is refused with the largest one"""
        self.assertEqual(parse_options(["--data", "x", "--balance", "10000000"]).balance, "10000000")
        for text in ("10000000.01", "0", "-1", "NaN", "much"):
            complaint = io.StringIO()
            with contextlib.redirect_stderr(complaint), self.assertRaises(SystemExit):
                parse_options(["--data", "x", "--balance", text])
            self.assertIn(f"must be a number above 0 and at most 10,000,000; {text} was given", complaint.getvalue())
