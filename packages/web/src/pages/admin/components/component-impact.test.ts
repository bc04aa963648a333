import { expect, test } from 'vitest'
import { impactOf } from './component-impact.ts'

const BUSY = { running_strategies: 4, working_orders: 6, adding_orders: 3, open_positions: 5 }
const IDLE = { running_strategies: 0, working_orders: 0, adding_orders: 0, open_positions: 0 }
const ONE = { running_strategies: 1, working_orders: 1, adding_orders: 1, open_positions: 1 }

const textsOf = (...given: Parameters<typeof impactOf>) => impactOf(...given).map(({ text }) => text)

test.each([
  [
    'DataEngine',
    '4 running strategies receive no prices.',
    '6 working orders stay at their venues and can be cancelled.',
    '5 open positions stay and cannot be closed until it is started again.',
  ],
  [
    'ExecutionEngine',
    '6 working orders are cancelled.',
    '4 running strategies cannot place orders.',
    '5 open positions stay and cannot be closed until it is started again.',
  ],
  [
    'RiskEngine',
    '4 running strategies keep running, but can only reduce.',
    '3 of 6 working orders add exposure and can still be filled until cancelled.',
    '5 open positions stay and can be closed.',
  ],
  [
    'MessageBus',
    '4 running strategies receive nothing and place no orders.',
    '6 working orders stay at their venues and can be cancelled.',
    '5 open positions stay and can be closed.',
  ],
  ['Cache'],
])('[COMP-17] a stop of %s names what it affects now', (id, ...texts) => {
  expect(textsOf('stop', id, BUSY)).toEqual(texts)
})

test('[COMP-17] a restart cancels working orders only where the execution engine is restarted', () => {
  const cancels = ['6 working orders are cancelled.', '5 open positions stay and can be closed.']
  expect(textsOf('restart', undefined, BUSY)).toEqual(cancels)
  expect(textsOf('restart', 'ExecutionEngine', BUSY)).toEqual(cancels)
  expect(textsOf('restart', 'DataEngine', BUSY)).toEqual([])
})

test('[COMP-17] nothing is named that there is not, and one is not many', () => {
  expect(textsOf('stop', undefined, IDLE)).toEqual([])
  expect(textsOf('stop', 'RiskEngine', ONE)).toEqual([
    '1 running strategy keeps running, but can only reduce.',
    '1 of 1 working order adds exposure and can still be filled until cancelled.',
    '1 open position stays and can be closed.',
  ])
})

test('[COMP-20] components that are stopped already count in what a stop means', () => {
  expect(textsOf('stop', 'Portfolio', ONE, ['DataEngine', 'ExecutionEngine'])).toEqual([
    '1 running strategy cannot place orders until ExecutionEngine is started again.',
    '1 of 1 working order adds exposure and can still be filled until cancelled.',
    '1 open position stays and cannot be closed until DataEngine and ExecutionEngine are started again.',
  ])
  expect(textsOf('stop', 'ExecutionEngine', BUSY, ['DataEngine']).at(-1)).toBe(
    '5 open positions stay and cannot be closed until ExecutionEngine and DataEngine are started again.',
  )
  expect(textsOf('restart', 'ExecutionEngine', BUSY, ['DataEngine', 'ExecutionEngine']).at(-1)).toBe(
    '5 open positions stay and cannot be closed until DataEngine is started again.',
  )
})
