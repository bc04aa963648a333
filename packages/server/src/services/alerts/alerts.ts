import { setTimeout } from 'node:timers/promises'
import {
  ALERT_CHANNELS,
  type Alert,
  type AlertChannelState,
  type AlertDelivery,
  type AlertRule,
  type AlertRuleInput,
  type AlertSummary,
  type AlertTest,
  type AlertWatch,
  type Heartbeat,
  type HeartbeatChange,
} from '@binnacle/contract'
import { MS_PER_DAY, type Result } from '@binnacle/engine'
import type { Outbound } from '#services/outbound/outbound.ts'
import type { AlertDeliveryRow } from '#storage/admin/admin-tables.ts'
import type { AlertsStore, AlertWithDeliveries, StoredRule } from '#storage/admin/alerts-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { type AlertSender, Deliveries, isOutside, NO_SENDER } from './deliveries.ts'
import { evaluate, isInWindow, QUIET, type RuleState } from './evaluate.ts'
import { type AlertFigure, type FigureSource, storedSubject } from './figures.ts'
import { callWatcher } from './heartbeat.ts'
import { type RecordedFigureOptions, readRecord, seriesOf } from './recorded-figures.ts'
import { periodOf, testOnRecord } from './test-rule.ts'
import { alertText, alertTitle } from './wording.ts'

export interface AlertsOptions extends RecordedFigureOptions {
  store: AlertsStore
  sources: readonly FigureSource[]
  outbound: Outbound
  sender?: AlertSender
  now?: () => number
  /** Evaluated by `tick` alone, without a timer. */
  isManual?: boolean
  onFault?: (fault: unknown) => void
}

export interface Alerts {
  /** Everything unresolved, as last stored. */
  summary(): AlertSummary
  /** Calls the listener after the summary changed. */
  onChange(listener: () => void): () => void
  resolved(limit: number): Promise<Alert[]>
  acknowledge(audit: AuditContext, id: number): Promise<Result<Alert, 'unknown' | 'resolved'>>
  resolve(audit: AuditContext, id: number): Promise<Result<Alert, 'unknown' | 'resolved'>>
  snooze(audit: AuditContext, id: number, seconds: number): Promise<Result<Alert, 'unknown' | 'resolved'>>
  /** A tab has shown the browser's notification. */
  confirmShown(id: number): Promise<boolean>
  mute(audit: AuditContext, seconds: number): Promise<string | null>
  channels(): Promise<AlertChannelState[]>
  sendTest(audit: AuditContext): Promise<Alert>
  rules(): Promise<AlertRule[]>
  addRule(audit: AuditContext, rule: AlertRuleInput): Promise<Result<AlertRule, 'name-taken'>>
  changeRule(
    audit: AuditContext,
    id: number,
    rule: AlertRuleInput,
  ): Promise<Result<AlertRule, 'unknown' | 'name-taken'>>
  removeRule(audit: AuditContext, id: number): Promise<Result<unknown, 'unknown'>>
  /** The subjects that a rule on this may name; undefined: it has none. */
  subjects(watch: AlertWatch): readonly string[] | undefined
  testRule(rule: AlertRuleInput, days: number): Promise<AlertTest>
  heartbeat(): Promise<Heartbeat>
  setHeartbeat(audit: AuditContext, change: HeartbeatChange): Promise<Heartbeat>
  /** Adds the figures of an engine that was reached later. */
  addSource(source: FigureSource): void
  /** Evaluates every rule now, and does what is due. Ends when it is stored. */
  tick(): Promise<void>
  /** Waits at most so long for receivers. */
  close(graceMs: number): Promise<void>
}

const TICK_MS = 1000
const KEEP_DAYS = 90
const CLEAN_EVERY_MS = 3_600_000
/** The engine counts as silent for the outside watcher after so long. */
const SILENT_S = 20

/** Opens the alerts and evaluates them once a second, prices with every change. */
export async function openAlerts(options: AlertsOptions): Promise<Alerts> {
  const service = new AlertService(options)
  await service.open()
  return service
}

/** What an evaluation decided and the store does not have yet. */
interface Pending {
  rule: StoredRule
  figure: AlertFigure
  outcome: 'raise' | 'clear' | null
  state: RuleState
  atMs: number
}

class AlertService implements Alerts {
  readonly #options: AlertsOptions
  readonly #store: AlertsStore
  readonly #now: () => number
  readonly #sender: AlertSender
  readonly #listeners = new Set<() => void>()
  readonly #unfollow: (() => void)[] = []
  readonly #sources: FigureSource[] = []
  readonly #states = new Map<string, RuleState>()
  /** What was reported of the reads that fail now. */
  readonly #failing = new Map<string, string>()
  #rules: readonly StoredRule[] = []
  #pending: Pending[] = []
  #unresolved: readonly AlertWithDeliveries[] = []
  #resolvedCount = 0
  #mutedUntil: string | null = null
  #work: Promise<unknown> = Promise.resolve()
  #reloading: Promise<void> = Promise.resolve()
  readonly #deliveries: Deliveries
  #watching: Promise<boolean> | undefined
  #timer: NodeJS.Timeout | undefined
  #cleanedAtMs = 0
  #isClosed = false
  #reported: string | undefined

  constructor(options: AlertsOptions) {
    this.#options = options
    this.#store = options.store
    this.#now = options.now ?? Date.now
    this.#sender = options.sender ?? NO_SENDER
    this.#deliveries = new Deliveries({ store: this.#store, sender: this.#sender, now: this.#now })
  }

  async open(): Promise<void> {
    await this.#clean()
    await this.#loadRules()
    await this.#reload()
    for (const source of this.#options.sources) this.addSource(source)
    if (this.#options.isManual !== true) this.#timer = setInterval(() => void this.tick(), TICK_MS).unref()
  }

  addSource(source: FigureSource): void {
    this.#sources.push(source)
    const stop = source.follow?.((watches) => {
      this.#observe(watches)
      if (this.#pending.length > 0) void this.#report(this.#serialise(() => this.#storePending()))
    })
    if (stop !== undefined) this.#unfollow.push(stop)
  }

  summary(): AlertSummary {
    const nowMs = this.#now()
    const isAsleep = ({ snoozed_until }: AlertWithDeliveries) =>
      snoozed_until !== null && Date.parse(snoozed_until) > nowMs
    const silence = this.#silenceS()
    return {
      open: this.#unresolved.filter((alert) => alert.state === 'open' && !isAsleep(alert)).length,
      acknowledged: this.#unresolved.filter(({ state }) => state === 'acknowledged').length,
      resolved: this.#resolvedCount,
      muted_until: this.#isMuted(nowMs) ? this.#mutedUntil : null,
      heartbeat_at: silence === undefined ? null : new Date(nowMs - silence * 1000).toISOString(),
      alerts: this.#unresolved.slice(0, MAX_LISTED).map(alertToWire),
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async resolved(limit: number): Promise<Alert[]> {
    return (await this.#store.resolved(limit)).map(alertToWire)
  }

  acknowledge(audit: AuditContext, id: number): Promise<Result<Alert, 'unknown' | 'resolved'>> {
    return this.#change(() => this.#store.acknowledge(audit, id, this.#iso()))
  }

  resolve(audit: AuditContext, id: number): Promise<Result<Alert, 'unknown' | 'resolved'>> {
    return this.#change(() => this.#store.resolve(audit, id, this.#iso()))
  }

  snooze(audit: AuditContext, id: number, seconds: number): Promise<Result<Alert, 'unknown' | 'resolved'>> {
    return this.#change(() => this.#store.snooze(audit, id, this.#iso(seconds * 1000)))
  }

  async confirmShown(id: number): Promise<boolean> {
    const alert = await this.#store.find(id)
    const waiting = alert?.deliveries.find(
      ({ channel, state }) => channel === 'browser' && state === 'pending',
    )
    if (waiting === undefined) return alert !== undefined
    await this.#store.updateDelivery(waiting.id, { state: 'delivered', tries: 1, at: this.#iso() })
    await this.#reload()
    return true
  }

  async mute(audit: AuditContext, seconds: number): Promise<string | null> {
    await this.#store.mute(audit, seconds === 0 ? null : this.#iso(seconds * 1000))
    await this.#reload()
    return this.#mutedUntil
  }

  async channels(): Promise<AlertChannelState[]> {
    const nowMs = this.#now()
    const today = await this.#store.deliveriesSince(new Date(nowMs - (nowMs % MS_PER_DAY)).toISOString())
    return Promise.all(
      ALERT_CHANNELS.map(async (channel) => {
        const missing = isOutside(channel) ? this.#sender.whyNotReady(channel) : undefined
        const last = await this.#store.lastDelivery(channel)
        const isDelivered = (row: AlertDeliveryRow) => row.channel === channel && row.state === 'delivered'
        return {
          channel,
          is_ready: missing === undefined,
          note: missing ?? null,
          delivered_today: today.filter(isDelivered).length,
          last: last === undefined ? null : deliveryToWire(last),
        }
      }),
    )
  }

  async sendTest(audit: AuditContext): Promise<Alert> {
    const isReady = (channel: string) =>
      !isOutside(channel) || this.#sender.whyNotReady(channel) === undefined
    const id = await this.#store.raiseByHand(audit, {
      rule_id: null,
      watch: 'engine',
      subject: '',
      title: 'Test alert',
      text: 'Sent by hand to try the channels. Nothing is wrong.',
      severity: 'info',
      value: 0,
      escalate_after_s: null,
      channels: ALERT_CHANNELS.filter(isReady),
      raised_at: this.#iso(),
    })
    await this.tick()
    await this.#reload()
    return alertToWire(await this.#find(id))
  }

  async rules(): Promise<AlertRule[]> {
    return this.#rules.map((rule) => this.#ruleToWire(rule))
  }

  addRule(audit: AuditContext, rule: AlertRuleInput): Promise<Result<AlertRule, 'name-taken'>> {
    return this.#changeRules(() => this.#store.addRule(audit, rule))
  }

  changeRule(
    audit: AuditContext,
    id: number,
    rule: AlertRuleInput,
  ): Promise<Result<AlertRule, 'unknown' | 'name-taken'>> {
    return this.#changeRules(() => this.#store.changeRule(audit, id, rule))
  }

  removeRule(audit: AuditContext, id: number): Promise<Result<unknown, 'unknown'>> {
    return this.#changeRules(() => this.#store.removeRule(audit, id))
  }

  subjects(watch: AlertWatch): readonly string[] | undefined {
    const lists = this.#sourcesOf(watch).map((source) =>
      this.#tryRead(source, `subjects/${watch}`, () => source.subjects(watch), []),
    )
    return lists[0] && [...new Set(lists.flatMap((subjects) => subjects ?? []))]
  }

  async testRule(rule: AlertRuleInput, days: number): Promise<AlertTest> {
    const period = periodOf(days, this.#now())
    const points = await readRecord(rule, period, this.#options)
    const tested = testOnRecord(rule, points ?? [], period)
    return points === undefined ? { ...tested, note: NOT_RECORDED } : tested
  }

  async heartbeat(): Promise<Heartbeat> {
    const control = await this.#store.control()
    const url = await this.#store.heartbeatUrl()
    return {
      is_enabled: control.heartbeat_enabled === 1,
      host: url === undefined ? null : (URL.parse(url)?.host ?? null),
      every_s: control.heartbeat_every_s,
      last_at: control.heartbeat_at,
      last_error: control.heartbeat_error,
    }
  }

  async setHeartbeat(audit: AuditContext, change: HeartbeatChange): Promise<Heartbeat> {
    await this.#store.setHeartbeat(audit, change)
    return this.heartbeat()
  }

  async tick(): Promise<void> {
    this.#observe()
    await this.#report(
      this.#serialise(async () => {
        await this.#storePending()
        await this.#repeatDue()
        await this.#cleanDue()
      }),
    )
    // Apart from storing, which must not wait for a slow receiver.
    await Promise.all([this.#report(this.#send()), this.#report(this.#callWatcher())])
  }

  /** Waits at most so long for receivers; what they did not acknowledge is sent again after the next start. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#timer)
    this.#isClosed = true
    for (const stop of this.#unfollow) stop()
    await this.#work
    const receivers = Promise.allSettled([this.#deliveries.settled(), this.#watching])
    await Promise.race([receivers, setTimeout(graceMs, undefined, { ref: false })])
  }

  /** Reads the figures and decides at once, so that no short peak is missed; storing follows. */
  #observe(watches?: readonly AlertWatch[]): void {
    const atMs = this.#now()
    const isMuted = this.#isMuted(atMs)
    for (const rule of this.#rules) {
      if (!rule.is_enabled || (watches !== undefined && !watches.includes(rule.watch))) continue
      const sources = this.#sourcesOf(rule.watch)
      for (const figure of sources.flatMap((source) => this.#readFigures(source, rule, atMs))) {
        const key = stateKey(rule.id, storedSubject(figure))
        const before = this.#states.get(key) ?? QUIET
        const { state, outcome } = evaluate(rule, before, { atMs, value: figure.value, isMuted })
        if (outcome === null && state.isBeyond === before.isBeyond) continue
        this.#states.set(key, state)
        this.#pending.push({ rule, figure, outcome, state, atMs })
      }
    }
  }

  #readFigures(source: FigureSource, rule: StoredRule, atMs: number): readonly AlertFigure[] {
    return this.#tryRead(source, `rule/${rule.id}`, () => figuresOf(source, rule, atMs), [])
  }

  /** A source that fails costs its own figures, not those of the others. It is reported once. */
  #tryRead<Value>({ engine }: FigureSource, what: string, read: () => Value, fallback: Value): Value {
    const key = `${engine?.name ?? ''}/${what}`
    try {
      const value = read()
      this.#failing.delete(key)
      return value
    } catch (fault) {
      const text = String(fault)
      if (this.#failing.get(key) !== text) this.#options.onFault?.(fault)
      this.#failing.set(key, text)
      return fallback
    }
  }

  /** One per engine, the default one first; those of the server are one. */
  #sourcesOf(watch: AlertWatch): readonly FigureSource[] {
    return this.#sources.filter(({ watches }) => watches.includes(watch))
  }

  /** In their order. What could not be stored is tried again with the next tick. */
  async #storePending(): Promise<void> {
    if (this.#pending.length === 0) return
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      await this.#storeOne(next)
      this.#pending.shift()
    }
    await this.#loadRules()
    await this.#reload()
  }

  async #storeOne({ rule, figure, outcome, state, atMs }: Pending): Promise<void> {
    const subject = storedSubject(figure)
    const stored = { rule_id: rule.id, subject, state: JSON.stringify(state) }
    const at = new Date(atMs).toISOString()
    if (outcome === 'clear') return this.#store.clear(stored, at)
    if (outcome === null) return this.#store.saveState(stored)
    await this.#store.raise(
      {
        rule_id: rule.id,
        watch: rule.watch,
        subject,
        title: alertTitle(rule, figure),
        text: alertText(rule, figure),
        severity: rule.severity,
        value: figure.value,
        escalate_after_s: rule.escalate_after_s,
        channels: rule.channels,
        raised_at: at,
      },
      stored,
    )
  }

  /** Escalates what nobody acknowledged, and sends again what was snoozed. */
  async #repeatDue(): Promise<void> {
    const nowMs = this.#now()
    const at = this.#iso()
    let hasRepeated = false
    for (const alert of this.#unresolved) {
      const { id, state, snoozed_until, escalate_after_s: afterS, escalated_at } = alert
      if (snoozed_until !== null) {
        if (Date.parse(snoozed_until) > nowMs || !(await this.#isUnchanged(alert))) continue
        await this.#store.repeat(id, { snoozed_until: null }, at)
      } else if (state === 'open' && afterS !== null && escalated_at === null) {
        if (Date.parse(alert.raised_at) + afterS * 1000 > nowMs || !(await this.#isUnchanged(alert))) continue
        await this.#store.repeat(id, { severity: 'critical', escalated_at: at }, at)
      } else continue
      hasRepeated = true
    }
    if (hasRepeated) await this.#reload()
  }

  async #cleanDue(): Promise<void> {
    if (this.#now() - this.#cleanedAtMs < CLEAN_EVERY_MS) return
    await this.#clean()
    await this.#reload()
  }

  async #clean(): Promise<void> {
    const nowMs = this.#now()
    await this.#store.clean(this.#iso(-KEEP_DAYS * MS_PER_DAY))
    this.#cleanedAtMs = nowMs
  }

  /** A person may have acknowledged, snoozed or resolved it since it was read. */
  async #isUnchanged({ id, state, snoozed_until }: AlertWithDeliveries): Promise<boolean> {
    const stored = await this.#store.find(id)
    return stored?.state === state && stored.snoozed_until === snoozed_until
  }

  async #send(): Promise<void> {
    if (await this.#deliveries.sendDue()) await this.#reload()
  }

  async #callWatcher(): Promise<void> {
    const { outbound } = this.#options
    const isAlive = () => (this.#silenceS() ?? SILENT_S) < SILENT_S
    this.#watching ??= callWatcher({ store: this.#store, outbound, isAlive, now: this.#now }).finally(() => {
      this.#watching = undefined
    })
    await this.#watching
  }

  /** One at a time: the states in memory and in the store change together. */
  #serialise<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#work.then(work)
    this.#work = result.catch(() => {})
    return result
  }

  /** A fault is reported once until something else happens; the work is tried again with the next tick. */
  async #report(work: Promise<unknown>): Promise<void> {
    try {
      await work
      this.#reported = undefined
    } catch (fault) {
      const text = String(fault)
      if (text !== this.#reported && !this.#isClosed) this.#options.onFault?.(fault)
      this.#reported = text
    }
  }

  async #change<Reason extends string>(
    change: () => Promise<Result<number, Reason>>,
  ): Promise<Result<Alert, Reason>> {
    const outcome = await change()
    if (!outcome.ok) return outcome
    await this.#reload()
    return { ok: true, value: alertToWire(await this.#find(outcome.value)) }
  }

  #changeRules<Reason extends string>(
    change: () => Promise<Result<StoredRule, Reason>>,
  ): Promise<Result<AlertRule, Reason>> {
    return this.#serialise(async () => {
      await this.#storePending()
      const outcome = await change()
      if (!outcome.ok) return outcome
      await this.#loadRules()
      await this.#reload()
      return { ok: true, value: this.#ruleToWire(outcome.value) }
    })
  }

  async #loadRules(): Promise<void> {
    const [rules, states] = await Promise.all([this.#store.rules(), this.#store.states()])
    this.#rules = rules
    // What a rule decided before it was changed does not count any more.
    const isCurrent = ({ rule }: Pending) =>
      rules.some(({ id, version }) => id === rule.id && version === rule.version)
    this.#pending = this.#pending.filter(isCurrent)
    const pending = new Set(this.#pending.map(({ rule, figure }) => stateKey(rule.id, storedSubject(figure))))
    for (const key of this.#states.keys()) if (!pending.has(key)) this.#states.delete(key)
    for (const { rule_id, subject, state } of states) {
      const key = stateKey(rule_id, subject)
      // Written by #storeOne.
      if (!pending.has(key)) this.#states.set(key, JSON.parse(state) as RuleState)
    }
  }

  /** One at a time: an older one that ended later would show what was before. */
  #reload(): Promise<void> {
    const reloaded = this.#reloading.then(() => this.#readStored())
    this.#reloading = reloaded.catch(() => {})
    return reloaded
  }

  async #readStored(): Promise<void> {
    this.#unresolved = await this.#store.unresolved()
    this.#resolvedCount = await this.#store.countResolved()
    this.#mutedUntil = (await this.#store.control()).muted_until
    for (const listener of this.#listeners) listener()
  }

  async #find(id: number): Promise<AlertWithDeliveries> {
    const found = await this.#store.find(id)
    if (found === undefined) throw new Error(`Alert ${id} was stored and is not there`)
    return found
  }

  #ruleToWire(rule: StoredRule): AlertRule {
    const atMs = this.#now()
    const [source] = this.#sourcesOf(rule.watch)
    const figures = source === undefined ? [] : this.#readFigures(source, rule, atMs)
    return {
      ...rule,
      is_muted: this.#isMuted(atMs) || isInWindow(rule.mute, atMs),
      series: seriesOf(rule),
      value: figures.length === 1 ? (figures[0]?.value ?? null) : null,
    }
  }

  #isMuted(atMs: number): boolean {
    return this.#mutedUntil !== null && Date.parse(this.#mutedUntil) > atMs
  }

  /** Undefined if it cannot be read. */
  #silenceS(): number | undefined {
    const rule = { watch: 'engine', subject: null, window_s: 1 } as const
    const [source] = this.#sourcesOf('engine')
    return (
      source && this.#tryRead(source, 'silence', () => source.read(rule, this.#now())[0]?.value, undefined)
    )
  }

  #iso(fromNowMs = 0): string {
    return new Date(this.#now() + fromNowMs).toISOString()
  }
}

/** More are in the store; the counts include them. */
const MAX_LISTED = 100
const NOT_RECORDED = 'What this rule watches is not recorded, so it cannot be tested on past data.'

function figuresOf(source: FigureSource, rule: StoredRule, atMs: number): readonly AlertFigure[] {
  const { engine } = source
  const figures = source.read(rule, atMs)
  const watched = rule.subject === null ? figures : figures.filter(({ subject }) => subject === rule.subject)
  return engine === undefined ? watched : watched.map((figure) => ({ ...figure, engine }))
}

function stateKey(ruleId: number, subject: string): string {
  return `${ruleId}/${subject}`
}

function alertToWire({
  channels: _,
  escalate_after_s: __,
  deliveries,
  ...alert
}: AlertWithDeliveries): Alert {
  return { ...alert, deliveries: deliveries.map(deliveryToWire) }
}

function deliveryToWire({ id: _, alert_id: __, ...delivery }: AlertDeliveryRow): AlertDelivery {
  return delivery
}
