import { expect, test } from 'vitest'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { createLab, type Lab } from '#testkit/lab.ts'

const latency = { outboundMs: () => 100, inboundMs: () => 0 }
const REASON = { code: 'cancel.trading-state', state: 'HALTED' }

/** A desk whose halt has requested the cancel of a working order, which has not reached the venue. */
function aCancelInTransit(): Lab {
  const lab = createLab({ latency })
  lab.wait(100)
  lab.quote({})
  lab.place({ orderType: 'LIMIT', price: 40_000 })
  lab.wait(100)
  lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
  return lab
}

test('[RISK-50] a cancel that is sent again after a restart keeps its reason', () => {
  const before = aCancelInTransit()
  const state = decodeSnapshot(encodeSnapshot(before.state))
  const lab = createLab({ latency, state, at: before.now })
  lab.wait(100)
  expect([...lab.state.orders.finished.values()]).toMatchObject([{ state: 'CANCELLED', reason: REASON }])
})

test('[RISK-50] a request by hand that follows does not replace the reason', () => {
  const lab = aCancelInTransit()
  const [order] = [...lab.state.orders.working.values()]
  if (order) lab.run({ type: 'CancelOrder', orderId: order.id })
  expect(lab.engine.createResendRequests().filter(({ type }) => type === 'cancel')).toMatchObject([
    { cause: REASON },
  ])
})

test('[RISK-50] a cancel that is sent again when its venue has reconnected keeps its reason', () => {
  const lab = aCancelInTransit()
  const { outbox } = lab.receive(
    { type: 'disconnected', venue: 'BINANCE' },
    { type: 'connected', venue: 'BINANCE' },
  )
  expect(outbox).toMatchObject([{ type: 'cancel', cause: REASON }])
})
