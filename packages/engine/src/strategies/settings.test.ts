import { describe, expect, test } from 'vitest'
import { standardInstruments } from '#market/instruments.ts'
import { describeReason } from '#model/describe.ts'
import { BUILT_IN_KINDS } from '#strategies/kinds/kinds.ts'
import { buildStrategy } from './build.ts'

const instruments = standardInstruments()

function refusalOf(type: string, config: Record<string, unknown>): string {
  const built = buildStrategy(BUILT_IN_KINDS, type, config, instruments)
  return built.ok ? 'accepted' : describeReason(built.reason)
}

test.each(BUILT_IN_KINDS.map((kind) => [kind.type, kind] as const))(
  '%s says all about itself, and its defaults make sense',
  (type, kind) => {
    for (const text of [kind.title, kind.about, kind.earnsWhen, kind.losesWhen]) expect(text).not.toBe('')
    for (const { description: sentence } of kind.parameters) expect(sentence).toMatch(/^[A-Z].+\.$/)
    const built = buildStrategy(BUILT_IN_KINDS, type, {}, instruments)
    expect(built.ok && Object.keys(JSON.parse(built.value.config))).toEqual(
      kind.parameters.map(({ name }) => name),
    )
  },
)

describe('settings that make no sense are refused with name, value and bounds', () => {
  test.each([
    [
      'custom',
      {},
      "Unknown strategy type 'custom'. Available: momentum, mean_reversion, arbitrage, market_making.",
    ],
    [
      'momentum',
      { fast: 3 },
      "Unknown setting 'fast'. Available: instrument, interval, fast_bars, slow_bars, threshold_bps, order_value.",
    ],
    [
      'momentum',
      { fast_bars: 0 },
      "Fast average (bars) must be a whole number from 1 to 1000; '0' was given.",
    ],
    [
      'momentum',
      { fast_bars: 2.5 },
      "Fast average (bars) must be a whole number from 1 to 1000; '2.5' was given.",
    ],
    [
      'momentum',
      { fast_bars: '5' },
      "Fast average (bars) must be a whole number from 1 to 1000; '5' was given.",
    ],
    [
      'momentum',
      { fast_bars: 60 },
      "Fast average (bars) must be below Slow average (bars), 60; '60' was given.",
    ],
    [
      'momentum',
      { order_value: Number.NaN },
      "Position value must be a number from 1 to 10000000; 'null' was given.",
    ],
    [
      'momentum',
      { interval: '2s' },
      "Bar interval must be one of 1s, 5s, 15s, 1m, 5m, 15m, 1h, 4h, 1d; '2s' was given.",
    ],
    ['momentum', { instrument: 'DOGE' }, "Unknown instrument 'DOGE'."],
    ['momentum', { instrument: 'btcusdt' }, "Unknown instrument 'btcusdt'. Did you mean BTCUSDT?"],
    ['mean_reversion', { exit_score: 2 }, "Exit z-score must be below Entry z-score, 2; '2' was given."],
    [
      'market_making',
      { max_inventory: 10 },
      "Maximum inventory must be at least Order value, 300; '10' was given.",
    ],
    [
      'arbitrage',
      { instruments: ['BTCUSDT', 'ETHUSDT'] },
      "Instruments must name BTCUSDT on a second venue or not at all; 'BTCUSDT,ETHUSDT' was given.",
    ],
    [
      'arbitrage',
      { instruments: ['BTCUSDT', 'BTCUSDT.BINANCE'] },
      'Instruments must be a list of 2 to 15 different instruments; \'["BTCUSDT","BTCUSDT.BINANCE"]\' was given.',
    ],
    ['arbitrage', { instruments: ['BTCUSDT', 'X'] }, "Unknown instrument 'X'."],
    [
      'arbitrage',
      { instruments: 'BTCUSDT' },
      "Instruments must be a list of 2 to 15 different instruments; 'BTCUSDT' was given.",
    ],
  ])('[STRAT-19] %s %j', (type, config, sentence) => {
    expect(refusalOf(type, config)).toBe(sentence)
  })
})
