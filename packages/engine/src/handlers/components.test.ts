import { beforeEach, describe, expect, test } from 'vitest'
import { COMPONENT_NAMES, type ComponentName } from '#model/component.ts'
import { describeReason } from '#model/describe.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { idFrom, type PositionId } from '#values/ids.ts'
import { createViews } from '#views/views.ts'
import { componentConfig } from './component-settings.ts'

let lab: Lab
beforeEach(() => {
  lab = createLab()
  lab.quote({})
  lab.place({ quantity: 0.1 })
})

const stop = (component: ComponentName) => lab.run({ type: 'StopComponent', component })
const working = () => lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 })
const sell = (quantity: number) => lab.place({ side: 'SELL', quantity, reduceOnly: true })
const down = (component: ComponentName) => ({
  state: 'DENIED',
  reason: { code: 'component.down', component, status: 'stopped' },
})

describe('lifecycle', () => {
  test('[COMP-1] there are six, and a new desk has them all running', () => {
    expect(COMPONENT_NAMES).toEqual([
      'DataEngine',
      'ExecutionEngine',
      'RiskEngine',
      'Portfolio',
      'Cache',
      'MessageBus',
    ])
    for (const name of COMPONENT_NAMES) expect(lab.state.components[name].status).toBe('running')
  })

  test('a component stops, starts, pauses, fails and restarts, and nothing happens twice', () => {
    const status = () => lab.state.components.Cache
    stop('Cache')
    expect(status().status).toBe('stopped')
    expect(lab.watch(() => stop('Cache'))).toEqual([])
    lab.run({ type: 'StartComponent', component: 'Cache' })
    lab.run({ type: 'PauseComponent', component: 'Cache' })
    expect(status().status).toBe('paused')
    lab.run({ type: 'FailComponent', component: 'Cache', reason: 'out of memory' })
    expect(status()).toMatchObject({ status: 'error', reason: 'out of memory' })
    expect(lab.watch(() => lab.run({ type: 'RestartComponent', component: 'Cache' }))).toMatchObject([
      { type: 'ComponentChanged', status: 'stopped', before: 'error' },
      { type: 'ComponentChanged', status: 'running', reason: null, before: 'stopped' },
    ])
  })

  test('[COMP-5] what is set on the data engine decides how old a quote may be, after a restart too', () => {
    const config = '{"stale_after_s":5}'
    expect(lab.run({ type: 'ConfigureComponent', component: 'DataEngine', config })).toMatchObject({
      ok: true,
    })
    lab.wait(5_001)
    const stale = { state: 'DENIED', reason: { code: 'market.stale', ageMs: 5_001, maxAgeMs: 5_000 } }
    expect(lab.place({ quantity: 0.01 })).toMatchObject(stale)
    const again = createLab({ state: lab.state, at: lab.now })
    again.quote({ bid: 50_000 })
    again.wait(5_001)
    expect(again.place({ quantity: 0.01 })).toMatchObject(stale)
    again.run({ type: 'ConfigureComponent', component: 'DataEngine', config: '{}' })
    expect(again.place({ quantity: 0.01 }).state).toBe('FILLED')
  })

  test.each([
    ['Cache', '{"size":3}', "Unknown setting 'size'. Available: none."],
    ['DataEngine', '{"depth":3}', "Unknown setting 'depth'. Available: stale_after_s."],
    ['DataEngine', '{"stale_after_s":0}', "stale_after_s must be a number from 1 to 3600; '0' was given."],
  ] as const)('[COMP-5] [COMP-8] %s cannot be given %s', (component, config, sentence) => {
    const events = lab.watch(() => {
      const answer = lab.run({ type: 'ConfigureComponent', component, config })
      expect(!answer.ok && describeReason(answer.reason)).toBe(sentence)
    })
    expect(events).toEqual([])
  })

  test('a setting of an older journal that is no longer used is not shown', () => {
    expect(componentConfig('Cache', '{"size":3}')).toEqual({})
    expect(componentConfig('DataEngine', '{"size":3}')).toEqual({ stale_after_s: 60 })
  })
})

describe('what a stop means', () => {
  test('DataEngine: prices stand still, market orders are refused, limits and cancels work', () => {
    stop('DataEngine')
    const before = lab.engine.computeLiveFigures().marks.bid.slice()
    lab.quote({ bid: 60_000 })
    expect(lab.engine.computeLiveFigures().marks.bid).toEqual(before)
    expect(lab.place({ quantity: 0.01 })).toMatchObject(down('DataEngine'))
    const order = working()
    expect(order.state).toBe('WORKING')
    lab.run({ type: 'CancelOrder', orderId: order.id })
    expect(order.state).toBe('CANCELLED')
  })

  test('ExecutionEngine: working orders are cancelled at the stop, every new order is refused, closes included', () => {
    const order = working()
    stop('ExecutionEngine')
    expect(order).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.component-stopped' } })
    expect(working()).toMatchObject(down('ExecutionEngine'))
    expect(sell(0.1)).toMatchObject(down('ExecutionEngine'))
    const close = lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(close.ok && close.orderId && lab.order(close.orderId)).toMatchObject(down('ExecutionEngine'))
  })

  test('RiskEngine and Portfolio: what adds exposure is refused, what reduces passes', () => {
    for (const component of ['RiskEngine', 'Portfolio'] as const) {
      const order = working()
      stop(component)
      expect(lab.place({ quantity: 0.01 })).toMatchObject(down(component))
      expect(sell(0.01).state).toBe('FILLED')
      lab.run({ type: 'CancelOrder', orderId: order.id })
      expect(order.state).toBe('CANCELLED')
      lab.run({ type: 'StartComponent', component })
    }
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('Portfolio: figures stand still and say that they are stale', () => {
    const views = createViews(lab.instruments, createHardState())
    const show = () => {
      for (const entry of lab.entries.slice(views.seq)) views.apply(entry)
      views.refresh(lab.engine.computeLiveFigures())
      return views.risk()
    }
    const before = show()
    expect(before.isStale).toBe(false)
    stop('Portfolio')
    show()
    lab.quote({ bid: 55_000 })
    expect(show()).toEqual({ ...before, isStale: true })
    lab.run({ type: 'StartComponent', component: 'Portfolio' })
    show()
    expect(show().equity).toBeGreaterThan(before.equity)
  })

  test('Cache and MessageBus: nothing is refused', () => {
    stop('Cache')
    stop('MessageBus')
    expect(lab.place({ quantity: 0.01 }).state).toBe('FILLED')
    expect(working().state).toBe('WORKING')
  })

  test('a paused or failed component counts as down, but only a stop cancels', () => {
    const order = working()
    lab.run({ type: 'PauseComponent', component: 'ExecutionEngine' })
    expect(order.state).toBe('WORKING')
    expect(lab.place({ quantity: 0.01 })).toMatchObject({ reason: { status: 'paused' } })
  })
})
