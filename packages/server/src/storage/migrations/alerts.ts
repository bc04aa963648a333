import { type Kysely, sql } from 'kysely'

export async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE alert_rules (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      version INTEGER NOT NULL,
      definition TEXT NOT NULL,
      last_fired_at TEXT
    ) STRICT`.execute(db)
  await sql`
    CREATE TABLE alert_states (
      rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      subject TEXT NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (rule_id, subject)
    ) STRICT, WITHOUT ROWID`.execute(db)
  await sql`
    CREATE TABLE alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      rule_id INTEGER REFERENCES alert_rules (id) ON DELETE SET NULL,
      watch TEXT NOT NULL,
      subject TEXT NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      severity TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved')),
      value REAL NOT NULL,
      channels TEXT NOT NULL,
      escalate_after_s INTEGER,
      raised_at TEXT NOT NULL,
      acknowledged_at TEXT,
      acknowledged_by TEXT,
      resolved_at TEXT,
      resolved_by TEXT,
      snoozed_until TEXT,
      escalated_at TEXT
    ) STRICT`.execute(db)
  await sql`CREATE INDEX alerts_by_state ON alerts (state, id)`.execute(db)
  await sql`CREATE INDEX alerts_by_rule ON alerts (rule_id)`.execute(db)
  await sql`
    CREATE TABLE alert_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      alert_id INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
      channel TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      tries INTEGER NOT NULL,
      at TEXT NOT NULL,
      next_try_at TEXT,
      error TEXT
    ) STRICT`.execute(db)
  await sql`CREATE INDEX alert_deliveries_by_alert ON alert_deliveries (alert_id)`.execute(db)
  await sql`CREATE INDEX alert_deliveries_by_state ON alert_deliveries (state)`.execute(db)
  await sql`
    CREATE TABLE alert_control (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      muted_until TEXT,
      heartbeat_enabled INTEGER NOT NULL CHECK (heartbeat_enabled IN (0, 1)),
      heartbeat_address TEXT,
      heartbeat_every_s INTEGER NOT NULL,
      heartbeat_at TEXT,
      heartbeat_error TEXT
    ) STRICT`.execute(db)
  await sql`
    INSERT INTO alert_control (id, heartbeat_enabled, heartbeat_every_s) VALUES (1, 0, 60)`.execute(db)
  for (const { name, ...rule } of FIRST_RULES) {
    const definition = JSON.stringify({ name, ...DEFAULTS, ...rule })
    await sql`INSERT INTO alert_rules (name, version, definition) VALUES (${name}, 1, ${definition})`.execute(
      db,
    )
  }
}

/** As they were when this migration was released: rules are stored complete. */
const DEFAULTS = {
  is_enabled: true,
  subject: null,
  direction: 'above',
  window_s: 300,
  cooldown_s: 900,
  severity: 'warning',
  escalate_after_s: null,
  channels: ['in-app'],
  mute: [],
}

const CRITICAL = { severity: 'critical', channels: ['in-app', 'browser'], escalate_after_s: null }

const FIRST_RULES = [
  { name: 'Exposure above 60%', watch: 'exposure', threshold: 60, clear: 55 },
  {
    name: 'Daily loss at half',
    watch: 'pnl',
    direction: 'below',
    threshold: -2500,
    clear: -2000,
    cooldown_s: 1800,
    ...CRITICAL,
  },
  { name: 'Drawdown', watch: 'drawdown', threshold: 3, clear: 2.5, cooldown_s: 3600, ...CRITICAL },
  { name: 'Margin above 60%', watch: 'margin', threshold: 60, clear: 55 },
  { name: 'Order refusals', watch: 'refusals', threshold: 3, clear: 1, cooldown_s: 600 },
  { name: 'Feed staleness', watch: 'staleness', threshold: 30, clear: 10, cooldown_s: 300, ...CRITICAL },
  { name: 'Component stopped', watch: 'component', threshold: 1, clear: 1, cooldown_s: 0, ...CRITICAL },
  { name: 'Adapter disconnected', watch: 'adapter', threshold: 1, clear: 1, cooldown_s: 60 },
  { name: 'Job failed', watch: 'job', threshold: 1, clear: 1, cooldown_s: 300 },
  { name: 'Task failed', watch: 'task', threshold: 1, clear: 1, cooldown_s: 300 },
  { name: 'Disk space', watch: 'disk', direction: 'below', threshold: 1, clear: 2, ...CRITICAL },
  { name: 'Engine silent', watch: 'engine', threshold: 20, clear: 5, cooldown_s: 60, ...CRITICAL },
]
