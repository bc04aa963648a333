import {
  type BarColumns,
  getWarmUpRequirement,
  type StrategyId,
  type StrategyView,
  standardInstruments,
} from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { DeskClient } from '#trading/runtime/desk-client.ts'
import type { MarketHistory } from './market-history.ts'

export interface WarmStrategiesOptions {
  desk: DeskClient
  history: Pick<MarketHistory, 'latestBars'>
  logger: FastifyBaseLogger
}

export interface WarmStrategies {
  /** Warms up a strategy that was just started and returns a sentence about the bars used. */
  one(id: StrategyId): Promise<string>
  /** Warms up all running strategies, as after a restart. */
  all(): Promise<void>
}

const instruments = standardInstruments()
/** An exponential average needs several times its length to lose its initial value. */
const WARM_UP_FACTOR = 4
const MAX_WARM_UP_BARS = 512

/** Warms strategies up from the catalog. On failure they warm up on the market, so it is only logged. */
export function createWarmStrategies({ desk, history, logger }: WarmStrategiesOptions): WarmStrategies {
  async function warm(view: StrategyView): Promise<string> {
    const requirement = getWarmUpRequirement(desk.kinds, view, instruments)
    if (requirement === null || requirement.bars === 0) return 'It trades from the next quote.'
    const { interval } = requirement
    const bars = Math.min(MAX_WARM_UP_BARS, requirement.bars * WARM_UP_FACTOR)
    const read = await Promise.all(
      requirement.instruments.map((instrument) => history.latestBars({ instrument, interval, bars })),
    )
    desk.warmUp(read)
    const found = Math.min(...read.map(({ length }) => length))
    const until = found === 0 ? null : new Date(Math.max(...read.map(endOf))).toISOString()
    logger.info({
      event: 'strategy.warmed',
      strategy: view.id,
      interval,
      needed: requirement.bars,
      found,
      until,
    })
    if (found >= requirement.bars) return `Warmed up with ${found} ${interval} bars from the catalog.`
    return `Warming up: the catalog has ${found} of ${requirement.bars} ${interval} bars, the rest come from the market.`
  }

  const guarded = (view: StrategyView) =>
    warm(view).catch((fault: unknown) => {
      logger.error({ event: 'strategy.not-warmed', strategy: view.id, err: fault })
      return 'The catalog could not be read. Warming up on the market.'
    })

  return {
    one: async (id) => {
      const view = desk.views.strategy(id)
      return view === null ? '' : guarded(view)
    },
    all: async () => {
      const running = desk.views.strategies().filter(({ status }) => status === 'running')
      for (const view of running) await guarded(view)
      if (running.length > 0) {
        logger.info({
          event: 'strategies.resumed',
          strategies: running.map(({ id, name }) => `${id} ${name}`),
        })
      }
    },
  }
}

function endOf(bars: BarColumns): number {
  return bars.start.at(-1) ?? 0
}
