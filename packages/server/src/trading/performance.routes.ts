import { performance } from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { asOfHistory } from './as-of.ts'
import { closedToWire } from './fills.wire.ts'
import type { Performance } from './performance/performance.ts'

export function addPerformanceRoutes(
  app: FastifyInstance,
  desk: Pick<Desk, 'views' | 'orderHistory'>,
  analytics: Performance,
): void {
  mount(app, performance.report, async ({ query }) => {
    await asOfHistory(desk)
    return analytics.report(query)
  })

  mount(app, performance.trades, async ({ query }) => {
    const about = await asOfHistory(desk)
    const page = await analytics.trades(query)
    if (page instanceof Refused) return page
    return {
      ...about,
      trades: page.rows.map((position) => closedToWire(position, desk.views)),
      next_cursor: page.next,
    }
  })

  mount(app, performance.risk, ({ query }) => analytics.risk(query.period))
}
