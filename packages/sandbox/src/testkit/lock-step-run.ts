import { type BacktestReport, createBacktest, describeReason } from '@binnacle/engine'
import type { HostedBacktestOptions } from '#hosted-backtest.ts'
import { type CustomPlayerOptions, openCustomPlayer } from './lock-step.ts'

const SLICE_ROWS = 256

/** Runs a backtest in lock-step; returns its report, or why it failed. */
export async function runInLockStep(
  { folder, backtest }: HostedBacktestOptions,
  startChild?: CustomPlayerOptions['startChild'],
): Promise<BacktestReport | string> {
  const player = openCustomPlayer({ folder, seed: backtest.seed, ...(startChild && { startChild }) })
  const { kind } = player
  const made = createBacktest({ ...backtest, kinds: [kind], onEntry: (entry) => player.follow(entry) })
  if (!made.ok) return describeReason(made.reason)
  const run = made.value
  while (run.done < run.rows && player.failure === null) await run.advanceInStep(SLICE_ROWS, player)
  const { failure } = player
  player.close()
  return failure ?? run.report()
}
