import {
  type DeletedStrategy,
  type Done,
  type NewStrategy,
  type STRATEGY_LOG_KINDS,
  type Strategy,
  samples,
  strategies,
} from '@binnacle/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import type { LoadOptions } from './load.ts'
import { windowStart } from './window-start.ts'

const POLL_MS = 5000
const ADD = ['strategies', 'add']
const CHANGE = ['strategies', 'change']

export const strategyQueries = {
  all: ['strategies'] as const,
  /** Not polled by default, as specified. */
  list: ({ onFailure, isPolled = false }: LoadOptions & { isPolled?: boolean }) =>
    queryOptions({
      queryKey: strategyQueries.all,
      queryFn: async ({ signal }) => (await call(strategies.list, {}, { signal })).strategies,
      refetchInterval: isPolled && POLL_MS,
      meta: { onFailure, isPolled },
    }),
}

const NONE_DELETED: readonly DeletedStrategy[] = []

/** Deleted strategies with their results; empty in the baseline, where nothing is requested. */
export function useDeletedStrategies(): readonly DeletedStrategy[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data = NONE_DELETED } = useQuery({
    queryKey: [...strategyQueries.all, 'deleted'],
    queryFn: async ({ signal }) => (await call(strategies.deleted, {}, { signal })).strategies,
    meta: { onFailure: logOnly },
    enabled: offers(backend, 'strategy-types'),
  })
  return data
}

const HISTORY_MS = 24 * 3_600_000
const HISTORY_POLL_MS = 60_000
const HISTORY_POINTS = 96

/** STRAT-53: the P&L of a strategy over the last day, oldest first; undefined where no samples are offered. */
export function useStrategyHistory(id: string): readonly number[] | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data } = useQuery({
    queryKey: [...strategyQueries.all, 'history', id],
    queryFn: ({ signal }) => {
      const from = windowStart(HISTORY_MS, HISTORY_POLL_MS)
      return call(
        samples.read,
        { query: { series: `strategy.${id}.pnl`, from, points: HISTORY_POINTS } },
        { signal },
      )
    },
    refetchInterval: HISTORY_POLL_MS,
    enabled: offers(backend, 'samples'),
    meta: { onFailure: logOnly },
  })
  return data?.series[0]?.points.map(([, last]) => last)
}

export type LogKind = (typeof STRATEGY_LOG_KINDS)[number]

const LOG_POLL_MS = 5_000

/** STRAT-60: loaded again with every change of the strategy's streamed row, so that it is live. */
export function useStrategyLog(strategy: Strategy, kind: LogKind | undefined) {
  const { id, status, name, config, loss_limit: limit, orders_denied: denied, performance } = strategy
  const { fills, working_orders: working } = performance
  const version = JSON.stringify([status, name, config, limit, denied?.count, fills, working])
  return useQuery({
    queryKey: [...strategyQueries.all, 'log', String(id), kind, version],
    queryFn: ({ signal }) =>
      call(strategies.log, { params: { id }, query: kind === undefined ? {} : { kind } }, { signal }),
    refetchInterval: LOG_POLL_MS,
    // The lines stay while newer ones are loaded.
    placeholderData: (last, query) => (query?.queryKey[3] === kind ? last : undefined),
    gcTime: LOG_POLL_MS,
    meta: { onFailure: logOnly },
  })
}

/** Strategy names by id; empty in the baseline, where nothing is requested. */
export function useStrategyNames(): ReadonlyMap<string, string> {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const list = strategyQueries.list({ onFailure: logOnly })
  const { data: names = '[]' } = useQuery({ ...list, enabled: backend?.kind === 'live', select: namesOf })
  return useMemo(() => new Map<string, string>(JSON.parse(names)), [names])
}

/** As a text, which stays equal while the figures of strategies move: tables render again with every new value. */
function namesOf(listed: readonly Strategy[]): string {
  return JSON.stringify(listed.map(({ id, name }) => [String(id), name]))
}

export function useAddStrategy(options: CommandOptions<NewStrategy>): Command<NewStrategy> {
  return useCommand(
    {
      key: ADD,
      send: (strategy, key) => call(strategies.add, { body: strategy }, { key }),
      idempotency: { by: 'list', findListed: findStrategies },
      reload: reloadStrategies,
      reloadsAfterFailure: true,
    },
    options,
  )
}

function findStrategies(client: QueryClient, { name, type }: NewStrategy): readonly string[] {
  const listed = client.getQueryData<readonly Strategy[]>(strategyQueries.all) ?? []
  return listed
    .filter((strategy) => strategy.name === name && strategy.type === type)
    .map(({ id }) => String(id))
}

/** With its name, which the list may no longer have when a failure names it. */
export type StrategyRef = Pick<Strategy, 'id' | 'name'>

export function useStartStrategy(options: CommandOptions<StrategyRef>): Command<StrategyRef> {
  return useChangeStrategy(({ id }) => call(strategies.start, { params: { id } }), options)
}

export function useStopStrategy(options: CommandOptions<StrategyRef, Done>): Command<StrategyRef> {
  return useChangeStrategy(({ id }) => call(strategies.stop, { params: { id } }), options)
}

export function useDeleteStrategy(options: CommandOptions<StrategyRef>): Command<StrategyRef> {
  return useChangeStrategy(({ id }) => call(strategies.remove, { params: { id } }), options)
}

/** Starting, stopping and deleting share a key: one at a time for each strategy. */
function useChangeStrategy(
  send: (strategy: StrategyRef) => Promise<Done>,
  options: CommandOptions<StrategyRef, Done>,
): Command<StrategyRef> {
  return useCommand(
    {
      key: CHANGE,
      subject: ({ id }) => String(id),
      send,
      reload: reloadStrategies,
      reloadsAfterFailure: true,
    },
    options,
  )
}

export function reloadStrategies(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: strategyQueries.all })
}
