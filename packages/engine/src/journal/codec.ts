import type { Event, EventType } from '#model/event.ts'
import { ENTRY_VERSION, type JournalEntry } from '#model/journal-entry.ts'
import type { Limits } from '#model/risk.ts'
import { Fault } from '#values/fault.ts'
import { type Money, moneyOfUnits } from '#values/money.ts'

/** Writes an entry as one line of JSON; money becomes a string of units. */
export function encodeEntry(entry: JournalEntry): string {
  return JSON.stringify({ ...entry, events: entry.events.map(withMoneyAsText) })
}

/** An entry as text. */
export interface EncodedEntry {
  /** For the journal. */
  readonly text: string
  /**
   * For a thread that only folds entries into views: without the basis of orders and the origin of commands, which are
   * half of the text and which only readers of the journal use.
   */
  readonly forViews: string
}

/** Encodes an entry for the journal and for views. What both have is encoded once. */
export function encodeForBoth(entry: JournalEntry): EncodedEntry {
  const { seq, at, version, by, requestId, origin, events } = entry
  if (origin === undefined && requestId === null && !events.some(hasBasis)) {
    const text = encodeEntry(entry)
    return { text, forViews: text }
  }
  let text = ''
  let forViews = ''
  for (const event of events) {
    const comma = text === '' ? '' : ','
    const whole = JSON.stringify(withMoneyAsText(event))
    // Quotes within strings are escaped, so this is the field, which is the last one.
    const basisAt = hasBasis(event) ? whole.indexOf(',"basis":') : -1
    text += comma + whole
    forViews += basisAt < 0 ? comma + whole : `${comma}${whole.slice(0, basisAt)}}`
  }
  const start = `{"seq":${seq},"at":${at},"version":${version},"by":${JSON.stringify(by)},"requestId":`
  const end = origin === undefined ? '' : `,"origin":${JSON.stringify(origin)}`
  return {
    text: `${start}${JSON.stringify(requestId)},"events":[${text}]${end}}`,
    forViews: `${start}null,"events":[${forViews}]}`,
  }
}

function hasBasis(event: Event): event is Extract<Event, { basis?: unknown }> {
  return 'basis' in event
}

/** Decodes an entry; invalid text is a Fault that names the problem. */
export function decodeEntry(text: string): JournalEntry {
  return reviveEntry(tryParse(text), text)
}

/** Decodes comma-separated entries in one JSON parse, which is a third faster. */
export function decodeEntries(text: string): JournalEntry[] {
  const raw: unknown = tryParse(`[${text}]`)
  // The brackets make it an array.
  return (raw as unknown[]).map((each) => reviveEntry(each, text))
}

function reviveEntry(given: unknown, text: string): JournalEntry {
  const raw = asEntry(given, text)
  if (raw.version !== ENTRY_VERSION) throw unknownVersion(raw)
  for (const event of raw.events) revive(event, raw.seq)
  // Revived events have the shapes of this version; what was written was typed.
  return raw as unknown as JournalEntry
}

function unknownVersion({ seq, version }: RawEntry): Fault {
  return version > ENTRY_VERSION
    ? newer(`Entry ${seq} has version ${version}, this Binnacle reads up to ${ENTRY_VERSION}`)
    : new Fault('journal.damaged', `entry ${seq} has version ${version}, which never existed`)
}

function newer(what: string): Fault {
  return new Fault(
    'journal.version',
    `${what}: the journal was written by a newer Binnacle. Start that version, or restore a backup of this one.`,
  )
}

/** The money fields of every event; the compiler reports a missing one. */
const MONEY_FIELDS: { readonly [Type in EventType]: readonly MoneyFieldOf<Type>[] } = {
  OrderDenied: [],
  OrderSubmitted: ['valuePerLot'],
  OrderAccepted: [],
  OrderTriggered: [],
  OrderFilled: ['notional', 'fee', 'realised'],
  OrderChangeRequested: ['valuePerLot'],
  OrderChanged: [],
  OrderChangeRejected: [],
  OrderCancelRequested: [],
  OrderCancelled: [],
  OrderRejected: [],
  ReportDisregarded: [],
  DeskOpened: ['cash'],
  PaperAccountOpened: ['cash'],
  FundingPaid: ['amount'],
  PositionExitsChanged: [],
  DayStarted: ['equity'],
  HighWaterRaised: ['equity'],
  DrawdownDeepened: [],
  LimitsChanged: [],
  LimitBreached: ['value', 'threshold'],
  TradingStateChanged: [],
  EmergencyStarted: [],
  EmergencyEnded: [],
  ComponentChanged: [],
  ComponentConfigured: [],
  FeatureSwitched: [],
  ServiceSwitched: [],
  VenueSwitched: [],
  VenueConnected: [],
  VenueDisconnected: [],
  VenueReconciled: [],
  StrategyAdded: [],
  StrategyStarted: [],
  StrategyStopped: [],
  StrategyFailed: [],
  StrategyReconfigured: [],
  StrategyRenamed: [],
  StrategyLossLimited: [],
  StrategyRemoved: [],
}

/** By field name: a JSON reviver that visits every value takes three times as long. */
function withMoneyAsText(event: Event): object {
  const fields = MONEY_FIELDS[event.type]
  if ('limits' in event) return { ...withText(event, fields), ...limitsAsText(event) }
  return fields.length === 0 ? event : withText(event, fields)
}

function limitsAsText(event: EventWithLimits): object {
  const limits = withText(event.limits, MONEY_LIMITS)
  const before = 'before' in event && event.before
  return before ? { limits, before: withText(before, MONEY_LIMITS) } : { limits }
}

function withText(given: object, fields: readonly string[]): object {
  const text: Record<string, unknown> = { ...given }
  for (const field of fields) text[field] = String(text[field])
  return text
}

const MONEY_LIMITS: readonly FieldsOfMoney<Limits>[] = ['maxOrderSize', 'maxPositionSize', 'maxDailyLoss']

type EventWithLimits = Extract<Event, { limits: Limits }>
type FieldsOfMoney<E> = { [Field in keyof E]: E[Field] extends Money ? Field : never }[keyof E]
type MoneyFieldOf<Type extends EventType> = FieldsOfMoney<Extract<Event, { type: Type }>> & string

interface RawEvent {
  type: EventType
  limits?: unknown
  [field: string]: unknown
}

interface RawEntry {
  seq: number
  version: number
  events: RawEvent[]
}

function asEntry(raw: unknown, text: string): RawEntry {
  const isEntry = typeof raw === 'object' && raw !== null && 'events' in raw && Array.isArray(raw.events)
  if (!isEntry) throw new Fault('journal.damaged', `not an entry: ${text.slice(0, 80)}`)
  // Checked as far as decoding needs; the store has checksums.
  return raw as unknown as RawEntry
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Fault('journal.damaged', `not JSON: ${text.slice(0, 80)}`, cause)
  }
}

function revive(event: RawEvent, seq: number): void {
  const fields = MONEY_FIELDS[event.type]
  if (fields === undefined) throw newer(`Entry ${seq} has the unknown event ${event.type}`)
  for (const field of fields) event[field] = reviveMoney(event[field], event.type)
  if (event.limits === undefined) return
  event.limits = reviveLimits(event.limits, event.type)
  if (event.before !== undefined) event.before = reviveLimits(event.before, event.type)
}

/** Parses money as units; anything but a string of digits is damage. */
function reviveMoney(text: unknown, where: string): Money {
  if (typeof text !== 'string' || !/^-?\d+$/.test(text)) {
    throw new Fault('journal.damaged', `${where}: not an amount: ${String(text)}`)
  }
  return moneyOfUnits(text)
}

function reviveLimits(raw: unknown, where: string): Limits {
  // Every field is checked when it is decoded.
  const limits = raw as Record<keyof Limits, unknown>
  return {
    maxOrderSize: reviveMoney(limits.maxOrderSize, where),
    maxPositionSize: reviveMoney(limits.maxPositionSize, where),
    maxDailyLoss: reviveMoney(limits.maxDailyLoss, where),
    maxPositions: Number(limits.maxPositions),
  }
}
