import { idFrom, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { createManualTimers } from '#testkit/manual-timers.ts'
import {
  type BacktestProcessOptions,
  backtestProgram,
  type NodeBacktest,
  startBacktest,
} from './backtest-process.ts'

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
    const piece = Buffer.alloc(4096)
    let input = Buffer.alloc(0)
    while (input.length < input.indexOf(10) + 1 + ${ROWS * 6 * 8} || !input.includes(10)) {
      input = Buffer.concat([input, piece.subarray(0, fs.readSync(0, piece))])
    }
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

test('[NAUT-190] the input of a process is open while it runs, so that its end means that the server is gone', async () => {
  const run = start(`
    const timer = setTimeout(() => send({ k: 'failed', message: 'it is open' }), 50)
    process.stdin.on('end', () => { clearTimeout(timer); send({ k: 'failed', message: 'it has ended' }) }).resume()
    setTimeout(() => process.exit(0), 60)`)
  expect(await run.ended).toEqual({ kind: 'failed', sentence: 'it is open' })
})

test('[NAUT-191] neither a node nor a backtest takes Python modules from the working folder', () => {
  expect(backtestProgram('python').args.slice(0, 3)).toEqual(['-B', '-P', '-m'])
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
