"""Runs the tests and writes their counts for the summary of `npm test`."""

from __future__ import annotations

import argparse
import json
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests")
    parser.add_argument("--report", type=Path)
    parser.add_argument("names", nargs="*", help="names of test modules, such as test_journal")
    options = parser.parse_args()
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(load(options.names))
    if options.report is not None:
        write_report(options.report, result)
    return 0 if result.wasSuccessful() else 1


def load(names: list[str]) -> unittest.TestSuite:
    loader = unittest.TestLoader()
    if names:
        return loader.loadTestsFromNames([f"tests.{name}" for name in names])
    return loader.discover(str(FOLDER), top_level_dir=str(FOLDER.parent))


def write_report(path: Path, result: unittest.TestResult) -> None:
    failed = [*result.failures, *result.errors]
    failures = [{"name": str(test), "message": last_lines(text)} for test, text in failed]
    failures += [{"name": str(test), "message": "succeeded against expectation"} for test in result.unexpectedSuccesses]
    passed = result.testsRun - len(failures) - len(result.skipped)
    path.parent.mkdir(parents=True, exist_ok=True)
    report = {"passed": max(0, passed), "skipped": len(result.skipped), "failures": failures}
    path.write_text(json.dumps(report), encoding="utf-8")


def last_lines(text: str) -> str:
    """The end of a traceback says what failed."""
    return "\n".join(text.strip().splitlines()[-12:])


sys.exit(main())
