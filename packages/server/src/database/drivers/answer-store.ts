import { Refused } from '#http/problems.ts'
import { StoreRefusal } from './store-refusal.ts'

/**
 * Runs the work of a call on a store; a refusal becomes the problem it stands for. One that names no field is
 * about the given one, for a call that hands over what a person wrote.
 */
export async function answerStore<Reply>(
  work: () => Promise<Reply>,
  field?: string,
): Promise<Reply | Refused> {
  const outcome = await settle(work)
  if (outcome.ok) return outcome.value
  const { code, message, errors } = outcome.refusal
  const fault = field === undefined ? undefined : [{ field, message }]
  return new Refused(code, message, errors ?? fault)
}

export type Settled<Value> = { ok: true; value: Value } | { ok: false; refusal: StoreRefusal }

/** The refusal as a value, for who has more to do with it than to tell it. */
export async function settle<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (thrown) {
    if (!(thrown instanceof StoreRefusal)) throw thrown
    return { ok: false, refusal: thrown }
  }
}

export function refusedBy({ code, message, errors }: StoreRefusal): Refused {
  return new Refused(code, message, errors)
}
