import { isDeepStrictEqual } from 'node:util'
import type { PlanEnding } from '#trading/backtests/plan-run.ts'
import { readStoredResult } from '#trading/backtests/received-result.ts'
import type { RemoteEnding, RemoteResult } from './remote-task.ts'

/** The first result of a worker is computed again on the server, and then one of so many. */
const CHECK_EVERY = 50

interface Verdict {
  results: number
  isTrusted: Promise<boolean>
}

/** BT-51: finds out workers whose results differ from those of the server. */
export class WorkerTrust {
  readonly #verdicts = new Map<string, Verdict>()
  readonly #exclude: (worker: string, reason: string) => Promise<void>

  constructor(exclude: (worker: string, reason: string) => Promise<void>) {
    this.#exclude = exclude
  }

  /** The ending that counts, or null when the run has to be done again. What the server computed itself counts first. */
  async judge(
    { worker, ending: sent }: RemoteResult,
    recompute: () => Promise<PlanEnding>,
  ): Promise<PlanEnding | null> {
    if (sent.kind === 'stopped' || sent.kind === 'bars-missing') return null
    const ending = endingOf(sent)
    if (ending === undefined) {
      await this.#exclude(worker, 'It sent something that is no result.')
      return recompute()
    }
    const verdict = this.#verdicts.get(worker) ?? { results: 0, isTrusted: Promise.resolve(true) }
    this.#verdicts.set(worker, verdict)
    verdict.results += 1
    if ((verdict.results - 1) % CHECK_EVERY !== 0) return (await verdict.isTrusted) ? ending : null
    const before = verdict.isTrusted
    const own = recompute()
    verdict.isTrusted = own.then(
      async (expected) => (await before) && this.#compare(worker, ending, expected),
    )
    const isTrusted = await verdict.isTrusted
    const expected = await own
    return isTrusted && tokenOf(expected) === undefined ? ending : expected
  }

  async #compare(worker: string, ending: PlanEnding, expected: PlanEnding): Promise<boolean> {
    // The server could not compute it, for example because it is closing.
    if (tokenOf(expected) === undefined || isDeepStrictEqual(ending, asSent(expected))) return true
    await this.#exclude(
      worker,
      `Its result ${tokenOf(ending)} differs from ${tokenOf(expected)} of the server.`,
    )
    return false
  }
}

/** A result that was sent has no -0 and no undefined fields. */
function asSent(ending: PlanEnding): unknown {
  return JSON.parse(JSON.stringify(ending))
}

/** As the server would have computed it; undefined for an invalid result. */
function endingOf(
  ending: Exclude<RemoteEnding, { kind: 'stopped' | 'bars-missing' }>,
): PlanEnding | undefined {
  if (ending.kind !== 'completed') return ending
  const stored = readStoredResult(ending.result)
  return stored && { kind: 'completed', ...stored }
}

/** What two computations of a run have in common. */
function tokenOf(ending: PlanEnding): string | undefined {
  if (ending.kind === 'completed') return ending.hash
  if (ending.kind === 'figures') return ending.figures.hash
  return ending.kind === 'refused' ? ending.sentence : undefined
}
