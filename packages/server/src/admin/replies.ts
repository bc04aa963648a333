import type { Result } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'

/** Turns a result into a reply or into the refusal for its reason. */
export function replyWith<Value, Reason extends string, Reply>(
  result: Result<Value, Reason>,
  toReply: (value: Value) => Reply,
  refusals: Record<Reason, Refused>,
): Reply | Refused {
  return result.ok ? toReply(result.value) : refusals[result.reason]
}

export function nameTaken(kind: string, name: string | undefined, field = 'name'): Refused {
  const fault = { field: `body.${field}`, message: `is taken by another ${kind}` }
  return new Refused('thing.exists', `'${name}' is taken by another ${kind}. Choose another ${field}.`, [
    fault,
  ])
}

/** Parses the id in a path; returns 0, which no row has, for anything but a row number. */
export function parseRowId(id: string | number): number {
  return /^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : 0
}
