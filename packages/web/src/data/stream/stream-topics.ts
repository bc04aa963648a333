import type { SnapshotData, StreamTopic } from '@binnacle/contract'
import type { QueryKey } from '@tanstack/react-query'
import { alertQueries } from '#data/alerts.ts'
import { engineQueries, isStopped } from '#data/engine.ts'
import { fillQueries } from '#data/fills.ts'
import { orderQueries } from '#data/orders.ts'
import { positionQueries } from '#data/positions.ts'
import { riskQueries } from '#data/risk.ts'
import { strategyQueries } from '#data/strategies.ts'

/** The topics that screens show; market data and logs are read by their own screens. */
export type ShownTopic = Exclude<StreamTopic, 'quotes' | 'trades' | 'bars' | 'book' | 'logs'>

interface TopicQuery<Topic extends StreamTopic> {
  readonly key: QueryKey
  /** The query's value from the state of the topic; without it the query is loaded again. */
  readonly select?: (state: SnapshotData<Topic>) => unknown
}

/** The queries that a topic writes. The age of the first is the age of the topic's figures. */
export const TOPIC_QUERIES: {
  readonly [Topic in ShownTopic]: readonly [TopicQuery<Topic>, ...TopicQuery<Topic>[]]
} = {
  engine: [
    { key: [...engineQueries.all, 'info'], select: (info) => info },
    { key: [...engineQueries.all, 'summary'], select: (info) => info },
  ],
  components: [
    { key: [...engineQueries.all, 'components'], select: ({ components }) => components },
    { key: [...engineQueries.all, 'stopped'], select: ({ components }) => components.filter(isStopped) },
  ],
  strategies: [{ key: strategyQueries.all, select: ({ strategies }) => strategies }],
  orders: [{ key: [...orderQueries.all, undefined], select: (list) => list }],
  fills: [{ key: fillQueries.all }],
  positions: [{ key: positionQueries.all, select: ({ positions }) => positions }],
  account: [{ key: [...riskQueries.all, 'account'], select: (account) => account }],
  risk: [
    { key: [...riskQueries.all, 'metrics'], select: ({ metrics }) => metrics },
    { key: [...riskQueries.all, 'overview'], select: (risk) => risk },
  ],
  'trading-state': [{ key: [...riskQueries.all, 'trading-state'], select: (state) => state }],
  alerts: [{ key: [...alertQueries.all, 'summary'], select: (summary) => summary }],
}

// The table has an entry for each shown topic and no other.
export const SHOWN_TOPICS = Object.keys(TOPIC_QUERIES) as ShownTopic[]
