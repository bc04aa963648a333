import { account, risk, tradingState } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskClient } from '#trading/runtime/desk-client.ts'
import { asOf } from './as-of.ts'
import {
  accountToWire,
  limitsFromWire,
  limitsToWire,
  metricsToWire,
  tradingStateToWire,
} from './risk.wire.ts'
import { submitCommand } from './submit-command.ts'

export function addRiskRoutes(app: FastifyInstance, desk: DeskClient): void {
  mount(app, account.get, () => ({
    ...accountToWire(desk.views.risk(), desk.views.account()),
    ...asOf(desk),
  }))
  mount(app, risk.metrics, () => ({
    ...metricsToWire(desk.views.risk(), desk.views.account()),
    ...asOf(desk),
  }))
  mount(app, risk.limits, () => limitsToWire(desk.views.risk()))

  mount(app, risk.saveLimits, async ({ body }, { audit }) => {
    const answer = await submitCommand(desk, { type: 'ChangeLimits', limits: limitsFromWire(body) }, audit)
    return answer instanceof Refused ? answer : limitsToWire(desk.views.risk())
  })

  mount(app, tradingState.get, () => tradingStateToWire(desk.views.risk(), desk.haltedBecause))

  mount(app, tradingState.change, async ({ body }, { audit }) => {
    const note = body.note === undefined ? {} : { note: body.note }
    const answer = await submitCommand(desk, { type: 'ChangeTradingState', to: body.state, ...note }, audit)
    return answer instanceof Refused ? answer : tradingStateToWire(desk.views.risk(), desk.haltedBecause)
  })
}
