import { StoreRefusal } from '@binnacle/stores'

/** A running statement with its signal and time limit. */
export interface LimitedWork {
  signal: AbortSignal
  cancel(): void
  /** Must be called when the work has ended. */
  done(): void
}

export function limitWork(limitMs: number): LimitedWork {
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(timeLimitExceeded(limitMs)), limitMs)
  return {
    signal: control.signal,
    cancel: () => control.abort(new StoreRefusal('statement.cancelled', 'The statement was cancelled.')),
    done: () => clearTimeout(timer),
  }
}

/** Runs work on a store until it ends, its time limit passes or the client goes away. */
export async function withTimeLimit<Value>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
  client?: AbortSignal,
): Promise<Value> {
  const limited = limitWork(limitMs)
  client?.addEventListener('abort', limited.cancel)
  return work(limited.signal).finally(limited.done)
}

function timeLimitExceeded(limitMs: number): StoreRefusal {
  return new StoreRefusal(
    'statement.timeout',
    `The statement hit the ${limitMs / 1000} s time limit of this connection and was cancelled.`,
  )
}
