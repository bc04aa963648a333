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
