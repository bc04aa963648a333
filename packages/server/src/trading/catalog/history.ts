import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { readPlan } from '#storage/history-plan.ts'
import type { HistoryProgress } from './generate-history.ts'

export interface HistoryWorkerOptions {
  /** The catalog's folder. */
  folder: string
  planFile: string
  marketFile: string
  days: number
  /** When the running market began. */
  until: number
  seed: number
}

export interface HistoryPlace {
  /** The catalog's folder. */
  folder: string
  /** Where the live market remembers its prices. */
  marketFile: string
  /** How many days a first start generates; 0 leaves the catalog as it is. */
  days: number
  logger: FastifyBaseLogger
  now: number
}

/** The generation of history, as seen by the server, which serves meanwhile. */
export interface History {
  /** Progress; null if no history is configured. */
  progress(): HistoryProgress | null
  /** Resolves when nothing more will come, with whether days were added. */
  readonly finished: Promise<boolean>
  /** Stops after the file at hand; a later start goes on from there. */
  close(): Promise<void>
}

/** Goes on with the days of history that are still missing, on a thread of its own. */
export function startHistory({ folder, marketFile, days, logger, now }: HistoryPlace): History {
  const planFile = join(folder, 'history.json')
  const plan = days === 0 ? undefined : readPlan(planFile)
  let progress = progressOf(plan ?? { stored: 0, days })
  if (progress.done) {
    return {
      progress: () => (days === 0 ? null : progress),
      finished: Promise.resolve(false),
      close: async () => {},
    }
  }
  const workerData: HistoryWorkerOptions = {
    folder,
    planFile,
    marketFile,
    days,
    until: now,
    seed: now % 2 ** 31,
  }
  const worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
    workerData,
    name: 'market-history',
  })
  const startedAt = performance.now()
  logger.info({ event: 'history.started', ...progress })
  worker.on('message', (next: HistoryProgress) => {
    progress = next
    if (next.done) logger.info({ event: 'history.done', ...next, tookMs: performance.now() - startedAt })
    else if (next.days % LOG_EVERY_DAYS === 0) logger.info({ event: 'history.progress', ...next })
  })
  worker.on('error', (fault) => logger.error({ event: 'history.failed', err: fault }))
  const finished = new Promise<boolean>((resolve) => worker.once('exit', () => resolve(progress.done)))
  return {
    progress: () => progress,
    finished,
    async close() {
      worker.postMessage('stop')
      await finished
    },
  }
}

const LOG_EVERY_DAYS = 10

function progressOf({ stored, days }: { stored: number; days: number }): HistoryProgress {
  return { done: stored === days, days: stored, of: days }
}
