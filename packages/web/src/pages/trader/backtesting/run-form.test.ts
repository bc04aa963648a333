import type { RecordedPeriod, StrategyType } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import { blankTexts, commonPeriod, lastDays, periodsOf, requestOf, textsOfRun } from './run-form.ts'

const momentum: StrategyType = {
  type: 'momentum',
  title: 'Momentum',
  about: 'Follows a trend.',
  earns_when: '',
  loses_when: '',
  parameters: [
    { name: 'instrument', kind: 'instrument', sentence: 'Traded', default: 'BTCUSDT' },
    { name: 'interval', kind: 'interval', sentence: 'Bars', default: '5m' },
    { name: 'fast_bars', kind: 'integer', sentence: 'Fast', default: 20 },
  ],
}

const recorded: RecordedPeriod[] = [
  { instrument: 'BTCUSDT', from: '2026-01-01T00:00:00.000Z', to: '2026-03-01T12:30:00.000Z' },
  { instrument: 'ETHUSDT', from: '2026-02-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' },
]

describe('the form of a run', () => {
  test('[BT-17] begins with the defaults of the strategy and the last days recorded', () => {
    const texts = blankTexts(momentum, recorded)
    expect(texts).toMatchObject({
      traded: 'BTCUSDT',
      interval: '5m',
      from: '2026-01-30 12:30',
      to: '2026-03-01 12:30',
    })
    expect(requestOf(texts, momentum)).toEqual({
      request: {
        strategy: { type: 'momentum', config: { fast_bars: 20 } },
        instrument: 'BTCUSDT',
        interval: '5m',
        from: '2026-01-30T12:30:00.000Z',
        to: '2026-03-01T12:30:00.000Z',
        initial_cash: 10_000,
        slippage_bps: 0,
        latency_ms: 0,
        seed: 1,
      },
    })
  })

  test('[BT-17] what is missing is named by the field of the request', () => {
    const texts = {
      ...blankTexts(momentum, recorded),
      from: '',
      capital: 'much',
      hasOwnFees: true,
      hasOwnLimits: true,
    }
    const checked = requestOf(texts, momentum)
    expect(Object.keys('errors' in checked ? checked.errors : {})).toEqual([
      'from',
      'initial_cash',
      'fees.maker_bps',
      'fees.taker_bps',
      'limits.max_order_size',
      'limits.max_position_size',
      'limits.max_daily_loss',
      'limits.max_positions',
    ])
  })

  test.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    [' 2026-02-28 09:30 ', '2026-02-28T09:30:00.000Z'],
    ['2026-02-28T09:30:15', '2026-02-28T09:30:15.000Z'],
    ['2026-02-30 09:30', undefined],
    ['2026-02-28 25:00', undefined],
    ['28.2.2026', undefined],
    ['2026-02-28 09:30+02:00', undefined],
  ])('[BT-17] reads the start %j as %s', (from, wanted) => {
    const checked = requestOf({ ...blankTexts(momentum, recorded), from }, momentum)
    expect('request' in checked ? checked.request.from : undefined).toBe(wanted)
  })

  test('[BT-17] several instruments have the period that all of them have', () => {
    const period = commonPeriod(['BTCUSDT', 'ETHUSDT'], recorded)
    expect(lastDays(period)).toEqual({ from: '2026-02-01 00:00', to: '2026-03-01 12:30' })
    expect(lastDays(period, 1)).toEqual({ from: '2026-02-28 12:30', to: '2026-03-01 12:30' })
    expect(commonPeriod(['BTCUSDT', 'SOLUSDT'], recorded)).toBeUndefined()
    expect(commonPeriod([], recorded)).toBeUndefined()
  })

  test('[MON-41] a period names the time without bars of the instrument that lacks the most', () => {
    const [bitcoin, ether] = recorded
    const lacking = [
      { ...bitcoin, missing_s: 3_600 },
      { ...ether, missing_s: 60 },
    ] as RecordedPeriod[]
    expect(commonPeriod(['BTCUSDT', 'ETHUSDT'], lacking)?.missingMs).toBe(3_600_000)
    const [instrument] = periodsOf({
      name: 'old',
      interval: '1h',
      created_at: '',
      updated_at: '',
      instruments: [
        {
          instrument: 'BTCUSDT',
          bars: 22,
          from: '2024-01-01T00:00:00.000Z',
          to: '2024-01-01T23:00:00.000Z',
          gaps: 1,
        },
      ],
    })
    expect(instrument?.missing_s).toBe(7_200)
  })

  test('[BT-29] a data set offers its own period, the last bar included', () => {
    const [instrument] = periodsOf({
      name: 'old',
      interval: '1h',
      created_at: '',
      updated_at: '',
      instruments: [
        {
          instrument: 'BTCUSDT',
          bars: 24,
          from: '2024-01-01T00:00:00.000Z',
          to: '2024-01-01T23:00:00.000Z',
          gaps: 0,
        },
      ],
    })
    expect(instrument).toEqual({
      instrument: 'BTCUSDT',
      from: '2024-01-01T00:00:00.000Z',
      to: '2024-01-02T00:00:00.000Z',
      missing_s: 0,
    })
    const texts = { ...blankTexts(momentum, recorded), dataSet: 'old' }
    expect(requestOf(texts, momentum)).toMatchObject({ request: { data_set: 'old' } })
  })

  test('[BT-25] a cloned run asks for the same again, to the millisecond', () => {
    const request = {
      strategy: { type: 'momentum', config: { instrument: 'ETHUSDT', interval: '15m', fast_bars: 7 } },
      interval: '15m' as const,
      from: '2026-02-03T04:05:06.789Z',
      to: '2026-02-04T00:00:00.000Z',
      initial_cash: 2_500.5,
      fees: { maker_bps: 1, taker_bps: 2.5 },
      slippage_bps: 3,
      latency_ms: 40,
      limits: { max_order_size: 1, max_position_size: 2, max_daily_loss: 3, max_positions: 4 },
      seed: 9,
    }
    expect(requestOf(textsOfRun({ request }, momentum), momentum)).toEqual({
      request: {
        ...request,
        strategy: { type: 'momentum', config: { fast_bars: 7 } },
        instrument: 'ETHUSDT',
      },
    })
  })
})
