import { NO_SEQ, standardInstruments } from '@binnacle/engine'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordsOfEntry } from '#services/audit/journal-audit-record.ts'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

const set = (id: string, enabled: boolean) => trading.call('PUT', `/api/features/${id}`, { enabled })
const enabledFlags = async (): Promise<string[]> =>
  (await trading.call('GET', '/api/features')).body.features
    .filter(({ enabled }: { enabled: boolean }) => enabled)
    .map(({ name }: { name: string }) => name)

test('[FEAT-7] the flags and services of a new desk are the specified ones', async () => {
  expect(await enabledFlags()).toEqual(['Live Trading', 'Backtesting', 'Risk Management', 'Multi-Exchange'])
  expect((await trading.call('GET', '/api/services')).body).toEqual({
    services: [
      { id: 'market-data', name: 'Market Data Service', status: 'running' },
      { id: 'order-execution', name: 'Order Execution Service', status: 'running' },
      { id: 'risk', name: 'Risk Service', status: 'stopped' },
      { id: 'analytics', name: 'Analytics Service', status: 'running' },
    ],
  })
  expect((await trading.call('GET', '/api/engine/info')).body).toMatchObject({
    account: 'live',
    features: { 'live-trading': true, 'paper-trading': false },
    services: { risk: 'stopped', analytics: 'running' },
  })
})

test('a flag is switched, and the same switch again is the same answer', async () => {
  const on = { status: 200, body: { id: 'advanced-analytics', name: 'Advanced Analytics', enabled: true } }
  expect(await set('advanced-analytics', true)).toEqual(on)
  expect(await set('advanced-analytics', true)).toEqual(on)
})

test('a service stops, starts and restarts', async () => {
  const act = async (action: string) =>
    (await trading.call('POST', `/api/services/analytics/${action}`)).body.status
  expect([await act('stop'), await act('start'), await act('restart')]).toEqual([
    'stopped',
    'running',
    'running',
  ])
})

test('[FEAT-8] each change has one audit record with its state before and after', async () => {
  await set('backtesting', false)
  await trading.call('POST', '/api/services/analytics/restart')
  await trading.call('POST', '/api/services/risk/start')
  const records: unknown[] = []
  for await (const entry of trading.desk.entriesAfter(NO_SEQ)) {
    for (const { audit, change } of recordsOfEntry(entry, standardInstruments()))
      records.push([audit.action, change.target, change.before, change.after])
    if (entry.seq >= trading.desk.views.revision) break
  }
  expect(records).toMatchObject([
    ['features.set', 'backtesting', { enabled: true }, { enabled: false }],
    ['platformServices.restart', 'analytics', { running: true }, { running: true }],
    ['platformServices.start', 'risk', { running: false }, { running: true }],
  ])
})

test('[FEAT-9] what does not exist is answered 404 with the list of what does', async () => {
  const flag = await set('warp', true)
  expect([flag.status, flag.body.code]).toEqual([404, 'thing.unknown'])
  expect(flag.body.detail).toContain('live-trading')
  const service = await trading.call('POST', '/api/services/warp/stop')
  expect(service.status).toBe(404)
  expect(service.body.detail).toContain('order-execution')
})

test('[FEAT-15] a forbidden combination is refused and says what to do first', async () => {
  const refused = await set('risk-management', false)
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'Risk Management cannot be off while Live Trading is on. Disable Live Trading first.',
  ])
  const { features } = (await trading.call('GET', '/api/features')).body
  expect(features.find(({ id }: { id: string }) => id === 'risk-management').blocked).toBe(
    refused.body.detail,
  )
})

describe('all flags', () => {
  const setAll = async (enabled: boolean) =>
    (await trading.call('PUT', '/api/features', { enabled })).body.results.map(
      ({ id, enabled: isOn, changed, refused }: Record<string, unknown>) =>
        `${id} ${isOn ? 'on' : 'off'}${changed ? ' changed' : ''}${refused ? ' refused' : ''}`,
    )

  test('[FEAT-12] [FEAT-13] are disabled and enabled in an allowed order, and each is reported', async () => {
    expect(await setAll(false)).toEqual([
      'live-trading off changed',
      'paper-trading off',
      'multi-exchange off changed',
      'advanced-analytics off',
      'backtesting off changed',
      'risk-management off changed',
    ])
    expect(await enabledFlags()).toEqual([])
    expect(await setAll(true)).toEqual([
      'risk-management on changed',
      'backtesting on changed',
      'advanced-analytics on changed',
      'multi-exchange on changed',
      'paper-trading on changed',
      'live-trading on changed',
    ])
  })

  test('[FEAT-13] [FEAT-21] a refused one is reported with its reason, and the others are switched', async () => {
    await trading.call('POST', '/api/orders', limit(40_000))
    const { results } = (await trading.call('PUT', '/api/features', { enabled: true })).body
    expect(results.find(({ id }: { id: string }) => id === 'paper-trading')).toEqual({
      id: 'paper-trading',
      name: 'Paper Trading',
      enabled: false,
      changed: false,
      refused: 'The account cannot be changed while 1 order is working. Cancel it first.',
    })
    expect(await enabledFlags()).toContain('Advanced Analytics')
  })
})

test('[FEAT-14] with Live Trading off a new order is listed as rejected with the reason', async () => {
  await set('live-trading', false)
  const { status, body } = await trading.call('POST', '/api/orders', market(0.01))
  expect([status, body.status, body.reason.code]).toEqual([201, 'REJECTED', 'feature.live-trading-off'])
})

test('[FEAT-22] an order of the paper account is marked', async () => {
  await set('paper-trading', true)
  const placed = await trading.call('POST', '/api/orders', limit(40_000))
  expect(placed.body.account).toBe('paper')
  const { orders } = (await trading.call('GET', '/api/orders')).body
  expect(orders[0].account).toBe('paper')
})

test('[FEAT-18] the value at risk is null while Risk Service is stopped', async () => {
  expect((await trading.call('GET', '/api/risk/metrics')).body.var_1d).toBeNull()
})
