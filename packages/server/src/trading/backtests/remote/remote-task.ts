import type { KeyObject } from 'node:crypto'
import { BacktestStatistics } from '@binnacle/contract'
import * as z from 'zod'
import { ENGINE_VERSION } from '#trading/backtests/engine-version.ts'
import type { BacktestPlan } from '#trading/backtests/plan.ts'
import { isResultSigned, isSignedBy, signResult, signText, type WorkKey } from './work-key.ts'

/** One run for a worker on another machine. */
export interface RemoteTask {
  /** Of the job in the queue. */
  id: string
  plan: BacktestPlan
  work?: 'figures'
  /** Of the bars of the plan. */
  fingerprint: string
  /** The sources of a custom strategy by file name. */
  modules?: Readonly<Record<string, string>>
}

/** What is in the queue. */
export interface SignedTask {
  text: string
  signature: string
}

export function signTask(task: RemoteTask, key: WorkKey): SignedTask {
  const text = JSON.stringify(task)
  return { text, signature: signText(text, key) }
}

/** BT-47: undefined when it is not signed by the key, or was signed for another job. */
export function openTask(
  { text, signature }: SignedTask,
  id: string,
  publicKey: KeyObject,
): RemoteTask | undefined {
  if (typeof text !== 'string' || typeof signature !== 'string') return undefined
  if (!isSignedBy(text, signature, publicKey)) return undefined
  // A server of this version wrote it.
  const task = JSON.parse(text) as RemoteTask
  return task.id === id ? task : undefined
}

const Moments = z.object({
  count: z.number(),
  mean: z.number(),
  deviation: z.number(),
  skewness: z.number(),
  kurtosis: z.number(),
})

/** How a run ended on a worker. */
export const RemoteEnding = z.discriminatedUnion('kind', [
  /** Summary and hash follow from the result. */
  z.object({ kind: z.literal('completed'), result: z.string() }),
  z.object({
    kind: z.literal('figures'),
    figures: z.object({
      statistics: BacktestStatistics,
      daily: Moments,
      orders: z.number(),
      denied_orders: z.number(),
      hash: z.string(),
    }),
  }),
  z.object({ kind: z.literal('refused'), sentence: z.string() }),
  z.object({ kind: z.literal('stopped') }),
  /** The bars are no longer in Redis, or damaged. */
  z.object({ kind: z.literal('bars-missing') }),
])
export type RemoteEnding = z.output<typeof RemoteEnding>

const RemoteResult = z.object({ worker: z.string(), ending: RemoteEnding })
export type RemoteResult = z.output<typeof RemoteResult>

/** What a worker returns. */
const SignedResult = z.object({ text: z.string(), signature: z.string() })
export type SignedResult = z.output<typeof SignedResult>

export function sealResult(result: RemoteResult, runId: string, publicKey: KeyObject): SignedResult {
  const text = JSON.stringify(result)
  return { text, signature: signResult(text, runId, publicKey) }
}

/** BT-63: undefined when it is not signed with the key of the run, or cannot be read. */
export function openResult(value: unknown, runId: string, publicKey: KeyObject): RemoteResult | undefined {
  const { data } = SignedResult.safeParse(value)
  if (data === undefined || !isResultSigned(data.text, data.signature, runId, publicKey)) return undefined
  try {
    return RemoteResult.safeParse(JSON.parse(data.text)).data
  } catch {
    return undefined
  }
}

export const KEY_PREFIX = 'binnacle'

/** BT-47: workers of another version, or with the key of another server, wait on another queue. */
export function queueName(keyId: string): string {
  return `backtests-${ENGINE_VERSION}-signed-${keyId}`
}

/** Set while a run that a worker does should stop. */
export function cancelKey(id: string): string {
  return `${KEY_PREFIX}:cancel:${id}`
}
