import type { TradingCounts } from '@binnacle/contract'

/** One thing that a stop or restart means now; `isHarm` if it takes something away. */
export interface Impact {
  isHarm: boolean
  text: string
}

/**
 * COMP-17: what stopping or restarting a component means now, in numbers; without one, of all of them.
 * COMP-20: components that are stopped already count too.
 */
export function impactOf(
  action: 'stop' | 'restart',
  componentId: string | undefined,
  counts: TradingCounts,
  stopped: readonly string[] = [],
): Impact[] {
  const { running_strategies, working_orders, adding_orders, open_positions } = counts
  const strategies = count(running_strategies, 'running strategy', 'running strategies')
  const orders = count(working_orders, 'working order', 'working orders')
  const positions = count(open_positions, 'open position', 'open positions')
  const strategiesDo = (one: string, many: string, isHarm = true) =>
    line(running_strategies, `${strategies} ${running_strategies === 1 ? one : many}`, isHarm)
  const ordersDo = (one: string, many: string, isHarm: boolean) =>
    line(working_orders, `${orders} ${working_orders === 1 ? one : many}`, isHarm)
  const positionsDo = (one: string, many: string, isHarm: boolean) =>
    line(open_positions, `${positions} ${open_positions === 1 ? one : many}`, isHarm)

  const cancelled = ordersDo('is cancelled.', 'are cancelled.', true)
  const orderStays = ordersDo(
    'stays at its venue and can be cancelled.',
    'stay at their venues and can be cancelled.',
    false,
  )
  const others = componentId === undefined ? [] : stopped.filter((id) => id !== componentId)
  const closers = others.filter((id) => CLOSE_NEEDS.has(id))
  const stays = (missing: string | undefined) =>
    missing === undefined
      ? positionsDo('stays and can be closed.', 'stay and can be closed.', false)
      : positionsDo(
          `stays and cannot be closed until ${missing} started again.`,
          `stay and cannot be closed until ${missing} started again.`,
          true,
        )
  const closable = stays(closers.length === 0 ? undefined : areOf(closers))
  const notClosable = stays(
    closers.length === 0 || componentId === undefined ? 'it is' : areOf([componentId, ...closers]),
  )
  const placers = others.filter((id) => PLACE_NEEDS.has(id))
  const cannotPlace = `cannot place orders until ${areOf(placers)} started again.`
  const onlyReduce =
    placers.length === 0
      ? strategiesDo('keeps running, but can only reduce.', 'keep running, but can only reduce.')
      : strategiesDo(cannotPlace, cannotPlace)
  const adding = line(
    adding_orders,
    `${adding_orders} of ${orders} ${adding_orders === 1 ? 'adds' : 'add'} exposure and can still be filled until cancelled.`,
    true,
  )
  if (action === 'restart') {
    const cancels = componentId === undefined || componentId === 'ExecutionEngine'
    return cancels ? [...cancelled, ...closable] : []
  }
  switch (componentId) {
    case 'DataEngine':
      return [...strategiesDo('receives no prices.', 'receive no prices.'), ...orderStays, ...notClosable]
    case 'RiskEngine':
    case 'Portfolio':
      return [...onlyReduce, ...adding, ...closable]
    case 'Cache':
      return []
    case 'MessageBus':
      return [
        ...strategiesDo('receives nothing and places no orders.', 'receive nothing and place no orders.'),
        ...orderStays,
        ...closable,
      ]
    case 'ExecutionEngine':
    case undefined:
      return [...cancelled, ...strategiesDo('cannot place orders.', 'cannot place orders.'), ...notClosable]
    default:
      return []
  }
}

/** Without these a position cannot be closed, a strategy cannot place orders. */
const CLOSE_NEEDS = new Set(['DataEngine', 'ExecutionEngine'])
const PLACE_NEEDS = new Set(['ExecutionEngine', 'MessageBus'])

function areOf(ids: readonly string[]): string {
  return `${ids.join(' and ')} ${ids.length === 1 ? 'is' : 'are'}`
}

function count(amount: number, one: string, many: string): string {
  return `${amount} ${amount === 1 ? one : many}`
}

function line(amount: number, text: string, isHarm: boolean): Impact[] {
  return amount === 0 ? [] : [{ isHarm, text }]
}
