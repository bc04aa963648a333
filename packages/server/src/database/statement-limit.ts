import { StoreRefusal } from './drivers/store-refusal.ts'

/** A statement that is under way: its signal, and how it is ended before its time. */
export interface LimitedWork {
  signal: AbortSignal
  cancel(): void
  /** Must be called when the work is over, however it ended. */
  done(): void
}

export function limitWork(limitMs: number): LimitedWork {
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(tooLong(limitMs)), limitMs)
  return {
    signal: control.signal,
    cancel: () => control.abort(new StoreRefusal('statement.cancelled', 'The statement was cancelled.')),
    done: () => clearTimeout(timer),
  }
}

/** Hears of a client that is gone before it was answered. */
export type OnGone = (act: () => void) => void

/** Work on a store that ends in time, one way or the other, and with the client who wants it. */
export async function inTime<Value>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
  onGone?: OnGone,
): Promise<Value> {
  const limited = limitWork(limitMs)
  onGone?.(limited.cancel)
  return work(limited.signal).finally(limited.done)
}

function tooLong(limitMs: number): StoreRefusal {
  return new StoreRefusal(
    'statement.timeout',
    `It took longer than ${limitMs / 1000} s, the time limit of this connection, and was stopped.`,
  )
}
