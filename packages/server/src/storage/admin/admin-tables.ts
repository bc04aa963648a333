import type {
  AlertSeverity,
  AlertState,
  BacktestStatus,
  CONNECTION_TYPES,
  JobState,
  TaskKind,
  TaskRunState,
} from '@binnacle/contract'
import type { Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { ChainedRecord, ChainHead } from '#storage/audit/chain.ts'

/** Table types of the admin store for Kysely. */
export interface AdminTables {
  settings: SettingRow
  setting_versions: SettingVersionRow
  users: UsersTable
  api_configs: ApiConfigsTable
  services: ServicesTable
  service_probes: ServiceProbesTable
  routes: RoutesTable
  disabled_calls: { call_id: string }
  jobs: JobsTable
  job_log: JobLogRow
  tasks: TasksTable
  task_runs: TaskRunsTable
  connections: ConnectionsTable
  statement_history: StatementsTable
  saved_queries: SavedQueriesTable
  backtests: BacktestsTable
  backtest_results: BacktestResultRow
  backtest_labels: BacktestLabelsRow
  promotions: PromotionRow
  sweeps: SweepsTable
  sweep_results: SweepResultRow
  module_versions: ModuleVersionRow
  backups: BackupsTable
  backup_retention: RetentionRow
  adapters: AdapterRow
  alert_rules: AlertRulesTable
  alert_states: { rule_id: number; subject: string; state: string }
  alerts: AlertsTable
  alert_deliveries: AlertDeliveriesTable
  alert_control: AlertControlRow
  audit_log: ChainedRecord
  audit_head: ChainHead & { id: number }
  audit_journal_mark: { id: number; seq: number; print: string }
  audit_engine_marks: { engine: string; seq: number; print: string }
}

export type AdminDb = Kysely<AdminTables>
export type AdminTransaction = Transaction<AdminTables>

export type Flag = 0 | 1

export interface SettingRow {
  key: string
  value: string
  description: string
  category: string
}

/** One changed setting of a version. */
export interface SettingVersionRow {
  version: number
  key: string
  at: string
  actor: string
  before: string
  after: string
}

interface UsersTable {
  id: Generated<number>
  username: string
  email: string | null
  role: string
  is_active: Flag
  password_hash: string | null
}
export type UserRow = Selectable<UsersTable>

interface ApiConfigsTable {
  id: Generated<number>
  name: string
  endpoint: string
  is_enabled: Flag
}
export type ApiConfigRow = Selectable<ApiConfigsTable>

interface ServicesTable {
  id: Generated<number>
  /** Set for a built-in service, whose address is that of its listener. */
  app: 'trading' | 'admin' | 'database' | null
  name: string
  description: string
  url: string | null
}
export type ServiceRow = Selectable<ServicesTable>

interface ServiceProbesTable {
  id: Generated<number>
  service_id: number
  at: string
  /** In milliseconds. */
  response_time: number
  error: string | null
}
export type ServiceProbeRow = Omit<Selectable<ServiceProbesTable>, 'id'>

interface RoutesTable {
  id: Generated<number>
  service_id: number
  method: string
  path: string
  description: string
  parameters: string
  is_active: Flag
  requires_auth: Flag
}
export type RouteRow = Selectable<RoutesTable>

interface ConnectionsTable {
  id: Generated<number>
  /** Random and never given out again, unlike the number. */
  identity: string
  name: string
  type: (typeof CONNECTION_TYPES)[number]
  database_name: string
  /** The encrypted connection string. */
  sealed_string: string
  is_active: Flag
  writable: Flag
  accept_privileged_role: Flag
  time_limit_s: number
}
export type ConnectionRow = Selectable<ConnectionsTable>

interface StatementsTable {
  id: Generated<number>
  connection_id: string
  query: string
  status: string
  executed_at: string
  /** In seconds. */
  execution_time: number
  error_message: string | null
}
export type StatementRow = Selectable<StatementsTable>

interface SavedQueriesTable {
  id: Generated<number>
  connection_id: string
  name: string
  query: string
  created_at: string
}
export type SavedQueryRow = Selectable<SavedQueriesTable>

interface JobsTable {
  id: Generated<number>
  kind: string
  title: string
  state: JobState
  progress: number
  message: string | null
  asked_by: string
  created_at: string
  started_at: string | null
  ended_at: string | null
  /** JSON text. */
  result: string | null
  error: string | null
}
export type JobRow = Selectable<JobsTable>

export interface JobLogRow {
  job_id: number
  line: number
  at: string
  text: string
}

interface TasksTable {
  id: Generated<number>
  name: string
  kind: TaskKind
  schedule: string
  time_zone: string
  is_enabled: Flag
  /** Instants of the schedule up to this one have been run, skipped or recorded as missed. */
  handled_until: string
}
export type TaskRow = Selectable<TasksTable>

interface TaskRunsTable {
  id: Generated<number>
  task_id: number
  /** Null for a manual run. Unique per task otherwise. */
  scheduled_for: string | null
  state: TaskRunState
  asked_by: string
  job_id: number | null
  started_at: string | null
  ended_at: string | null
  message: string | null
  /** JSON text. */
  result: string | null
}
export type TaskRunRow = Selectable<TaskRunsTable>

interface BacktestsTable {
  id: Generated<number>
  status: BacktestStatus
  /** The request with its defaults, JSON text. */
  request: string
  seed: number
  engine_version: string
  data_fingerprint: string | null
  rerun_of: number | null
  asked_by: string
  created_at: string
  started_at: string | null
  finished_at: string | null
  error: string | null
}
export type BacktestRow = Selectable<BacktestsTable>

/** The result of a completed run, in its own table so that lists do not read it. */
export interface BacktestResultRow {
  backtest_id: number
  hash: string
  /** Statistics for lists, JSON text. */
  summary: string
  /** The whole result, JSON text. */
  result: string
}

/** What a person added to a run. */
export interface BacktestLabelsRow {
  backtest_id: number
  /** A JSON array. */
  tags: string
  note: string
  archived: Flag
}

export interface PromotionRow {
  strategy_id: string
  backtest_id: number
  promoted_at: string
  /** Of the result of the run. */
  hash: string
  /** P&L of its trades, a JSON array. */
  results: string
}

interface SweepsTable {
  id: Generated<number>
  status: BacktestStatus
  /** The request with its defaults, JSON text. */
  request: string
  /** Names of the parameters, the values of each set, and the periods they are run over: JSON arrays. */
  names: string
  sets: string
  segments: string
  /** Set and value, JSON text, once it has ended. */
  best: string | null
  stopped_early: Generated<Flag>
  asked_by: string
  created_at: string
  started_at: string | null
  finished_at: string | null
  error: string | null
}
export type SweepRow = Selectable<SweepsTable>

export interface SweepResultRow {
  sweep_id: number
  segment: number
  set_number: number
  hash: string | null
  /** Statistics and moments of the daily returns, JSON text; null for a set that was refused or failed. */
  figures: string | null
  error: string | null
}

/** A saved source of a custom strategy. */
export interface ModuleVersionRow {
  name: string
  version: number
  source: string
  saved_at: string
  saved_by: string
}

interface BackupsTable {
  id: Generated<number>
  /** Name of its folder. */
  name: string
  /** The connection's number at the time of the backup, or an own store's name. */
  connection: string
  /** The connection's name at the time of the backup. */
  connection_name: string
  type: 'sqlite' | 'postgresql' | 'redis' | 'parquet'
  backup_type: string
  bytes: number
  status: 'completed' | 'damaged'
  created_at: string
  /** Binds the row to its manifest, so that another folder cannot replace the backup. */
  manifest_sha256: string
  /** Identity of the connection; empty if it is not known. */
  identity: string
  /** The address and database that was backed up; empty if it is not known. */
  target: string
}
export type BackupRow = Selectable<BackupsTable>

/** A backup beyond both limits is deleted. */
export interface RetentionRow {
  /** The connection's identity. */
  connection: string
  keep_newest: number
  keep_days: number
}

interface AlertRulesTable {
  id: Generated<number>
  name: string
  version: number
  /** The whole rule, JSON text. */
  definition: string
  last_fired_at: Generated<string | null>
}

interface AlertsTable {
  id: Generated<number>
  rule_id: number | null
  watch: string
  subject: string
  title: string
  text: string
  severity: AlertSeverity
  state: AlertState
  value: number
  /** JSON text. */
  channels: string
  escalate_after_s: number | null
  raised_at: string
  acknowledged_at: Generated<string | null>
  acknowledged_by: Generated<string | null>
  resolved_at: Generated<string | null>
  resolved_by: Generated<string | null>
  snoozed_until: Generated<string | null>
  escalated_at: Generated<string | null>
}
export type AlertRow = Selectable<AlertsTable>

interface AlertDeliveriesTable {
  id: Generated<number>
  alert_id: number
  channel: string
  state: 'pending' | 'delivered' | 'failed'
  tries: number
  /** Of the last try. */
  at: string
  next_try_at: string | null
  error: Generated<string | null>
}
export type AlertDeliveryRow = Selectable<AlertDeliveriesTable>

/** The configuration of an adapter; credentials are sealed. */
export interface AdapterRow {
  id: string
  version: number
  api_key: string | null
  secret: string | null
  /** JSON text. */
  settings: string
  changed_at: string
  changed_by: string
}

export interface AlertControlRow {
  id: number
  muted_until: string | null
  heartbeat_enabled: Flag
  /** Sealed. */
  heartbeat_address: string | null
  heartbeat_every_s: number
  heartbeat_at: string | null
  heartbeat_error: string | null
}
