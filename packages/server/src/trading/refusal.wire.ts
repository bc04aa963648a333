import type { ProblemCode } from '@binnacle/contract'
import { describeReason, type Refusal } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'

/** What the engine refused, as the problem that a client gets: the sentence carries the numbers. */
export function refusalToWire(reason: Refusal): Refused {
  const sentence = describeReason(reason)
  const field = FIELDS[reason.code.split('.')[0] ?? '']
  const code = PROBLEM_OF[reason.code] ?? problemOfFamily(reason.code)
  const isAboutField = code === 'order.malformed' && field !== undefined
  return new Refused(code, sentence, isAboutField ? [{ field, message: sentence }] : undefined)
}

const FIELDS: Readonly<Record<string, string>> = {
  price: 'body.price',
  quantity: 'body.quantity',
  instrument: 'body.instrument',
  'time-in-force': 'body.time_in_force',
  key: 'header.idempotency-key',
  limit: 'body',
}

const PROBLEM_OF: { readonly [Code in Refusal['code']]?: ProblemCode } = {
  'order.unknown': 'thing.unknown',
  'order.finished': 'order.not-pending',
  'order.unchanged': 'engine.refused',
  'position.unknown': 'position.not-open',
  'limit.invalid': 'request.invalid',
  'desk.halted': 'engine.halted',
  'desk.not-open': 'engine.halted',
}

const MALFORMED_FAMILIES = new Set(['price', 'quantity', 'instrument', 'time-in-force', 'key'])

function problemOfFamily(code: Refusal['code']): ProblemCode {
  return MALFORMED_FAMILIES.has(code.split('.')[0] ?? '') ? 'order.malformed' : 'engine.refused'
}
