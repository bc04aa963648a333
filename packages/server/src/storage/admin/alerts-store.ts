import { type AlertChannel, AlertRuleInput, type HeartbeatChange } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type {
  AdminDb,
  AdminTransaction,
  AlertControlRow,
  AlertDeliveryRow,
  AlertRow,
} from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

export interface StoredRule extends AlertRuleInput {
  id: number
  version: number
  last_fired_at: string | null
}

export interface StoredState {
  rule_id: number
  subject: string
  /** JSON text of the evaluator. */
  state: string
}

export interface NewAlert
  extends Pick<
    AlertRow,
    | 'rule_id'
    | 'watch'
    | 'subject'
    | 'title'
    | 'text'
    | 'severity'
    | 'value'
    | 'escalate_after_s'
    | 'raised_at'
  > {
  channels: readonly AlertChannel[]
}

export interface AlertWithDeliveries extends AlertRow {
  /** The latest of each channel. */
  deliveries: AlertDeliveryRow[]
}

/** Rules, alerts and their deliveries. What a person changes is audited; what the server raises is in the table itself. */
export interface AlertsStore {
  rules(): Promise<StoredRule[]>
  addRule(audit: AuditContext, rule: AlertRuleInput): Promise<Result<StoredRule, 'name-taken'>>
  /** When a rule is made to watch something else, its state is removed and its alerts are resolved. */
  changeRule(
    audit: AuditContext,
    id: number,
    rule: AlertRuleInput,
  ): Promise<Result<StoredRule, 'unknown' | 'name-taken'>>
  /** Its alerts are resolved. */
  removeRule(audit: AuditContext, id: number): Promise<Result<StoredRule, 'unknown'>>
  states(): Promise<StoredState[]>
  saveState(state: StoredState): Promise<void>
  /** Stores the alert, its deliveries and the state of its rule in one transaction. */
  raise(alert: NewAlert, state?: StoredState): Promise<number>
  /** An alert that a person sends; it has an audit record. */
  raiseByHand(audit: AuditContext, alert: NewAlert): Promise<number>
  /** Resolves the alerts of a rule's subject, with its state. */
  clear(state: StoredState, at: string): Promise<void>
  unresolved(): Promise<AlertWithDeliveries[]>
  resolved(limit: number): Promise<AlertWithDeliveries[]>
  countResolved(): Promise<number>
  find(id: number): Promise<AlertWithDeliveries | undefined>
  acknowledge(audit: AuditContext, id: number, at: string): Promise<Result<number, 'unknown' | 'resolved'>>
  resolve(audit: AuditContext, id: number, at: string): Promise<Result<number, 'unknown' | 'resolved'>>
  snooze(audit: AuditContext, id: number, until: string): Promise<Result<number, 'unknown' | 'resolved'>>
  /** Sends an alert again: after a snooze, or with a higher severity. */
  repeat(
    id: number,
    change: Partial<Pick<AlertRow, 'severity' | 'escalated_at' | 'snoozed_until'>>,
    at: string,
  ): Promise<void>
  /** The oldest that the channel may try now. */
  dueDeliveries(channel: AlertChannel, at: string, limit: number): Promise<AlertDeliveryRow[]>
  updateDelivery(id: number, change: Partial<Omit<AlertDeliveryRow, 'id' | 'alert_id'>>): Promise<void>
  deliveriesSince(at: string): Promise<AlertDeliveryRow[]>
  lastDelivery(channel: AlertChannel): Promise<AlertDeliveryRow | undefined>
  control(): Promise<AlertControlRow>
  /** The address of the outside watcher. */
  heartbeatUrl(): Promise<string | undefined>
  mute(audit: AuditContext, until: string | null): Promise<void>
  setHeartbeat(audit: AuditContext, change: HeartbeatChange): Promise<void>
  noteHeartbeat(at: string, error: string | null): Promise<void>
  /** Deletes alerts that were resolved before then, and ends what no tab can show any more. */
  clean(before: string): Promise<void>
}

const HEARTBEAT_OWNER = 'alert-control/heartbeat'

export function createAlertsStore(db: AdminDb, audited: Audited, secrets: SecretBox): AlertsStore {
  const change = (audit: AuditContext, id: number, fields: Partial<AlertRow>) =>
    audited(audit, async (tx) => {
      const before = await tx.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
      if (before === undefined) return refused('unknown')
      if (before.state === 'resolved') return refused('resolved')
      await tx.updateTable('alerts').set(fields).where('id', '=', id).execute()
      await endUnshown(tx)
      const shown = { title: before.title, state: before.state, snoozed_until: before.snoozed_until }
      const after = { ...shown, ...pickShown(fields) }
      return done(id, { entity: 'alert', target: String(id), before: shown, after })
    })
  const one = async (id: number) => {
    const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
    return row && (await withDeliveries(db, [row]))[0]
  }

  return {
    rules: async () => (await db.selectFrom('alert_rules').selectAll().orderBy('id').execute()).map(ruleOf),
    addRule: (audit, rule) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, rule.name)) return refused('name-taken')
        const values = { name: rule.name, version: 1, definition: JSON.stringify(rule) }
        const row = await tx.insertInto('alert_rules').values(values).returningAll().executeTakeFirstOrThrow()
        return done(ruleOf(row), ruleChange(row.id, null, rule))
      }),
    changeRule: (audit, id, rule) =>
      audited(audit, async (tx) => {
        const before = await findRule(tx, id)
        if (before === undefined) return refused('unknown')
        if (await isNameTaken(tx, rule.name, id)) return refused('name-taken')
        const row = await tx
          .updateTable('alert_rules')
          .set({ name: rule.name, version: before.version + 1, definition: JSON.stringify(rule) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        if (startsOver(before, rule)) await endRule(tx, id, audit.actor)
        return done(ruleOf(row), ruleChange(id, definitionOf(before), rule))
      }),
    removeRule: (audit, id) =>
      audited(audit, async (tx) => {
        const before = await findRule(tx, id)
        if (before === undefined) return refused('unknown')
        await endRule(tx, id, audit.actor)
        await tx.deleteFrom('alert_rules').where('id', '=', id).execute()
        return done(before, ruleChange(id, definitionOf(before), null))
      }),
    states: () => db.selectFrom('alert_states').selectAll().execute(),
    saveState: (state) => saveState(db, state),
    raise: (alert, state) =>
      db.transaction().execute(async (tx) => {
        const id = await insertAlert(tx, alert)
        if (state !== undefined) {
          await saveState(tx, state)
          const fired = { last_fired_at: alert.raised_at }
          await tx.updateTable('alert_rules').set(fired).where('id', '=', state.rule_id).execute()
        }
        return id
      }),
    async raiseByHand(audit, alert) {
      let id = 0
      await audited(audit, async (tx) => {
        id = await insertAlert(tx, alert)
        const { title, channels } = alert
        return done(id, { entity: 'alert', target: String(id), before: null, after: { title, channels } })
      })
      return id
    },
    clear: (state, at) =>
      db.transaction().execute(async (tx) => {
        await saveState(tx, state)
        await tx
          .updateTable('alerts')
          .set({ state: 'resolved', resolved_at: at, resolved_by: 'server' })
          .where('rule_id', '=', state.rule_id)
          .where('subject', '=', state.subject)
          .where('state', '<>', 'resolved')
          .execute()
        await endUnshown(tx)
      }),
    unresolved: async () =>
      withDeliveries(
        db,
        await db
          .selectFrom('alerts')
          .selectAll()
          .where('state', 'in', ['open', 'acknowledged'])
          .orderBy('id', 'desc')
          .execute(),
      ),
    resolved: async (limit) =>
      withDeliveries(
        db,
        await db
          .selectFrom('alerts')
          .selectAll()
          .where('state', '=', 'resolved')
          .orderBy('id', 'desc')
          .limit(limit)
          .execute(),
      ),
    async countResolved() {
      const counted = db
        .selectFrom('alerts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'resolved')
      return (await counted.executeTakeFirstOrThrow()).count
    },
    find: one,
    acknowledge: (audit, id, at) =>
      change(audit, id, { state: 'acknowledged', acknowledged_at: at, acknowledged_by: audit.actor }),
    resolve: (audit, id, at) =>
      change(audit, id, { state: 'resolved', resolved_at: at, resolved_by: audit.actor }),
    snooze: (audit, id, until) => change(audit, id, { snoozed_until: until }),
    repeat: (id, fields, at) =>
      db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('alerts')
          .set(fields)
          .where('id', '=', id)
          .returning('channels')
          .executeTakeFirstOrThrow()
        await addDeliveries(tx, id, channelsOf(row.channels), at)
      }),
    dueDeliveries: (channel, at, limit) =>
      db
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('state', '=', 'pending')
        .where('channel', '=', channel)
        .where('next_try_at', '<=', at)
        .orderBy('id')
        .limit(limit)
        .execute(),
    async updateDelivery(id, fields) {
      await db.updateTable('alert_deliveries').set(fields).where('id', '=', id).execute()
    },
    deliveriesSince: (at) =>
      db.selectFrom('alert_deliveries').selectAll().where('at', '>=', at).orderBy('id').execute(),
    lastDelivery: (channel) =>
      db
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('channel', '=', channel)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    control: () => readControl(db),
    async heartbeatUrl() {
      const { heartbeat_address: sealed } = await readControl(db)
      return sealed === null ? undefined : secrets.open(sealed, HEARTBEAT_OWNER)
    },
    async mute(audit, until) {
      await audited(audit, async (tx) => {
        const { muted_until: before } = await readControl(tx)
        await tx.updateTable('alert_control').set({ muted_until: until }).execute()
        const target = 'mute'
        return done(undefined, { entity: 'alerts', target, before: { until: before }, after: { until } })
      })
    },
    async setHeartbeat(audit, { is_enabled, url, every_s }) {
      await audited(audit, async (tx) => {
        const before = await readControl(tx)
        await tx
          .updateTable('alert_control')
          .set({
            heartbeat_enabled: is_enabled ? 1 : 0,
            heartbeat_every_s: every_s,
            ...(url !== undefined && { heartbeat_address: secrets.seal(url, HEARTBEAT_OWNER) }),
          })
          .execute()
        const target = 'heartbeat'
        const was = { is_enabled: before.heartbeat_enabled === 1, every_s: before.heartbeat_every_s }
        const after = { is_enabled, every_s, ...(url !== undefined && { url: '[masked]' }) }
        return done(undefined, { entity: 'alerts', target, before: was, after })
      })
    },
    async noteHeartbeat(at, error) {
      await db.updateTable('alert_control').set({ heartbeat_at: at, heartbeat_error: error }).execute()
    },
    async clean(before) {
      await db
        .deleteFrom('alerts')
        .where('state', '=', 'resolved')
        .where('resolved_at', '<', before)
        .execute()
      await endUnshown(db)
    },
  }
}

function pickShown({ state, snoozed_until }: Partial<AlertRow>) {
  return { ...(state && { state }), ...(snoozed_until && { snoozed_until }) }
}

function startsOver(before: StoredRule, after: AlertRuleInput): boolean {
  return (
    !after.is_enabled ||
    before.watch !== after.watch ||
    before.subject !== after.subject ||
    before.direction !== after.direction
  )
}

async function endRule(tx: AdminTransaction, id: number, actor: string): Promise<void> {
  await tx.deleteFrom('alert_states').where('rule_id', '=', id).execute()
  await tx
    .updateTable('alerts')
    .set({ state: 'resolved', resolved_at: new Date().toISOString(), resolved_by: actor })
    .where('rule_id', '=', id)
    .where('state', '<>', 'resolved')
    .execute()
  await endUnshown(tx)
}

/** A tab shows unresolved alerts only. */
async function endUnshown(db: AdminDb): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({ state: 'failed', error: 'The alert was resolved before a tab showed it.' })
    .where('state', '=', 'pending')
    .where('channel', '=', 'browser')
    .where('alert_id', 'in', (query) =>
      query.selectFrom('alerts').select('id').where('state', '=', 'resolved'),
    )
    .execute()
}

async function saveState(db: AdminDb, state: StoredState): Promise<void> {
  await db
    .insertInto('alert_states')
    .values(state)
    .onConflict((conflict) => conflict.columns(['rule_id', 'subject']).doUpdateSet({ state: state.state }))
    .execute()
}

/** In-app is delivered by the stream as soon as it is stored. */
async function insertAlert(tx: AdminTransaction, { channels, ...row }: NewAlert): Promise<number> {
  const values = { ...row, state: 'open', channels: JSON.stringify(channels) } as const
  const { id } = await tx.insertInto('alerts').values(values).returning('id').executeTakeFirstOrThrow()
  await addDeliveries(tx, id, channels, row.raised_at)
  return id
}

async function addDeliveries(
  tx: AdminTransaction,
  alertId: number,
  channels: readonly AlertChannel[],
  at: string,
): Promise<void> {
  const rows = channels.map((channel) => ({
    alert_id: alertId,
    channel,
    state: channel === 'in-app' ? ('delivered' as const) : ('pending' as const),
    tries: channel === 'in-app' ? 1 : 0,
    at,
    next_try_at: channel === 'in-app' || channel === 'browser' ? null : at,
  }))
  await tx.insertInto('alert_deliveries').values(rows).execute()
}

async function withDeliveries(db: AdminDb, alerts: readonly AlertRow[]): Promise<AlertWithDeliveries[]> {
  if (alerts.length === 0) return []
  const ids = alerts.map(({ id }) => id)
  const rows = await db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('alert_id', 'in', ids)
    .orderBy('id')
    .execute()
  return alerts.map((alert) => {
    const latest = rows
      .filter(({ alert_id }) => alert_id === alert.id)
      .map((row) => [row.channel, row] as const)
    return { ...alert, deliveries: [...new Map(latest).values()] }
  })
}

function readControl(db: AdminDb): Promise<AlertControlRow> {
  return db.selectFrom('alert_control').selectAll().executeTakeFirstOrThrow()
}

async function findRule(db: AdminDb, id: number): Promise<StoredRule | undefined> {
  const row = await db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst()
  return row && ruleOf(row)
}

async function isNameTaken(db: AdminDb, name: string, exceptId = 0): Promise<boolean> {
  const named = db.selectFrom('alert_rules').select('id').where('name', '=', name)
  return (await named.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

interface RuleColumns {
  id: number
  version: number
  definition: string
  last_fired_at: string | null
}

function ruleOf({ id, version, definition, last_fired_at }: RuleColumns): StoredRule {
  return { ...AlertRuleInput.parse(JSON.parse(definition)), id, version, last_fired_at }
}

function definitionOf({ id: _, version: __, last_fired_at: ___, ...rule }: StoredRule): AlertRuleInput {
  return rule
}

function ruleChange(id: number, before: AlertRuleInput | null, after: AlertRuleInput | null): AuditChange {
  return { entity: 'alert-rule', target: String(id), before, after }
}

/** The channels of a stored alert. */
function channelsOf(text: string): AlertChannel[] {
  // Written by raise from a list of channels.
  return JSON.parse(text) as AlertChannel[]
}
