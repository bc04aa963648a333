import { account, risk, tradingState } from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { conditionalChangeOf, Versioned } from '#http/versions.ts'
import { asOf } from './as-of.ts'
import {
  accountToWire,
  limitsFromWire,
  limitsToWire,
  metricsToWire,
  tradingStateToWire,
} from './risk.wire.ts'
import { submitCommand } from './submit-command.ts'

export function addRiskRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, account.get, () => ({
    ...accountToWire(desk.views.risk(), desk.views.account()),
    ...asOf(desk),
  }))
  mount(app, risk.metrics, () => ({
    ...metricsToWire(desk.views.risk(), desk.views.account()),
    ...asOf(desk),
  }))
  const changeLimits = conditionalChangeOf(desk)
  const limits = () => limitsToWire(desk.views.risk())
  const versionedLimits = () => new Versioned(limits(), limits())
  mount(app, risk.limits, versionedLimits)

  mount(app, risk.saveLimits, ({ body }, { audit, ifMatch }) =>
    changeLimits(ifMatch, limits, async () => {
      const answer = await submitCommand(desk, { type: 'ChangeLimits', limits: limitsFromWire(body) }, audit)
      return answer instanceof Refused ? answer : versionedLimits()
    }),
  )

  mount(app, tradingState.get, () => tradingStateToWire(desk.views.risk(), desk.views.haltReason))

  mount(app, tradingState.change, async ({ body }, { audit }) => {
    const note = body.note === undefined ? {} : { note: body.note }
    const answer = await submitCommand(desk, { type: 'ChangeTradingState', to: body.state, ...note }, audit)
    return answer instanceof Refused ? answer : tradingStateToWire(desk.views.risk(), desk.views.haltReason)
  })
}
