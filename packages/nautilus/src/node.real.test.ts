import { DEFAULT_LIMITS } from '@binnacle/engine'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { DESK_CASES } from '#testkit/desk-cases.ts'
import { reach } from '#testkit/reach.ts'
import { pushQuote, REAL_INSTRUMENT, RealNode } from '#testkit/real-node.ts'
import { NautilusDesk } from './nautilus-desk.ts'
import { NodeClient } from './node-client.ts'

const instrument = REAL_INSTRUMENT

describe('a real node', () => {
  const node = new RealNode()
  let client: NodeClient
  let desk: NautilusDesk

  beforeAll(async () => {
    await node.start()
    client = new NodeClient({ address: node.address })
    desk = new NautilusDesk(client)
    await reach(client, () => desk.views.engine().isRunning)
  })

  afterAll(async () => {
    await client?.close()
    await node.remove()
  })

  async function quote(bid: number): Promise<void> {
    await pushQuote(client, bid)
    await reach(client, () =>
      desk.views.quotes().some((row) => row.instrument === instrument && row.bid === bid),
    )
  }

  /** Leaves nothing open and the defaults of a new node. */
  beforeEach(async () => {
    await desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })
    await desk.submit({ type: 'ChangeLimits', limits: DEFAULT_LIMITS })
    await quote(50_000)
    for (const { id, status } of desk.views.orders()) {
      if (status === 'PENDING') await desk.submit({ type: 'CancelOrder', orderId: id })
    }
    for (const { id } of desk.views.positions()) await desk.submit({ type: 'ClosePosition', positionId: id })
    await reach(client, () => desk.views.positions().length === 0)
  })

  test.each(DESK_CASES)('[NAUT-85] over NautilusTrader $title', ({ run }) =>
    run({ desk, instrument, venue: 'SIM', quote, isEmbedded: false }),
  )
})
