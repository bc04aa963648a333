import { idFrom, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { createManualTimers } from '#testkit/manual-timers.ts'
import { type BacktestProcessOptions, type NodeBacktest, startBacktest } from './backtest-process.ts'

const ROWS = 3
const BACKTEST: NodeBacktest = {
  instruments: [standardInstruments().get(idFrom('BTCUSDT-PERP'))],
  bars: [walkBars({ instrument: 'BTCUSDT-PERP', rows: ROWS, seed: 1 })],
  strategy: { type: 'momentum', config: {} },
  capital: 1_000,
  slippageBps: 0,
}

/** A process that runs these lines in place of NautilusTrader; `send` writes a frame, `input` is all that it got. */
function start(lines: string, options?: BacktestProcessOptions) {
  const script = `
    const fs = require('node:fs')
    const send = (frame) => fs.writeSync(3, JSON.stringify(frame) + '\\n')
    const input = fs.readFileSync(0)
    ${lines}`
  return startBacktest({ program: process.execPath, args: ['-e', script], env: {} }, BACKTEST, options)
}

test('[NAUT-160] a run gets its request and its bars, and returns its result with what was approximated', async () => {
  const shares: number[] = []
  const run = start(
    `const line = input.indexOf(10)
     const { bars, instruments, from, to } = JSON.parse(input.subarray(0, line))
     send({ k: 'running' })
     send({ k: 'progress', done: 1, bars: 4 })
     const size = input.length - line - 1
     send({ k: 'result', result: { bars, tick: instruments[0].tick, span: to - from, size }, approximations: ['a'] })`,
    { onProgress: (share) => shares.push(share) },
  )
  expect(await run.ended).toEqual({
    kind: 'result',
    // Six columns of doubles.
    result: { bars: [{ columns: ROWS }], tick: '0.01000000', span: 2 * 60_000 + 1, size: ROWS * 6 * 8 },
    approximations: ['a'],
  })
  expect(shares).toEqual([0.25])
})

test('[NAUT-162] a process that dies, breaks the protocol or is not there ends its run with how it ended', async () => {
  const endings = await Promise.all(
    [
      start("process.kill(process.pid, 'SIGKILL')"),
      start('process.exit(3)'),
      start("fs.writeSync(3, 'hello\\n')"),
      startBacktest({ program: '/nowhere/python', args: [], env: {} }, BACKTEST),
    ].map(({ ended }) => ended),
  )
  expect(endings).toEqual([
    { kind: 'died', how: 'SIGKILL' },
    { kind: 'died', how: 'status 3' },
    { kind: 'died', how: expect.stringContaining('not one of a backtest: hello') },
    { kind: 'died', how: expect.stringContaining('ENOENT') },
  ])
})

test('[NAUT-161] a run is cancelled by killing its process, and so is one beyond its time', async () => {
  const begun = Promise.withResolvers<void>()
  const endless = "send({ k: 'running' }); setInterval(() => {}, 1000)"
  const cancelled = start(endless, { onRunning: begun.resolve })
  await begun.promise
  cancelled.stop()
  expect(await cancelled.ended).toEqual({ kind: 'stopped' })
  const timers = createManualTimers()
  const slow = start(endless, { timers })
  timers.advance(6 * 3_600_000)
  expect(await slow.ended).toEqual({ kind: 'late' })
})

test('[NAUT-160] a reason of the process is the reason of the run', async () => {
  const run = start("send({ k: 'failed', code: 'INVALID', message: 'fast_bars must be below slow_bars.' })")
  expect(await run.ended).toEqual({ kind: 'failed', sentence: 'fast_bars must be below slow_bars.' })
})
