import type { Driver, DriverCapabilities, RowStream, StatementResult } from '#driver.ts'
import type { ExportCell } from '#export-form.ts'
import type { StoreWorker, StoreWorkerArgs, StoreWorkerCall, StoreWorkerConfig } from './store-worker.ts'
import { createStoreWorkerPool, type StoreWorkerLease } from './store-worker-pool.ts'

interface WorkerDriverOptions {
  kind: StoreWorkerConfig['kind']
  capabilities: DriverCapabilities
  /** Called whenever a process is taken, so that the configuration is checked again. */
  workerConfig: () => StoreWorkerConfig
}

/** A driver that works in child processes, which can be killed and whose crash does no other harm. */
export function createWorkerDriver({ kind, capabilities, workerConfig }: WorkerDriverOptions): Driver {
  const pool = createStoreWorkerPool(workerConfig)

  async function call<Name extends Exclude<keyof StoreWorker, 'stream' | 'run'>>(
    name: Name,
    args: StoreWorkerArgs[Name],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<StoreWorker[Name]>>> {
    const lease = await pool.acquire(signal)
    try {
      // Name and arguments match by this function's type, and the worker replies as its type says.
      return (await lease.call({ name, args } as StoreWorkerCall, signal)) as Awaited<
        ReturnType<StoreWorker[Name]>
      >
    } finally {
      lease.release()
    }
  }

  return {
    kind,
    capabilities,
    ping: (signal) => call('ping', [], signal),
    tables: (signal) => call('tables', [], signal),
    schema: (table, signal) => call('schema', [table], signal),
    page: (request, signal) => call('page', [request], signal),
    async run(statement, caps, signal, beforeWrite) {
      const lease = await pool.acquire(signal)
      try {
        const request = { name: 'run', args: [statement, caps] } satisfies StoreWorkerCall
        // The worker replies to 'run' with the result.
        return (await lease.call(request, signal, beforeWrite)) as StatementResult
      } finally {
        lease.release()
      }
    },
    explain: (statement, signal) => call('explain', [statement], signal),
    async stream(source, signal) {
      const lease = await pool.acquire(signal)
      const first = lease.call({ name: 'stream', args: [source] }, signal)
      // The worker replies to 'stream' with the columns.
      const opened = await (first as Promise<Pick<RowStream, 'columns'>>).catch((reason) => {
        lease.release()
        throw reason
      })
      // An abort between two batches, when no call is pending, must also end the statement.
      signal.addEventListener('abort', () => endLease(lease), { once: true })
      return { columns: opened.columns, batches: batchesOf(lease, signal) }
    },
    close: async () => pool.close(),
  }
}

async function* batchesOf(lease: StoreWorkerLease, signal: AbortSignal): AsyncGenerator<ExportCell[][]> {
  let isWhole = false
  try {
    for (;;) {
      // A batch, or null after the last one.
      const batch = (await lease.call({ name: 'next', args: [] }, signal)) as ExportCell[][] | null
      if (batch === null) break
      yield batch
    }
    isWhole = true
  } finally {
    // A half-read stream keeps its statement open, so the process is killed.
    if (isWhole) lease.release()
    else endLease(lease)
  }
}

function endLease(lease: StoreWorkerLease): void {
  lease.kill()
  lease.release()
}
