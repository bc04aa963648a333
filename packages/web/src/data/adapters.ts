import {
  type Adapter,
  type AdapterResult,
  type AdapterTest,
  adapters,
  type NewAdapterConfig,
  samples,
} from '@binnacle/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import { HISTORY_RANGES, type HistoryRange } from './monitoring.ts'
import { windowStart } from './window-start.ts'

const POLL_MS = 2_000
const HISTORY_POINTS = 240
const all = ['adapters'] as const

export const adapterQueries = {
  list: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: async ({ signal }) => (await call(adapters.list, {}, { signal })).adapters,
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** The recorded round trips; it survives restarts, which the figures of the list do not. */
  history: (range: HistoryRange, series: string | undefined) =>
    queryOptions({
      queryKey: [...all, 'history', range, series],
      queryFn: ({ signal }) => {
        const { lengthS, pollMs } = HISTORY_RANGES[range]
        const from = windowStart(lengthS * 1_000, pollMs)
        return call(
          samples.read,
          { query: { series: series ?? '', from, points: HISTORY_POINTS } },
          { signal },
        )
      },
      enabled: series !== undefined,
      refetchInterval: HISTORY_RANGES[range].pollMs,
      meta: { onFailure: logOnly, isPolled: true },
    }),
}

/** Names the target state, so that repeating it is safe. */
export interface AdapterSwitch {
  adapter: Adapter
  isConnecting: boolean
}

export function useSwitchAdapter(options: CommandOptions<AdapterSwitch, Adapter>): Command<AdapterSwitch> {
  return useCommand(
    { key: SWITCH, subject: idOf, send: sendSwitch, reload, reloadsAfterFailure: true },
    options,
  )
}

const SWITCH = ['adapters', 'switch']

function idOf({ adapter }: { adapter: Adapter }): string {
  return adapter.id
}

function sendSwitch({ adapter: { id }, isConnecting }: AdapterSwitch): Promise<Adapter> {
  const request = { params: { adapter_id: id } }
  return isConnecting ? call(adapters.connect, request) : call(adapters.disconnect, request)
}

export function useTestAdapter(options: CommandOptions<Adapter, AdapterTest>): Command<Adapter> {
  return useCommand({ key: TEST, subject: ({ id }: Adapter) => id, send: sendTest, reload }, options)
}

const TEST = ['adapters', 'test']

function sendTest({ id }: Adapter): Promise<AdapterTest> {
  return call(adapters.test, { params: { adapter_id: id } })
}

export interface AdapterChange {
  adapter: Adapter
  config: NewAdapterConfig
}

export function useConfigureAdapter(options: CommandOptions<AdapterChange>): Command<AdapterChange> {
  return useCommand(
    { key: CONFIGURE, subject: idOf, send: sendConfig, reload, reloadsAfterFailure: true },
    options,
  )
}

const CONFIGURE = ['adapters', 'configure']

function sendConfig({ adapter: { id }, config }: AdapterChange): Promise<Adapter> {
  return call(adapters.configure, { params: { adapter_id: id }, body: config })
}

export type BulkAction = 'connect' | 'disconnect' | 'test'

/** A job: `call` follows it to its end. */
export function useAllAdapters(
  options: CommandOptions<BulkAction, readonly AdapterResult[]>,
): Command<BulkAction> {
  return useCommand({ key: ALL, subject: (action: BulkAction) => action, send: sendAll, reload }, options)
}

const ALL = ['adapters', 'all']

async function sendAll(action: BulkAction): Promise<readonly AdapterResult[]> {
  if (action === 'test') return (await call(adapters.testAll, {})).results
  return (await (action === 'connect' ? call(adapters.connectAll, {}) : call(adapters.disconnectAll, {})))
    .results
}

function reload(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: all })
}
