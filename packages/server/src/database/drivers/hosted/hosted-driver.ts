import type { Abilities, Driver, RowStream } from '#database/drivers/driver.ts'
import type { Engine, EngineCall, EnginePlace } from './engine.ts'
import { createEnginePool, type EngineLease } from './engine-pool.ts'

interface HostedDriverOptions {
  kind: 'sqlite' | 'parquet'
  can: Abilities
  /** Asked each time a process is taken, so that what it works on is checked anew. */
  place: () => EnginePlace
}

/** A driver whose work is done by processes of its own: they can be killed, and a crash is theirs alone. */
export function createHostedDriver({ kind, can, place }: HostedDriverOptions): Driver {
  const pool = createEnginePool(place)

  async function ask<Name extends Exclude<keyof Engine, 'stream'>>(
    name: Name,
    args: Parameters<Engine[Name]>,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Engine[Name]>>> {
    const lease = await pool.take(signal)
    try {
      // Name and arguments belong together by this function's own type, and the engine answers as its type says.
      return (await lease.ask({ name, args } as EngineCall, signal)) as Awaited<ReturnType<Engine[Name]>>
    } finally {
      lease.giveBack()
    }
  }

  return {
    kind,
    can,
    ping: (signal) => ask('ping', [], signal),
    tables: (signal) => ask('tables', [], signal),
    schema: (table, signal) => ask('schema', [table], signal),
    page: (request, signal) => ask('page', [request], signal),
    check: (statement, signal) => ask('check', [statement], signal),
    run: (statement, caps, signal) => ask('run', [statement, caps], signal),
    explain: (statement, signal) => ask('explain', [statement], signal),
    async stream(source, signal) {
      const lease = await pool.take(signal)
      const first = lease.ask({ name: 'stream', args: [source] }, signal)
      // The engine answers a stream with its columns.
      const opened = await (first as Promise<Pick<RowStream, 'columns'>>).catch((reason) => {
        lease.giveBack()
        throw reason
      })
      // Before the first batch and between two of them nobody asks, and yet an abort must end the statement.
      signal.addEventListener('abort', () => endLease(lease), { once: true })
      return { columns: opened.columns, batches: batchesOf(lease, signal) }
    },
    close: async () => pool.close(),
  }
}

async function* batchesOf(lease: EngineLease, signal: AbortSignal): AsyncGenerator<unknown[][]> {
  let isWhole = false
  try {
    for (;;) {
      // A batch is rows, or null after the last one.
      const batch = (await lease.ask({ name: 'next', args: [] }, signal)) as unknown[][] | null
      if (batch === null) break
      yield batch
    }
    isWhole = true
  } finally {
    // A half-read stream holds a statement open, so its process is of no more use.
    if (isWhole) lease.giveBack()
    else endLease(lease)
  }
}

function endLease(lease: EngineLease): void {
  lease.kill()
  lease.giveBack()
}
