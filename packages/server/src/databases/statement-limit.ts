import { StoreRefusal } from '@binnacle/stores'

/** A running statement with its signal, which its time limit, its client and a request to cancel abort. */
export interface LimitedWork {
  signal: AbortSignal
  cancel(): void
  /** Must be called when the work has ended. */
  done(): void
}

/** Begins the time limit. Throws if the client has gone already. */
export function limitWork(limitMs: number, client?: AbortSignal): LimitedWork {
  if (client?.aborted) throw CLIENT_GONE
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(timeLimitExceeded(limitMs)), limitMs)
  const cancel = () => control.abort(new StoreRefusal('statement.cancelled', 'The statement was cancelled.'))
  client?.addEventListener('abort', cancel)
  return {
    signal: control.signal,
    cancel,
    done: () => {
      clearTimeout(timer)
      client?.removeEventListener('abort', cancel)
    },
  }
}

/** Runs work on a store until it ends, its time limit passes or the client goes away. */
export async function withTimeLimit<Value>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
  client?: AbortSignal,
): Promise<Value> {
  const limited = limitWork(limitMs, client)
  return work(limited.signal).finally(limited.done)
}

function timeLimitExceeded(limitMs: number): StoreRefusal {
  return new StoreRefusal(
    'statement.timeout',
    `The statement hit the ${limitMs / 1000} s time limit of this connection and was cancelled.`,
  )
}

const CLIENT_GONE = new StoreRefusal('statement.cancelled', 'The client left before the statement began.')
