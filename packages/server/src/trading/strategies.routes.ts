import { nautilusStrategies, strategies, strategyTypes } from '@binnacle/contract'
import { idFrom, type StrategyId } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import type { Act } from '#audit/act.ts'
import { type Handler, mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { type Accepted, askDesk } from './ask-desk.ts'
import { addStrategyFromWire, kindToWire, strategyToWire } from './strategies.wire.ts'
import { awaitVenue } from './venue-answer.ts'

/** Tells a strategy that was just started what the catalog has recorded, and says in words what came of it. */
export type WarmStrategy = (id: StrategyId) => Promise<string>

export function addStrategyRoutes(app: FastifyInstance, desk: DeskHost, warm: WarmStrategy): void {
  const list = () => ({ strategies: desk.views.strategies().map(strategyToWire) })
  mount(app, strategies.list, list)
  mount(app, nautilusStrategies.list, list)
  mount(app, nautilusStrategies.get, ({ params }) => replyOf(desk, idFrom(params.id)))
  mount(app, strategyTypes.list, () => ({ strategy_types: desk.kinds.map(kindToWire) }))

  const add: Handler<typeof strategies.add> = async ({ body }, act, key) => {
    const answer = await askDesk(desk, addStrategyFromWire(body, key), act)
    return answer instanceof Refused ? answer : addedReply(desk, answer)
  }
  mount(app, strategies.add, add)
  mount(app, nautilusStrategies.add, add)

  mount(app, strategies.update, async ({ params, body }, act) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await askDesk(desk, { type: 'ReconfigureStrategy', strategy, config: body.config }, act)
    return answer instanceof Refused ? answer : replyOf(desk, strategy)
  })

  mount(app, strategies.start, async ({ params }, act) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await askDesk(desk, { type: 'StartStrategy', strategy }, act)
    if (answer instanceof Refused) return answer
    if (answer.entry === null) return { message: `${nameOf(desk, strategy)} is already running` }
    return { message: `${nameOf(desk, strategy)} started. ${await warm(strategy)}` }
  })

  mount(app, strategies.stop, async ({ params }, act) => {
    const strategy = idFrom<StrategyId>(params.id)
    const answer = await askDesk(desk, { type: 'StopStrategy', strategy }, act)
    if (answer instanceof Refused) return answer
    const isDone = await ordersAreGone(desk, strategy)
    return { message: `${nameOf(desk, strategy)} stopped${isDone ? '' : '; its orders are being cancelled'}` }
  })

  mount(app, strategies.remove, async ({ params }, act) => {
    const strategy = idFrom<StrategyId>(params.id)
    const name = nameOf(desk, strategy)
    const answer = await remove(desk, strategy, act)
    return answer instanceof Refused ? answer : { message: `${name} deleted` }
  })
}

/** A repeated key may name a strategy that was deleted since. */
function addedReply(desk: DeskHost, { strategy, repeats }: Accepted) {
  if (strategy === undefined) return {}
  if (repeats === null || desk.views.strategy(strategy)) return replyOf(desk, strategy)
  return new Refused('thing.unknown', `Strategy ${strategy}, which this key added, was deleted since.`)
}

/** One that holds something is refused as it is; one with working orders is stopped first, and then they are gone. */
async function remove(desk: DeskHost, strategy: StrategyId, act: Act) {
  const holds = (desk.views.strategy(strategy)?.openPositions ?? 0) > 0
  const isBusy = (desk.views.strategy(strategy)?.workingOrders ?? 0) > 0
  if (isBusy && !holds) {
    const stopped = await askDesk(desk, { type: 'StopStrategy', strategy }, act)
    if (stopped instanceof Refused) return stopped
    await ordersAreGone(desk, strategy)
  }
  return askDesk(desk, { type: 'RemoveStrategy', strategy }, act)
}

function ordersAreGone(desk: DeskHost, strategy: StrategyId): Promise<boolean> {
  return awaitVenue(desk, () => (desk.views.strategy(strategy)?.workingOrders ?? 0) === 0)
}

function replyOf({ views }: DeskHost, id: StrategyId) {
  const view = views.strategy(id)
  return view ? strategyToWire(view) : new Refused('thing.unknown', `There is no strategy '${id}'.`)
}

function nameOf({ views }: DeskHost, id: StrategyId): string {
  return views.strategy(id)?.name ?? id
}
