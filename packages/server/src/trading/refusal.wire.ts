import type { ProblemCode, RiskLimits } from '@binnacle/contract'
import { describeReason, type Refusal } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'

/** What the engine refused, as the problem that a client gets: the sentence carries the numbers. */
export function refusalToWire(refusal: Refusal): Refused {
  const sentence = describeReason(refusal)
  const field = fieldOf(refusal)
  const code = PROBLEM_OF[refusal.code] ?? problemOfFamily(refusal.code)
  const isAboutField = field !== undefined && ABOUT_FIELDS.has(code)
  return new Refused(code, sentence, isAboutField ? [{ field, message: sentence }] : undefined)
}

const ABOUT_FIELDS = new Set<ProblemCode>(['order.malformed', 'strategy.refused', 'request.invalid'])

/** The limits as the request called them. */
const LIMITS: Readonly<Record<string, keyof RiskLimits | 'limit'>> = {
  maxOrderSize: 'max_order_size',
  maxPositionSize: 'max_position_size',
  maxDailyLoss: 'max_daily_loss',
  maxPositions: 'max_positions',
  lossLimit: 'limit',
}

function fieldOf(reason: Refusal): string | undefined {
  if ('parameter' in reason) return `body.config.${reason.parameter}`
  if ('exit' in reason) return reason.exit === 'stop-loss' ? 'body.stop_loss' : 'body.take_profit'
  if (reason.code === 'limit.invalid') return `body.${LIMITS[reason.limit] ?? reason.limit}`
  return FIELDS[reason.code] ?? FIELDS[reason.code.split('.')[0] ?? '']
}

const FIELDS: Readonly<Record<string, string>> = {
  price: 'body.price',
  quantity: 'body.quantity',
  instrument: 'body.instrument',
  'time-in-force': 'body.time_in_force',
  key: 'header.idempotency-key',
  'strategy.type-unknown': 'body.type',
  'strategy.name-taken': 'body.name',
}

const PROBLEM_OF: { readonly [Code in Refusal['code']]?: ProblemCode } = {
  'order.unknown': 'thing.unknown',
  'order.finished': 'order.not-pending',
  'order.unchanged': 'engine.refused',
  'position.unknown': 'position.not-open',
  'exit.malformed': 'request.invalid',
  'exit.past-market': 'request.invalid',
  'limit.invalid': 'request.invalid',
  'key.too-long': 'request.invalid',
  'key.used': 'request.invalid',
  'key.too-old': 'key.too-old',
  'key.unverified': 'engine.halted',
  'strategy.unknown': 'thing.unknown',
  'strategy.holds': 'strategy.holds',
  'strategy.type-unknown': 'strategy.refused',
  'strategy.name-taken': 'strategy.refused',
  'setting.unknown': 'strategy.refused',
  'setting.instrument-unknown': 'strategy.refused',
  'setting.invalid': 'strategy.refused',
  'desk.halted': 'engine.halted',
  'desk.not-open': 'engine.halted',
}

const MALFORMED_FAMILIES = new Set(['price', 'quantity', 'instrument', 'time-in-force'])

function problemOfFamily(code: Refusal['code']): ProblemCode {
  return MALFORMED_FAMILIES.has(code.split('.')[0] ?? '') ? 'order.malformed' : 'engine.refused'
}
