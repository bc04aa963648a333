import { expect, test } from 'vitest'
import { NodeHistory } from './node-history.ts'
import { createNodeInstruments } from './node-instruments.ts'
import { NodeRows } from './node-rows.ts'
import { NodeView } from './node-view.ts'
import { parseFromNode } from './protocol.ts'

const NOTHING = { deposited: '0', total: '0', realized: '0', fees: '0' }
const MARGINS = { free: '0', locked: '0', margin_initial: '0' }
const METRICS = { currency: 'USDT', rates: { USDT: '1', BTC: '60000.25', BNB: '612.123456789' } }

/** The rows of a node as they come over the wire. */
function rowsOf(accounts: readonly object[], metrics: object): NodeRows {
  const view = new NodeView('epoch', 0)
  const rows = accounts.map((row, index) => ({ id: `A-${index}`, rev: 0, ...MARGINS, ...NOTHING, ...row }))
  const slice = parseFromNode(
    JSON.stringify({ k: 'snapshot', section: 'accounts', rows, last: true, as_of: 0 }),
  )
  if (slice?.k === 'snapshot' && slice.section !== 'end') view.takeSlice(slice)
  const frame = parseFromNode(JSON.stringify({ k: 'metrics', ts: '1', ...metrics }))
  if (frame?.k === 'metrics') view.metrics = frame
  return new NodeRows({
    revision: 1,
    view,
    obstacle: null,
    readOnlyBecause: null,
    unknownOutcomes: 0,
    history: new NodeHistory(view, { revision: () => 1 }),
    instruments: createNodeInstruments([]).all,
    orderOfKey: () => null,
  })
}

const USDT = { currency: 'USDT', deposited: '100000', total: '100010.5', realized: '11', fees: '0.5' }
const BTC = { currency: 'BTC', deposited: '1.00000001', total: '1.5', fees: '0.00000003' }

test('[NAUT-202] accounts of one currency are added exactly', () => {
  const account = rowsOf([USDT, { ...USDT, total: '0.00000001' }], {}).account()
  expect(account).toMatchObject({
    currency: 'USDT',
    leftOut: [],
    exact: { cash: '100010.50000001', fees: '1' },
  })
})

test('[NAUT-202] amounts of another currency count at the rate of current quotes, to the nearest unit', () => {
  const { currency, leftOut, exact, equity } = rowsOf([BTC, USDT], METRICS).account()
  expect({ currency, leftOut, equity }).toEqual({ currency: 'USDT', leftOut: [], equity: 190_010.875 })
  expect(exact).toMatchObject({
    cash: '190010.875',
    deposited: '160000.2506',
    fees: '0.50180001',
    realised: '11',
  })
})

test('[NAUT-202] what has no rate is in no amount and is named; nothing is named that is nothing', () => {
  const others = [
    { ...NOTHING, currency: 'EUR', total: '200' },
    { ...NOTHING, currency: 'CHF' },
  ]
  const account = rowsOf([{ ...USDT, others }, BTC, { currency: 'EUR', total: '0.5' }], {}).account()
  expect(account).toMatchObject({
    currency: 'USDT',
    leftOut: ['1.5 BTC', '200.5 EUR'],
    cash: 100_010.5,
    fees: 0.5,
  })
})

test('[NAUT-202] without a currency of the usual ones the first account decides', () => {
  expect(rowsOf([BTC], {}).account()).toMatchObject({ currency: 'BTC', leftOut: [], cash: 1.5 })
  expect(rowsOf([], {}).account()).toMatchObject({ currency: null, leftOut: [], cash: 0 })
})
