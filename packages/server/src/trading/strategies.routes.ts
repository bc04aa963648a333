import { nautilusStrategies, strategies, strategyTypes } from '@binnacle/contract'
import { type AcceptedOutcome, type Desk, idFrom, type StrategyId } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { type Handler, mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { Unconfirmed } from '#http/unconfirmed.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { asOf } from './as-of.ts'
import { addStrategyFromWire, kindToWire, removedStrategyToWire, strategyToWire } from './strategies.wire.ts'
import { logLineToWire } from './strategy-log.wire.ts'
import { submitCommand } from './submit-command.ts'
import { awaitVenue } from './venue-answer.ts'

/** Warms a started strategy up from the catalog and returns a sentence about the result. */
export type WarmStrategy = (id: StrategyId) => Promise<string>

export interface StrategyRouteOptions {
  warm: WarmStrategy
  /** STORE-66: ids below this number were given out by a journal that was replaced. */
  minNumber: number
}

export function addStrategyRoutes(
  app: FastifyInstance,
  desk: Desk,
  { warm, minNumber }: StrategyRouteOptions,
): void {
  const list = () => ({ strategies: desk.views.strategies().map(strategyToWire) })
  mount(app, strategies.list, list)
  mount(app, nautilusStrategies.list, list)
  mount(app, strategies.deleted, () => ({
    strategies: desk.views.removedStrategies().map(removedStrategyToWire),
  }))
  mount(app, nautilusStrategies.get, ({ params }) => replyOf(desk, idFrom(params.id)))
  mount(app, strategyTypes.list, () => ({
    strategy_types: desk.kinds.map((kind) => kindToWire(kind, desk.views.instruments())),
  }))

  const add: Handler<typeof strategies.add> = async ({ body }, { audit, idempotencyKey }) => {
    const answer = await submitCommand(desk, addStrategyFromWire(body, idempotencyKey, minNumber), audit)
    return answer instanceof Refused ? answer : addedReply(desk, answer)
  }
  mount(app, strategies.add, add)
  mount(app, nautilusStrategies.add, add)

  mount(app, strategies.update, async ({ params, body }, { audit }) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await submitCommand(
      desk,
      { type: 'ReconfigureStrategy', strategy, config: body.config },
      audit,
    )
    return answer instanceof Refused ? answer : replyOf(desk, strategy)
  })

  mount(app, strategies.rename, async ({ params, body: { name } }, { audit }) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await submitCommand(desk, { type: 'RenameStrategy', strategy, name }, audit)
    return answer instanceof Refused ? answer : { message: `Strategy ${strategy} is named ${name}` }
  })

  mount(app, strategies.log, async ({ params, query: { kind, limit } }) => {
    const strategy = idFrom<StrategyId>(params.id)
    if (!desk.views.strategy(strategy)) return notFound('strategy', strategy)
    if (desk.strategyLog === undefined)
      return new Refused('engine.refused', 'This engine does not record the log of a strategy.')
    const reply = asOf(desk)
    const log = await desk.strategyLog(strategy)
    const lines = kind === undefined ? log.lines : log.lines.filter((line) => line.kind === kind)
    return {
      ...reply,
      lines: lines.slice(0, limit).map(logLineToWire),
      is_complete: log.isComplete && lines.length <= limit,
    }
  })

  mount(app, strategies.limitLoss, async ({ params, body: { limit } }, { audit }) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await submitCommand(desk, { type: 'LimitStrategyLoss', strategy, limit }, audit)
    if (answer instanceof Refused) return answer
    const name = nameOf(desk, strategy)
    return { message: limit === null ? `${name} has no loss limit` : `Loss limit of ${name} saved` }
  })

  mount(app, strategies.start, async ({ params }, { audit }) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await submitCommand(desk, { type: 'StartStrategy', strategy }, audit)
    if (answer instanceof Refused) return answer
    if (answer.revision === null) return { message: `${nameOf(desk, strategy)} is already running` }
    return { message: `${nameOf(desk, strategy)} started. ${await warm(strategy)}` }
  })

  mount(app, strategies.stop, async ({ params }, { audit }) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await submitCommand(desk, { type: 'StopStrategy', strategy }, audit)
    if (answer instanceof Refused) return answer
    if (await ordersAreGone(desk, strategy)) return { message: `${nameOf(desk, strategy)} stopped` }
    const left = desk.views.strategy(strategy)?.workingOrders ?? 0
    return new Unconfirmed(`${nameOf(desk, strategy)} stopped. Cancel requested for ${orderCount(left)}.`)
  })

  mount(app, strategies.remove, async ({ params }, { audit }) => {
    const strategy = idFrom<StrategyId>(params.id)
    const name = nameOf(desk, strategy)
    const answer = await remove(desk, strategy, audit)
    return answer instanceof Refused ? answer : { message: `${name} deleted` }
  })
}

/** A repeated key may name a strategy that was deleted since. */
function addedReply(desk: Desk, { strategy, repeats }: AcceptedOutcome) {
  if (strategy === undefined) return {}
  if (repeats === null || desk.views.strategy(strategy)) return replyOf(desk, strategy)
  return new Refused('thing.unknown', `Strategy ${strategy}, which this key added, was deleted since.`)
}

/** One that holds something is refused as it is; one with working orders is stopped first, and then they are gone. */
async function remove(desk: Desk, strategy: StrategyId, audit: AuditContext) {
  const holds = (desk.views.strategy(strategy)?.openPositions ?? 0) > 0
  const isBusy = (desk.views.strategy(strategy)?.workingOrders ?? 0) > 0
  if (isBusy && !holds) {
    const stop = { ...audit, action: 'strategies.stop' }
    const stopped = await submitCommand(desk, { type: 'StopStrategy', strategy }, stop)
    if (stopped instanceof Refused) return stopped
    await ordersAreGone(desk, strategy)
  }
  return submitCommand(desk, { type: 'RemoveStrategy', strategy }, audit)
}

function ordersAreGone(desk: Desk, strategy: StrategyId): Promise<boolean> {
  return awaitVenue(desk, () => (desk.views.strategy(strategy)?.workingOrders ?? 0) === 0)
}

function orderCount(count: number): string {
  return count === 1
    ? '1 order that its venue has not confirmed'
    : `${count} orders that their venues have not confirmed`
}

function replyOf({ views }: Desk, id: StrategyId) {
  const view = views.strategy(id)
  return view ? strategyToWire(view) : notFound('strategy', id)
}

function nameOf({ views }: Desk, id: StrategyId): string {
  return views.strategy(id)?.name ?? id
}
