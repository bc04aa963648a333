import { expect, test } from 'vitest'
import { NewStrategy, nautilusStrategies, STRATEGY_TYPES, strategies } from './strategies.ts'

const strategy = {
  id: 3,
  name: 'Trend',
  type: 'momentum',
  description: 'Follows',
  config: { window: 20 },
  status: 'running',
  performance: { total_pnl: -12.5, total_trades: 8, win_rate: 0.625 },
}

test('[CALL-10] each strategy has its figures, its configuration and its status', () => {
  expect(strategies.list.reply.parse({ strategies: [strategy] })).toEqual({ strategies: [strategy] })
})

test.each([undefined, null, {}, { total_pnl: null }, 'none'])(
  'a performance of %j leaves the figures absent, never zero',
  (performance) => {
    const { strategies: listed } = strategies.list.reply.parse([{ ...strategy, performance }])
    expect(listed[0]?.performance).toEqual({})
  },
)

test.each(['id', 'name', 'type', 'status'])('[CLIENT-5] without %s the list is no list', (field) => {
  expect(strategies.list.reply.safeParse([{ ...strategy, [field]: undefined }]).success).toBe(false)
})

test('[STRAT-8] the types are momentum, mean_reversion, arbitrage, market_making and custom', () => {
  expect(STRATEGY_TYPES).toEqual(['momentum', 'mean_reversion', 'arbitrage', 'market_making', 'custom'])
})

test('[STRAT-10] an add sends name, type, description and config, an object', () => {
  const asked = { name: 'Trend', type: 'momentum', description: '', config: {} }
  expect(NewStrategy.parse(asked)).toEqual(asked)
  for (const wrong of [{ config: '{}' }, { config: [] }, { type: 'luck' }, { name: '' }, { id: 3 }]) {
    expect(NewStrategy.safeParse({ ...asked, ...wrong }).success).toBe(false)
  }
})

test('[CALL-12] the nautilus paths speak of the same strategies', () => {
  expect(nautilusStrategies.list.reply.parse({ strategies: [strategy] })).toEqual({ strategies: [strategy] })
  expect(nautilusStrategies.get.reply.parse(strategy)).toEqual(strategy)
  expect(nautilusStrategies.add.body).toBe(strategies.add.body)
})
