import { type Kysely, sql } from 'kysely'

/** Results are immutable: triggers reject updates. */
export async function createBacktests(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE backtests (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      status TEXT NOT NULL
        CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted')),
      request TEXT NOT NULL,
      seed INTEGER NOT NULL,
      engine_version TEXT NOT NULL,
      data_fingerprint TEXT,
      rerun_of INTEGER REFERENCES backtests (id),
      asked_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      started_at TEXT,
      finished_at TEXT,
      error TEXT
    ) STRICT`.execute(db)
  await sql`CREATE INDEX backtests_by_status ON backtests (status)`.execute(db)
  await sql`
    CREATE TABLE backtest_results (
      backtest_id INTEGER PRIMARY KEY REFERENCES backtests (id),
      hash TEXT NOT NULL,
      summary TEXT NOT NULL,
      result TEXT NOT NULL
    ) STRICT`.execute(db)
  await sql`
    CREATE TRIGGER backtest_results_stay BEFORE UPDATE ON backtest_results
    BEGIN SELECT RAISE(ABORT, 'a result is never changed'); END`.execute(db)
  await sql`
    CREATE TRIGGER backtests_stay_ended BEFORE UPDATE ON backtests
    WHEN old.finished_at IS NOT NULL OR new.request <> old.request OR new.seed <> old.seed
    BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END`.execute(db)
}

/** What a person adds to a run, beside the immutable record, and which strategies came of it. */
export async function createBacktestLabels(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE backtest_labels (
      backtest_id INTEGER PRIMARY KEY REFERENCES backtests (id),
      tags TEXT NOT NULL,
      note TEXT NOT NULL,
      archived INTEGER NOT NULL CHECK (archived IN (0, 1))
    ) STRICT`.execute(db)
  await sql`
    CREATE TABLE promotions (
      strategy_id TEXT PRIMARY KEY,
      backtest_id INTEGER NOT NULL REFERENCES backtests (id),
      promoted_at TEXT NOT NULL,
      hash TEXT NOT NULL,
      results TEXT NOT NULL
    ) STRICT`.execute(db)
}
