import type { PlanEnding } from '../plan-run.ts'
import type { RemoteResult } from './remote-task.ts'

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

  /** The ending that counts, or null when the run has to be done again. */
  async judge(
    { worker, ending }: RemoteResult,
    recompute: () => Promise<PlanEnding>,
  ): Promise<PlanEnding | null> {
    if (ending.kind === 'stopped' || ending.kind === 'bars-missing') return null
    const verdict = this.#verdicts.get(worker) ?? { results: 0, isTrusted: Promise.resolve(true) }
    this.#verdicts.set(worker, verdict)
    verdict.results += 1
    if ((verdict.results - 1) % CHECK_EVERY !== 0) return (await verdict.isTrusted) ? ending : null
    const before = verdict.isTrusted
    const own = recompute()
    verdict.isTrusted = own.then(
      async (expected) => (await before) && this.#compare(worker, ending, expected),
    )
    return (await verdict.isTrusted) ? ending : await own
  }

  async #compare(worker: string, ending: PlanEnding, expected: PlanEnding): Promise<boolean> {
    const [theirs, ours] = [tokenOf(ending), tokenOf(expected)]
    // The server could not compute it, for example because it is closing.
    if (ours === undefined || theirs === ours) return true
    await this.#exclude(worker, `Its result ${theirs} differs from ${ours} of the server.`)
    return false
  }
}

/** What two computations of a run have in common. */
function tokenOf(ending: PlanEnding): string | undefined {
  if (ending.kind === 'completed') return ending.hash
  if (ending.kind === 'figures') return ending.figures.hash
  return ending.kind === 'refused' ? ending.sentence : undefined
}
