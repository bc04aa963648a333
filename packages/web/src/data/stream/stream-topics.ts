import type { StreamTopic } from '@binnacle/contract'
import type { QueryKey } from '@tanstack/react-query'
import { alertQueries } from '#data/alerts.ts'
import { engineQueries } from '#data/engine.ts'
import { fillQueries } from '#data/fills.ts'
import { orderQueries } from '#data/orders.ts'
import { positionQueries } from '#data/positions.ts'
import { riskQueries } from '#data/risk.ts'
import { strategyQueries } from '#data/strategies.ts'

/** The topics that screens show. */
export const SHOWN_TOPICS = [
  'engine',
  'components',
  'strategies',
  'orders',
  'fills',
  'positions',
  'account',
  'risk',
  'trading-state',
  'alerts',
] as const satisfies readonly StreamTopic[]
export type ShownTopic = (typeof SHOWN_TOPICS)[number]

/** The queries that a topic writes. The age of the first is the age of the topic's figures. */
export const TOPIC_KEYS: { readonly [Topic in ShownTopic]: readonly [QueryKey, ...QueryKey[]] } = {
  engine: [
    [...engineQueries.all, 'info'],
    [...engineQueries.all, 'summary'],
  ],
  components: [
    [...engineQueries.all, 'components'],
    [...engineQueries.all, 'at-rest'],
  ],
  strategies: [strategyQueries.all],
  orders: [[...orderQueries.all, undefined]],
  fills: [fillQueries.all],
  positions: [positionQueries.all],
  account: [[...riskQueries.all, 'account']],
  risk: [
    [...riskQueries.all, 'metrics'],
    [...riskQueries.all, 'overview'],
  ],
  'trading-state': [[...riskQueries.all, 'trading-state']],
  alerts: [[...alertQueries.all, 'summary']],
}
