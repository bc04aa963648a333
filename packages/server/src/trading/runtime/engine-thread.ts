import { Worker } from 'node:worker_threads'
import type { DeskWorkerOptions } from './desk-protocol.ts'

/** A thread that has no engine yet. */
let prepared: Worker | undefined

/** Starts a thread before its options are known. It loads its modules and waits for them. */
export function prepareEngineThread(): Worker {
  prepared ??= createThread()
  return prepared
}

/** The thread that waits for its options, if there is one. */
export function preparedThread(): Worker | undefined {
  return prepared
}

export function startEngineThread(options: DeskWorkerOptions): Worker {
  const thread = prepared ?? createThread()
  prepared = undefined
  thread.postMessage(options)
  return thread
}

/** Ends a prepared thread that no engine uses, as with engines of NautilusTrader only. */
export async function endPreparedThread(): Promise<void> {
  const unused = prepared
  prepared = undefined
  await unused?.terminate()
}

function createThread(): Worker {
  return new Worker(new URL('./desk-worker.ts', import.meta.url), { name: 'engine' })
}
