import { Refused } from '#http/problems.ts'
import { StoreRefusal } from './store-refusal.ts'

/** Runs the work of a call on a store; a refusal becomes the problem it stands for. */
export async function answerStore<Reply>(work: () => Promise<Reply>): Promise<Reply | Refused> {
  const outcome = await settle(work)
  return outcome.ok ? outcome.value : refusedBy(outcome.refusal)
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
