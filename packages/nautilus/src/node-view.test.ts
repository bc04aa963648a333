import { expect, test } from 'vitest'
import { NodeView } from './node-view.ts'
import { type Event, parseFromNode, parseToNode, type Snapshot } from './protocol.ts'

const strategy = (name: string) => ({
  id: 'EMACross-E01',
  name,
  template: 'ema',
  description: '',
  config: {},
  state: 'RUNNING',
  stats: { fills: 0, closed: 0, won: 0, realized: '0', fees: '0' },
})

const slice = (name: string, rev: number): Exclude<Snapshot, { section: 'end' }> => ({
  k: 'snapshot',
  section: 'strategies',
  rows: [{ ...strategy(name), rev }],
  last: true,
  as_of: 9,
})

const event = (seq: number, name: string | null): Event => ({
  k: 'event',
  seq,
  ts: '1',
  type: 'strategy',
  data: { event: 'Changed', id: 'EMACross-E01', view: name === null ? null : strategy(name) },
})

test('[NAUT-71] a row of a snapshot does not replace a later event', () => {
  const view = new NodeView('epoch', 0)
  view.apply(event(8, 'later'))
  view.takeSlice(slice('older', 7))
  expect(view.find('strategies', 'EMACross-E01')?.name).toBe('later')
  view.takeSlice(slice('latest', 9))
  expect(view.find('strategies', 'EMACross-E01')?.name).toBe('latest')
})

test('[NAUT-71] a row of a snapshot does not bring a removed object back', () => {
  const view = new NodeView('epoch', 0)
  view.apply(event(8, null))
  view.takeSlice(slice('older', 7))
  expect(view.all('strategies')).toEqual([])
})

test('[NAUT-72] the frames of the protocol page are valid', () => {
  const fromNode = [
    '{"k":"hello","v":1,"protocol":{"min":1,"max":1},"epoch":"3890df0a-9095-4c4c-b811-1c868a92991a","trader_id":"DESK-001","environment":"sandbox","versions":{"bridge":"1.0","nautilus":"1.221.0","python":"3.11.7"},"seq":23,"oldest_seq":1}',
    '{"k":"ack","id":"7710","status":"accepted"}',
    '{"k":"result","id":"7710","status":"failed","code":"DENIED_RISK","message":"LIMIT max_order_size: 59980.9 > 10000","data":{"order_id":"C-7710"}}',
  ]
  for (const line of fromNode) expect(parseFromNode(line)).toMatchObject(JSON.parse(line))
  const toNode = [
    '{"k":"auth","token":"","role":"writer","console":"binnacle","resume":{"epoch":"3890df0a","seq":17}}',
    '{"k":"command","id":"77100000-0000-4000-8000-000000000000","name":"order.submit","actor":"admin","expires_at":"1794778893000000000","args":{"instrument_id":"BTCUSDT.SIM","side":"BUY","type":"LIMIT","quantity":"0.100","price":"50000.0","tif":"GTC","reduce_only":false}}',
  ]
  for (const line of toNode) expect(parseToNode(line)).toEqual(JSON.parse(line))
})
