import {
  type BarColumns,
  pastWantedBy,
  type StrategyId,
  type StrategyView,
  standardInstruments,
} from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { MarketHistory } from '#market-history.ts'
import type { EmbeddedDesk } from '#runtime/desk-host.ts'

export interface WarmStrategiesOptions {
  desk: EmbeddedDesk
  history: Pick<MarketHistory, 'latestBars'>
  logger: FastifyBaseLogger
}

export interface WarmStrategies {
  /** Warms up one that was started, and says in words with what. */
  one(id: StrategyId): Promise<string>
  /** Warms up all that run, as after a restart. */
  all(): Promise<void>
}

const instruments = standardInstruments()
/** An average needs more bars than its length to forget where it began; the engine remembers this many. */
const LENGTHS = 4
const MOST_BARS = 512

/** Warms strategies up from the catalog. Without it they warm up on the market, so a failure is logged and no more. */
export function createWarmStrategies({ desk, history, logger }: WarmStrategiesOptions): WarmStrategies {
  async function warm(view: StrategyView): Promise<string> {
    const wanted = pastWantedBy(desk.kinds, view, instruments)
    if (wanted === null || wanted.bars === 0) return 'It acts on the next quotes.'
    const { interval } = wanted
    const bars = Math.min(MOST_BARS, wanted.bars * LENGTHS)
    const read = await Promise.all(
      wanted.instruments.map((instrument) => history.latestBars({ instrument, interval, bars })),
    )
    desk.prime(read)
    const told = Math.min(...read.map(({ length }) => length))
    const until = told === 0 ? null : new Date(Math.max(...read.map(endOf))).toISOString()
    logger.info({ event: 'strategy.warmed', strategy: view.id, interval, needed: wanted.bars, told, until })
    if (told >= wanted.bars)
      return `It was told ${told} bars of ${interval} from the catalog and acts on the next.`
    return `The catalog has ${told} of the ${wanted.bars} bars of ${interval} that it needs; it warms up on the market.`
  }

  const guarded = (view: StrategyView) =>
    warm(view).catch((fault: unknown) => {
      logger.error({ event: 'strategy.not-warmed', strategy: view.id, err: fault })
      return 'The catalog could not be read; it warms up on the market.'
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
