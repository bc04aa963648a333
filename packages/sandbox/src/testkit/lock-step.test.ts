import {
  type BarColumns,
  type Command,
  createEngine,
  createHardState,
  createRandom,
  DEFAULT_LIMITS,
  type Engine,
  generateHistory,
  type Instant,
  idFrom,
  instantFromMs,
  standardInstruments,
  ticksOfBars,
} from '@binnacle/engine'
import { expect, onTestFinished, test } from 'vitest'
import { type CustomPlayer, openCustomPlayer } from './lock-step.ts'
import { temporaryFolder } from './temporary-folder.ts'

const DICE = `export const createStrategy = () => ({
  onBar(bar, desk) {
    if (Math.random() < 0.1) desk.target(Math.random() < 0.5 ? 0 : 0.01)
    if (new Date(bar.end).getTime() !== Date.now()) throw new Error('another time')
  },
})`

const instruments = standardInstruments()

function someBars(count: number): BarColumns {
  const from = instantFromMs(Date.UTC(2026, 0, 1))
  const [day] = generateHistory({ instruments, random: createRandom(3), from, days: 1 })
  const [all] = day?.bars ?? []
  if (all === undefined) throw new Error('no bars')
  return { ...all, length: count }
}

function player(module: string, seed: number): CustomPlayer {
  const made = openCustomPlayer({ folder: temporaryFolder({ 'mine.ts': module }), seed })
  onTestFinished(() => made.close())
  return made
}

/** What the module wanted, with the times at which it did. */
async function play(custom: CustomPlayer, bars: BarColumns): Promise<[number, Command][]> {
  const engine = createEngine({ instruments, state: createHardState(), kinds: [custom.kind] })
  const wanted: [number, Command][] = []
  const at = instantFromMs(bars.start[0] ?? 0)
  const market = { instruments: [bars.instrument], interval: bars.interval }
  const config = { module: 'mine.ts', ...market, warm_up_bars: 10 }
  const venues = ['BINANCE', 'BYBIT', 'OKX'] as const
  submit(engine, at, { type: 'OpenDesk', cash: 100_000, limits: DEFAULT_LIMITS, venues })
  submit(engine, at, { type: 'AddStrategy', name: 'x', strategyType: 'custom', description: '', config })
  submit(engine, at, { type: 'StartStrategy', strategy: idFrom('S-1') })
  for (const tick of ticksOfBars([bars], { halfSpreadTicks: 1 })) {
    engine.process(tick)
    if (tick.type !== 'bar') continue
    while (custom.isWaiting) {
      for (const command of await custom.answers()) {
        wanted.push([tick.at, command])
        submit(engine, tick.at, command)
      }
    }
  }
  if (custom.failure !== null) throw new Error(custom.failure)
  return wanted
}

function submit(engine: Engine, at: Instant, command: Command): void {
  const { answer } = engine.process({ kind: 'command', at, by: null, requestId: null, command })
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer))
}

test('[CUST-13] two runs of a module over the same bars and seed want the same, another seed something else', async () => {
  const bars = someBars(300)
  const first = await play(player(DICE, 7), bars)
  expect(first.length).toBeGreaterThan(10)
  expect(await play(player(DICE, 7), bars)).toEqual(first)
  expect(await play(player(DICE, 8), bars)).not.toEqual(first)
})

test('[CUST-3][CUST-13] the market waits for a module that takes its time, at every bar from the tenth on', async () => {
  const slow = `export const createStrategy = () => ({
    onBar(bar, desk) { for (let i = 0; i < 3e6; i++); if (bar.end !== desk.now) throw new Error(); desk.target(0.01) },
  })`
  expect((await play(player(slow, 1), someBars(50))).length).toBe(41)
})

test('[CUST-13] a module that fails ends the run with the reason', async () => {
  const fails = atBar('throw new Error("no")')
  await expect(play(player(fails, 1), someBars(15))).rejects.toThrow('mine.ts failed: Error: no (mine.ts:1)')
})

function atBar(body: string): string {
  return `export const createStrategy = () => ({ onBar() { ${body} } })`
}
