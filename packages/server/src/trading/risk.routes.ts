import { risk, tradingState } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { askDesk } from './ask-desk.ts'
import { limitsFromWire, limitsToWire, metricsToWire, tradingStateToWire } from './risk.wire.ts'

export function addRiskRoutes(app: FastifyInstance, desk: DeskHost): void {
  mount(app, risk.metrics, () => metricsToWire(desk.views.risk()))
  mount(app, risk.limits, () => limitsToWire(desk.views.risk()))

  mount(app, risk.saveLimits, async ({ body }, act) => {
    const answer = await askDesk(desk, { type: 'ChangeLimits', limits: limitsFromWire(body) }, act)
    return answer instanceof Refused ? answer : limitsToWire(desk.views.risk())
  })

  mount(app, tradingState.get, () => tradingStateToWire(desk.views.risk(), desk.haltedBecause))

  mount(app, tradingState.change, async ({ body }, act) => {
    const note = body.note === undefined ? {} : { note: body.note }
    const answer = await askDesk(desk, { type: 'ChangeTradingState', to: body.state, ...note }, act)
    return answer instanceof Refused ? answer : tradingStateToWire(desk.views.risk(), desk.haltedBecause)
  })
}
