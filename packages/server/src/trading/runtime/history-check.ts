import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { HistoryComparison } from './check-history.ts'
import type { DeskPaths } from './desk-protocol.ts'

/** The result of the last check of the order history. */
export type HistoryCheckResult =
  | (HistoryComparison & { ok: true; at: Date; durationMs: number })
  | { ok: false; at: Date; why: string }

/** Compares the order history with the journal in the background, and on demand. */
export interface HistoryCheck {
  /** Null until the first check has ended. */
  readonly last: HistoryCheckResult | null
  readonly isRunning: boolean
  /** Checks without pauses; a check under way is shared. */
  run(): Promise<HistoryCheckResult>
  close(): Promise<void>
}

export interface HistoryCheckOptions {
  paths: DeskPaths
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>
  firstAfterMs?: number
  everyMs?: number
}

const FIRST_AFTER_MS = 5 * 60_000
const EVERY_MS = 6 * 3_600_000

export function startHistoryCheck(options: HistoryCheckOptions): HistoryCheck {
  const { paths, logger, firstAfterMs = FIRST_AFTER_MS, everyMs = EVERY_MS } = options
  let last: HistoryCheckResult | null = null
  let running: Promise<HistoryCheckResult> | undefined
  let worker: Worker | undefined
  let timer = schedule(firstAfterMs)

  function schedule(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => void check(false), afterMs).unref()
  }

  function check(isHurried: boolean): Promise<HistoryCheckResult> {
    clearTimeout(timer)
    running ??= checkInWorker(isHurried).then((result) => {
      last = result
      running = undefined
      timer = schedule(everyMs)
      report(logger, result)
      return result
    })
    return running
  }

  async function checkInWorker(isHurried: boolean): Promise<HistoryCheckResult> {
    const startMs = performance.now()
    try {
      worker = new Worker(new URL('./history-check.worker.ts', import.meta.url), {
        workerData: { paths, isHurried },
        name: 'order-history-check',
      })
      const [comparison] = await Promise.race([once(worker, 'message'), waitForExit(worker)])
      return { ...comparison, ok: true, at: new Date(), durationMs: Math.round(performance.now() - startMs) }
    } catch (fault) {
      return { ok: false, at: new Date(), why: fault instanceof Error ? fault.message : String(fault) }
    }
  }

  return {
    get last() {
      return last
    },
    get isRunning() {
      return running !== undefined
    },
    run: () => check(true),
    async close() {
      await worker?.terminate()
      await running
      clearTimeout(timer)
    },
  }
}

async function waitForExit(worker: Worker): Promise<never> {
  await once(worker, 'exit')
  throw new Error('the check was ended')
}

function report(logger: HistoryCheckOptions['logger'], result: HistoryCheckResult): void {
  if (!result.ok) logger.error({ event: 'order-history.check-failed', why: result.why })
  else if (result.differences > 0) logger.error({ event: 'order-history.repaired', ...result })
  else logger.info({ event: 'order-history.checked', seq: result.seq, durationMs: result.durationMs })
}
