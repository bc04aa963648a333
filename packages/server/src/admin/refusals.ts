import { Refused } from '#http/problems.ts'
import type { Outcome } from '#storage/admin/audited.ts'

/** Turns what came of an act into a reply: the value told, or the refusal that belongs to the reason. */
export function answer<Value, Reason extends string, Reply>(
  outcome: Outcome<Value, Reason>,
  tell: (value: Value) => Reply,
  refusals: Record<Reason, Refused>,
): Reply | Refused {
  return outcome.ok ? tell(outcome.value) : refusals[outcome.reason]
}

export function unknownThing(kind: string, id: string, list: string): Refused {
  const fault = { field: 'path.id', message: `names no ${kind}` }
  return new Refused('thing.unknown', `There is no ${kind} '${id}'. ${list} lists them.`, [fault])
}

export function takenName(kind: string, name: string | undefined, field = 'name'): Refused {
  const fault = { field: `body.${field}`, message: `is taken by another ${kind}` }
  return new Refused('thing.exists', `'${name}' is taken by another ${kind}. Choose another ${field}.`, [
    fault,
  ])
}
