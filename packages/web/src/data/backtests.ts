import {
  type Backtest,
  type BacktestLabels,
  backtests,
  type Id,
  type Promotion,
  type RequestOf,
  type Strategy,
} from '@binnacle/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Backend, capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import { reloadStrategies } from './strategies.ts'

export type BacktestRequest = RequestOf<typeof backtests.start>['body']

const ACTIVE_POLL_MS = 1_000
const IDLE_POLL_MS = 5_000
const RECORDED_POLL_MS = 10_000
/** The most that the call returns. */
const LISTED_RUNS = 500
const all = ['backtests'] as const
const LIST = [...all, 'list'] as const
const PROMOTIONS = [...all, 'promotions'] as const

export const backtestQueries = {
  /** Newest first. */
  list: (isArchived = false) =>
    queryOptions({
      queryKey: [...LIST, isArchived],
      queryFn: async ({ signal }) => {
        const query = { limit: LISTED_RUNS, ...(isArchived && { archived: 'true' as const }) }
        return (await call(backtests.list, { query }, { signal })).backtests
      },
      refetchInterval: ({ state }) => (state.data?.some(isActive) ? ACTIVE_POLL_MS : IDLE_POLL_MS),
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** Whether there is one at all. */
  any: () =>
    queryOptions({
      queryKey: [...LIST, 'any'],
      queryFn: async ({ signal }) =>
        (await call(backtests.list, { query: { limit: 1 } }, { signal })).backtests.length > 0,
      meta: { onFailure: logOnly },
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: [...all, 'one', id],
      queryFn: ({ signal }) => call(backtests.get, { params: { id } }, { signal }),
      // BT-5: an ended run never changes.
      staleTime: ({ state }) => (isEnded(state.data) ? Number.POSITIVE_INFINITY : 0),
      refetchInterval: ({ state }) =>
        state.data !== undefined && isActive(state.data) ? ACTIVE_POLL_MS : false,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  recorded: () =>
    queryOptions({
      queryKey: [...all, 'recorded'],
      queryFn: async ({ signal }) => (await call(backtests.recorded, {}, { signal })).recorded,
      refetchInterval: RECORDED_POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
}

/** Queued or running. */
export function isActive({ status }: Pick<Backtest, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

function isEnded(run: Backtest | undefined): boolean {
  return run !== undefined && !isActive(run)
}

export function useStartBacktest(
  options: CommandOptions<BacktestRequest, Backtest>,
): Command<BacktestRequest> {
  return useCommand(
    {
      key: ['backtests', 'start'],
      idempotency: { by: 'request' },
      send: (request, key) => call(backtests.start, { body: request }, { key }),
      reload: reloadRuns,
      reloadsAfterFailure: true,
    },
    options,
  )
}

export interface LabelsOfRun {
  id: Id
  labels: BacktestLabels
}

/** BT-32 */
export function useLabelBacktest(options: CommandOptions<LabelsOfRun, Backtest>): Command<LabelsOfRun> {
  return useCommand(
    {
      key: ['backtests', 'label'],
      subject: ({ id }) => String(id),
      send: ({ id, labels }) => call(backtests.label, { params: { id }, body: labels }),
      reload: (client) => client.invalidateQueries({ queryKey: all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

export interface PromotionRequest {
  id: Id
  name: string
}

/** BT-33 */
export function usePromoteBacktest(
  options: CommandOptions<PromotionRequest, Strategy>,
): Command<PromotionRequest> {
  return useCommand(
    {
      key: ['backtests', 'promote'],
      idempotency: { by: 'request' },
      send: ({ id, name }, key) => call(backtests.promote, { params: { id }, body: { name } }, { key }),
      reload: async (client) => {
        await client.invalidateQueries({ queryKey: PROMOTIONS })
        await reloadStrategies(client)
      },
      reloadsAfterFailure: true,
    },
    options,
  )
}

export const promotionsQuery = (backend: Backend | undefined) =>
  queryOptions({
    queryKey: PROMOTIONS,
    queryFn: async ({ signal }) => (await call(backtests.promotions, {}, { signal })).promotions,
    enabled: offers(backend, 'backtesting'),
    meta: { onFailure: logOnly },
  })

const NO_PROMOTIONS: ReadonlyMap<string, Promotion> = new Map()

/** BT-34: by strategy; empty where backtests are not offered. */
export function usePromotions(): ReadonlyMap<string, Promotion> {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return useQuery({ ...promotionsQuery(backend), select: byStrategy }).data ?? NO_PROMOTIONS
}

function byStrategy(promotions: readonly Promotion[]): ReadonlyMap<string, Promotion> {
  return new Map(promotions.map((promotion) => [String(promotion.strategy), promotion]))
}

export function useCancelBacktest(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    {
      key: ['backtests', 'cancel'],
      subject: String,
      send: (id) => call(backtests.cancel, { params: { id } }),
      reload: (client) => client.invalidateQueries({ queryKey: all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

export function useRerunBacktest(options: CommandOptions<Id, Backtest>): Command<Id> {
  return useCommand(
    {
      key: ['backtests', 'rerun'],
      subject: String,
      idempotency: { by: 'request' },
      send: (id, key) => call(backtests.rerun, { params: { id } }, { key }),
      reload: reloadRuns,
      reloadsAfterFailure: true,
    },
    options,
  )
}

function reloadRuns(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: LIST })
}
