import { countOf } from '@binnacle/stores/testkit'
import { expect, test, vi } from 'vitest'
import { startProgram } from '#testkit/program.ts'
import { testEnvironment } from '#testkit/running-server.ts'

const RACES = countOf('haltRaces')

// A start of a whole server, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 + RACES * 1_000 })

const INSTRUMENT = 'BTCUSDT-PERP'
const BUY = { instrument: INSTRUMENT, side: 'BUY', type: 'MARKET', quantity: 0.001 }
const SELL = { ...BUY, side: 'SELL' }

interface Order {
  id: string
  status: string
}

function connect(port: number) {
  const call = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const reply = await fetch(`http://localhost:${port}${path}`, { method, ...json })
    // Other tests say what these calls answer.
    return reply.json() as Promise<Reply>
  }
  return {
    call,
    order: (terms: object) => call<Order>('POST', '/api/orders', terms),
    setState: (state: string) => call('POST', '/api/trading-state', { state }),
    emergency: () => call<{ is_active: boolean; outcome: string; open: unknown[] }>('GET', '/api/emergency'),
    state: async () => (await call<{ state: string }>('GET', '/api/trading-state')).state,
    accepted: async () => {
      const { orders } = await call<{ orders: Order[] }>('GET', '/api/orders')
      return orders.filter(({ status }) => status !== 'REJECTED').map(({ id }) => id)
    },
    untilMarket: () =>
      vi.waitFor(
        async () => expect((await call<Order>('POST', '/api/orders', BUY)).status).not.toBe('REJECTED'),
        {
          timeout: 120_000,
          interval: 200,
        },
      ),
  }
}

test(`[RISK-80] no order is accepted once a halt is acknowledged, in ${RACES} races`, async () => {
  const program = startProgram(testEnvironment())
  const desk = connect(await program.isUp())
  await desk.untilMarket()
  const quoting = { name: 'quotes', type: 'market_making', description: '', config: {} }
  const { id } = await desk.call<{ id: string }>('POST', '/api/strategies', quoting)
  await desk.call('POST', `/api/strategies/${id}/start`)
  for (let race = 0; race < RACES; race += 1) {
    await desk.setState('ACTIVE')
    const before = race % 4
    const meanwhile = Array.from({ length: before }, () => desk.order(BUY))
    const halted = desk.setState('HALTED')
    meanwhile.push(desk.order(SELL), desk.order(BUY))
    await halted
    const atHalt = await desk.accepted()
    const after = await Promise.all([
      desk.order(BUY),
      desk.order(SELL),
      desk.order({ ...BUY, reduce_only: true }),
    ])
    expect(after.map(({ status }) => status)).toEqual(['REJECTED', 'REJECTED', 'REJECTED'])
    await Promise.all(meanwhile)
    expect((await desk.accepted()).filter((order) => !atHalt.includes(order))).toEqual([])
  }
})

test('[RISK-81] killed in the middle of closing everything, the server goes on after its start until trading is flat and HALTED', async () => {
  const env = testEnvironment()
  const first = startProgram(env)
  const before = connect(await first.isUp())
  await before.untilMarket()
  await before.order({ ...BUY, instrument: 'ETHUSDT-PERP', quantity: 0.01 })
  // Without it nothing reaches a venue, so that closing cannot end.
  await before.call('POST', '/api/component/stop', { component: 'ExecutionEngine' })
  expect(await before.call('POST', '/api/emergency', {})).toMatchObject({ is_active: true })
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')

  const second = startProgram(env)
  const after = connect(await second.isUp())
  expect(await after.emergency()).toMatchObject({ is_active: true, open: [{}, {}] })
  expect(await after.state()).toBe('REDUCING')
  await after.call('POST', '/api/component/start', { component: 'ExecutionEngine' })
  await vi.waitFor(async () => expect(await after.emergency()).toMatchObject({ outcome: 'flat', open: [] }), {
    timeout: 120_000,
    interval: 200,
  })
  expect(await after.state()).toBe('HALTED')
})
