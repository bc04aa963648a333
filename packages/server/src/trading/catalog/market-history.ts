import {
  aggregateBars,
  type BarColumns,
  createColumns,
  INTERVAL_MS,
  type InstrumentId,
  type Instruments,
  type Interval,
  instantFromMs,
  MS_PER_DAY,
  standardInstruments,
} from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { DataFolder } from '#storage/data-folder.ts'
import type { DeskClient } from '#trading/runtime/desk-client.ts'
import { type Catalog, openCatalog, type RecordedBars } from './catalog.ts'
import { latestOf } from './columns.ts'
import type { HistoryProgress } from './generate-history.ts'
import { type History, startHistory } from './history.ts'
import type { Minute } from './minute-tail.ts'

/** What is recorded, and how to record more. */
export interface MarketRecord extends Pick<Catalog, 'readLonger' | 'spanOf' | 'lastMinuteOf'> {
  record(minutes: readonly Minute[]): void
  /** Calls the listener after days were added to the past. */
  onAdded(listener: () => void): void
}

/** The recorded market: the days that a desk is warmed up with, and those that are still being generated. */
export interface MarketHistory {
  readonly daily: readonly BarColumns[]
  readonly recorded: RecordedBars
  /** For charts, and to record the running market. */
  readonly market: MarketRecord
  /** Goes on with the days that are missing, and warms the desk up when they are there. Without a desk it only settles. */
  start(desk?: DeskClient): void
  progress(): HistoryProgress | null
  /** Returns the latest recorded bars; none when they are shorter than what is recorded. */
  latestBars(wanted: LatestWanted): Promise<BarColumns>
  close(): Promise<void>
}

export interface LatestWanted {
  instrument: InstrumentId
  interval: Interval
  bars: number
}

export interface MarketHistoryOptions {
  folder: Pick<DataFolder, 'at'>
  /** Those of the embedded engine unless given. */
  instruments?: Instruments
  /** How many days a first start generates. */
  days: number
  logger: FastifyBaseLogger
}

/** As many days as the engine remembers. */
const DAYS_READ = 400
/** How often the minutes of the running market move to the files of their months. */
const SETTLE_MS = 3_600_000
/** Loading DuckDB for the first time would delay the first replies of a start. */
const FIRST_SETTLE_MS = 5_000

/** Opens what is recorded. Without it there is only no value at risk yet, so a failure is logged and no more. */
export async function openMarketHistory(options: MarketHistoryOptions): Promise<MarketHistory> {
  const { folder, days, logger, instruments = standardInstruments() } = options
  const place = { folder: folder.at('catalog'), marketFile: folder.at('market.json') }
  const catalog = await openCatalog(place.folder, instruments)
  const fail = (fault: unknown) => logger.error({ event: 'history.failed', err: fault })
  const daily = await readDaily(catalog, instruments).catch((fault) => {
    fail(fault)
    return []
  })
  const addedListeners = new Set<() => void>()
  let history: History | undefined
  let warming: Promise<void> | undefined
  let settled = Promise.resolve()
  let settling: NodeJS.Timeout | undefined
  let isClosed = false

  async function warm(begun: History, desk: DeskClient): Promise<void> {
    if (await begun.finished) {
      desk.loadDailyBars(await readDaily(catalog, instruments))
      for (const listener of addedListeners) listener()
    }
    // History writes to the same files, so they are this thread's only when it is through.
    keepSettling(desk)
  }

  function keepSettling(desk?: DeskClient): void {
    if (isClosed) return
    const settleAgain = () => {
      settle(desk)
      settling = setTimeout(settleAgain, SETTLE_MS)
    }
    settling = setTimeout(settleAgain, FIRST_SETTLE_MS)
  }

  function settle(desk?: DeskClient): void {
    settled = settled
      .then(async () => {
        if (!isClosed && (await catalog.settle())) desk?.loadDailyBars(await readDaily(catalog, instruments))
      })
      .catch(fail)
  }

  function record(minutes: readonly Minute[]): void {
    try {
      catalog.record(minutes)
    } catch (fault) {
      fail(fault)
    }
  }

  return {
    daily,
    market: {
      readLonger: catalog.readLonger,
      spanOf: catalog.spanOf,
      lastMinuteOf: catalog.lastMinuteOf,
      record,
      onAdded: (listener) => void addedListeners.add(listener),
    },
    recorded: { count: catalog.count, spanOf: catalog.spanOf, folder: place.folder },
    start(desk) {
      if (desk === undefined) return keepSettling()
      try {
        history = startHistory({ ...place, days, logger, now: Date.now() })
        warming = warm(history, desk).catch(fail)
      } catch (fault) {
        fail(fault)
      }
    },
    progress: () => history?.progress() ?? null,
    latestBars: (wanted) => readLatest(catalog, wanted),
    async close() {
      isClosed = true
      await history?.close()
      await warming
      clearTimeout(settling)
      await settled
      catalog.close()
    },
  }
}

async function readDaily(catalog: Catalog, instruments: Instruments): Promise<BarColumns[]> {
  const to = instantFromMs(Date.now())
  const from = instantFromMs(to - DAYS_READ * MS_PER_DAY)
  const all: BarColumns[] = []
  for (const { id } of instruments.all) {
    all.push(await catalog.readBars({ instrument: id, interval: '1d', from, to }))
  }
  return all
}

/** Days that may have passed since the last one was recorded: the server may have been down. */
const GAP_MS = 1.5 * MS_PER_DAY

async function readLatest(
  catalog: Catalog,
  { instrument, interval, bars }: LatestWanted,
): Promise<BarColumns> {
  const recorded = interval === '1d' ? '1d' : '1m'
  const length = INTERVAL_MS[interval]
  if (length < INTERVAL_MS[recorded]) return createColumns(instrument, interval, 0)
  const now = Date.now()
  // What is under way is not over: its minutes are left to the market itself.
  const to = instantFromMs(now - (now % length))
  const from = instantFromMs(Math.max(0, to - bars * length - GAP_MS))
  const found = await catalog.readBars({ instrument, interval: recorded, from, to })
  return latestOf(aggregateBars(found, interval), bars)
}
