import { Worker } from 'node:worker_threads'

export interface Checkpoints {
  /** Resolves when the files are closed. */
  close(): Promise<void>
}

/** Checkpoints SQLite files in a thread of its own: the thread that writes them would keep orders waiting. */
export function startCheckpoints(files: readonly string[], onFault: (fault: Error) => void): Checkpoints {
  const worker = new Worker(new URL('./checkpoints.worker.ts', import.meta.url), {
    workerData: files,
    name: 'checkpoints',
  })
  worker.on('error', onFault)
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  return {
    close() {
      worker.postMessage('close')
      return exited
    },
  }
}
