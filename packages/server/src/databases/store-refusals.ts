import { StoreRefusal } from '@binnacle/stores'
import { Refused } from '#http/problems.ts'

/**
 * Runs the work of a call and turns a StoreRefusal into a problem reply. A refusal without a field is attributed to the
 * given one.
 */
export async function withStoreRefusals<Reply>(
  work: () => Promise<Reply>,
  field?: string,
): Promise<Reply | Refused> {
  const outcome = await catchRefusal(work)
  if (outcome.ok) return outcome.value
  const { code, message, errors } = outcome.refusal
  const fault = field === undefined ? undefined : [{ field, message }]
  return new Refused(code, message, errors ?? fault)
}

export type StoreResult<Value> = { ok: true; value: Value } | { ok: false; refusal: StoreRefusal }

/** Runs work and returns a refusal as a value. */
export async function catchRefusal<Value>(work: () => Promise<Value>): Promise<StoreResult<Value>> {
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
